package results

import (
	"fmt"
	"strings"

	"sonde/analysis/depend"
	"sonde/export/picture"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// PictureLimits are the maximum numbers of nodes and edges in a picture.
type PictureLimits struct{ Nodes, Edges int }

// DotNodes and DotEdges are the limits of pictures that Graphviz draws.
const (
	DotNodes = 10_000
	DotEdges = 20_000
)

// boxLines is the maximum number of operations or resources of a cycle in a box.
const boxLines = 12

// Picture returns the graph of operations or resources, limited to b.
func (x *Dataflow) Picture(b PictureLimits) (picture.Graph, error) {
	s, err := x.sketch(b)
	if err != nil {
		return picture.Graph{}, err
	}
	g := picture.Graph{Title: x.title, Note: x.leftOut(s)}
	for _, members := range s.Nodes {
		if x.Resources {
			g.Nodes = append(g.Nodes, x.resourceBox(members))
		} else {
			g.Nodes = append(g.Nodes, x.operationBox(members))
		}
	}
	for _, f := range s.Flows {
		g.Edges = append(g.Edges, picture.Edge{From: f.From, To: f.To, Values: CleanTexts(f.Values)})
	}
	return g, nil
}

func (x *Dataflow) sketch(b PictureLimits) (depend.BoundedGraph, error) {
	switch {
	case x.Resources:
		return x.inventory.BoundedGraph(b.Nodes, b.Edges, x.Reduce)
	case !x.Reduce:
		return x.graph.Bounded(b.Nodes, b.Edges), nil
	}
	r, err := x.graph.Reduce()
	if err != nil {
		return depend.BoundedGraph{}, fmt.Errorf("%w; leave out --reduce, or choose a part with --tag", err)
	}
	return r.Bounded(b.Nodes, b.Edges), nil
}

func (x *Dataflow) operationBox(members []int) picture.Node {
	var n picture.Node
	for _, i := range members[:min(len(members), boxLines)] {
		n = append(n, operationLine(x.graph.Operations[i]))
	}
	return withOmitted(n, len(members)-boxLines)
}

func withOmitted(n picture.Node, count int) picture.Node {
	if count > 0 {
		n = append(n, picture.Line{Text: fmt.Sprintf("and %d more", count)})
	}
	return n
}

func operationLine(id model.OpID) picture.Line {
	method, path, _ := strings.Cut(draw.Clean(string(id)), " ")
	return picture.Line{Method: method, Text: path}
}

// resourceBox returns a box with the paths of resources. A box of one resource also has the roles of its
// operations.
func (x *Dataflow) resourceBox(members []int) picture.Node {
	var n picture.Node
	for _, k := range members[:min(len(members), boxLines)] {
		n = append(n, picture.Line{Text: draw.Clean(x.inventory.Entities[k].Path)})
	}
	if len(members) == 1 {
		n = append(n, picture.Line{Text: can(x.inventory.Entities[members[0]])})
	}
	return withOmitted(n, len(members)-boxLines)
}

// can lists the roles of a resource's operations.
func can(e *depend.ResourceEntity) string {
	var list []string
	for role, ops := range e.Operations {
		if len(ops) > 0 {
			list = append(list, depend.Role(role).String())
		}
	}
	return strings.Join(list, ", ")
}

// leftOut describes what a graph leaves out and which flags would show it. It returns "" if the graph is complete.
func (x *Dataflow) leftOut(s depend.BoundedGraph) string {
	noun := "operation"
	if x.Resources {
		noun = "resource"
	}
	var missing []string
	if s.OmittedNodes > 0 {
		missing = append(missing, words.Plural(s.OmittedNodes, noun))
	}
	if s.OmittedFlows > 0 {
		missing = append(missing, words.Plural(s.OmittedFlows, "arrow")+" of the most common values")
	}
	if missing == nil {
		return ""
	}
	text := "Not shown: " + strings.Join(missing, " and ")
	if ways := x.flagHints(); ways != nil {
		text += "; " + strings.Join(ways, ", ")
	}
	return text
}

// flagHints lists the flags that would make the graph smaller and are not set.
func (x *Dataflow) flagHints() (list []string) {
	if !x.HasTag {
		list = append(list, "--tag shows a part")
	}
	if !x.Resources {
		list = append(list, "--of resources shows the whole in short")
	}
	if !x.Reduce {
		list = append(list, "--reduce shows fewer arrows")
	}
	return list
}

// CleanTexts returns texts that are safe to print.
func CleanTexts(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = draw.Clean(t)
	}
	return out
}
