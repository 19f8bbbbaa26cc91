package export

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quoted returns text as a Go string literal: a raw string if the text has quotes, backslashes or line
// ends and all its characters are visible.
func quoted(text string) string {
	if strings.ContainsAny(text, "\"\\\n") && allVisible(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// GoLiteral returns text as a Go string literal, as a raw string if that is easier to read.
func GoLiteral(text string) string { return quoted(text) }

// rawJSON returns JSON, or a piece of it, as a Go string literal: a raw string if all its characters are
// visible.
func rawJSON(text string) string {
	if allVisible(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// allVisible reports whether a raw string can contain the text and all its characters are visible.
// Characters that change the direction of writing are not visible.
func allVisible(text string) bool {
	for _, r := range text {
		if r != '\n' && r != '\t' && !visible(r) {
			return false
		}
	}
	return utf8.ValidString(text)
}

func visible(r rune) bool { return r != '`' && unicode.IsPrint(r) }

// remark returns text for a comment: one line of at most width visible characters. It does not begin with
// "+", because the comment could become a "+build" constraint.
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

// quotedRemark returns a name for a comment, in quotes, which separate it from the words around it.
func quotedRemark(name string) string { return `"` + remark(name, 60) + `"` }
