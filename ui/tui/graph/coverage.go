package graph

import (
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
)

// coverage has the number of answers in the search, by operation and status. It is nil before a search.
type coverage map[model.OpID]map[int]int

// answers returns the number of answers of a node's operations, by status.
func (c coverage) answers(n node) map[int]int {
	if len(n.ops) == 1 {
		return c[n.lead()]
	}
	all := map[int]int{}
	for _, op := range n.ops {
		for status, count := range c[op] {
			all[status] += count
		}
	}
	return all
}

// mark returns the statuses on a node's box in at most width cells, "" before a search.
func (c coverage) mark(n node, width int) string {
	if c == nil {
		return ""
	}
	return draw.Answers(c.answers(n), width).Text()
}

// style returns the style of a box's border. It shows the answers of the node in the search or, without answers, the
// method of the node.
func (c coverage) style(n node) theme.Style {
	counts := c.answers(n)
	if len(counts) == 0 {
		return n.methodStyle()
	}
	_, style := draw.AnswersGlyph(counts)
	return style
}

// methodStyle returns the style of the method of a node's operations, theme.Plain if they have different methods.
func (n node) methodStyle() theme.Style {
	for _, op := range n.ops {
		if method(op) != method(n.lead()) {
			return theme.Plain
		}
	}
	return theme.Method(method(n.lead()))
}

func method(op model.OpID) string {
	m, _, _ := strings.Cut(string(op), " ")
	return m
}
