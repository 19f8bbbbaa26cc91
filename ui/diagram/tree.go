package diagram

import (
	"slices"
	"strings"

	"sonde/analysis/layout"
)

// TreeRow is a row of a tree: its text and its node.
type TreeRow struct {
	Node int
	Text string
}

// Tree returns a graph as indented lines. Below each node are the targets of its edges. Before each target is the
// label of the edge, or the name of the value that is passed to the target:
//
//	POST /products
//	└─ productId ▸ POST /carts/{cartId}/items
//
// ↺ marks a node that is its own ancestor, and ↑ a node whose targets are listed further up. Without roots,
// the tree begins with the nodes that no other node has an edge to, and has all nodes as rows or labels.
// With roots, the tree has only the roots and the nodes that they reach. Rows are not cut.
func (GraphView) Tree(g layout.Graph, roots ...int) []TreeRow {
	t := newTree(g)
	all := len(roots) == 0
	if all {
		roots = t.sources()
	}
	for _, n := range roots {
		if n >= 0 && n < len(g.Nodes) && (!all || !t.named[n]) {
			t.node("", t.name(n), n)
		}
	}
	return t.rows
}

// treeMarks are the characters of a tree.
type treeMarks struct {
	branch, last, rail, space string
	arrow, cycle, above       string
}

var treeDrawn = treeMarks{branch: "├─", last: "└─", rail: "│  ", space: "   ", arrow: "▸ ", cycle: " ↺", above: " ↑"}

type tree struct {
	g     layout.Graph
	out   [][]layout.Edge
	open  []bool // ancestors of the current row
	done  []bool // nodes whose targets have rows
	named []bool // nodes with a row of their own or as a label in another row
	rows  []TreeRow
}

func newTree(g layout.Graph) *tree {
	n := len(g.Nodes)
	t := &tree{g: g}
	t.out, t.open, t.done, t.named = make([][]layout.Edge, n), make([]bool, n), make([]bool, n), make([]bool, n)
	for _, e := range g.Edges {
		if e.From >= 0 && e.From < n && e.To >= 0 && e.To < n {
			t.out[e.From] = append(t.out[e.From], e)
		}
	}
	return t
}

// sources returns the nodes without incoming edges, followed by all other nodes. Tree skips a node in this list if it
// already is a row or a label.
func (t *tree) sources() []int {
	fed := make([]bool, len(t.g.Nodes))
	for n, out := range t.out {
		for _, e := range out {
			fed[e.To] = fed[e.To] || e.To != n
		}
	}
	var first, rest []int
	for n := range fed {
		if fed[n] {
			rest = append(rest, n)
		} else {
			first = append(first, n)
		}
	}
	return append(first, rest...)
}

// node adds a row for n. Below the first row of n, it also adds the rows of n's targets.
func (t *tree) node(indent, text string, n int) {
	below := t.branches(n)
	switch {
	case t.open[n]:
		text, below = text+treeDrawn.cycle, nil
	case t.done[n]:
		text, below = text+treeDrawn.above, nil
	}
	t.rows = append(t.rows, TreeRow{Node: n, Text: text})
	t.named[n] = true
	if len(below) == 0 {
		return
	}
	t.open[n], t.done[n] = true, true
	for i, b := range below {
		t.below(indent, b, i == len(below)-1)
	}
	t.open[n] = false
}

// below adds one branch of a node and the rows below it.
func (t *tree) below(indent string, b branch, last bool) {
	mark, rail := treeDrawn.branch, treeDrawn.rail
	if last {
		mark, rail = treeDrawn.last, treeDrawn.space
	}
	if len(b.labels) > 0 {
		mark += " " + strings.Join(b.labels, ", ") + " "
	}
	t.node(indent+rail, indent+mark+treeDrawn.arrow+t.name(b.to), b.to)
}

// branch is a row below a node: its target, and the values that are passed on.
type branch struct {
	to     int
	labels []string
}

// branches returns the targets of n. A value that operations take has no row of its own; it is the label of
// the branches to these operations.
func (t *tree) branches(n int) []branch {
	var found []branch
	index := map[int]int{}
	add := func(to int, label string) {
		at, ok := index[to]
		if !ok {
			at = len(found)
			index[to] = at
			found = append(found, branch{to: to})
		}
		if label != "" && !slices.Contains(found[at].labels, label) {
			found[at].labels = append(found[at].labels, label)
		}
	}
	for _, e := range t.out[n] {
		if t.g.Nodes[e.To].Kind != layout.ValueNode || len(t.out[e.To]) == 0 || e.To == n {
			add(e.To, clean(e.Label))
			continue
		}
		t.named[e.To] = true
		for _, next := range t.out[e.To] {
			add(next.To, t.name(e.To))
		}
	}
	return found
}

// name returns the text of n on one line.
func (t *tree) name(n int) string {
	return clean(strings.Join(t.g.Nodes[n].Lines, " "))
}
