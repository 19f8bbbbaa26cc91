package draw

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// widthOf returns the result of ansi.StringWidth. It is faster for the characters that Sonde uses for
// drawing: ASCII, lines, blocks, braille and colours.
func widthOf(s string) int {
	n := 0
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c >= ' ' && c <= '~':
			n, i = n+1, i+1
		case c == '\x1b':
			end := colour(s[i:])
			if end == 0 {
				return ansi.StringWidth(s)
			}
			i += end
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if !single(r) {
				return ansi.StringWidth(s)
			}
			n, i = n+1, i+size
		}
	}
	return n
}

// single reports whether a rune is known to take one cell, even next to other runes.
func single(r rune) bool {
	return r >= 0x2500 && r <= 0x259f || r >= 0x2800 && r <= 0x28ff || strings.ContainsRune("…·←→›▸▾●○✓△✗◆", r)
}

// colour returns the length of the SGR sequence at the start of a text, 0 if there is none.
func colour(s string) int {
	if len(s) < 3 || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// dropLeft removes cells from the left of a text. If the cut would split a wide character, the whole
// character is removed.
func dropLeft(s string, cells int) string {
	right := ansi.TruncateLeft(s, cells, "")
	if widthOf(right) > max(0, widthOf(s)-cells) {
		return ansi.TruncateLeft(s, cells+1, "")
	}
	return right
}
