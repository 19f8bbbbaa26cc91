package valuegroup

import (
	"cmp"
	"math"
	"slices"
)

// searchEffort is the total effort for the smallest covers of all parts. To try a set costs the number of operations
// in its part. To compare a set with others costs 1. The whole effort takes a few milliseconds.
const searchEffort = 1_000_000

// puzzle is a set cover problem: find the smallest number of sets that together have all operations.
type puzzle struct {
	sets   []set // in order of preference
	ops    int
	having [][]int // for each operation, the sets that have it
}

// add adds a set. number has, for each operation, 1 + its number in the puzzle; 0 means that it has none. add numbers
// such operations in the order in which they appear.
func (p *puzzle) add(s set, number []int) {
	ops := make([]int, len(s.ops))
	for i, op := range s.ops {
		if number[op] == 0 {
			p.ops++
			number[op] = p.ops
			p.having = append(p.having, nil)
		}
		ops[i] = number[op] - 1
		p.having[ops[i]] = append(p.having[ops[i]], len(p.sets))
	}
	s.ops = ops
	p.sets = append(p.sets, s)
}

// solve returns the candidates of a cover. proven reports whether no smaller cover exists.
func (p *puzzle) solve(effort *int) (candidates []int, proven bool) {
	s := newSearch(p, effort)
	s.cover()
	for _, i := range s.best {
		candidates = append(candidates, p.sets[i].candidate)
	}
	return candidates, !s.gaveUp
}

// greedy chooses sets until all operations are covered. In each step it chooses the set that adds the most
// operations.
func (p *puzzle) greedy() []int {
	adds := make([]int, len(p.sets))
	for i, s := range p.sets {
		adds[i] = len(s.ops)
	}
	var chosen []int
	covered := make([]bool, p.ops)
	for left := p.ops; left > 0; {
		most := 0
		for i, n := range adds {
			if n > adds[most] {
				most = i
			}
		}
		chosen = append(chosen, most)
		left -= adds[most]
		for _, op := range p.sets[most].ops {
			if covered[op] {
				continue
			}
			covered[op] = true
			for _, i := range p.having[op] {
				adds[i]--
			}
		}
	}
	return chosen
}

// thin removes superfluous sets from a choice. It tests the last set first.
func (p *puzzle) thin(chosen []int) []int {
	times := make([]int, p.ops)
	for _, i := range chosen {
		for _, op := range p.sets[i].ops {
			times[op]++
		}
	}
	var kept []int
	for at := len(chosen) - 1; at >= 0; at-- {
		if ops := p.sets[chosen[at]].ops; superfluous(ops, times) {
			for _, op := range ops {
				times[op]--
			}
		} else {
			kept = append(kept, chosen[at])
		}
	}
	return kept
}

func superfluous(ops, times []int) bool {
	for _, op := range ops {
		if times[op] == 1 {
			return false
		}
	}
	return true
}

// search is a branch-and-bound search. It takes the uncovered operation that the fewest sets have, and tries each of
// these sets. Sets that add the most operations are tried first. It backtracks if the number of chosen sets plus a
// lower bound for the remaining operations is not smaller than the best cover so far.
//
// The lower bound comes from prices of the operations. If the operations of any one set cost at most 1 together, at
// least as many sets are needed as the remaining operations cost in total. This is the dual of the linear relaxation.
type search struct {
	*puzzle
	price        []float64
	chosen, best []int
	times        []int // for each operation, the number of chosen sets that have it
	effort       *int  // the remaining effort
	gaveUp       bool
}

func newSearch(p *puzzle, effort *int) *search {
	s := &search{puzzle: p, best: p.thin(p.greedy()), times: make([]int, p.ops), effort: effort}
	s.price = p.prices()
	return s
}

// cover tries all choices for the remaining operations that may lead to a smaller cover.
func (s *search) cover() {
	hardest, atLeast := s.remaining()
	if hardest < 0 {
		s.best = s.thin(s.chosen)
		return
	}
	for _, i := range s.setsWith(hardest) {
		switch {
		case len(s.chosen)+atLeast >= len(s.best):
			return
		case *s.effort <= 0:
			s.gaveUp = true
			return
		}
		*s.effort -= s.ops
		s.choose(i)
		s.cover()
		s.undo()
	}
}

// setsWith returns the sets that have an operation. The sets that add the most operations come first.
func (s *search) setsWith(op int) []int {
	*s.effort -= len(s.having[op])
	adds := make(map[int]int, len(s.having[op]))
	for _, i := range s.having[op] {
		for _, other := range s.sets[i].ops {
			if s.times[other] == 0 {
				adds[i]++
			}
		}
	}
	sets := slices.Clone(s.having[op])
	slices.SortStableFunc(sets, func(a, b int) int { return cmp.Compare(adds[b], adds[a]) })
	return sets
}

// remaining returns the uncovered operation that the fewest sets have, -1 if all operations are covered. atLeast is a
// lower bound of the number of sets that the uncovered operations need.
func (s *search) remaining() (hardest, atLeast int) {
	hardest = -1
	cost := 0.0
	for op, n := range s.times {
		if n > 0 {
			continue
		}
		cost += s.price[op]
		if hardest < 0 || len(s.having[op]) < len(s.having[hardest]) {
			hardest = op
		}
	}
	const rounding = 1e-6
	return hardest, int(math.Ceil(cost - rounding))
}

// choose adds a set to the choice.
func (s *search) choose(i int) {
	s.chosen = append(s.chosen, i)
	for _, op := range s.sets[i].ops {
		s.times[op]++
	}
}

// undo removes the set that was chosen last.
func (s *search) undo() {
	last := len(s.chosen) - 1
	for _, op := range s.sets[s.chosen[last]].ops {
		s.times[op]--
	}
	s.chosen = s.chosen[:last]
}
