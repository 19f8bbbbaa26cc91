package graph

import (
	"slices"
	"strings"

	"sonde/analysis"
	"sonde/analysis/depend"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
)

// flow is values that one operation gives to another.
type flow struct {
	from, to model.OpID
	// ids say to the taker which thing is meant, and the giver did not have to
	// be told; the rest are attributes, or what the giver only repeats.
	ids, rest []string
	// wire tells that the document does not say that an answer holds the id, wired
	// that tests take one from there.
	wire, wired bool
}

// values are all that flow, the ids first.
func (f flow) values() []string { return slices.Concat(f.ids, f.rest) }

// label names the ids, or what flows where there are none.
func (f flow) label() string {
	if len(f.ids) > 0 {
		return draw.Clean(strings.Join(f.ids, ", "))
	}
	return draw.Clean(strings.Join(f.rest, ", "))
}

// net is a study and what its operations take.
type net struct {
	*screen.Study
	ops   map[model.OpID]*model.Operation
	wires map[model.OpID][]analysis.IDSource // by either end
	taken map[model.OpID]map[string]taken
}

// taken is how an operation takes a value.
type taken struct{ refers, required bool }

func netOf(study *screen.Study) *net {
	n := &net{
		Study: study,
		ops:   map[model.OpID]*model.Operation{},
		wires: map[model.OpID][]analysis.IDSource{},
		taken: map[model.OpID]map[string]taken{},
	}
	for _, op := range study.Spec.Operations {
		n.ops[op.ID] = op
	}
	for _, w := range study.IDSources {
		n.wires[w.From] = append(n.wires[w.From], w)
		n.wires[w.To] = append(n.wires[w.To], w)
	}
	return n
}

// takes returns how an operation takes its values.
func (n *net) takes(op model.OpID) map[string]taken {
	if n.taken[op] == nil {
		n.taken[op] = map[string]taken{}
		for _, u := range n.Matcher.Uses(n.ops[op]) {
			if old := n.taken[op][u.ID]; !u.Out {
				n.taken[op][u.ID] = taken{old.refers || u.IsReference, old.required || u.Required}
			}
		}
	}
	return n.taken[op]
}

// flow tells the ids of an edge from the rest.
func (n *net) flow(e depend.Edge) flow {
	f := flow{from: e.From, to: e.To}
	for _, v := range e.Values {
		if n.takes(e.To)[v].refers && !n.takes(e.From)[v].required {
			f.ids = append(f.ids, v)
		} else {
			f.rest = append(f.rest, v)
		}
	}
	return f
}

// flows returns what passes between some operations, in their order, what holds
// ids first.
func (n *net) flows(ops []model.OpID) []flow { return n.between(ops, n.feeds) }

// feeds are the edges from an operation, and those from a log-in to what it lets
// callers into.
func (n *net) feeds(op model.OpID) []depend.Edge {
	all := n.Graph.Feeds(op)
	for _, g := range n.Grants {
		for _, to := range g.To {
			if g.From == op {
				all = append(all, depend.Edge{From: op, To: to, Values: []string{g.ID}})
			}
		}
	}
	return all
}

// granted are the operations at the other end of an operation's grants.
func (n *net) granted(op model.OpID) (ops []model.OpID) {
	for _, g := range n.Grants {
		if g.From == op {
			ops = append(ops, g.To...)
		} else if slices.Contains(g.To, op) {
			ops = append(ops, g.From)
		}
	}
	return ops
}

// between is flows, of the edges that feeds returns for an operation.
func (n *net) between(ops []model.OpID, feeds func(model.OpID) []depend.Edge) []flow {
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
		for _, w := range n.wires[op] {
			if w.From == op && in[w.To] {
				out = append(out, wired(w))
			}
		}
	}
	out = merge(out)
	slices.SortStableFunc(out, func(a, b flow) int { return min(1, len(b.ids)) - min(1, len(a.ids)) })
	return out
}

func wired(w analysis.IDSource) flow {
	return flow{from: w.From, to: w.To, ids: []string{w.Value}, wire: true, wired: true}
}

// merge joins the flows between the same two operations. What tests take from
// the giver is an id, whatever else is known.
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
		into.wire, into.wired = into.wire && f.wire, into.wired || f.wired
		for _, v := range f.ids {
			if !slices.Contains(into.ids, v) {
				into.ids = append(into.ids, v)
			}
		}
		for _, v := range f.rest {
			if !slices.Contains(into.rest, v) {
				into.rest = append(into.rest, v)
			}
		}
		into.rest = slices.DeleteFunc(into.rest, func(v string) bool { return slices.Contains(into.ids, v) })
	}
	return out
}
