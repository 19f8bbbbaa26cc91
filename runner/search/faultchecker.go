package search

import (
	"context"
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/search/oracle"
	"sonde/runner/search/shrink"
)

const (
	// checkShare is the share of the budget for checking faults. The search gets what checking does not use.
	checkShare = 0.1
	// followUpShare is the share of follow-up tests in the requests that are left after trimAll. Follow-up tests look
	// for faults that a search does not find by itself.
	followUpShare = 0.5
	// repetitions is how often a fault must recur to be reproducible.
	repetitions = 3
	// maxSilentFaults bounds the faults without an answer that are repeated, because each repetition waits
	// for the time-out of the call.
	maxSilentFaults = 3
)

// faultChecker checks faults near the end of a run: it shortens their tests and repeats them.
type faultChecker struct {
	player  *player
	pool    *workerPool
	judge   *judge
	archive *archive
	journal *journal
	trimmed int // trimAll has handled the faults with smaller indexes
	// stateFaults has the indexes of faults that a state of the service causes: calls that succeeded earlier in the
	// run have the fault now. It is used only in runs without a reset.
	stateFaults map[int]bool
	// ownValues has the indexes of faults that recur with the values of their tests, but not with fresh ones. It is
	// used only in runs without a reset.
	ownValues map[int]bool
	// checked has the indexes of faults that security tests have repeated already.
	checked map[int]bool
	skipped map[int]bool // see isSkipped
	chance  *rand.Rand
	tries   int // attempts to show one fault with fewer calls
	// repeated has the number of plays, by the index of a fault, that have shown it with its shortened test. It is used
	// only in runs with a reset: there, such a play is a repetition.
	repeated map[int]int
}

func newFaultChecker(s *scheduler, limit int) *faultChecker {
	return &faultChecker{
		player:      &player{scheduler: s, limit: limit},
		pool:        s.pool,
		judge:       s.judge,
		archive:     s.archive,
		journal:     s.journal,
		stateFaults: map[int]bool{},
		ownValues:   map[int]bool{},
		checked:     s.checkedFaults,
		skipped:     map[int]bool{},
		chance:      s.proposer.chance,
		tries:       maxFaultTries,
		repeated:    map[int]int{},
	}
}

// run shortens the tests of faults, plays follow-up tests, confirms suspicions, and repeats each fault. Without a
// reset it then confirms the reproducible faults.
func (c *faultChecker) run(ctx context.Context) {
	limit := c.player.limit
	c.trimAll(ctx)
	c.player.limit = c.player.sent + int(followUpShare*float64(limit-c.player.sent))
	c.player.doAll(ctx, func(yield func(func()) bool) {
		f := newFollowUps(c.judge.plan, c.archive)
		for _, t := range f.tests {
			if occurs(c.chance, c.judge.plan.Sampling.SkipFollowUps) {
				continue
			}
			if !yield(func() { c.explore(ctx, f, t) }) {
				return
			}
		}
	})
	c.player.limit = limit
	c.confirmSuspicions(ctx)
	c.verifyAll(ctx)
	if !c.pool.resets {
		c.confirmFaults(ctx)
	}
}

// confirmSuspicions plays the tests of suspicions, with their pause after the last write. A suspicion that recurs becomes
// a fault.
func (c *faultChecker) confirmSuspicions(ctx context.Context) {
	c.judge.faults.eachSuspicion(func(finding model.Fault) { c.confirmSuspicion(ctx, finding) })
}

// confirmSuspicion plays the test of a suspicion, and records the suspicion as a fault if it recurs. It skips tests
// that end a user, and a share of the others; see model.Sampling.SkipChecks.
func (c *faultChecker) confirmSuspicion(ctx context.Context, finding model.Fault) {
	if c.judge.endsUser(*finding.Test) || occurs(c.chance, c.judge.plan.Sampling.SkipChecks) {
		return
	}
	tests := []model.Test{*finding.Test}
	if own, renamed := c.player.renamer(nil).rename(*finding.Test); renamed && !c.pool.resets {
		tests = []model.Test{own, *finding.Test}
	}
	for _, t := range tests {
		_, wrong, ok := c.play(ctx, t)
		at := slices.IndexFunc(wrong, func(f model.Fault) bool { return keyOf(f) == keyOf(finding) })
		if ok && at >= 0 {
			c.archive.record(nil, 0, c.judge.faults.recordCertain(wrong[at]))
			return
		}
	}
}

// isSkipped reports whether a fault is not repeated; see model.Sampling.SkipChecks.
func (c *faultChecker) isSkipped(i int) bool {
	skip, known := c.skipped[i]
	if !known {
		skip = occurs(c.chance, c.judge.plan.Sampling.SkipChecks)
		c.skipped[i] = skip
	}
	return skip
}

// verifyAll repeats each fault that has a test, unless security tests have repeated it, isSkipped is true for it, or
// its test ends a user. Of the faults without an answer it repeats only the first maxSilentFaults.
func (c *faultChecker) verifyAll(ctx context.Context) {
	c.player.doAll(ctx, func(yield func(func()) bool) {
		silent := 0
		for i := 0; i < c.judge.faults.count(); i++ { // checking may add faults
			fault := c.judge.faults.at(i)
			if fault.Status == 0 {
				silent++
			}
			switch {
			case fault.Test == nil || c.checked[i]:
			case c.isSkipped(i):
				c.judge.faults.setUnrepeated(i, "its check was skipped (--skip-checks)")
			case c.judge.endsUser(*fault.Test):
				c.judge.faults.setUnrepeated(i, "one of its calls ended a user, and is not sent again")
			case fault.Status > 0 || silent <= maxSilentFaults:
				if !yield(func() { c.verify(ctx, i) }) {
					return
				}
			}
		}
	})
}

// play plays a test if the limit allows it, and returns the played test and its faults. ok is false if
// the outcome cannot be used.
func (c *faultChecker) play(ctx context.Context, t model.Test) (done model.Test, wrong []model.Fault, ok bool) {
	p, ok := c.player.play(ctx, t)
	if !ok {
		return t, nil, false
	}
	return p.test, c.judge.faultsOf(p), true
}

// explore plays a follow-up test and records its faults. Without a reset it first plays the test with fresh values,
// because some values can be used only once. If a call before the last then gets another status, explore also plays
// the unchanged test. If the service refuses to list as many elements as a test asks for, explore continues with the
// same test that asks for fewer.
func (c *faultChecker) explore(ctx context.Context, f *followUps, t model.Test) {
	tests := []model.Test{t}
	if own, renamed := c.player.renamer(nil).rename(t); renamed && !c.pool.resets {
		tests = []model.Test{own, t}
	}
	for _, t := range tests {
		done, wrong, ok := c.play(ctx, t)
		if ok {
			c.archive.record(nil, 0, c.judge.faults.record(wrong...))
		}
		if fewer, refused := f.withFewerElements(t, done); ok && refused {
			c.explore(ctx, f, fewer)
			return
		}
		if !ok || sameStatuses(t.Calls, done.Calls) {
			return
		}
	}
}

// verify shortens the test of a fault, repeats the test, and sets the verdict or the reason why there is none. If the
// limit or the run ends first, verify sets neither. Without a reset, verify leaves most faults to proveFault. Here and
// below, i is the index of the fault.
func (c *faultChecker) verify(ctx context.Context, i int) {
	if !c.pool.resets && c.judge.faults.at(i).Status > 0 && !c.countsOnce(i) {
		c.proveFault(ctx, i)
		return
	}
	whole := c.judge.faults.at(i)
	c.shorten(ctx, i)
	verdict := c.repeat(ctx, i)
	if verdict == model.VerdictFlaky && c.restoreWhole(i, whole) {
		verdict = c.repeat(ctx, i)
	}
	if verdict != "" {
		c.setVerdict(i, verdict)
	}
}

// repeat plays the test of a fault several times and returns the verdict. If there is none, it returns "". The reason is
// then set, unless the limit or the run has ended.
func (c *faultChecker) repeat(ctx context.Context, i int) model.Verdict {
	for range c.repetitionsLeft(i) {
		now, outcome := c.replayFault(ctx, i, *c.judge.faults.at(i).Test)
		switch {
		case outcome == notPlayed:
			return ""
		case outcome == inconclusive:
			c.judge.faults.setUnrepeated(i, "the calls before it were not answered as at first")
			return ""
		case now == nil && c.countsOnce(i):
			c.judge.faults.setUnrepeated(i, "it did not recur, but once is enough")
			return ""
		case now == nil:
			return model.VerdictFlaky
		}
	}
	return model.VerdictReproducible
}

// restoreWhole gives a fault its whole test again, the one from before it was shortened, and reports whether it did. It
// does so only if the test was shortened and the whole test has a pause: shorter tests are tried without the pause, so
// such a test may show a list that is not up to date instead of the fault.
func (c *faultChecker) restoreWhole(i int, whole model.Fault) bool {
	if whole.Test.Pause == 0 || len(c.judge.faults.at(i).Test.Calls) == len(whole.Test.Calls) {
		return false
	}
	c.judge.faults.replaceTest(i, whole)
	delete(c.repeated, i)
	return true
}

// countsOnce reports whether a fault counts even if it does not recur, such as a service that died.
func (c *faultChecker) countsOnce(i int) bool {
	kind := model.FaultKind(c.judge.faults.at(i).Oracle)
	return kind == model.ServiceDied || kind == model.ServiceHangs || kind == oracle.ConnectionLeak
}

// replayOutcome is what a replay of a fault's test shows.
type replayOutcome int

const (
	notPlayed    replayOutcome = iota // the limit or the run has ended
	inconclusive                      // without a reset, an earlier call was answered differently because of other tests
	conclusive                        // the fault recurred, or it did not
)

// replayFault plays a test of a fault and returns the fault if it recurred. New faults of the test are recorded.
func (c *faultChecker) replayFault(ctx context.Context, i int, t model.Test) (now *model.Fault, outcome replayOutcome) {
	key := keyOf(c.judge.faults.at(i))
	played, wrong, ok := c.play(ctx, t)
	if !ok {
		return nil, notPlayed
	}
	for _, f := range wrong {
		if !c.judge.faults.isKnown(f) {
			c.archive.record(nil, 0, c.judge.faults.record(f))
		}
		if keyOf(f) == key && now == nil { // a test may show it more than once
			now = &f
		}
	}
	if now == nil && !c.pool.resets && !sameStatuses(t.Calls, played.Calls) {
		return nil, inconclusive
	}
	return now, conclusive
}

// sameStatuses reports whether the calls of both lists have the same statuses, apart from the last call.
func sameStatuses(before, now []model.Call) bool {
	last := len(before) - 1
	return slices.EqualFunc(before[:last], now[:last], func(a, b model.Call) bool { return a.Status == b.Status })
}

func (c *faultChecker) setVerdict(i int, v model.Verdict) {
	fault := c.judge.faults.setVerdict(i, v)
	c.journal.markChanged()
	fault.Exchanges = nil // faults.json has them
	c.journal.emit(model.FaultChecked{Call: c.pool.requestsSent(), Fault: fault})
}

// maxFaultTries bounds the attempts to show one fault with fewer calls.
const maxFaultTries = 16

// trimAll tries to show each fault with only those calls that its last call needs according to the links. Faults of
// severity error come first. Later plays of the tests then need fewer calls. Faults without an answer are left to
// verify, because each play waits for a time-out. These faults stay as they are, too: faults that security tests have
// repeated, faults whose tests end a user, and faults for which isSkipped is true.
func (c *faultChecker) trimAll(ctx context.Context) {
	worst := []model.Severity{model.SeverityError, model.SeverityWarning, model.SeverityNote}
	c.trimmed = c.judge.faults.count()
	c.player.doAll(ctx, func(yield func(func()) bool) {
		for _, severity := range worst {
			for i := range c.trimmed {
				f := c.judge.faults.at(i)
				if c.checked[i] || f.Severity != severity || f.Status == 0 || f.Test == nil || c.judge.endsUser(*f.Test) || c.isSkipped(i) {
					continue
				}
				if !yield(func() { c.trim(ctx, i) }) {
					return
				}
			}
		}
	})
}

// trim tries to show a fault with only those calls that its last call needs.
func (c *faultChecker) trim(ctx context.Context, i int) {
	if c.pool.resets {
		c.keepNeeded(ctx, i)
	} else {
		c.trimWithoutReset(ctx, i)
	}
}

// keepNeeded tries to show a fault with only those calls that it needs for certain: its last call, the earlier calls that
// its oracle compares, and the calls from which these take values. Without a reset, the calls get fresh values: otherwise
// the shorter test might use what the removed calls created in an earlier test.
func (c *faultChecker) keepNeeded(ctx context.Context, i int) {
	t := *c.judge.faults.at(i).Test
	slim := c.neededCalls(i)
	switch {
	case len(slim) == len(t.Calls):
	case c.pool.resets:
		c.showsShorter(ctx, i, withCalls(t, slim))
	default:
		c.showsRenamed(ctx, i, withCalls(t, slim))
	}
}

// neededCalls returns the calls that keepNeeded keeps.
func (c *faultChecker) neededCalls(i int) []int {
	f := c.judge.faults.at(i)
	return neededCalls(*f.Test, append(slices.Clone(f.Compared), len(f.Test.Calls)-1)...)
}

// shorten looks for the fewest calls that show a fault. First it tries keepNeeded, unless trimAll has tried it. Then it
// tries to leave out the other calls (see dropUnneeded), and at last any calls. It leaves enough of the limit for
// repeating this fault and the faults after it.
//
// It leaves out no other calls for a fault without an answer, because each play takes long. Nor does it do so without a
// reset: a removed call may seem unnecessary only because an earlier test made it, too.
func (c *faultChecker) shorten(ctx context.Context, i int) {
	defer func(limit int) { c.player.limit = limit }(c.player.limit)
	limit := c.player.limit
	if i >= c.trimmed || c.judge.faults.at(i).Status == 0 {
		c.player.limit = limit - c.reservedForNeeded(i)
		c.keepNeeded(ctx, i)
	}
	c.player.limit = limit - c.reservedRequests(i)
	if c.judge.faults.at(i).Status == 0 || !c.pool.resets {
		return
	}
	tries := &shrink.Limit{Remaining: c.tries}
	c.dropUnneeded(tries, i, func(t model.Test) bool { return c.showsShorter(ctx, i, t) })
	t := *c.judge.faults.at(i).Test
	last := len(t.Calls) - 1
	shrink.Subset(tries, last, func(keep []int) bool {
		return c.showsShorter(ctx, i, withCalls(t, slices.Concat(keep, []int{last})))
	})
}

// reservedForNeeded returns the number of requests to leave for the fault and the faults after it when keepNeeded plays its
// test. If the oracle names the calls that it compares, the shorter test most likely shows the fault, so that only the
// shorter test is repeated.
func (c *faultChecker) reservedForNeeded(i int) int {
	if len(c.judge.faults.at(i).Compared) == 0 || !c.pool.resets {
		return c.reservedRequests(i)
	}
	return c.reservedRequests(i+1) + (repetitions-1)*(len(c.neededCalls(i))+c.pool.resetCost)
}

// dropUnneeded looks for the fewest calls with which a test shows a fault, and keeps the calls of neededCalls. Of the
// other calls, it tries subsets. To each subset, it adds the calls from which the subset takes values: without these,
// the calls of the subset would do something else.
func (c *faultChecker) dropUnneeded(tries *shrink.Limit, i int, shows func(model.Test) bool) {
	t, needed := *c.judge.faults.at(i).Test, c.neededCalls(i)
	free := slices.DeleteFunc(indexes(len(t.Calls)), func(k int) bool { return slices.Contains(needed, k) })
	shrink.Subset(tries, len(free), func(keep []int) bool {
		calls := slices.Clone(needed)
		for _, k := range keep {
			calls = append(calls, free[k])
		}
		return shows(withCalls(t, neededCalls(t, calls...)))
	})
}

// showsShorter reports whether a test shows a fault with fewer calls than the fault's own test. If so, the test
// becomes the test of the fault, cut after the call that shows the fault.
func (c *faultChecker) showsShorter(ctx context.Context, i int, t model.Test) bool {
	now, _ := c.replayFault(ctx, i, t)
	if now == nil || now.Test == nil {
		return false
	}
	c.judge.faults.replaceTest(i, *now)
	c.repeated[i] = boolToInt(c.pool.resets)
	return true
}

// reservedRequests returns the number of requests for repeating the faults from index i on.
func (c *faultChecker) reservedRequests(i int) int {
	n := 0
	for k, f := range c.judge.faults.all()[i:] {
		n += c.repetitionsLeft(i+k) * (f.Calls + c.pool.resetCost)
	}
	return n
}

// repetitionsLeft returns how often a fault must still recur to be reproducible.
func (c *faultChecker) repetitionsLeft(i int) int { return repetitions - c.repeated[i] }

// proveFault repeats a fault of a run without a reset, and sets the verdict. It sets no verdict if the limit is used
// up first. If possible, the test has fresh values each time. Values that other tests left then cannot cause the
// fault.
func (c *faultChecker) proveFault(ctx context.Context, i int) {
	whole := c.judge.faults.at(i)
	if i >= c.trimmed {
		c.trimWithoutReset(ctx, i)
	}
	if c.stateFaults[i] {
		c.setVerdict(i, model.VerdictEarlierState)
		return
	}
	c.shortenWithoutReset(ctx, i)
	t := *c.judge.faults.at(i).Test
	if c.provesRenamed(ctx, i, t, true) {
		return
	}
	if c.restoreWhole(i, whole) {
		t = *whole.Test
		if c.provesRenamed(ctx, i, t, true) {
			return
		}
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
			c.setVerdict(i, model.VerdictEarlierState)
			return
		default:
			c.setVerdict(i, model.VerdictFlaky)
			return
		}
		if c.judge.history.unstableCall(p.test, p.results) >= 0 {
			c.setVerdict(i, model.VerdictEarlierState)
			return
		}
	}
	if len(c.judge.history.foreignValues(t)) > 0 {
		c.setVerdict(i, model.VerdictEarlierState)
		return
	}
	c.ownValues[i] = true
	c.setVerdict(i, model.VerdictReproducible)
}

// trimWithoutReset calls keepNeeded unless a control shows the fault. A control is a call that succeeded earlier in
// the run and is played again. If a control shows the fault, the state of the service causes the fault, and a shorter
// test would prove nothing. Then trimWithoutReset only notes the fault in stateFaults.
func (c *faultChecker) trimWithoutReset(ctx context.Context, i int) {
	if c.failsControl(ctx, i) {
		c.stateFaults[i] = true
		return
	}
	c.keepNeeded(ctx, i)
}

// failsControl reports whether a control shows a fault: a call that succeeded earlier in the run now has the
// fault, so an earlier test brought the service into a state that causes it.
func (c *faultChecker) failsControl(ctx context.Context, i int) bool {
	f := c.judge.faults.at(i)
	controls := c.judge.history.controlsFor(f.Test.Calls[len(f.Test.Calls)-1], keyOf(f))
	return c.player.holdsForAll(ctx, controls, func(p played) bool { return c.shows(i, p) })
}

// shortenWithoutReset looks for the fewest calls that show a fault with fresh values; see dropUnneeded.
func (c *faultChecker) shortenWithoutReset(ctx context.Context, i int) {
	defer func(limit int) { c.player.limit = limit }(c.player.limit)
	c.player.limit -= c.reservedRequests(i)
	c.dropUnneeded(&shrink.Limit{Remaining: c.tries}, i, func(t model.Test) bool {
		_, ok := c.showsRenamed(ctx, i, t)
		return ok
	})
}

// confirmFaults plays the tests of reproducible faults once more with fresh values, after all other tests and
// in the opposite order. Faults of ownValues have their own values. A fault that does not recur depends on an earlier
// state of the service, which later calls changed.
func (c *faultChecker) confirmFaults(ctx context.Context) {
	for i, f := range slices.Backward(c.judge.faults.all()) {
		if f.Verdict != model.VerdictReproducible || f.Test == nil || f.Status == 0 || c.countsOnce(i) {
			continue
		}
		t := *f.Test
		if !c.ownValues[i] {
			t, _ = c.player.renamer(nil).rename(t)
		}
		if p, ok := c.player.play(ctx, t); ok && !c.shows(i, p) {
			c.setVerdict(i, model.VerdictEarlierState)
		}
	}
}

// provesRenamed plays the test of a fault several times with fresh values. It returns false if the fault does not
// recur each time; otherwise it sets the verdict and returns true.
//
// If the faulty answer shows a value that another test created, the verdict is VerdictEarlierState. If mend is true,
// provesRenamed then tries a longer test that also has the calls that create the value. If the longer test shows the
// fault each time, the verdict follows from the longer test.
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
		if whole, ok := c.judge.history.withCreators(t, []string{left}); ok && mend && c.provesRenamed(ctx, i, whole, false) {
			return true
		}
		c.setVerdict(i, model.VerdictEarlierState)
		return true
	}
	c.replaySameValues(ctx, i)
	c.setVerdict(i, model.VerdictReproducible)
	return true
}

// replaySameValues plays the test of a fault again with the same values. A call that now gets another status may then
// have any status in the test. replaySameValues sets the EarlierState of the test to the reason in each of these
// cases:
//   - The test cannot be played.
//   - The fault does not recur.
//   - A call with another status cannot be loosened; see loosen.
func (c *faultChecker) replaySameValues(ctx context.Context, i int) {
	t := *c.judge.faults.at(i).Test
	p, ok := c.player.play(ctx, t)
	if !ok {
		t.EarlierState = notProven
		c.judge.faults.setTest(i, &t)
		return
	}
	ok = c.shows(i, p)
	if ok {
		t, ok = withLooseCalls(t, p.test)
	}
	if !ok {
		t.EarlierState = "its values can be used once"
	}
	c.judge.faults.setTest(i, &t)
}

// withLooseCalls returns a version of t in which some calls may have any status: those that got another status when t
// was played again. The parameter again is t with the new statuses. The last call is not changed. withLooseCalls
// returns false if a call with another status cannot be loosened.
func withLooseCalls(t, again model.Test) (model.Test, bool) {
	ok := true
	for k := range t.Calls[:len(t.Calls)-1] {
		if ok && again.Calls[k].Status != t.Calls[k].Status {
			t, ok = loosen(t, k)
		}
	}
	return t, ok
}

// showsRenamed reports whether a test shows a fault with fresh values and without an unstable call. If
// it does, the test with these values becomes the test of the fault. showsRenamed also returns the
// outcome of the test.
func (c *faultChecker) showsRenamed(ctx context.Context, i int, t model.Test) (played, bool) {
	own, _ := c.player.renamer(nil).rename(t)
	p, ok := c.player.play(ctx, own)
	if !ok {
		return p, false
	}
	now, ok := c.shown(i, p)
	if !ok || c.judge.history.unstableCall(p.test, p.results) >= 0 {
		return p, false
	}
	c.judge.faults.setRenamed(i, &p.test, now.Compared)
	return p, true
}

// shows reports whether the last call of a played test shows a fault. It also records new faults of the test.
func (c *faultChecker) shows(i int, p played) bool {
	_, ok := c.shown(i, p)
	return ok
}

// shown is like shows, and returns the finding.
func (c *faultChecker) shown(i int, p played) (model.Fault, bool) {
	key := keyOf(c.judge.faults.at(i))
	wrong := c.judge.faultsOf(p)
	for _, f := range wrong {
		if !c.judge.faults.isKnown(f) {
			c.archive.record(nil, 0, c.judge.faults.record(f))
		}
	}
	at := slices.IndexFunc(wrong, func(f model.Fault) bool { return keyOf(f) == key && f.Calls == len(p.test.Calls) })
	if at < 0 {
		return model.Fault{}, false
	}
	return wrong[at], true
}
