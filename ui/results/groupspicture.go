package results

import (
	"fmt"
	"strings"

	"sonde/analysis"
	"sonde/analysis/valuegroup"
	"sonde/export/picture"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// GroupsPicture returns the picture of the groups of an analysis, each in a frame, as in Figure 1 of the distiller
// paper. If allValues is true, it also has the values that are not exchanged. One group has at most half of the
// nodes.
func GroupsPicture(a *analysis.Analysis, allValues bool, b PictureLimits) picture.Graph {
	byID := map[model.OpID]*model.Operation{}
	for _, op := range a.Operations {
		byID[op.ID] = op
	}
	g := picture.Graph{Title: draw.Clean(a.Spec.Title) + ": value-sharing groups", Values: map[int]bool{}}
	groups := make([][]*model.Operation, len(a.ValueGroups()))
	frames := make([]picture.Frame, len(groups))
	for i, group := range a.ValueGroups() {
		for _, op := range group.Operations {
			groups[i] = append(groups[i], byID[op])
		}
		frames[i].Title = fmt.Sprintf("group %d", i+1)
	}
	f := valuegroup.NewFigure(a.Matcher(), groups, valuegroup.FigureOptions{
		AllValues: allValues, GroupOperations: b.Nodes / 2, GroupValues: b.Nodes / 2, Nodes: b.Nodes, Edges: b.Edges,
	})
	for i, op := range f.Operations {
		frame := &frames[f.OperationGroups[i]]
		frame.Nodes = append(frame.Nodes, len(g.Nodes))
		g.Nodes = append(g.Nodes, picture.Node{operationLine(op.ID)})
	}
	for i, v := range f.Values {
		node := len(g.Nodes)
		frame := &frames[f.ValueGroups[i]]
		frame.Nodes = append(frame.Nodes, node)
		g.Values[node] = true
		g.Nodes = append(g.Nodes, valueBox(v.Names))
		for _, op := range v.Emitters {
			g.Edges = append(g.Edges, picture.Edge{From: op, To: node, Dashed: true})
		}
		for _, op := range v.Takers {
			g.Edges = append(g.Edges, picture.Edge{From: node, To: op, Dashed: true})
		}
	}
	for _, frame := range frames {
		if frame.Nodes != nil {
			g.Frames = append(g.Frames, frame)
		}
	}
	g.Note = notInFigure(f)
	return g
}

// valueBox returns a box with the names of values.
func valueBox(names []string) picture.Node {
	var n picture.Node
	for _, name := range names[:min(len(names), boxLines)] {
		n = append(n, picture.Line{Text: draw.Clean(name)})
	}
	return withOmitted(n, len(names)-boxLines)
}

// notInFigure describes what a figure leaves out, "" if it is complete.
func notInFigure(f *valuegroup.Figure) string {
	var missing []string
	for _, count := range []struct {
		n    int
		noun string
	}{{f.OmittedGroups, "group"}, {f.OmittedOperations, "operation"}, {f.OmittedValues, "value"}} {
		if count.n > 0 {
			missing = append(missing, words.Plural(count.n, count.noun))
		}
	}
	if missing == nil {
		return ""
	}
	return "Not shown: " + strings.Join(missing, ", ")
}
