package runner

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/client"
	"sonde/runner/mio"
)

// resume brings a new engine to where a run was that goes on: with the tests and
// faults that it had kept, what was done to it, and what it had used of its
// budget. The kept tests are played once more before all else, so that the search
// has something to start from for the targets that are still open, and values of
// answers to use again.
func (e *engine) resume(r *model.Resume) {
	b, last := e.budget, r.Last
	b.calls, b.setUp, b.checking, b.minimising, b.before = sent(r), last.SetUp, last.Checking, last.Minimising, last.Elapsed
	if !r.Ended {
		b.assume()
	}
	e.restarts, e.book.unanswered, e.book.noAnswer = last.Restarts, last.Unanswered, last.NoAnswer
	e.asked = asked(r)
	e.through = e.asked
	e.gone, e.reducing = e.part(e.onwardShare()), e.part(reductionShare)
	e.swept = e.sweepShare() // as far as is known, and so that it goes on as it went
	e.chance = rand.New(rand.NewPCG(e.plan.Seed, uint64(b.calls)))
	e.search = mio.New(problem{e.tests, e.source}, e.chance, e.plan.Tuning, e.wanted())
	e.book.remember(r)
	for _, t := range r.Tests {
		e.keep(t)
	}
	for _, f := range r.Faults {
		f.Unrepeated = ""
		e.book.judge.Remember(f)
		e.book.add(keyOf(f), f)
	}
	e.book.curve = slices.Clone(r.Curve)
	if n := e.targets.done; n > 0 {
		e.book.curve = append(e.book.curve, model.Point{Calls: b.calls, Covered: n})
	}
	e.restore()
}

// sent is how many requests had left at least: what was found tells of more than
// the last event where the run was killed between two.
func sent(r *model.Resume) int {
	n := r.Last.Call
	for _, t := range r.Tests {
		if t.Birth != nil {
			n = max(n, t.Birth.Call)
		}
	}
	for _, f := range r.Faults {
		n = max(n, f.At)
	}
	return n
}

// assume counts what may have left of a run that was killed since it told last:
// it does so each time another thousandth of the budget is used up. The tests
// that were under way when it was killed are not known.
func (b *budget) assume() {
	b.calls = max(b.calls, min(b.calls+b.limits.Calls/1000, b.limits.Calls))
	b.before += b.limits.Time / 1000
}

// asked is how many tests had been asked for at least, so that no ID comes twice.
func asked(r *model.Resume) int {
	n := r.Last.Asked
	for _, t := range r.Tests {
		if number, err := strconv.Atoi(strings.TrimPrefix(t.ID, "t")); err == nil {
			n = max(n, number)
		}
	}
	return n
}

// keep takes a test of before into the archive as it is, and has it played.
func (e *engine) keep(t model.Test) {
	var scores []model.Score
	for _, id := range t.Covers {
		scores = append(scores, model.Score{Target: id, H: 1})
		e.targets.cover(id)
	}
	t.EarlierState = ""
	t.Covers, t.Code = nil, 0 // what it covers of the source is seen when it is played
	kept := &trial{individual: e.tests.Adopt(e.chance, t), birth: t.Birth, test: t}
	e.search.Offer(kept, scores)
	e.search.Plant(&trial{individual: kept.individual, kept: kept})
}

// restore does to the search what was done to it before, each thing when it was
// done, for knobs move on from there; but for seqs that were tried.
func (e *engine) restore() {
	e.book.marks = slices.Clone(e.steers)
	e.pace.move(e.asked)
	for _, s := range e.steers {
		if s.Try == nil {
			e.search.Use(e.pace.used * float64(s.Call) / float64(max(e.budget.calls, s.Call, 1)))
			e.do(s.Steer)
		}
	}
	e.steers = nil
	e.search.Use(e.pace.used)
}

// remember counts what was answered before: all of it where that was kept.
func (b *book) remember(r *model.Resume) {
	for op, counts := range r.Answers {
		b.grid[op] = maps.Clone(counts)
	}
	if r.Answers == nil {
		for _, t := range r.Tests {
			b.recall(t)
		}
	}
}

// recall counts what was answered in a test of before, once.
func (b *book) recall(t model.Test) {
	var results []client.Result
	for _, c := range t.Calls {
		if c.Status > 0 {
			results = append(results, client.Result{Exchange: model.Exchange{Reply: model.Reply{Status: c.Status}}})
		}
	}
	t.Calls = t.Calls[:len(results)] // those that got no answer are the last
	b.count(t, results)
}
