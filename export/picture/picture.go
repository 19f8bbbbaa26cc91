// Package picture writes graphs as SVG, and in the languages of graphviz and mermaid, which lay out graphs
// themselves. It does not decide what a graph shows.
//
// Names in a graph come from specifications, which may be hostile. They are escaped for each format, without
// control characters and characters that change the direction of writing.
package picture

import (
	"fmt"
	"strings"
	"unicode"

	"sonde/analysis/layout"
)

// Graph is a graph to be drawn, from left to right.
type Graph struct {
	Title string
	Nodes []Node
	Edges []Edge
	// Note is a sentence about what the picture leaves out, "" for nothing.
	Note string
}

// Node is a box of lines: operations, or a resource and its operations.
type Node []Line

// Line is a line of text in a box.
type Line struct {
	// Method is an HTTP method at the start of the line, in its colour; "" for none.
	Method string
	Text   string
}

// String returns the line as plain text.
func (l Line) String() string {
	if l.Method == "" {
		return clean(l.Text)
	}
	return clean(l.Method + " " + l.Text)
}

// Edge is an arrow from one node to another, with the names of values.
type Edge struct {
	From, To int // indices of Graph.Nodes
	Values   []string
}

// label returns the names of values in at most the given number of cells. It ends with the number of names
// that have no room: "cartId, itemId +3".
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

// method returns the method of the lines that have one, "" if these lines differ or no line has
// one.
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

// methods are the methods that have a colour.
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
