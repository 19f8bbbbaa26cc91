package search

import (
	"context"
	"slices"

	"sonde/model"
	"sonde/runner/search/oracle"
	"sonde/runner/search/shrink"
)

const (
	// checkShare is the share of the budget that may be used to look closer at
	// what was found. What is left of it goes back to the search.
	checkShare = 0.1
	// followUpShare is the part of that which may be used to look for what a
	// search does not meet by itself.
	followUpShare = 0.5
	// repetitions is how often a fault must come again to be reproducible.
	repetitions = 3
	// maxSilentFaults is how many faults without an answer are repeated: each costs
	// as long as a call may take.
	maxSilentFaults = 3
)

// faultChecker is the part of a run that looks closer at what was found.
type faultChecker struct {
	player  *player
	pool    *workerPool
	judge   *judge
	archive *archive
	journal *journal
	trimmed int // faults, from the first on, whose tests were tried with fewer calls
	// stateFaults are the faults of a run without a reset that calls show which went well before.
	stateFaults map[int]bool
}

func newFaultChecker(e *scheduler, limit int) *faultChecker {
	return &faultChecker{
		player:      &player{scheduler: e, limit: limit},
		pool:        e.pool,
		judge:       e.judge,
		archive:     e.archive,
		journal:     e.journal,
		stateFaults: map[int]bool{},
	}
}

// play plays a test if there is room for it, and returns what is wrong with the
// answers. It reports whether they say anything.
func (c *faultChecker) play(ctx context.Context, t model.Test) (done model.Test, wrong []model.Fault, ok bool) {
	p, ok := c.player.play(ctx, t)
	if !ok {
		return t, nil, false
	}
	return p.test, c.judge.faultsOf(p), true
}

// explore plays a test that may show more than the search met. Without a reset it may have
// values that can be used once; it is played with values of its own first.
func (c *faultChecker) explore(ctx context.Context, t model.Test) {
	tests := []model.Test{t}
	if own, renamed := c.player.renamer(nil).rename(t); renamed && !c.pool.resets {
		tests = []model.Test{own, t}
	}
	for _, t := range tests {
		done, wrong, ok := c.play(ctx, t)
		if ok {
			c.archive.record(nil, 0, c.judge.faults.record(wrong...))
		}
		if !ok || sameStatuses(t.Calls, done.Calls) {
			return
		}
	}
}

// verify plays a fault's test until it is plain whether it comes again, after
// it has tried to make it shorter.
func (c *faultChecker) verify(ctx context.Context, i int) {
	if !c.pool.resets && c.judge.faults.faults[i].Status > 0 && !c.lasting(i) {
		c.proveFault(ctx, i)
		return
	}
	c.shorten(ctx, i)
	for range repetitions {
		now, told := c.replayFault(ctx, i, *c.judge.faults.faults[i].Test)
		switch {
		case !told:
			if c.player.canPlay() && ctx.Err() == nil {
				c.judge.faults.faults[i].Unrepeated = "the calls before it were answered otherwise than at first"
			}
			return
		case now == nil && c.lasting(i):
			c.judge.faults.faults[i].Unrepeated = "it did not come again, but once is enough"
			return
		case now == nil:
			c.setVerdict(i, model.Flaky)
			return
		}
	}
	c.setVerdict(i, model.Reproducible)
}

// lasting reports whether a fault is one even if it came only once: a service
// that died has died.
func (c *faultChecker) lasting(i int) bool {
	kind := model.FaultKind(c.judge.faults.faults[i].Oracle)
	return kind == model.ServiceDied || kind == model.ServiceHangs || kind == oracle.ConnectionLeak
}

// replayFault plays a fault's test and returns the fault if it came again. Nothing is
// told by a test that could not be played, or that took another way before its
// last call because of what earlier tests left behind.
func (c *faultChecker) replayFault(ctx context.Context, i int, t model.Test) (now *model.Fault, told bool) {
	key := keyOf(c.judge.faults.faults[i])
	played, wrong, ok := c.play(ctx, t)
	if !ok {
		return nil, false
	}
	for _, f := range wrong {
		if _, known := c.judge.faults.byKey[keyOf(f)]; !known {
			c.archive.record(nil, 0, c.judge.faults.record(f))
		}
		if keyOf(f) == key && now == nil { // a test may show it more than once
			now = &f
		}
	}
	return now, now != nil || c.pool.resets || sameStatuses(t.Calls, played.Calls)
}

// sameStatuses reports whether all calls but the last were answered as before.
func sameStatuses(before, now []model.Call) bool {
	last := len(before) - 1
	return slices.EqualFunc(before[:last], now[:last], func(a, b model.Call) bool { return a.Status == b.Status })
}

func (c *faultChecker) setVerdict(i int, v model.Verdict) {
	f := &c.judge.faults.faults[i]
	f.Verdict, f.Unrepeated, c.journal.dirty = v, "", true
	told := *f
	told.Exchanges = nil // faults.json has it
	c.journal.emit(model.FaultChecked{Call: c.pool.budget.calls, Fault: told})
}

// maxFaultTries is how often it is tried to show one fault with fewer calls.
const maxFaultTries = 16

// trim tries to show each fault by the calls alone that its last one needs, as far as links
// tell. One play of few calls saves all plays of many, so it comes before all else that is
// done with what was found, errors first. What does not answer is left for later: it takes its
// time.
func (c *faultChecker) trim(ctx context.Context) {
	worst := []model.Severity{model.SeverityError, model.SeverityWarning, model.SeverityNote}
	c.trimmed = len(c.judge.faults.faults)
	for _, severity := range worst {
		for i := range c.trimmed {
			switch f := c.judge.faults.faults[i]; {
			case f.Severity != severity || f.Status == 0 || f.Test == nil || c.judge.endsUser(*f.Test):
			case c.pool.resets:
				c.slice(ctx, i)
			default:
				c.trimWithoutReset(ctx, i)
			}
		}
	}
}

// slice tries the calls that the last one of a fault's test takes something from. Without a
// reset what is left out may be there from earlier tests: then they have values of their own.
func (c *faultChecker) slice(ctx context.Context, i int) {
	t := *c.judge.faults.faults[i].Test
	slim := neededCalls(t, len(t.Calls)-1)
	switch {
	case len(slim) == len(t.Calls):
	case c.pool.resets:
		c.showsShorter(ctx, i, withCalls(t, slim))
	default:
		c.showsRenamed(ctx, i, withCalls(t, slim))
	}
}

// shorten looks for the fewest calls that show a fault: those that its last one
// takes something from, and of these as few as will do. Room is left to repeat
// this fault and those after it. A service that does not answer is asked once
// only, for that takes its time. Without a reset only links tell what is not needed: a call
// that is left out may have been made by an earlier test.
func (c *faultChecker) shorten(ctx context.Context, i int) {
	defer func(limit int) { c.player.limit = limit }(c.player.limit)
	c.player.limit -= c.due(i)
	if i >= c.trimmed || c.judge.faults.faults[i].Status == 0 {
		c.slice(ctx, i)
	}
	if c.judge.faults.faults[i].Status == 0 || !c.pool.resets {
		return
	}
	t := *c.judge.faults.faults[i].Test
	last := len(t.Calls) - 1
	shrink.Subset(&shrink.Limit{Remaining: maxFaultTries}, last, func(keep []int) bool {
		return c.showsShorter(ctx, i, withCalls(t, slices.Concat(keep, []int{last})))
	})
}

// showsShorter reports whether a test shows a fault with fewer calls than before, for which
// it then stands. It may do so at a call before its last: then what is tried next
// may be longer than what is known.
func (c *faultChecker) showsShorter(ctx context.Context, i int, t model.Test) bool {
	now, _ := c.replayFault(ctx, i, t)
	if now == nil || now.Test == nil {
		return false
	}
	c.judge.faults.replaceTest(i, *now)
	return true
}

// due is the number of requests that it takes to repeat the faults from one on.
func (c *faultChecker) due(i int) int {
	n := 0
	for _, f := range c.judge.faults.faults[i:] {
		n += repetitions * (f.Calls + c.pool.resetCost)
	}
	return n
}

// proveFault repeats a fault of a run without a reset. Each time its test has values that
// no test sent before, so that nothing which is left from others can be why it comes.
func (c *faultChecker) proveFault(ctx context.Context, i int) {
	if i >= c.trimmed {
		c.trimWithoutReset(ctx, i)
	}
	if c.stateFaults[i] {
		c.setVerdict(i, model.EarlierState)
		return
	}
	c.shortenWithoutReset(ctx, i)
	t := *c.judge.faults.faults[i].Test
	if c.provesRenamed(ctx, i, t, true) {
		return
	}
	shown := 0
	for range repetitions {
		p, ok := c.player.play(ctx, t)
		switch {
		case !ok:
			return
		case c.shows(i, p):
			shown++
		case shown == 0 && !sameStatuses(t.Calls, p.test.Calls):
			c.setVerdict(i, model.EarlierState)
			return
		default:
			c.setVerdict(i, model.Flaky)
			return
		}
		if c.judge.history.wavering(p.test, p.results) >= 0 {
			c.setVerdict(i, model.EarlierState)
			return
		}
	}
	if len(c.judge.history.borrowed(t)) > 0 {
		c.setVerdict(i, model.EarlierState)
		return
	}
	c.setVerdict(i, model.Reproducible)
}

// trimWithoutReset cuts a fault's test to the calls that its last one takes something from, unless
// the fault is one of a state: there any calls show it.
func (c *faultChecker) trimWithoutReset(ctx context.Context, i int) {
	if c.failsGoodCalls(ctx, i) {
		c.stateFaults[i] = true
		return
	}
	c.slice(ctx, i)
}

// failsGoodCalls reports whether calls that went well before now show a fault: then an earlier test
// brought the service into a state in which they do.
func (c *faultChecker) failsGoodCalls(ctx context.Context, i int) bool {
	f := c.judge.faults.faults[i]
	t, ok := c.judge.history.control(f.Test.Calls[len(f.Test.Calls)-1], keyOf(f))
	return ok && c.player.holdsFor(ctx, t, func(p played) bool { return c.shows(i, p) })
}

// holdsFor reports whether something is so of a test with values that no test sent before,
// and of the test as it is: such values may be why it is so.
func (a *player) holdsFor(ctx context.Context, t model.Test, is func(played) bool) bool {
	own, renamed := a.renamer(nil).rename(t)
	p, ok := a.play(ctx, own)
	if !ok || !is(p) {
		return false
	}
	if renamed {
		p, ok = a.play(ctx, t)
	}
	return ok && is(p)
}

// shortenWithoutReset looks for the fewest calls that show a fault with values of their own. What
// a call takes from another one stays: it may be there from earlier tests, too.
func (c *faultChecker) shortenWithoutReset(ctx context.Context, i int) {
	defer func(limit int) { c.player.limit = limit }(c.player.limit)
	c.player.limit -= c.due(i)
	t := *c.judge.faults.faults[i].Test
	last := len(t.Calls) - 1
	free := slices.DeleteFunc(indexes(last), func(k int) bool { return slices.Contains(neededCalls(t, last), k) })
	shrink.Subset(&shrink.Limit{Remaining: maxFaultTries}, len(free), func(keep []int) bool {
		calls := []int{last}
		for _, k := range keep {
			calls = append(calls, free[k])
		}
		_, ok := c.showsRenamed(ctx, i, withCalls(t, neededCalls(t, calls...)))
		return ok
	})
}

// confirmFaults plays the tests of reproducible faults once more, after those of all others
// and in the opposite order. What does not come again depends on a state of the service
// that later calls ended.
func (c *faultChecker) confirmFaults(ctx context.Context) {
	for i, f := range slices.Backward(c.judge.faults.faults) {
		if f.Verdict != model.Reproducible || f.Test == nil || f.Status == 0 || c.lasting(i) {
			continue
		}
		own, _ := c.player.renamer(nil).rename(*f.Test)
		if p, ok := c.player.play(ctx, own); ok && !c.shows(i, p) {
			c.setVerdict(i, model.EarlierState)
		}
	}
}

// provesRenamed reports whether a fault comes each time with values of its own, and
// concludes that it can be reproduced. Its test then has such values. Where the faulty
// answer shows only what other tests created, the test first creates that itself, if it
// may be mended.
func (c *faultChecker) provesRenamed(ctx context.Context, i int, t model.Test, mend bool) bool {
	var last played
	for range repetitions {
		p, ok := c.showsRenamed(ctx, i, t)
		if !ok {
			return false
		}
		last = p
	}
	if left := c.judge.history.leftover(last.results); left != "" {
		if whole, ok := c.judge.history.preceded(t, []string{left}); ok && mend && c.provesRenamed(ctx, i, whole, false) {
			return true
		}
		c.setVerdict(i, model.EarlierState)
		return true
	}
	c.replaySameValues(ctx, i)
	c.setVerdict(i, model.Reproducible)
	return true
}

// replaySameValues plays a fault's test again with the same values, and notes what then differs, or
// that it could not be played.
func (c *faultChecker) replaySameValues(ctx context.Context, i int) {
	t := *c.judge.faults.faults[i].Test
	p, ok := c.player.play(ctx, t)
	if !ok {
		t.EarlierState = notProven
		c.judge.faults.faults[i].Test = &t
		return
	}
	ok = c.shows(i, p)
	if ok {
		t, ok = withLooseCalls(t, p.test)
	}
	if !ok {
		t.EarlierState = "its values can be used once"
	}
	c.judge.faults.faults[i].Test = &t
}

// withLooseCalls returns a test whose calls before the last may be answered in any way where
// they were answered otherwise when it was played again, and false if one may not.
func withLooseCalls(t, again model.Test) (model.Test, bool) {
	ok := true
	for k := range t.Calls[:len(t.Calls)-1] {
		if ok && again.Calls[k].Status != t.Calls[k].Status {
			t, ok = loosen(t, k)
		}
	}
	return t, ok
}

// showsRenamed reports whether a test shows a fault with values of its own, and stands for
// the fault from then on.
func (c *faultChecker) showsRenamed(ctx context.Context, i int, t model.Test) (played, bool) {
	own, _ := c.player.renamer(nil).rename(t)
	p, ok := c.player.play(ctx, own)
	if !ok || !c.shows(i, p) || c.judge.history.wavering(p.test, p.results) >= 0 {
		return p, false
	}
	f := &c.judge.faults.faults[i]
	f.Test, f.Calls = &p.test, len(p.test.Calls)
	return p, true
}

// shows reports whether the last call of a played test shows a fault, and enters those
// that were not known.
func (c *faultChecker) shows(i int, p played) bool {
	key := keyOf(c.judge.faults.faults[i])
	wrong := c.judge.faultsOf(p)
	for _, f := range wrong {
		if _, known := c.judge.faults.byKey[keyOf(f)]; !known {
			c.archive.record(nil, 0, c.judge.faults.record(f))
		}
	}
	return slices.ContainsFunc(wrong, func(f model.Fault) bool { return keyOf(f) == key && f.Calls == len(p.test.Calls) })
}
