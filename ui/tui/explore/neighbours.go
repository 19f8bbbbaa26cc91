package explore

import (
	"slices"
	"strings"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/tui/screen"
)

// neighbours finds the operations that provide the values of an operation or take its values.
type neighbours struct {
	analyzed *screen.AnalyzedSpec
	op       model.OpID
	ops      map[model.OpID]*model.Operation
	from, to map[string][]model.OpID // key: identity of a value; value: the operations that emit it (from) or take it (to)
}

// neighboursOf returns the neighbours of an operation in a graph.
func neighboursOf(op model.OpID, in *depend.Graph, analyzed *screen.AnalyzedSpec, ops map[model.OpID]*model.Operation) neighbours {
	n := neighbours{analyzed: analyzed, op: op, ops: ops, from: map[string][]model.OpID{}, to: map[string][]model.OpID{}}
	for _, e := range in.EdgesTo(op) {
		for _, value := range e.Values {
			n.from[value] = append(n.from[value], e.From)
		}
	}
	for _, e := range in.EdgesFrom(op) {
		for _, value := range e.Values {
			n.to[value] = append(n.to[value], e.To)
		}
	}
	return n
}

// emitters returns the operations that emit a value which n.op takes, the most reliable first:
//   - n.op, if it passes the value to itself
//   - operations that create an element whose id no answer declares
//   - operations whose answers do not declare the id, but from which tests take it
//   - operations that create, read or list elements
//   - other operations on the same resource; those that require the value themselves come last
//   - all others
func (n neighbours) emitters(u match.ValueUse) []peer {
	all := n.from[u.ID]
	emits := make(map[model.OpID]bool, len(all))
	for _, op := range all {
		emits[op] = true
	}
	own, mentions := n.analyzed.Analysis.Planner().Feeders(n.op, u)
	var list []peer
	for _, op := range own {
		if !emits[op] {
			list = append(list, peer{op: op})
		}
	}
	for _, w := range n.analyzed.IDSources {
		if w.To == n.op && w.Value == u.ID && !emits[w.From] {
			list = append(list, peer{op: w.From})
		}
	}
	var home, requiring []model.OpID
	for _, op := range all {
		switch {
		case !n.atHome(op, u):
		case n.requires(op, u):
			requiring = append(requiring, op)
		default:
			home = append(home, op)
		}
	}
	for _, op := range slices.Concat(own, home, requiring, mentions, all) {
		if emits[op] {
			list = append(list, peer{op: op})
		}
	}
	return distinct(slices.Concat(n.itself(u), list))
}

// itself returns n.op if the value u is a cursor that passes from one call of n.op to the next, as for the pages of a
// list. The graph has no edges from an operation to itself.
func (n neighbours) itself(u match.ValueUse) []peer {
	passes := slices.ContainsFunc(n.analyzed.Matcher.UsesOf(n.ops[n.op]), func(other match.ValueUse) bool {
		return other.ID == u.ID && other.Out != u.Out
	})
	if u.Kind != match.KindCursor || !passes {
		return nil
	}
	return []peer{{op: n.op}}
}

// atHome reports whether an operation belongs to the resource whose elements the value u identifies.
func (n neighbours) atHome(op model.OpID, u match.ValueUse) bool {
	m := n.analyzed.Matcher
	return slices.Contains(m.EntityResources(&u), m.ResourceOf(n.ops[op]))
}

// requires reports whether an operation requires a value itself.
func (n neighbours) requires(op model.OpID, u match.ValueUse) bool {
	return slices.ContainsFunc(n.analyzed.Matcher.UsesOf(n.ops[op]), func(other match.ValueUse) bool {
		return !other.Out && other.Required && other.ID == u.ID
	})
}

// emittedAs returns the header or the name under which an operation emits a value. If the name is the same as in u,
// it returns "". If no answer of the operation declares the value, it returns undeclaredName.
func (n neighbours) emittedAs(op model.OpID, u match.ValueUse) string {
	via := ""
	for _, other := range n.analyzed.Matcher.UsesOf(n.ops[op]) {
		switch {
		case !other.Out || other.ID != u.ID:
		case other.In == model.InHeader:
			return other.Name
		case via == "" || other.Name == u.Name:
			via = other.Name
		}
	}
	switch via {
	case "":
		return undeclaredName
	case u.Name:
		return ""
	}
	return via
}

// takers returns the operations that take a value which n.op emits, in this order:
//   - n.op, if the value is a cursor that the next call of n.op takes
//   - operations whose tests take the value from an answer of n.op
//   - operations for which the value identifies a resource
//   - all others
//
// refers reports whether there are operations of the second or the third kind.
func (n neighbours) takers(u match.ValueUse) (list []peer, refers bool) {
	var sources, referring, others []peer
	for _, w := range n.analyzed.IDSources {
		if w.From == n.op && w.Value == u.ID {
			sources = append(sources, peer{op: w.To})
		}
	}
	for _, op := range n.to[u.ID] {
		if n.refers(op, u.ID) {
			referring = append(referring, peer{op: op})
		} else {
			others = append(others, peer{op: op})
		}
	}
	return distinct(slices.Concat(n.itself(u), sources, referring, others)), len(sources)+len(referring) > 0
}

// takenAs returns the name under which an operation takes the value with an ID. It returns "" if the operation takes
// the value under the given name, or in its path, which shows the name anyway.
func (n neighbours) takenAs(op model.OpID, id, name string) string {
	via := ""
	for _, other := range n.analyzed.Matcher.UsesOf(n.ops[op]) {
		switch {
		case other.Out || other.ID != id:
		case other.In == model.InPath || other.Name == name:
			return ""
		case via == "":
			via = other.Name
		}
	}
	return via
}

// refers reports whether an operation takes the value with an ID as the identifier of a resource.
func (n neighbours) refers(op model.OpID, id string) bool {
	return slices.ContainsFunc(n.analyzed.Matcher.UsesOf(n.ops[op]), func(u match.ValueUse) bool {
		return !u.Out && u.IsReference && u.ID == id
	})
}

// undeclaredName is the label for the id of a new resource if no answer declares the id.
const undeclaredName = "its id"

// undeclared returns flows for ids that tests take from answers of n.op, although the document does not declare these
// ids in the answers. declared has the flows for declared values.
func (n neighbours) undeclared(declared []flow) []flow {
	var out []flow
	at := map[string]int{}
	for _, f := range declared {
		at[f.use.ID] = -1
	}
	for _, w := range n.analyzed.IDSources {
		if w.From != n.op || at[w.Value] < 0 {
			continue
		}
		i, ok := at[w.Value]
		if !ok {
			i = len(out)
			at[w.Value] = i
			name := w.Value[strings.LastIndexByte(w.Value, '.')+1:]
			out = append(out, flow{
				use: match.ValueUse{
					Value: model.Value{Name: undeclaredName, In: model.InResponse},
					Out:   true,
					ID:    w.Value,
				},
				kind:   "not declared",
				why:    "no answer in the document has it; tests search for it in the answers they get",
				refers: true,
				nameIn: func(op model.OpID) string { return n.takenAs(op, w.Value, name) },
			})
		}
		out[i].peers = append(out[i].peers, peer{op: w.To})
	}
	return out
}

// distinct returns the peers without repetitions of an operation.
func distinct(peers []peer) []peer {
	var out []peer
	seen := map[model.OpID]bool{}
	for _, p := range peers {
		if !seen[p.op] {
			seen[p.op] = true
			out = append(out, p)
		}
	}
	return out
}
