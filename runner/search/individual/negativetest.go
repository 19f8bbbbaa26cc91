package individual

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/model/pointer"
)

// A negative test calls one operation, the target, with edge cases: inputs that it should refuse, or should at least survive.
// Together, the negative tests of an operation try each edge case once. The calls before those of the target create what the
// target needs. The term is common in software testing: a positive test has valid inputs.

// negativeCalls is the maximum number of calls of the target in one negative test. It is small, so that each operation has
// its first negative test soon.
const negativeCalls = 8

// NegativeTest returns a negative test of the operation with the fewest edge cases played so far. It returns nil if no edge
// case is left.
func (p *Problem) NegativeTest(r *rand.Rand) *Individual { return p.sweeps.nextNegative(r) }

// RecordNegative records the outcome of a negative test. statuses has the status of each call that was sent. found
// has the indexes of the calls that were the first to cover a target.
func (p *Problem) RecordNegative(ind *Individual, statuses, found []int) {
	p.sweeps.negative.record(ind, statuses, found)
}

func (w *sweeper) nextNegative(r *rand.Rand) *Individual {
	for {
		target := w.negative.least(w.calls.operations, w.lessons.hasSucceeded)
		if target == nil {
			return nil
		}
		if ind := w.negativeTest(r, target); ind != nil {
			return ind
		}
		w.negative.done[target.op.ID] = true
	}
}

// negativeTest returns a test with the next edge cases of an operation, nil if all were played.
func (w *sweeper) negativeTest(r *rand.Rand, target *chromosome) *Individual {
	id := target.op.ID
	s := w.chainTo(r, id)
	at := len(s.ind.calls) - 1
	base := s.ind.calls[at].clone()
	next := w.negative.take(id, base.edgeCases(), w.lessons.hasSucceeded(id))
	if len(next) == 0 {
		return nil
	}
	links := slices.Clone(s.ind.links)
	s.ind.remove(at)
	kinds := make([]edgeKind, len(s.ind.calls), len(s.ind.calls)+len(next))
	for _, e := range next {
		c := base.clone()
		if target.op.Method == "POST" {
			c.resampleTexts(r) // otherwise the service may refuse the call only because an element with these texts exists
		}
		e.apply(r, &c)
		to := len(s.ind.calls)
		s.ind.calls, kinds = append(s.ind.calls, c), append(kinds, e.kind)
		for _, l := range links {
			if l.To == at && !e.replaces(l) {
				s.ind.link(l, l.From, to)
			}
		}
	}
	s.ind.sweep = &sweepPlan{op: id, variations: len(next), steps: len(s.whole.Steps), kinds: kinds, proven: w.lessons.hasSucceeded(id)}
	w.hosts.sample(r, s.ind)
	return s.ind
}

// replaces reports whether a violation replaces the value that a link sets.
func (v violation) replaces(l model.Link) bool {
	if v.in != l.In {
		return false
	}
	if v.in != model.InBody {
		return v.name == l.Name
	}
	return v.whole || v.media == "" && len(v.path) > 0 && pointerOf(v.path) == l.Name
}

func pointerOf(path []string) (p string) {
	for _, token := range path {
		p += "/" + pointer.Escape(token)
	}
	return p
}
