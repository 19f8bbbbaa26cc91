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

// The most operations and values that a figure shows.
const (
	mostOps    = 40
	mostValues = 30
	boxText    = 30 // cells
	boxLines   = 4
)

// drawing is a group as the distiller paper's Figure 1 shows it: operations,
// the values that they exchange, and arrows for the flow.
type drawing struct {
	exchanged []exchange   // by all of the group's operations
	ops       []model.OpID // nodes, from 0
	values    [][]string   // the nodes after them: what takes the same way is one
	// Operations and exchanged values that found no room.
	leftOps, leftValues int
	sheet               sheet.Sheet
	twigs               []twig // the same in lines
}

// exchange is a value, or several that go the same way, and the operations
// that pass them on.
type exchange struct {
	names            []string
	emitters, takers []int // indexes of operations
	outside          int   // how many operations of other groups take it
}

// draw lays out a group. It is slow and belongs into a Cmd.
func drawGroup(study *screen.AnalyzedSpec, group, wrap int) *drawing {
	all := operations(study, group)
	values := exchanges(study.Matcher.Table(all))
	d := &drawing{exchanged: slices.Concat(values, credentials(study.Grants, all))}
	ops := all
	if len(all) > mostOps {
		ops = connected(all, values)
		values = exchanges(study.Matcher.Table(ops))
	}
	values = append(values, drawn(credentials(study.Grants, ops))...)
	values = top(bundle(values), mostValues, exchange.ends)
	for _, op := range ops {
		d.ops = append(d.ops, op.ID)
	}
	for _, v := range values {
		d.values = append(d.values, v.names)
	}
	d.leftOps = len(all) - len(ops)
	d.leftValues = len(d.exchanged) - len(slices.Concat(d.values...))
	d.sheet = sheet.New(figureOf(d.ops, values, wrap))
	d.twigs = d.tree(values)
	return d
}

// figureOf is the graph of operations, which come first, and values.
func figureOf(ops []model.OpID, values []exchange, wrap int) layout.Graph {
	g := layout.Graph{Wrap: max(wrap, 40)}
	for _, op := range ops {
		label := draw.OperationLine(string(op), boxText).Text()
		g.Nodes = append(g.Nodes, layout.Node{Lines: []string{label}})
	}
	for _, v := range values {
		g.Edges = append(g.Edges, v.edges(len(g.Nodes))...)
		g.Nodes = append(g.Nodes, layout.Node{Lines: v.lines(), Kind: layout.Value})
	}
	return g
}

// bundle makes one of the values that pass between the very same operations.
func bundle(all []exchange) []exchange {
	var out []exchange
	index := map[string]int{}
	for _, x := range all {
		way := fmt.Sprint(x.emitters, x.takers)
		i, ok := index[way]
		if !ok {
			i = len(out)
			index[way] = i
			out = append(out, exchange{emitters: x.emitters, takers: x.takers})
		}
		out[i].names = append(out[i].names, x.names...)
	}
	return out
}

// lines are the text of the box.
func (x exchange) lines() []string {
	var out []string
	for i, name := range x.names {
		if i == boxLines-1 && len(x.names) > boxLines {
			return append(out, fmt.Sprintf("+ %d more", len(x.names)-i))
		}
		out = append(out, layout.Truncate(draw.Clean(name), boxText))
	}
	return out
}

// edges lead from who emits the value to its node, and from there to who takes
// it.
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

// exchanges returns the values that some operation emits and another takes:
// those that make the group one.
func exchanges(t *match.Table) []exchange {
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
	for v, between := range t.Between() {
		all[v].names = []string{t.Names[v]}
		if between {
			out = append(out, all[v])
		}
	}
	return out
}

func (x exchange) ends() int { return len(x.emitters) + len(x.takers) }

// connected returns the operations that exchange the most values, as many as a
// drawing can show.
func connected(ops []*model.Operation, exchanged []exchange) []*model.Operation {
	ends := map[*model.Operation]int{}
	for _, x := range exchanged {
		for _, i := range slices.Concat(x.emitters, x.takers) {
			ends[ops[i]]++
		}
	}
	return top(ops, mostOps, func(op *model.Operation) int { return ends[op] })
}

// top returns the items with the most weight, in the order of before.
func top[T any](items []T, most int, weight func(T) int) []T {
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight(items[b]), weight(items[a])) })
	order = order[:min(most, len(order))]
	slices.Sort(order)
	out := make([]T, len(order))
	for k, i := range order {
		out[k] = items[i]
	}
	return out
}
