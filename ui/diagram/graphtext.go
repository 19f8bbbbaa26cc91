package diagram

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// char is a character with its combining characters. width is its number of cells.
type char struct {
	text  string
	width int
}

// chars splits s into characters. It drops control characters, so that no escape sequence reaches the terminal, and
// it drops characters without width. A question mark replaces invalid UTF-8, and each character that would merge with
// the character before or after it.
func chars(s string) []char {
	out := make([]char, 0, len(s))
	for len(s) > 0 {
		cluster, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		s = s[len(cluster):]
		switch {
		case len(cluster) == 1 && (cluster[0] < ' ' || cluster[0] == 0x7f) || w == 0:
		case len(cluster) == 1 && cluster[0] < 0x7f:
			out = append(out, char{cluster, 1})
		case !utf8.ValidString(cluster) || !stays(cluster, w):
			out = append(out, char{"?", 1})
		default:
			out = append(out, char{cluster, w})
		}
	}
	return out
}

// stays reports whether a character (a grapheme cluster of width w) keeps its width between other characters.
func stays(cluster string, w int) bool { return ansi.StringWidth("│"+cluster+"│") == w+2 }

// clean returns the texts of chars(s) as one string.
func clean(s string) string {
	var b strings.Builder
	for _, ch := range chars(s) {
		b.WriteString(ch.text)
	}
	return b.String()
}
