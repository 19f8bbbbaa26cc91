package groups

import (
	"cmp"
	"fmt"
	"slices"

	"sonde/analysis/layout"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"
)

// The limits of a figure: operations, nodes of values, and the text in a box.
const (
	maxOps    = 40
	maxValues = 30
	boxText   = 30 // maximum width of a line in a box, in cells
	boxLines  = 4  // maximum number of lines in a box
)

// drawing is a section in the form of Figure 1 of the paper on the distiller. It has operations, the values
// that they exchange, and arrows for the flow of values.
type drawing struct {
	exchanged []exchange   // the values that the operations of the section exchange, even those that are not drawn
	ops       []model.OpID // the nodes of operations, which come first
	values    [][]string   // the other nodes; values with the same ends share a node
	// leftOps and leftValues are the numbers of operations and of exchanged values that do not fit into the
	// figure.
	leftOps, leftValues int
	sheet               sheet.Viewport
	rows                []treeRow // the section in the form of a tree
}

// exchange is a value, or several values with the same ends, with the operations that emit and take it.
type exchange struct {
	names            []string
	emitters, takers []int // indices of the operations
	outside          int   // number of operations in other groups that take the value
}

// drawGroup draws the operations of a section for a pane that is wrap cells wide. names must not be changed while
// drawGroup runs. drawGroup is slow and must run in a tea.Cmd.
func drawGroup(analyzed *screen.AnalyzedSpec, names draw.SeqNames, all []*model.Operation, wrap int) *drawing {
	values := exchanges(analyzed.Matcher.ValuesTable(all))
	d := &drawing{exchanged: slices.Concat(values, credentials(analyzed.Grants, all))}
	ops := all
	if len(all) > maxOps {
		ops = connected(all, values)
		values = exchanges(analyzed.Matcher.ValuesTable(ops))
	}
	values = append(values, figureCredentials(credentials(analyzed.Grants, ops))...)
	values = top(bundle(values), maxValues, exchange.ends)
	for _, op := range ops {
		d.ops = append(d.ops, op.ID)
	}
	for _, v := range values {
		d.values = append(d.values, v.names)
	}
	d.leftOps = len(all) - len(ops)
	d.leftValues = len(d.exchanged) - len(slices.Concat(d.values...))
	d.sheet = sheet.New(figureGraph(d.ops, names, values, wrap))
	d.rows = d.tree(values)
	return d
}

// valueNode returns the node of a value, or -1 if the drawing does not show it.
func (d *drawing) valueNode(name string) int {
	i := slices.IndexFunc(d.values, func(all []string) bool { return slices.Contains(all, name) })
	if i < 0 {
		return -1
	}
	return len(d.ops) + i
}

// figureGraph returns the graph of operations and values. Operations come first.
func figureGraph(ops []model.OpID, names draw.SeqNames, values []exchange, wrap int) layout.Graph {
	g := layout.Graph{Wrap: max(wrap, 40)}
	for _, op := range ops {
		label := names.Box(op, boxText).Text()
		g.Nodes = append(g.Nodes, layout.Node{Lines: []string{label}})
	}
	for _, v := range values {
		g.Edges = append(g.Edges, v.edges(len(g.Nodes))...)
		g.Nodes = append(g.Nodes, layout.Node{Lines: v.lines(), Kind: layout.ValueNode})
	}
	return g
}

// bundle merges the values that have the same ends.
func bundle(all []exchange) []exchange {
	var out []exchange
	index := map[string]int{}
	for _, x := range all {
		ends := fmt.Sprint(x.emitters, x.takers)
		i, ok := index[ends]
		if !ok {
			i = len(out)
			index[ends] = i
			out = append(out, exchange{emitters: x.emitters, takers: x.takers})
		}
		out[i].names = append(out[i].names, x.names...)
	}
	return out
}

// lines returns the text of the value's box.
func (x exchange) lines() []string {
	var out []string
	for i, name := range x.names {
		if i == boxLines-1 && len(x.names) > boxLines {
			return append(out, fmt.Sprintf("+ %d more", len(x.names)-i))
		}
		out = append(out, layout.TruncateText(draw.Clean(name), boxText))
	}
	return out
}

// edges returns the edges from the emitters to the value's node, and from this to the takers.
func (x exchange) edges(node int) []layout.Edge {
	var out []layout.Edge
	for _, op := range x.emitters {
		out = append(out, layout.Edge{From: op, To: node, Dashed: true})
	}
	for _, op := range x.takers {
		out = append(out, layout.Edge{From: node, To: op, Dashed: true})
	}
	return out
}

// exchanges returns the values that one operation emits and another operation takes. These values make the operations
// a group.
func exchanges(t *match.ValuesTable) []exchange {
	all := make([]exchange, len(t.Names))
	for i := range t.Ops {
		for _, v := range t.Out[i] {
			all[v].emitters = append(all[v].emitters, i)
		}
		for _, v := range t.In[i] {
			all[v].takers = append(all[v].takers, i)
		}
	}
	var out []exchange
	for v, between := range t.PassedBetween() {
		all[v].names = []string{t.Names[v]}
		if between {
			out = append(out, all[v])
		}
	}
	return out
}

// ends returns the number of arrows at the value.
func (x exchange) ends() int { return len(x.emitters) + len(x.takers) }

// connected returns the operations that exchange the most values, up to the maximum of a figure.
func connected(ops []*model.Operation, exchanged []exchange) []*model.Operation {
	ends := map[*model.Operation]int{}
	for _, x := range exchanged {
		for _, i := range slices.Concat(x.emitters, x.takers) {
			ends[ops[i]]++
		}
	}
	return top(ops, maxOps, func(op *model.Operation) int { return ends[op] })
}

// top returns the items with the greatest weights, at most limit items. The items stay in their order.
func top[T any](items []T, limit int, weight func(T) int) []T {
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight(items[b]), weight(items[a])) })
	order = order[:min(limit, len(order))]
	slices.Sort(order)
	out := make([]T, len(order))
	for k, i := range order {
		out[k] = items[i]
	}
	return out
}
