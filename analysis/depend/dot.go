package depend

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// DOT writes a graph in the language of graphviz, one edge a line with the
// names of its values.
func DOT(w io.Writer, g *Graph) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "digraph dependencies {")
	fmt.Fprintln(b, "\trankdir=LR")
	fmt.Fprintln(b, "\tnode [shape=box]")
	for _, op := range g.Operations {
		fmt.Fprintf(b, "\t%s\n", quote(string(op)))
	}
	for e := range g.Edges() {
		fmt.Fprintf(b, "\t%s -> %s [label=%s]\n",
			quote(string(e.From)), quote(string(e.To)), quote(strings.Join(e.Values, ", ")))
	}
	fmt.Fprintln(b, "}")
	return b.Flush()
}

// quote writes a string as DOT reads it: a backslash begins an escape in a
// label, and control characters have none.
func quote(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
