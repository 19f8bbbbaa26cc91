package depend

import (
	"cmp"
	"slices"

	"sonde/model"
)

// Neighbourhood returns the part of the graph around an operation: the operations that are at most hops edges away,
// in either direction. It has at most limit operations, including op itself. If there are more, nearer operations
// take precedence. Of equally near operations, those that share the rarest value take precedence, because common
// names say little about a connection. left is the number of operations that are left out because of limit. If the
// graph does not have the operation, near is empty.
func (g *Graph) Neighbourhood(op model.OpID, hops, limit int) (near *Graph, left int) {
	start, ok := g.at[op]
	if !ok {
		return g.part(nil), 0
	}
	reached := g.reach(start, hops)
	kept := reached[:min(len(reached), max(limit, 1))]
	return g.part(kept), len(reached) - len(kept)
}

// reach returns the operations that are at most hops edges away from start, nearer ones first. Of equally near ones,
// those that share the rarest value come first.
func (g *Graph) reach(start, hops int) []int {
	reached := []int{start}
	seen := make([]bool, len(g.Operations))
	seen[start] = true
	for from := 0; hops > 0 && from < len(reached); hops-- {
		next := g.step(reached[from:], seen)
		from = len(reached)
		reached = append(reached, next...)
	}
	return reached
}

// step returns the unseen operations that are one edge away from the operations in from, and marks them as seen. They
// are ordered by the rarest value that leads to them.
func (g *Graph) step(from []int, seen []bool) []int {
	rarest := map[int]int{}
	reach := func(ops []int, rarity int) {
		for _, i := range ops {
			if old, ok := rarest[i]; !seen[i] && (!ok || rarity < old) {
				rarest[i] = rarity
			}
		}
	}
	fed, feeds := g.exchanged(from)
	for v := range fed {
		reach(g.values[v].takers, g.values[v].edges())
	}
	for v := range feeds {
		reach(g.values[v].emitters, g.values[v].edges())
	}
	next := make([]int, 0, len(rarest))
	for i := range rarest {
		seen[i] = true
		next = append(next, i)
	}
	slices.SortFunc(next, func(a, b int) int {
		return cmp.Or(cmp.Compare(rarest[a], rarest[b]), cmp.Compare(a, b))
	})
	return next
}

// exchanged returns the values that the given operations emit, and the values that they take.
func (g *Graph) exchanged(ops []int) (emitted, taken map[int]bool) {
	emitted, taken = map[int]bool{}, map[int]bool{}
	for _, i := range ops {
		for _, v := range g.emits[i] {
			emitted[v] = true
		}
		for _, v := range g.takes[i] {
			taken[v] = true
		}
	}
	return emitted, taken
}

// edges returns the maximum number of edges that the value makes.
func (v value) edges() int { return len(v.emitters) * len(v.takers) }

// part returns the graph of the operations at these indices, with only the edges between them.
func (g *Graph) part(ops []int) *Graph {
	ops = slices.Sorted(slices.Values(ops))
	ids := make([]model.OpID, len(ops))
	takes, emits := make([][]string, len(ops)), make([][]string, len(ops))
	for k, i := range ops {
		ids[k] = g.Operations[i]
		takes[k] = g.named(g.takes[i])
		emits[k] = g.named(g.emits[i])
	}
	return newGraph(ids, takes, emits)
}

func (g *Graph) named(values []int) []string {
	names := make([]string, len(values))
	for k, v := range values {
		names[k] = g.values[v].name
	}
	return names
}
