// Package picture writes graphs as SVG pictures, and in the languages of graphviz and mermaid, which do the
// layout themselves. The caller decides what a graph shows.
//
// Names in a graph come from specifications, which may be hostile. They are escaped for each format, and
// control characters and characters that change the direction of writing are removed.
package picture

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"sonde/analysis/layout"
)

// Graph is a graph to be drawn, from left to right.
type Graph struct {
	Title string
	Nodes []Node
	Edges []Edge
	// Values are the nodes that are values, not operations or resources. They have dashed borders.
	Values map[int]bool
	// States are what a run reached of nodes. Only WriteInlineSVG shows them.
	States map[int]State
	Frames []Frame
	// Note is a sentence about nodes or edges that the picture leaves out, "" for none.
	Note string
}

// Node is a box of lines: operations, or a resource and its operations.
type Node []Line

// Frame is a rectangle around nodes. No node is in two frames, and no edge leads from one frame to another.
type Frame struct {
	Title string
	Nodes []int // indices of Graph.Nodes
}

// Line is a line of text in a box.
type Line struct {
	// Method is an HTTP method, which is written in its colour at the start of the line; "" for none.
	Method string
	Text   string
	// State is what a run reached of the line, "" if the graph shows no run. Mark is a glyph for it at the start of the
	// line, so that the state does not depend on colour alone.
	State State
	Mark  string
}

// State is what a run reached of an operation or a resource. It is the name of a CSS class.
type State string

// The states.
const (
	Succeeded State = "succeeded" // 2xx
	Refused   State = "refused"   // only other answers, usually 4xx
	Failed    State = "failed"    // 5xx
	Untried   State = "untried"   // no answer
)

// String returns the line as plain text.
func (l Line) String() string {
	parts := slices.DeleteFunc([]string{l.Mark, l.Method, l.Text}, func(part string) bool { return part == "" })
	return clean(strings.Join(parts, " "))
}

// Edge is an arrow from one node to another. Values are the names in its label.
type Edge struct {
	From, To int // indices of Graph.Nodes
	Values   []string
	Dashed   bool
}

// label returns the names of values, truncated to the given number of cells. If names are left out, it ends
// with their number: "cartId, itemId +3".
func label(values []string, cells int) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = clean(v)
	}
	text := strings.Join(texts, ", ")
	for n := len(texts) - 1; n > 0 && layout.TextWidth(text) > cells; n-- {
		rest := fmt.Sprintf(" +%d", len(texts)-n)
		text = strings.Join(texts[:n], ", ") + rest
		if n == 1 {
			text = layout.TruncateText(texts[0], cells-len(rest)) + rest
		}
	}
	return layout.TruncateText(text, cells)
}

// method returns the method of the node's lines, or "" if they have different methods or none.
func (n Node) method() (method string) {
	for _, l := range n {
		switch {
		case l.Method == "" || l.Method == method:
		case method == "":
			method = l.Method
		default:
			return ""
		}
	}
	return method
}

// methods are the methods with a colour.
var methods = []string{"GET", "POST", "PUT", "PATCH", "DELETE"}

// clean returns a text as one line of visible characters.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || unicode.In(r, unicode.Zl, unicode.Zp):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) || r&0xfffe == 0xfffe:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}
