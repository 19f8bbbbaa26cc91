package picture

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteDOT writes a graph in the DOT language of graphviz. The label of an edge lists its values. The error
// is from w.
func WriteDOT(w io.Writer, g Graph) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "digraph dependencies {")
	fmt.Fprintln(b, "\trankdir=LR")
	fmt.Fprintln(b, "\tnode [shape=box]")
	if g.Note != "" {
		fmt.Fprintf(b, "\tlabel=%s\n", quote(g.Note))
	}
	names := names(g.Nodes)
	for _, name := range names {
		fmt.Fprintf(b, "\t%s\n", name)
	}
	for _, e := range g.Edges {
		fmt.Fprintf(b, "\t%s -> %s [label=%s]\n", names[e.From], names[e.To], quote(strings.Join(e.Values, ", ")))
	}
	fmt.Fprintln(b, "}")
	return b.Flush()
}

// names returns a quoted and unique name for each node.
func names(nodes []Node) []string {
	list := make([]string, len(nodes))
	taken := map[string]bool{}
	for i, n := range nodes {
		var lines []string
		for _, l := range n {
			lines = append(lines, escape(l.String()))
		}
		name := strings.Join(lines, `\n`)
		free := name
		for k := 2; taken[free]; k++ {
			free = fmt.Sprintf("%s (%d)", name, k)
		}
		taken[free] = true
		list[i] = `"` + free + `"`
	}
	return list
}

func quote(s string) string { return `"` + escape(clean(s)) + `"` }

// escape escapes a text for a label.
func escape(s string) string { return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) }
