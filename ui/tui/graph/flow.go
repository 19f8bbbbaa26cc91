package graph

import (
	"fmt"
	"slices"
	"strings"

	"sonde/analysis"
	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
)

// flow has the values that one operation, the giver, emits and another operation, the taker, takes.
type flow struct {
	from, to model.OpID
	// The values are in three lists:
	//   - ids: values that identify a resource for the taker, and that the giver does not require
	//   - rest: other values that link the two operations, such as ids that the giver only repeats
	//   - attrs: attributes
	ids, rest, attrs []string

	undeclared bool // no answer of the giver declares the id
	idSource   bool // tests take the id from the giver
}

// label lists the first of f.ids, f.rest and f.attrs that is not empty.
func (f flow) label() string {
	for _, list := range [][]string{f.ids, f.rest} {
		if len(list) > 0 {
			return labelOf(list)
		}
	}
	return labelOf(f.attrs)
}

// maxLabelled is the maximum number of values in the label of a flow.
const maxLabelled = 3

// labelOf lists at most maxLabelled values, followed by the number of the other values.
func labelOf(values []string) string {
	text := strings.Join(values[:min(len(values), maxLabelled)], ", ")
	if more := len(values) - maxLabelled; more > 0 {
		text += fmt.Sprintf(", +%d", more)
	}
	return draw.Clean(text)
}

// flowGraph finds the flows between the operations of a spec.
type flowGraph struct {
	*screen.AnalyzedSpec
	graph   *depend.Graph // the dependency graph or, if attributes are shown, the exchange graph
	ops     map[model.OpID]*model.Operation
	sources map[model.OpID][]analysis.IDSource   // key: an operation that provides or takes the id
	taken   map[model.OpID]map[string]takenValue // a cache of takes
}

// takenValue describes how an operation takes a value.
type takenValue struct {
	refers   bool // the value refers to a resource
	required bool // the operation requires the value
	links    bool // the value is not an attribute
}

// newFlowGraph returns the flow graph of a spec. If all is true, the graph has the flows of all values. Otherwise it
// has only the flows of values that link operations.
func newFlowGraph(analyzed *screen.AnalyzedSpec, all bool) *flowGraph {
	g := analyzed.Graph
	if all {
		g = analyzed.Analysis.ExchangeGraph()
	}
	n := &flowGraph{
		AnalyzedSpec: analyzed,
		graph:        g,
		ops:          map[model.OpID]*model.Operation{},
		sources:      map[model.OpID][]analysis.IDSource{},
		taken:        map[model.OpID]map[string]takenValue{},
	}
	for _, op := range analyzed.Spec.Operations {
		n.ops[op.ID] = op
	}
	for _, w := range analyzed.IDSources {
		n.sources[w.From] = append(n.sources[w.From], w)
		n.sources[w.To] = append(n.sources[w.To], w)
	}
	return n
}

// takes returns how an operation takes each of its values.
func (n *flowGraph) takes(op model.OpID) map[string]takenValue {
	if n.taken[op] == nil {
		n.taken[op] = map[string]takenValue{}
		for _, u := range n.Matcher.UsesOf(n.ops[op]) {
			if old := n.taken[op][u.ID]; !u.Out {
				n.taken[op][u.ID] = takenValue{
					refers:   old.refers || u.IsReference,
					required: old.required || u.Required,
					links:    old.links || u.Kind != match.KindAttribute,
				}
			}
		}
	}
	return n.taken[op]
}

// flow returns the flow of an edge.
func (n *flowGraph) flow(e depend.ValueEdge) flow {
	f := flow{from: e.From, to: e.To}
	for _, v := range e.Values {
		switch how := n.takes(e.To)[v]; {
		case !how.links:
			f.attrs = append(f.attrs, v)
		case how.refers && !n.takes(e.From)[v].required:
			f.ids = append(f.ids, v)
		default:
			f.rest = append(f.rest, v)
		}
	}
	return f
}

// flows returns the flows between some operations. Flows of ids come first. Apart from that, flows are in the order
// of their operations.
func (n *flowGraph) flows(ops []model.OpID) []flow { return n.between(ops, n.feeds) }

// feeds returns the edges from an operation. A log-in has edges to the operations that need its credential.
func (n *flowGraph) feeds(op model.OpID) []depend.ValueEdge {
	all := n.graph.EdgesFrom(op)
	for _, g := range n.Grants {
		for _, to := range g.To {
			if g.From == op {
				all = append(all, depend.ValueEdge{From: op, To: to, Values: []string{g.ID}})
			}
		}
	}
	return all
}

// granted returns two kinds of operations: the operations that need a credential from op, and the log-ins that give
// op a credential.
func (n *flowGraph) granted(op model.OpID) (ops []model.OpID) {
	for _, g := range n.Grants {
		if g.From == op {
			ops = append(ops, g.To...)
		} else if slices.Contains(g.To, op) {
			ops = append(ops, g.From)
		}
	}
	return ops
}

// between returns the flows between some operations, in the same order as flows. feeds returns the edges
// from an operation.
func (n *flowGraph) between(ops []model.OpID, feeds func(model.OpID) []depend.ValueEdge) []flow {
	in := map[model.OpID]bool{}
	for _, op := range ops {
		in[op] = true
	}
	var out []flow
	for _, op := range ops {
		for _, e := range feeds(op) {
			if in[e.To] {
				out = append(out, n.flow(e))
			}
		}
		for _, w := range n.sources[op] {
			if w.From == op && in[w.To] {
				out = append(out, sourceFlow(w))
			}
		}
	}
	out = merge(out)
	slices.SortStableFunc(out, func(a, b flow) int { return min(1, len(b.ids)) - min(1, len(a.ids)) })
	return out
}

func sourceFlow(w analysis.IDSource) flow {
	return flow{from: w.From, to: w.To, ids: []string{w.Value}, undeclared: true, idSource: true}
}

// merge merges flows between the same two operations. If one of the flows has a value as an id, the merged flow has
// it as an id, too.
func merge(all []flow) []flow {
	var out []flow
	index := map[[2]model.OpID]int{}
	for _, f := range all {
		ends := [2]model.OpID{f.from, f.to}
		i, ok := index[ends]
		if !ok {
			index[ends] = len(out)
			out = append(out, f)
			continue
		}
		into := &out[i]
		into.undeclared = into.undeclared && f.undeclared
		into.idSource = into.idSource || f.idSource
		into.ids = addNew(into.ids, f.ids)
		into.rest = slices.DeleteFunc(addNew(into.rest, f.rest), func(v string) bool { return slices.Contains(into.ids, v) })
		into.attrs = addNew(into.attrs, f.attrs)
	}
	return out
}

// addNew appends the values that list does not have.
func addNew(list, values []string) []string {
	for _, v := range values {
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}
