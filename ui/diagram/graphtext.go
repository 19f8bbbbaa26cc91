package diagram

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// char is what one place in a text shows: a character with all that combines
// with it, and the number of cells that it takes.
type char struct {
	text  string
	width int
}

// chars cuts s into characters. Those that would not stay in their cells are
// left out (control characters, so that no text can speak to the terminal) or
// become a question mark (what would join with its neighbours).
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

// stays reports whether a cluster keeps its width between other characters.
func stays(cluster string, w int) bool { return ansi.StringWidth("│"+cluster+"│") == w+2 }

// clean is s with only what may be printed.
func clean(s string) string {
	var b strings.Builder
	for _, ch := range chars(s) {
		b.WriteString(ch.text)
	}
	return b.String()
}
