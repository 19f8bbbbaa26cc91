// Package valuegroup finds value-sharing groups: sets of operations that exchange values with each other and with no
// other operations. It also measures which groups seqs touch, and chooses seqs with the operations that other seqs
// lack. It does not list seqs itself.
package valuegroup

import (
	"sonde/model"
	"sonde/model/match"
)

// FindGroups returns the value-sharing groups of operations, in order of their first operation. It computes
// SharingGroups, Algorithm 1 of the distiller paper. The algorithm extends a group through the names of values that
// are neither ungot nor unused (lines 2, 5 and 14). These are the names that one operation takes and another one
// emits. The groups are therefore the connected components that these names form. The time is nearly linear in the
// number of pairs of an operation and a value.
func FindGroups(t *match.ValuesTable) []model.ValueGroup {
	f := newForest(len(t.Ops))
	exchanged := t.Exchanged()
	first := make([]int, len(t.Names)) // for each name, 1 + the index of the first operation with it; 0 for none
	for op := range t.Ops {
		for _, values := range [][]int{t.In[op], t.Out[op]} {
			for _, v := range values {
				switch {
				case !exchanged[v]:
				case first[v] == 0:
					first[v] = op + 1
				default:
					f.join(first[v]-1, op)
				}
			}
		}
	}
	return collect(t, f)
}

// collect returns the groups with the names of all values of their operations, like line 13 of Algorithm 1.
func collect(t *match.ValuesTable, f *forest) []model.ValueGroup {
	var groups []model.ValueGroup
	at := make([]int, len(t.Ops))     // for each root, 1 + the index of its group; 0 for none
	seen := make([]int, len(t.Names)) // for each name, 1 + the index of the last group that has it; 0 for none
	names := make([][]int, 0)
	for op := range t.Ops {
		root := f.root(op)
		if at[root] == 0 {
			groups, names = append(groups, model.ValueGroup{}), append(names, nil)
			at[root] = len(groups)
		}
		g := at[root] - 1
		groups[g].Operations = append(groups[g].Operations, t.Ops[op].ID)
		names[g] = append(append(names[g], t.In[op]...), t.Out[op]...)
	}
	for g := range groups {
		for _, v := range names[g] {
			if seen[v] != g+1 {
				seen[v] = g + 1
				groups[g].Values = append(groups[g].Values, t.Names[v])
			}
		}
	}
	return groups
}

// forest is a union-find structure of the numbers below len(up).
type forest struct{ up, size []int }

func newForest(n int) *forest {
	f := &forest{up: make([]int, n), size: make([]int, n)}
	for i := range f.up {
		f.up[i], f.size[i] = i, 1
	}
	return f
}

func (f *forest) root(i int) int {
	for f.up[i] != i {
		f.up[i] = f.up[f.up[i]]
		i = f.up[i]
	}
	return i
}

func (f *forest) join(i, j int) {
	i, j = f.root(i), f.root(j)
	if i == j {
		return
	}
	if f.size[i] < f.size[j] {
		i, j = j, i
	}
	f.up[j] = i
	f.size[i] += f.size[j]
}
