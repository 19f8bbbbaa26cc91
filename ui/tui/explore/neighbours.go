package explore

import (
	"slices"
	"strings"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/tui/screen"
)

// neighbours finds whom the values of an operation come from and go to.
type neighbours struct {
	study    *screen.AnalyzedSpec
	op       model.OpID
	ops      map[model.OpID]*model.Operation
	from, to []depend.Edge
}

// makers returns who emits what the operation takes: first those from which
// tests take it, because they create or list such things, then those where such
// things are that need not be told it, then the others; all in the order of the
// document.
func (n neighbours) makers(u match.ValueUse) []peer {
	var wired, home, others []peer
	for _, w := range n.study.IDSources {
		if w.To == n.op && w.Value == u.ID {
			wired = append(wired, n.maker(w.From, u))
		}
	}
	for _, e := range n.from {
		switch {
		case !slices.Contains(e.Values, u.ID):
		case n.home(e.From, u):
			home = append(home, n.maker(e.From, u))
		default:
			others = append(others, n.maker(e.From, u))
		}
	}
	return distinct(slices.Concat(wired, home, others))
}

// home reports whether an operation stands at a place of the thing that a value
// is of, and works without that value.
func (n neighbours) home(op model.OpID, u match.ValueUse) bool {
	m := n.study.Matcher
	return slices.Contains(m.EntityResources(u), m.ResourceOf(n.ops[op])) && !slices.ContainsFunc(m.UsesOf(n.ops[op]), func(other match.ValueUse) bool {
		return !other.Out && other.Required && other.ID == u.ID
	})
}

// maker names the place in another's answer where a value stands, if that is
// not called as the operation calls it.
func (n neighbours) maker(op model.OpID, u match.ValueUse) peer {
	via := ""
	for _, other := range n.study.Matcher.UsesOf(n.ops[op]) {
		switch {
		case !other.Out || other.ID != u.ID:
		case other.In == model.InHeader:
			return peer{op, other.Name}
		case via == "" || other.Name == u.Name:
			via = other.Name
		}
	}
	switch via {
	case "":
		via = untold
	case u.Name:
		via = ""
	}
	return peer{op, via}
}

// takers returns who takes what the operation emits: first those whose tests
// take it from here, then those that say with it which thing they mean, then
// the others; all in the order of the document. It reports whether there are any
// that mean a thing with it.
func (n neighbours) takers(u match.ValueUse) (list []peer, refers bool) {
	var wired, mean, others []peer
	for _, w := range n.study.IDSources {
		if w.From == n.op && w.Value == u.ID {
			wired = append(wired, n.taker(w.To, u.ID, u.Name))
		}
	}
	for _, e := range n.to {
		switch {
		case !slices.Contains(e.Values, u.ID):
		case n.refers(e.To, u.ID):
			mean = append(mean, n.taker(e.To, u.ID, u.Name))
		default:
			others = append(others, n.taker(e.To, u.ID, u.Name))
		}
	}
	return distinct(slices.Concat(wired, mean, others)), len(wired)+len(mean) > 0
}

// taker names the field that takes a value, if that has another name; in a path
// it is plain to see.
func (n neighbours) taker(op model.OpID, id, name string) peer {
	p := peer{op: op}
	for _, other := range n.study.Matcher.UsesOf(n.ops[op]) {
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

func (n neighbours) refers(op model.OpID, id string) bool {
	return slices.ContainsFunc(n.study.Matcher.UsesOf(n.ops[op]), func(u match.ValueUse) bool {
		return !u.Out && u.IsReference && u.ID == id
	})
}

// untold is how the id of a new thing is called where the document does not say
// that an answer holds it.
const untold = "its id"

// undeclared returns the ids that tests take from the operation's answers though
// the document does not tell of them.
func (n neighbours) undeclared(told []flow) []flow {
	var out []flow
	at := map[string]int{}
	for _, f := range told {
		at[f.use.ID] = -1
	}
	for _, w := range n.study.IDSources {
		if w.From != n.op || at[w.Value] < 0 {
			continue
		}
		i, ok := at[w.Value]
		if !ok {
			i = len(out)
			at[w.Value] = i
			out = append(out, flow{
				kind: "not declared", refers: true, why: "the document has it in no answer; tests look for it in what they get",
				use: match.ValueUse{Value: model.Value{Name: untold, In: model.InResponse}, Out: true, ID: w.Value},
			})
		}
		out[i].peers = append(out[i].peers, n.taker(w.To, w.Value, w.Value[strings.LastIndexByte(w.Value, '.')+1:]))
	}
	return out
}

// distinct drops peers that are there already.
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
