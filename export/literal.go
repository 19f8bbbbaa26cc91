package export

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quoted returns text as a Go string literal. Text that reads better as a raw
// string becomes one if that is exact and shows all of it.
func quoted(text string) string {
	if strings.ContainsAny(text, "\"\\\n") && plainly(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// Literal returns text as a Go string literal, raw where that reads better.
func Literal(text string) string { return quoted(text) }

// rawJSON returns JSON, or a piece of it, as a Go literal: always raw where
// that is exact.
func rawJSON(text string) string {
	if plainly(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// plainly tells that a raw string can hold the text and a reader sees
// every character of it: none that turns the direction of writing, for example.
func plainly(text string) bool {
	for _, r := range text {
		if r != '\n' && r != '\t' && !visible(r) {
			return false
		}
	}
	return utf8.ValidString(text)
}

func visible(r rune) bool { return r != '`' && unicode.IsPrint(r) }

// remark returns text for a place inside of a comment: one line of at most
// width runes, with nothing in it that cannot be seen. At the start of a line "+build"
// would be a condition of the build.
func remark(text string, width int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return utf8.RuneError
		}
		return r
	}, text)
	text = strings.TrimLeft(strings.Join(strings.Fields(text), " "), "+")
	runes := []rune(strings.TrimSpace(text))
	if len(runes) > width {
		runes = append(runes[:width-1], '…')
	}
	return string(runes)
}
