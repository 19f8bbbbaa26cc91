package valuegroup

import (
	"slices"

	"sonde/model"
)

// SeqCover is a choice of candidate seqs. The chosen seqs contain the operations that the already picked seqs lack.
type SeqCover struct {
	// Chosen are indices of candidates, ascending.
	Chosen []int
	// IsMinimum reports whether no smaller choice exists. If it is false, a smaller choice may exist.
	IsMinimum bool
	// Operations and Groups are the operations and groups that neither the picked seqs nor the candidates cover.
	// Groups are indices into the meter's groups.
	Operations []model.OpID
	Groups     []int
}

// ChooseCover chooses as few candidates as possible, so that the candidates and the picked seqs together contain each
// operation that any candidate contains. They then also touch each group that any candidate touches. Each chosen seq
// has an operation that no other chosen seq has. Equal arguments give equal choices.
//
// Candidates that share operations, directly or through other candidates, form a part of the problem. ChooseCover
// solves each part separately. If the candidates are seqs by rule DC, the operations of a part are in one group.
//
// The effort of the search is limited. If the effort is used up, the result is the best choice found so far. This
// choice is never larger than the choice of the greedy algorithm. For candidates of at most k operations, the greedy
// choice is at most 1 + ln k times as large as the smallest one. If several candidates add equally many operations,
// ChooseCover prefers a candidate that touches a single group, and then the earlier candidate.
func (m *Meter) ChooseCover(picked, candidates []model.Seq) SeqCover {
	c := newCoverage(m)
	for _, seq := range picked {
		c.add(seq)
	}
	sets := make([]set, len(candidates))
	for i, seq := range candidates {
		sets[i] = set{candidate: i, narrow: len(m.ScopeOf(seq).Groups) == 1, ops: m.lacking(c, seq)}
	}
	cover := SeqCover{IsMinimum: true}
	effort := searchEffort
	for _, p := range split(undominated(sets, len(m.Table.Ops)), len(m.Table.Ops)) {
		chosen, proven := p.solve(&effort)
		cover.IsMinimum = cover.IsMinimum && proven
		cover.Chosen = append(cover.Chosen, chosen...)
	}
	slices.Sort(cover.Chosen)
	for _, i := range cover.Chosen {
		c.add(candidates[i])
	}
	cover.Operations = part(c.ops, nil, func(op int) model.OpID { return m.Table.Ops[op].ID }).Missing
	cover.Groups = part(c.groups, nil, func(g int) int { return g }).Missing
	return cover
}

// lacking returns the operations of a seq that are not covered yet, ascending.
func (m *Meter) lacking(c *coverage, seq model.Seq) []int {
	var ops []int
	for _, id := range seq {
		if op, known := m.op[id]; known && !c.ops[op] {
			ops = append(ops, op)
		}
	}
	slices.Sort(ops)
	return slices.Compact(ops)
}

// set has the operations that a candidate would add.
type set struct {
	candidate int
	narrow    bool  // the candidate touches a single group
	ops       []int // ascending
}

// before reports whether s is preferred to o. It is used if both add equally many operations.
func (s set) before(o set) bool {
	if s.narrow != o.narrow {
		return s.narrow
	}
	return s.candidate < o.candidate
}

// undominated returns the sets that may be needed, in the order of before. It leaves out empty sets and sets whose
// operations are all in another set. Of equal sets it keeps the first.
func undominated(sets []set, ops int) []set {
	var all []set
	for _, s := range sets {
		if len(s.ops) > 0 {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b set) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	having := setsByOperation(all, ops)
	var kept []set
	for i, s := range all {
		if !dominated(all, i, having) {
			kept = append(kept, s)
		}
	}
	return kept
}

// setsByOperation returns, for each operation, the indices of the sets that have the operation, ascending.
func setsByOperation(sets []set, ops int) [][]int {
	having := make([][]int, ops)
	for i, s := range sets {
		for _, op := range s.ops {
			having[op] = append(having[op], i)
		}
	}
	return having
}

// dominated reports whether set i is superfluous: another set has all operations of set i, and either has more
// operations or is preferred to set i. having has, for each operation, the sets that have it. Such another set has
// the rarest operation of set i, too, so dominated compares only the sets with this operation.
func dominated(all []set, i int, having [][]int) bool {
	s := all[i]
	rarest := s.ops[0]
	for _, op := range s.ops {
		if len(having[op]) < len(having[rarest]) {
			rarest = op
		}
	}
	for _, j := range having[rarest] {
		if len(all[j].ops) > len(s.ops) || len(all[j].ops) == len(s.ops) && j < i {
			if contains(all[j].ops, s.ops) {
				return true
			}
		}
	}
	return false
}

// contains reports whether an ascending list has all elements of another ascending list.
func contains(all, some []int) bool {
	at := 0
	for _, want := range some {
		for at < len(all) && all[at] < want {
			at++
		}
		if at == len(all) || all[at] != want {
			return false
		}
	}
	return true
}

// split divides sets into parts that have no operations in common. The smallest covers of all parts together are a
// smallest cover of all sets. Small parts come first, so that they are solved before the effort is used up. Each part
// numbers its operations from 0.
func split(sets []set, ops int) []*puzzle {
	f := newForest(ops)
	for _, s := range sets {
		for _, op := range s.ops[1:] {
			f.join(s.ops[0], op)
		}
	}
	at := make(map[int]*puzzle)
	number := make([]int, ops) // 1 + the number of the operation in its part; 0 if it has no number yet
	var all []*puzzle
	for _, s := range sets {
		root := f.root(s.ops[0])
		p := at[root]
		if p == nil {
			p = &puzzle{}
			at[root] = p
			all = append(all, p)
		}
		p.add(s, number)
	}
	slices.SortStableFunc(all, func(a, b *puzzle) int { return a.ops - b.ops })
	return all
}
