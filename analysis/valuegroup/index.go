package valuegroup

import "sonde/model"

// GroupIndex counts the groups that a seq touches.
type GroupIndex struct{ group map[model.OpID]int }

// NewGroupIndex returns the index that finds the group of an operation.
func NewGroupIndex(groups []model.ValueGroup) GroupIndex {
	x := GroupIndex{group: map[model.OpID]int{}}
	for g, group := range groups {
		for _, op := range group.Operations {
			x.group[op] = g
		}
	}
	return x
}

// CountTouched returns the number of groups that a seq touches, which the paper calls n_g. A seq that touches a
// single group is the most adequate.
func (x GroupIndex) CountTouched(seq model.Seq) int {
	n := 0
	for i, op := range seq {
		g, ok := x.group[op]
		if ok && !x.touched(seq[:i], g) {
			n++
		}
	}
	return n
}

// touched reports whether a seq touches a group. It is fast for short seqs.
func (x GroupIndex) touched(seq model.Seq, group int) bool {
	for _, op := range seq {
		if g, ok := x.group[op]; ok && g == group {
			return true
		}
	}
	return false
}
