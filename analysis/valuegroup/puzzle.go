package valuegroup

import (
	"cmp"
	"math"
	"slices"
)

// searchEffort bounds the search for a smallest cover, over all parts: each
// choice that is tried costs as much as its part has operations, each set that
// is looked at to find it one more. All of it takes a few milliseconds.
const searchEffort = 1_000_000

// puzzle is a set cover problem: choose few of the sets that have, together,
// every operation that any of them has.
type puzzle struct {
	sets   []set // the preferred first
	ops    int
	having [][]int // the sets that have an operation
}

// add adds a set, its operations numbered from 0 in the order in which they
// come.
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

// solve returns the candidates of a cover, and whether it is proven to be a
// smallest one.
func (p *puzzle) solve(effort *int) (candidates []int, proven bool) {
	s := newSearch(p, effort)
	s.cover()
	for _, i := range s.best {
		candidates = append(candidates, p.sets[i].candidate)
	}
	return candidates, !s.gaveUp
}

// greedy takes the set that adds most, until nothing is left to add.
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

// thin leaves out the sets without which nothing is missing, those that were
// chosen last first.
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

// search is branch and bound: it tries every set that has the operation with
// the fewest choices, those first that add most, and turns back where what is left cannot be covered with
// fewer sets than the best cover has.
//
// How many sets are needed at least is told by prices of the operations: where
// the operations of no set cost more than 1 together, as many sets are needed as
// all that is left costs (the dual of the linear relaxation).
type search struct {
	*puzzle
	price        []float64
	chosen, best []int
	times        []int // how many of the chosen have an operation
	effort       *int  // that is left
	gaveUp       bool
}

func newSearch(p *puzzle, effort *int) *search {
	s := &search{puzzle: p, best: p.thin(p.greedy()), times: make([]int, p.ops), effort: effort}
	s.price = p.prices()
	return s
}

// cover covers what is left in all ways that promise a better cover.
func (s *search) cover() {
	hardest, atLeast := s.left()
	if hardest < 0 {
		s.best = s.thin(s.chosen)
		return
	}
	for _, i := range s.ways(hardest) {
		switch {
		case len(s.chosen)+atLeast >= len(s.best):
			return
		case *s.effort <= 0:
			s.gaveUp = true
			return
		}
		*s.effort -= s.ops
		s.take(i)
		s.cover()
		s.putBack()
	}
}

// ways returns the sets that have an operation, those that add most first.
func (s *search) ways(op int) []int {
	*s.effort -= len(s.having[op])
	adds := make(map[int]int, len(s.having[op]))
	for _, i := range s.having[op] {
		for _, other := range s.sets[i].ops {
			if s.times[other] == 0 {
				adds[i]++
			}
		}
	}
	ways := slices.Clone(s.having[op])
	slices.SortStableFunc(ways, func(a, b int) int { return cmp.Compare(adds[b], adds[a]) })
	return ways
}

// left returns, of the operations that are not covered, the one that the fewest
// sets have, -1 if there is none, and how many sets are needed for them at least.
func (s *search) left() (hardest, atLeast int) {
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

// take chooses a set.
func (s *search) take(i int) {
	s.chosen = append(s.chosen, i)
	for _, op := range s.sets[i].ops {
		s.times[op]++
	}
}

func (s *search) putBack() {
	last := len(s.chosen) - 1
	for _, op := range s.sets[s.chosen[last]].ops {
		s.times[op]--
	}
	s.chosen = s.chosen[:last]
}
