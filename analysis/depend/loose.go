package depend

import "sonde/model"

// Loose is an operation and those of its values that no other operation
// exchanges with it.
type Loose struct {
	Op     model.OpID
	Values []string
}

// Unfed returns the values that operations take and no other emits: somebody
// has to make them up.
func (g *Graph) Unfed() []Loose {
	return g.loose(g.takes, func(v value) []int { return v.emitters })
}

// Untaken returns the values that operations emit and no other takes.
func (g *Graph) Untaken() []Loose {
	return g.loose(g.emits, func(v value) []int { return v.takers })
}

// loose returns the values at one end that have nobody at the other.
func (g *Graph) loose(here [][]int, there func(value) []int) []Loose {
	var list []Loose
	for i, op := range g.Operations {
		var names []string
		for _, v := range here[i] {
			if onlyItself(there(g.values[v]), i) {
				names = append(names, g.values[v].name)
			}
		}
		if names != nil {
			list = append(list, Loose{op, names})
		}
	}
	return list
}

func onlyItself(ops []int, i int) bool {
	return len(ops) == 0 || len(ops) == 1 && ops[0] == i
}
