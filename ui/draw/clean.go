package draw

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Clean makes hostile text safe to show on one line. It removes escape sequences, control characters and
// characters that change the direction of writing, and replaces line ends and tabs by spaces. It simplifies
// characters whose width differs between terminals: it splits joined emoji and keeps only the first accent
// of a letter. It drops the middle of a very long text.
func Clean(s string) string {
	s = LimitBytes(s, longestLine)
	if printable(s) {
		return s
	}
	return tidy(strings.Join(strings.FieldsFunc(s, blank), " "))
}

// Maximum numbers of bytes, for Clean and for each line of CleanLines.
const (
	longestLine = 2_000
	longestOf   = 64 << 10
)

// LimitBytes drops the middle of a text of more than limit bytes. It keeps both ends, because names and
// paths differ there.
func LimitBytes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	left, right := limit/2, len(s)-limit/2
	for left > 0 && !utf8.RuneStart(s[left]) {
		left--
	}
	for right < len(s) && !utf8.RuneStart(s[right]) {
		right++
	}
	return s[:left] + "…" + s[right:]
}

// CleanLines is like Clean, but keeps line ends, replaces a tab by four spaces, and allows
// longer lines.
func CleanLines(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range lines {
		l = LimitBytes(l, longestOf)
		lines[i] = tidy(strings.ReplaceAll(l, "\t", "    "))
	}
	return strings.Join(lines, "\n")
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func blank(r rune) bool {
	return r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029'
}

// tidy removes characters that must not reach a terminal, and all combining marks of a character except the
// first.
func tidy(s string) string {
	if printable(s) {
		return s
	}
	marks := 1
	return strings.Map(func(r rune) rune {
		switch {
		case unwanted(r):
			return -1
		case !unicode.In(r, unicode.Mn, unicode.Me):
			marks = 0
		case marks > 0:
			return -1
		default:
			marks++
		}
		return r
	}, ansi.Strip(strings.ToValidUTF8(s, string(utf8.RuneError))))
}

func unwanted(r rune) bool {
	switch {
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp):
		return true
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef: // variation selectors
		return true
	}
	return r >= 0x1f3fb && r <= 0x1f3ff // skin tones
}
