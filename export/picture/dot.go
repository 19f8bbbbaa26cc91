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
	for i, name := range names {
		fmt.Fprintf(b, "\t%s%s\n", name, g.valueAttributes(i))
	}
	for i, f := range g.Frames {
		fmt.Fprintf(b, "\tsubgraph cluster_%d {\n\t\tlabel=%s\n", i, quote(f.Title))
		for _, node := range f.Nodes {
			fmt.Fprintf(b, "\t\t%s\n", names[node])
		}
		fmt.Fprintln(b, "\t}")
	}
	for _, e := range g.Edges {
		dashed := ""
		if e.Dashed {
			dashed = " style=dashed"
		}
		fmt.Fprintf(b, "\t%s -> %s [label=%s%s]\n", names[e.From], names[e.To], quote(strings.Join(e.Values, ", ")), dashed)
	}
	fmt.Fprintln(b, "}")
	return b.Flush()
}

// valueAttributes returns the attributes of a node that is a value, and "" for another node. They include a label,
// because the name of the node has a number at its end if another node has the same text.
func (g Graph) valueAttributes(node int) string {
	if !g.Values[node] {
		return ""
	}
	return fmt.Sprintf(` [style=dashed label="%s"]`, g.Nodes[node].dot())
}

// dot returns the lines of a node, escaped for a label.
func (n Node) dot() string {
	var lines []string
	for _, l := range n {
		lines = append(lines, escape(l.String()))
	}
	return strings.Join(lines, `\n`)
}

// names returns a quoted and unique name for each node.
func names(nodes []Node) []string {
	list := make([]string, len(nodes))
	taken := map[string]bool{}
	for i, n := range nodes {
		name := n.dot()
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

// escape escapes the backslashes and quotes of a label.
func escape(s string) string { return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) }
