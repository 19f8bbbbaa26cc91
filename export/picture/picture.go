// Package picture writes graphs for people to look at: as SVG, and in the
// languages of graphviz and of mermaid, which draw by themselves.
//
// Names in a graph may be anything that a hostile document holds: every format
// gets them escaped its way, and without control characters and those that turn
// the direction of writing.
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
	// Note says what is not in the picture, "" where nothing is missing.
	Note string
}

// Node is a box. Its lines are operations, or a resource and what can be done
// with it.
type Node []Line

// Line is a line of text in a box.
type Line struct {
	// Method is what the line begins with, in its colour; "" for none.
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

// Edge leads from one node to another and carries values.
type Edge struct {
	From, To int // into Graph.Nodes
	Values   []string
}

// label writes values in at most so many cells, and counts those for which
// there is no room: "cartId, itemId +3".
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

// method returns the method that all lines of a node share, of those that have
// one; "" if they differ.
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

// methods are those that have a colour of their own.
var methods = []string{"GET", "POST", "PUT", "PATCH", "DELETE"}

// clean makes a foreign text one line of visible characters.
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
