package picture

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"sonde/analysis/layout"
)

// What mermaid draws unless the page around it says otherwise: it refuses more
// than 500 edges, and a text of more than 50,000 characters.
const (
	MermaidNodes = 250
	MermaidEdges = 400
)

// The most cells of a label, so that such a graph keeps within the characters.
const (
	mermaidBox  = 60
	mermaidEdge = 30
)

// strokes are the methods' colours, in the middle between light and dark.
var strokes = map[string]string{
	"GET": "#2f81f7", "POST": "#2da44e", "PUT": "#bf8700", "PATCH": "#a371f7", "DELETE": "#e5534b",
}

// Mermaid writes a graph as a flowchart in the language of mermaid. Nodes have
// names of their own, so that nothing of the document's is ever code.
func Mermaid(w io.Writer, g Graph) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "flowchart LR")
	for i, n := range g.Nodes {
		fmt.Fprintf(b, "    n%d[\"%s\"]\n", i, n.mermaid())
	}
	if g.Note != "" {
		fmt.Fprintf(b, "    note[\"%s\"]\n", code(g.Note))
	}
	for _, e := range g.Edges {
		fmt.Fprintf(b, "    n%d -->%s n%d\n", e.From, onEdge(e.Values), e.To)
	}
	for _, m := range methods {
		if list := g.all(m); len(list) > 0 {
			name := strings.ToLower(m)
			fmt.Fprintf(b, "    classDef %s stroke:%s,stroke-width:2px\n    class %s %s\n", name, strokes[m], strings.Join(list, ","), name)
		}
	}
	return b.Flush()
}

func (n Node) mermaid() string {
	var lines []string
	for _, l := range n {
		lines = append(lines, code(layout.Truncate(l.String(), mermaidBox)))
	}
	return strings.Join(lines, "<br/>")
}

func onEdge(values []string) string {
	text := label(values, mermaidEdge)
	if text == "" {
		return ""
	}
	return `|"` + code(text) + `"|`
}

// all returns the nodes of one method.
func (g Graph) all(method string) []string {
	var list []string
	for i, n := range g.Nodes {
		if n.method() == method {
			list = append(list, fmt.Sprint("n", i))
		}
	}
	return list
}

// harmless are the characters besides letters and digits that mean nothing to
// mermaid between quotes.
var harmless = []rune(" /-_.,+")

// code writes a text for between quotes. All that could mean anything to
// mermaid becomes an entity: # and ; begin and end entities, a backtick begins
// Markdown, % a directive. Its lexer also takes a line for an order that holds
// the word direction, blanks and TB, wherever they stand.
func code(s string) string {
	var b strings.Builder
	for _, r := range clean(s) {
		if r < 0x80 && !alphanumeric(r) && !slices.Contains(harmless, r) {
			fmt.Fprintf(&b, "#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return strings.ReplaceAll(b.String(), "direction", "direct#105;on")
}

func alphanumeric(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
