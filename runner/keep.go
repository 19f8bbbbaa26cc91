package runner

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/rest"
)

// lateShare is the part of the minimising share that is meant for the tests
// which the search finds while it uses up what the others left of it.
const lateShare = 0.2

// keeping is the part of a run that plays the kept tests again, so that what
// they assert holds, and makes them smaller.
type keeping struct {
	aside
	sakes   []*keepsake
	changes map[place]bool // where values change from one time to the next
	proofs  int            // plays that are set aside to prove each test
}

// keepsake is a kept test on its way to a smaller one.
type keepsake struct {
	trial  *trial
	covers []string // what it is kept for
	code   bool     // in the service's source, too
	asked  map[string]bool

	smaller bool // than it was
	lost    bool // it does not cover any more what it is kept for
}

// individual is the kept test, without calls that were not reached.
func (s *keepsake) individual() *rest.Individual {
	ind, sent := s.trial.individual, len(s.trial.test.Calls)
	if ind.Len() == sent {
		return ind
	}
	return ind.Only(numbers(sent))
}

func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// windUp searches on, and minimises what is kept with the last share of the
// budget. What that leaves goes back to the search, whose late finds are
// minimised, too; but not where the time may be over before. Without a reset, tests
// that could not be played again are worth little: what checking left is used for
// them first.
func (e *engine) windUp(ctx context.Context, share float64) {
	if whole := 1 - e.pace.used; !e.resets && share > 0 && whole > share {
		e.minimise(ctx, whole)
	} else {
		e.explore(ctx, 1-share)
		e.minimise(ctx, share)
	}
	if !e.pace.timed {
		e.explore(ctx, 1-lateShare*share)
		e.minimise(ctx, lateShare*share)
	}
	e.explore(ctx, 1)
}

// minimise plays the tests that were kept since the last time again, and makes them
// smaller, within a share of the budget. What brings most goes first: calls that
// none needs, playing each test again, other calls, values. Room is left to play
// again what became smaller.
func (e *engine) minimise(ctx context.Context, share float64) {
	k := e.keeping(share)
	if k.limit <= 0 || len(k.sakes) == 0 || ctx.Err() != nil {
		return
	}
	e.budget.inKeep = true
	e.source.ask(e.first().watch, true)
	defer func() {
		e.source.ask(e.first().watch, false)
		e.budget.inKeep = false
	}()
	e.forget()
	k.each(ctx, k.slice)
	if k.resets {
		k.each(ctx, k.replay)
	} else {
		k.proofs = proofPlays
	}
	for _, pass := range []func(context.Context, *keepsake){k.cut, k.plain, k.ease, k.refine} {
		k.each(ctx, pass)
	}
	if k.resets {
		k.each(ctx, k.replay)
	} else {
		k.proveAll(ctx)
	}
	k.settle()
}

func (e *engine) keeping(share float64) *keeping {
	k := &keeping{aside: aside{engine: e, limit: e.portion(share)}, changes: map[place]bool{}}
	at := map[*trial]*keepsake{}
	for _, kept := range e.search.Archive() {
		t := kept.Individual
		if t.replayed || t.silent() {
			continue
		}
		if at[t] == nil {
			at[t] = &keepsake{trial: t, asked: map[string]bool{}}
			k.sakes = append(k.sakes, at[t])
		}
		at[t].covers = append(at[t].covers, kept.Target)
		at[t].code = at[t].code || e.source.index(kept.Number) >= 0
	}
	slices.SortStableFunc(k.sakes, func(a, b *keepsake) int {
		return cmp.Compare(len(b.trial.test.Calls), len(a.trial.test.Calls))
	})
	return k
}

// portion is the number of requests in the last share of the budget. Where that
// is one of time, it follows from how many have been sent before, which is the
// same when the run is repeated; and it is half of that, so that the time is not
// over before.
func (e *engine) portion(share float64) int {
	if e.pace.timed {
		return int(share / (1 - share) / 2 * float64(e.budget.calls))
	}
	return min(int(share*float64(e.plan.Limits.Calls)), e.budget.left())
}

// silent reports whether a call of the test got no answer. It is not played again:
// it may take the service with it, and was repeated as a fault.
func (t *trial) silent() bool {
	return slices.ContainsFunc(t.test.Calls, func(c model.Call) bool { return c.Status == 0 })
}

// each does something to each test that can still be played.
func (k *keeping) each(ctx context.Context, pass func(context.Context, *keepsake)) {
	for _, s := range k.sakes {
		if !k.more() || k.sent+k.cost >= k.limit || ctx.Err() != nil {
			return
		}
		if !s.code || k.unseen == nil {
			pass(ctx, s)
		}
	}
}

// play plays a test, which tells nothing where nobody saw what it did.
func (k *keeping) play(ctx context.Context, t model.Test) (played, bool) {
	p, ok := k.aside.play(ctx, t)
	return p, ok && p.unseen == nil
}

// due is the number of requests that it takes to play again what has changed.
func (k *keeping) due() int {
	n := 0
	for _, s := range k.sakes {
		switch {
		case s.trial.replayed:
		case k.proofs > 0:
			n += k.proofs * k.requests(s)
		case s.smaller:
			n += k.requests(s)
		}
	}
	return n
}

// requests is how many it takes to play a test.
func (k *keeping) requests(s *keepsake) int { return len(s.trial.test.Calls) + k.cost }

// replay plays a test again, as it is kept, and drops the assertions that do
// not hold any more.
func (k *keeping) replay(ctx context.Context, s *keepsake) {
	t := s.trial
	if t.replayed || !s.smaller && k.sent+k.due()+k.requests(s) > k.limit {
		return
	}
	p, ok := k.play(ctx, t.test)
	if !ok {
		return
	}
	t.replayed, k.unsaved = true, true
	held, changed := steady(t.test, k.checks(p), nil)
	t.test.Checks, t.dropped = held, len(changed)
	for _, at := range changed {
		k.changes[at] = true
	}
	t.test.Flaky = otherWay(t.test, p.results)
	scores := k.covering(p)
	if lost := uncovered(scores, s.covers); len(lost) > 0 {
		s.lost, t.test.Flaky = true, cmp.Or(t.test.Flaky, "it was played again")+"; then it did not cover "+someOf(lost)
	}
}

// someOf names a few targets.
func someOf(ids []string) string {
	const most = 3
	if more := len(ids) - most; more > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), more)
	}
	return strings.Join(ids, ", ")
}

// settle takes note of what changes from one time to the next wherever it is
// asserted, lets the search know what the smaller tests cover, and tells of it.
func (k *keeping) settle() {
	for t := range k.archived() {
		held, changed := steady(t.test, t.test.Checks, k.changes)
		t.test.Checks, t.dropped = held, t.dropped+len(changed)
	}
	s := k.summary()
	k.emit(model.Kept{
		Call: s.Calls, Tests: s.Tests, Replayed: s.Replayed, Flaky: s.FlakyTests, Dropped: s.Dropped, Spared: s.Spared,
	})
	for t := range k.archived() {
		if t.test.EarlierState != "" {
			k.emit(model.Note{Call: s.Calls, Text: "test " + t.test.ID + " depends on earlier state: " + t.test.EarlierState})
		}
		if t.test.Flaky != "" {
			k.emit(model.Note{Call: s.Calls, Text: "test " + t.test.ID + " is flaky: " + t.test.Flaky})
		}
	}
}
