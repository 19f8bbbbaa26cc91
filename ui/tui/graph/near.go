package graph

import (
	"math"
	"slices"

	"sonde/model"
	"sonde/ui/tui/screen"
)

// The most operations of a picture, by hops: hubs have more neighbours than
// anybody can look at.
var most = map[int]int{1: 16, 2: 28}

// flow is values that one operation gives to another.
type flow struct {
	from, to model.OpID
	values   []string
	// wire tells that it is an id that the other one needs, by what paths and
	// names say, and not a value of the same name.
	wire bool
}

// near returns the operations around one, in the order of the document, and
// how many within reach are left out. Those that make ids for each other come
// before those that only share the name of a value.
func near(study *screen.Study, centre model.OpID, hops int) (ops []model.OpID, left int) {
	wired := alongWires(study.Wires, centre, hops)
	close, _ := study.Graph.Neighbourhood(centre, hops, most[hops])
	all, _ := study.Graph.Neighbourhood(centre, hops, math.MaxInt)
	chosen := union(wired, close.Operations)
	chosen = chosen[:min(len(chosen), most[hops])]
	for _, op := range study.Graph.Operations {
		if slices.Contains(chosen, op) {
			ops = append(ops, op)
		}
	}
	return ops, len(union(wired, all.Operations)) - len(ops)
}

// alongWires returns the operations within a number of hops along wires, either
// way, the nearest first.
func alongWires(wires []screen.Wire, centre model.OpID, hops int) []model.OpID {
	reached := []model.OpID{centre}
	seen := map[model.OpID]int{centre: 0}
	for hop := 1; hop <= hops; hop++ {
		for _, w := range wires {
			for _, end := range [][2]model.OpID{{w.From, w.To}, {w.To, w.From}} {
				at, ok := seen[end[0]]
				if _, old := seen[end[1]]; ok && at < hop && !old {
					seen[end[1]] = hop
					reached = append(reached, end[1])
				}
			}
		}
	}
	return reached
}

// union returns the operations of both, each once.
func union(a, b []model.OpID) []model.OpID {
	out := slices.Clone(a)
	seen := map[model.OpID]bool{}
	for _, op := range a {
		seen[op] = true
	}
	for _, op := range b {
		if !seen[op] {
			out = append(out, op)
		}
	}
	return out
}

// flows returns what passes between some operations: wires first, then values.
func flows(study *screen.Study, ops []model.OpID) []flow {
	in := map[model.OpID]bool{}
	for _, op := range ops {
		in[op] = true
	}
	var out []flow
	for _, w := range study.Wires {
		if in[w.From] && in[w.To] {
			out = append(out, flow{w.From, w.To, []string{lastStep(w.Name)}, true})
		}
	}
	for _, op := range ops {
		for _, e := range study.Graph.Feeds(op) {
			if in[e.To] {
				out = append(out, flow{from: e.From, to: e.To, values: e.Values})
			}
		}
	}
	return merge(out)
}

// merge joins the flows between the same two operations. A wire that carries
// what a value carries anyway is none.
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
		for _, v := range f.values {
			if !slices.Contains(out[i].values, v) {
				out[i].values = append(slices.Clip(out[i].values), v)
			}
		}
		out[i].wire = out[i].wire && f.wire
	}
	return out
}

// tangle is how many flows a picture can carry for each of its boxes.
const tangle = 2

// untangle keeps, where there are too many flows to follow with the eye, those
// at the centre and one that ties in each of the others; and tells how many
// are left out.
func untangle(all []flow, centre model.OpID, boxes int) (kept []flow, left int) {
	if len(all) <= tangle*boxes {
		return all, 0
	}
	tied := map[model.OpID]bool{centre: true}
	keep := func(want func(flow) bool) {
		for _, f := range all {
			if want(f) {
				tied[f.from], tied[f.to] = true, true
				kept = append(kept, f)
			}
		}
	}
	keep(func(f flow) bool { return f.from == centre || f.to == centre })
	for before := -1; before < len(kept); {
		before = len(kept)
		keep(func(f flow) bool { return tied[f.from] != tied[f.to] })
	}
	return kept, len(all) - len(kept)
}
