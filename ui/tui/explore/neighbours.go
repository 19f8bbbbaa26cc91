package explore

import (
	"slices"
	"strings"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/tui/screen"
)

// neighbours finds the operations from which the values of an operation come, and to which they
// go.
type neighbours struct {
	analyzed *screen.AnalyzedSpec
	op       model.OpID
	ops      map[model.OpID]*model.Operation
	from, to []depend.ValueEdge
}

// emitters returns the operations that emit a value which n.op takes, the surest first: those in whose answers
// tests search for an id that the document does not declare, then those that create, read or list such
// elements, then those of the same resource, then the others, those that require the value themselves last.
func (n neighbours) emitters(u match.ValueUse) []peer {
	emits, all := map[model.OpID]bool{}, []model.OpID{}
	for _, e := range n.from {
		if slices.Contains(e.Values, u.ID) {
			emits[e.From] = true
			all = append(all, e.From)
		}
	}
	var list []peer
	for _, w := range n.analyzed.IDSources {
		if w.To == n.op && w.Value == u.ID && !emits[w.From] {
			list = append(list, n.emitter(w.From, u))
		}
	}
	own, mentions := n.analyzed.Analysis.Planner().Feeders(u.ID)
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
			list = append(list, n.emitter(op, u))
		}
	}
	return distinct(list)
}

// atHome reports whether an operation belongs to the resource that a value identifies.
func (n neighbours) atHome(op model.OpID, u match.ValueUse) bool {
	m := n.analyzed.Matcher
	return slices.Contains(m.EntityResources(u), m.ResourceOf(n.ops[op]))
}

// requires reports whether an operation requires a value itself.
func (n neighbours) requires(op model.OpID, u match.ValueUse) bool {
	return slices.ContainsFunc(n.analyzed.Matcher.UsesOf(n.ops[op]), func(other match.ValueUse) bool {
		return !other.Out && other.Required && other.ID == u.ID
	})
}

// emitter returns the peer for an operation that emits a value. Its via is the header that has the
// value, or else the name of the value in the answer if that is another one. If no answer declares
// the value, via is undeclaredName.
func (n neighbours) emitter(op model.OpID, u match.ValueUse) peer {
	via := ""
	for _, other := range n.analyzed.Matcher.UsesOf(n.ops[op]) {
		switch {
		case !other.Out || other.ID != u.ID:
		case other.In == model.InHeader:
			return peer{op: op, via: other.Name}
		case via == "" || other.Name == u.Name:
			via = other.Name
		}
	}
	switch via {
	case "":
		via = undeclaredName
	case u.Name:
		via = ""
	}
	return peer{op: op, via: via}
}

// takers returns the operations that take a value which n.op emits. First come those whose tests
// take the value from n.op, then those for which the value identifies a resource, then the
// others. The result refers is true if one of the first two parts is not empty.
func (n neighbours) takers(u match.ValueUse) (list []peer, refers bool) {
	var sources, referring, others []peer
	for _, w := range n.analyzed.IDSources {
		if w.From == n.op && w.Value == u.ID {
			sources = append(sources, n.taker(w.To, u.ID, u.Name))
		}
	}
	for _, e := range n.to {
		switch {
		case !slices.Contains(e.Values, u.ID):
		case n.refers(e.To, u.ID):
			referring = append(referring, n.taker(e.To, u.ID, u.Name))
		default:
			others = append(others, n.taker(e.To, u.ID, u.Name))
		}
	}
	return distinct(slices.Concat(sources, referring, others)), len(sources)+len(referring) > 0
}

// taker returns the peer for an operation that takes a value. Its via is the name that the value
// has in that operation, or "" if that name is the given one or is visible in the path.
func (n neighbours) taker(op model.OpID, id, name string) peer {
	p := peer{op: op}
	for _, other := range n.analyzed.Matcher.UsesOf(n.ops[op]) {
		switch {
		case other.Out || other.ID != id:
		case other.In == model.InPath || other.Name == name:
			return peer{op: op}
		case p.via == "":
			p.via = other.Name
		}
	}
	return p
}

// refers reports whether an operation takes a value that identifies a resource.
func (n neighbours) refers(op model.OpID, id string) bool {
	return slices.ContainsFunc(n.analyzed.Matcher.UsesOf(n.ops[op]), func(u match.ValueUse) bool {
		return !u.Out && u.IsReference && u.ID == id
	})
}

// undeclaredName is the label for the id of a new resource if no declared answer holds that id.
const undeclaredName = "its id"

// undeclared returns the flows of ids that tests take from answers of n.op although the document
// does not declare these ids there. The argument has the declared flows.
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
			out = append(out, flow{
				use: match.ValueUse{
					Value: model.Value{Name: undeclaredName, In: model.InResponse},
					Out:   true,
					ID:    w.Value,
				},
				kind:   "not declared",
				why:    "no answer in the document has it; tests search for it in the answers they get",
				refers: true,
			})
		}
		name := w.Value[strings.LastIndexByte(w.Value, '.')+1:]
		out[i].peers = append(out[i].peers, n.taker(w.To, w.Value, name))
	}
	return out
}

// distinct returns the first peer of each operation.
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
