package depend

import (
	"sonde/model"
	"sonde/model/match"
)

// UnmatchedValue is a value that is only emitted or only taken: operations emit it and no operation takes it, or the
// reverse.
type UnmatchedValue struct {
	Value string
	// Ops are the operations that emit or take the value, in order.
	Ops []model.OpID
}

// FindUnmatched returns the values of a table that no operation takes (untaken), and the values that no operation
// emits (unemitted). Both lists are in order of first appearance.
func FindUnmatched(t *match.ValuesTable) (untaken, unemitted []UnmatchedValue) {
	taken, emitted := users(t, t.In), users(t, t.Out)
	for v, name := range t.Names {
		switch {
		case taken[v] == nil:
			untaken = append(untaken, UnmatchedValue{Value: name, Ops: emitted[v]})
		case emitted[v] == nil:
			unemitted = append(unemitted, UnmatchedValue{Value: name, Ops: taken[v]})
		}
	}
	return untaken, unemitted
}

// users returns, for each value, the operations that use it. lists has the values of each operation.
func users(t *match.ValuesTable, lists [][]int) [][]model.OpID {
	by := make([][]model.OpID, len(t.Names))
	for i, values := range lists {
		for _, v := range values {
			by[v] = append(by[v], t.Ops[i].ID)
		}
	}
	return by
}
