package share

// searchEffort bounds the search for a smallest cover, over all parts: each
// choice that is tried costs as much as its part has operations. All of it takes
// a few milliseconds.
const searchEffort = 1_000_000

// puzzle is a set cover problem: choose few of the sets that have, together,
// every operation that any of them has.
type puzzle struct {
	sets    []set // the preferred first
	ops     int
	having  [][]int // the sets that have an operation
	largest int     // how much a set has at most
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
	p.largest = max(p.largest, len(ops))
}

// solve returns the candidates of a cover, and whether it is proven to be a
// smallest one.
func (p *puzzle) solve(effort *int) (candidates []int, proven bool) {
	s := search{puzzle: p, best: p.thin(p.greedy()), times: make([]int, p.ops), effort: effort}
	s.cover(p.ops)
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
// the fewest choices, and turns back where what is left cannot be covered with
// fewer sets than the best cover has.
type search struct {
	*puzzle
	chosen, best []int
	times        []int // how many of the chosen have an operation
	effort       *int  // that is left
	gaveUp       bool
}

// cover covers what is left, that many operations, in all ways that promise a
// better cover.
func (s *search) cover(left int) {
	switch {
	case left == 0:
		s.best = s.thin(s.chosen)
		return
	case !s.promising(left):
		return
	}
	for _, i := range s.having[s.hardest()] {
		if *s.effort <= 0 {
			s.gaveUp = true
			return
		}
		*s.effort -= s.ops
		s.cover(left - s.take(i))
		s.putBack()
		if !s.promising(left) {
			return
		}
	}
}

// promising tells whether what is left may be covered with fewer sets than the
// best cover has.
func (s *search) promising(left int) bool {
	atLeast := (left + s.largest - 1) / s.largest
	return len(s.chosen)+atLeast < len(s.best)
}

// take chooses a set and returns how many operations it adds.
func (s *search) take(i int) (added int) {
	s.chosen = append(s.chosen, i)
	for _, op := range s.sets[i].ops {
		if s.times[op]++; s.times[op] == 1 {
			added++
		}
	}
	return added
}

func (s *search) putBack() {
	last := len(s.chosen) - 1
	for _, op := range s.sets[s.chosen[last]].ops {
		s.times[op]--
	}
	s.chosen = s.chosen[:last]
}

// hardest returns the operation that is not covered and that the fewest sets
// have.
func (s *search) hardest() int {
	best := -1
	for op, n := range s.times {
		if n == 0 && (best < 0 || len(s.having[op]) < len(s.having[best])) {
			best = op
		}
	}
	return best
}
