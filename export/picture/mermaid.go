package picture

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"sonde/analysis/layout"
)

// Limits of a flowchart. A graph of at most MaxMermaidNodes and MaxMermaidEdges is easy to read. The defaults of
// mermaid are 500 edges and mermaidText characters.
const (
	MaxMermaidNodes = 250
	MaxMermaidEdges = 400
	mermaidText     = 50_000
)

// The maximum number of cells of a label.
const (
	mermaidBox  = 60
	mermaidEdge = 30
)

// strokes are the colours of methods. They are visible on light and dark backgrounds.
var strokes = map[string]string{
	"GET": "#2f81f7", "POST": "#2da44e", "PUT": "#bf8700", "PATCH": "#a371f7", "DELETE": "#e5534b",
}

// WriteMermaid writes a graph as a mermaid flowchart. Nodes have generated names, so that no text of a
// specification becomes code. Nodes and edges that exceed the maximum length of a flowchart are left out,
// and a note says so. The error is from w.
func WriteMermaid(w io.Writer, g Graph) error {
	f := flowchart{room: mermaidText - 20*len(g.Nodes) - len(code(g.Note)) - 500}
	for i, n := range g.Nodes {
		if !f.fits(fmt.Sprintf("    n%d[\"%s\"]\n", i, n.mermaid())) {
			break
		}
		f.nodes++
	}
	for i, frame := range g.Frames {
		f.frame(i, frame)
	}
	for _, e := range g.Edges {
		arrow := "-->"
		if e.Dashed {
			arrow = "-.->"
		}
		if max(e.From, e.To) < f.nodes && f.fits(fmt.Sprintf("    n%d %s%s n%d\n", e.From, arrow, onEdge(e.Values), e.To)) {
			f.edges++
		}
	}
	if note := f.note(g); note != "" {
		fmt.Fprintf(&f.text, "    note[\"%s\"]\n", code(note))
	}
	f.colour(g.Nodes[:f.nodes])
	f.dash(g.Values)
	_, err := io.WriteString(w, "flowchart LR\n"+f.text.String())
	return err
}

// flowchart is a flowchart that is being written.
type flowchart struct {
	text         strings.Builder
	room         int // bytes left for nodes and edges
	nodes, edges int
}

// fits writes a line if there is room for it, and reports whether there was.
func (f *flowchart) fits(line string) bool {
	if len(line) > f.room {
		return false
	}
	f.room -= len(line)
	f.text.WriteString(line)
	return true
}

// frame writes a frame around those of its nodes that were written, if there is room for the frame.
func (f *flowchart) frame(i int, frame Frame) {
	text := fmt.Sprintf("    subgraph g%d[\"%s\"]\n", i, code(layout.TruncateText(clean(frame.Title), mermaidBox)))
	for _, node := range frame.Nodes {
		if node < f.nodes {
			text += fmt.Sprintf("        n%d\n", node)
		}
	}
	f.fits(text + "    end\n")
}

// dash gives values dashed borders.
func (f *flowchart) dash(values map[int]bool) {
	var list []string
	for i := range f.nodes {
		if values[i] {
			list = append(list, fmt.Sprint("n", i))
		}
	}
	if list != nil {
		fmt.Fprintf(&f.text, "    classDef value stroke-dasharray:5 4\n    class %s value\n", strings.Join(list, ","))
	}
}

// note returns a note about nodes and edges that are left out.
func (f *flowchart) note(g Graph) string {
	nodes, edges := len(g.Nodes)-f.nodes, len(g.Edges)-f.edges
	if nodes+edges == 0 {
		return g.Note
	}
	return strings.TrimSpace(fmt.Sprintf("%s No room for %d boxes and %d arrows.", g.Note, nodes, edges))
}

// colour gives the nodes of a method its colour.
func (f *flowchart) colour(nodes []Node) {
	for _, m := range methods {
		var list []string
		for i, n := range nodes {
			if n.method() == m {
				list = append(list, fmt.Sprint("n", i))
			}
		}
		if list == nil {
			continue
		}
		name := strings.ToLower(m)
		fmt.Fprintf(
			&f.text, "    classDef %s stroke:%s,stroke-width:2px\n    class %s %s\n", name, strokes[m],
			strings.Join(list, ","), name,
		)
	}
}

func (n Node) mermaid() string {
	var lines []string
	for _, l := range n {
		lines = append(lines, code(layout.TruncateText(l.String(), mermaidBox)))
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

// harmless are characters other than letters and digits that have no special meaning between quotes in
// mermaid.
var harmless = []rune(" /-_.,+")

// code escapes a text for use between quotes. All characters that may have a special meaning in mermaid
// become entities: # and ; begin and end entities, a backtick begins Markdown, % a directive. The lexer of
// mermaid also takes a line for a statement if it contains the word direction, spaces and TB.
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
