package groups

import (
	"fmt"
	"slices"

	"sonde/analysis/layout"
	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"
)

// The maximum numbers of a figure. A section has at most maxOps operations, and maxValues nodes of values. The figure
// of all groups has at most maxNodes nodes and maxEdges edges.
const (
	maxOps    = 40
	maxValues = 30
	maxNodes  = 300
	maxEdges  = 400
	boxText   = 30 // maximum width of a line in a box, in cells
	boxLines  = 4  // maximum number of lines in a box
)

// drawing is a section, or all groups side by side, in the form of Figure 1 of the paper on the distiller. It has
// operations, values, and arrows for the flow of values.
type drawing struct {
	// exchanged are the values that the operations of the section exchange, even those that are not drawn. It is nil for
	// all groups.
	exchanged []exchange
	ops       []model.OpID // the nodes of operations, which come first
	values    [][]string   // the other nodes; values that the same operations emit and take share a node
	groups    []int        // index: node; value: its group; nil for a section
	names     []string     // names of the groups; nil for a section
	// leftOps, leftValues and leftGroups are the numbers of operations, values and whole groups that do not fit into the
	// figure.
	leftOps, leftValues, leftGroups int
	sheet                           sheet.Viewport
	rows                            []treeRow // the figure in the form of a tree
}

// exchange is a value, or several values, with the operations that emit and take it. Values that the same operations
// emit and take are one exchange.
type exchange struct {
	valuegroup.ValueFlow
	outside int // number of operations in other groups that take the value
}

// figureSettings are the user's settings for figures: how operations are named, and which values are drawn.
type figureSettings struct {
	naming    draw.Naming
	allValues bool // also values that are not exchanged: given and unused ones
}

// drawGroup draws the operations of a section for a pane that is wrap cells wide. names must not be changed while
// drawGroup runs. drawGroup is slow and must run in a tea.Cmd.
func drawGroup(analyzed *screen.AnalyzedSpec, names draw.SeqNames, all []*model.Operation, allValues bool, wrap int) *drawing {
	logins := credentials(analyzed.Grants, all)
	o := figureOptions(analyzed, allValues)
	d := newDrawing(valuegroup.NewFigure(analyzed.Matcher, [][]*model.Operation{all}, o), names, nil, wrap)
	for _, flow := range valuegroup.ValueFlows(analyzed.Matcher.ValuesTable(all), false) {
		d.exchanged = append(d.exchanged, exchange{ValueFlow: flow})
	}
	d.exchanged = append(d.exchanged, logins...)
	d.leftValues += len(logins) - len(figureCredentials(logins))
	return d
}

// drawAll draws all groups side by side, each in a frame. Apart from that, it is like drawGroup.
func drawAll(analyzed *screen.AnalyzedSpec, names draw.SeqNames, allValues bool, wrap int) *drawing {
	var groups [][]*model.Operation
	titles := screen.GroupNames(analyzed.Groups)
	for i, g := range analyzed.Groups {
		groups = append(groups, operationsOf(analyzed.Spec, g.Operations))
		titles[i] = fmt.Sprintf("%d  %s", i+1, titles[i])
	}
	o := figureOptions(analyzed, allValues)
	o.Nodes, o.Edges = maxNodes, maxEdges
	return newDrawing(valuegroup.NewFigure(analyzed.Matcher, groups, o), names, titles, wrap)
}

func figureOptions(analyzed *screen.AnalyzedSpec, allValues bool) valuegroup.FigureOptions {
	return valuegroup.FigureOptions{
		AllValues:       allValues,
		GroupOperations: maxOps,
		GroupValues:     maxValues,
		Further: func(ops []*model.Operation) []valuegroup.ValueFlow {
			return figureCredentials(credentials(analyzed.Grants, ops))
		},
	}
}

// newDrawing lays out a figure. groups are the names of its groups, nil for a section.
func newDrawing(f *valuegroup.Figure, names draw.SeqNames, groups []string, wrap int) *drawing {
	d := &drawing{names: groups, leftOps: f.OmittedOperations, leftValues: f.OmittedValues, leftGroups: f.OmittedGroups}
	g := layout.Graph{Wrap: max(wrap, 40)}
	for _, op := range f.Operations {
		d.ops = append(d.ops, op.ID)
		g.Nodes = append(g.Nodes, layout.Node{Lines: []string{names.Box(op.ID, boxText).Text()}})
	}
	for _, v := range f.Values {
		d.values = append(d.values, v.Names)
		g.Edges = append(g.Edges, edgesOf(v, len(g.Nodes))...)
		g.Nodes = append(g.Nodes, layout.Node{Lines: valueLines(v.Names), Kind: layout.ValueNode})
	}
	if groups != nil {
		d.groups = slices.Concat(f.OperationGroups, f.ValueGroups)
		g.Groups, g.Titles, g.Framed = d.groups, groups, true
	}
	d.sheet = sheet.New(g)
	d.rows = d.tree(f)
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

// group returns the group of a frame.
func (d *drawing) group(frame int) int { return d.groups[d.sheet.Figure.Frames[frame].Nodes[0]] }

// valueLines returns the text of the box of values.
func valueLines(names []string) []string {
	var out []string
	for i, name := range names {
		if i == boxLines-1 && len(names) > boxLines {
			return append(out, fmt.Sprintf("+ %d more", len(names)-i))
		}
		out = append(out, layout.TruncateText(draw.Clean(name), boxText))
	}
	return out
}

// edgesOf returns the edges from the emitters of a value to the value's node, and from this node to the takers.
func edgesOf(v valuegroup.ValueFlow, node int) []layout.Edge {
	var out []layout.Edge
	for _, op := range v.Emitters {
		out = append(out, layout.Edge{From: op, To: node, Dashed: true})
	}
	for _, op := range v.Takers {
		out = append(out, layout.Edge{From: node, To: op, Dashed: true})
	}
	return out
}
