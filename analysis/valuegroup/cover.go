package valuegroup

import (
	"slices"

	"sonde/model"
)

// SeqCover is a choice of seqs that makes up for what others leave out.
type SeqCover struct {
	// Chosen are indexes of candidates, ascending.
	Chosen []int
	// IsMinimum tells that it is proven that no smaller choice covers as much.
	IsMinimum bool
	// Operations and Groups are what even then is not covered: no candidate has
	// it. Groups are indexes into the meter's.
	Operations []model.OpID
	Groups     []int
}

// ChooseCover chooses of the candidates few that cover, together with what is picked,
// every operation that any candidate has. Thereby they touch also every group
// that a candidate touches.
//
// What is guaranteed: nothing that a candidate has stays uncovered; no chosen
// seq is superfluous, that is, without it an operation would be missing; equal
// arguments give equal choices. The choice is the smallest there is where
// Fewest is set. It is found by a search with a bound on its effort, for each
// set of operations that hang together over the candidates by itself, which by
// rule DC are at most a group. Where the search gives up, the choice is the best
// that it met, at worst that of the greedy algorithm: at most 1 + ln k times as
// large as the smallest, for candidates of at most k operations. Of candidates
// that add equally much, one that touches a single group is preferred, then the
// earlier.
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

// lacking returns the operations of a seq that are not covered, ascending.
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

// set is what a candidate would add.
type set struct {
	candidate int
	narrow    bool  // it touches a single group
	ops       []int // ascending
}

// before tells which of two sets that add equally much is preferred.
func (s set) before(o set) bool {
	if s.narrow != o.narrow {
		return s.narrow
	}
	return s.candidate < o.candidate
}

// undominated returns the sets, the preferred first, without those that add
// nothing that another one does not add as well.
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
	having := havers(all, ops)
	var kept []set
	for i, s := range all {
		if !dominated(all, i, having) {
			kept = append(kept, s)
		}
	}
	return kept
}

// havers returns for each operation the sets that have it, ascending.
func havers(sets []set, ops int) [][]int {
	having := make([][]int, ops)
	for i, s := range sets {
		for _, op := range s.ops {
			having[op] = append(having[op], i)
		}
	}
	return having
}

// dominated reports whether another set has all that set i has, and more or is
// preferred. Only those need a look that have its rarest operation.
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

// contains reports whether one ascending list has all of another.
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

// split parts sets so that no two parts have an operation in common: a smallest
// cover of all is a smallest cover of each. Small parts come first, to be solved
// before the effort is used up. In a part operations are numbered anew.
func split(sets []set, ops int) []*puzzle {
	f := newForest(ops)
	for _, s := range sets {
		for _, op := range s.ops[1:] {
			f.join(s.ops[0], op)
		}
	}
	at := make(map[int]*puzzle)
	number := make([]int, ops) // 1 + the operation's in its part
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
