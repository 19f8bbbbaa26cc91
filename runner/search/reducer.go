package search

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/search/individual"
	"sonde/runner/search/shrink"
	"sonde/runner/target/client"
)

// lateShare is the part of the minimising share that is reserved for tests that the search finds after the first
// minimising.
const lateShare = 0.2

// reducer plays the kept tests again near the end of a run, drops or weakens checks that do not hold, and makes
// the tests smaller.
type reducer struct {
	player         *player
	pool           *workerPool
	judge          *judge
	archive        *archive
	journal        *journal
	code           *codeTracker
	proposer       *proposer
	kept           []*keptTest
	changingValues map[valuePlace]bool // values that change from play to play
	proofPlays     int                 // number of plays reserved for proving each test, 0 with a reset
}

// keptTest is a kept test that is being made smaller.
type keptTest struct {
	trial      *trial
	covers     []string        // the IDs of the targets that it is kept for
	coversCode bool            // some of these are code targets
	tried      map[string]bool // testText of the smaller tests that were played

	smaller bool // a smaller test has replaced the original
	lost    bool // the test no longer covers its targets
}

// individual returns the individual of the kept test, without the calls that were not sent.
func (k *keptTest) individual() *individual.Individual {
	ind, sent := k.trial.individual, len(k.trial.test.Calls)
	if ind.Len() == sent {
		return ind
	}
	return ind.KeepCalls(indexes(sent))
}

// newReducer returns a reducer for kept tests. It takes only tests that were not played again yet, and that have an
// answer to each call. limit is the number of requests that the reducer may send.
func newReducer(s *scheduler, limit int) *reducer {
	r := &reducer{
		player:         &player{scheduler: s, limit: limit},
		pool:           s.pool,
		judge:          s.judge,
		archive:        s.archive,
		journal:        s.journal,
		code:           s.code,
		proposer:       s.proposer,
		changingValues: map[valuePlace]bool{},
	}
	at := map[*trial]*keptTest{}
	for _, kept := range s.archive.search.Archive() {
		t := kept.Individual
		if t.replayed || t.hasSilentCall() {
			continue
		}
		if at[t] == nil {
			at[t] = &keptTest{trial: t, tried: map[string]bool{}}
			r.kept = append(r.kept, at[t])
		}
		at[t].covers = append(at[t].covers, kept.Target)
		at[t].coversCode = at[t].coversCode || s.code.coverage.indexOf(kept.Number) >= 0
	}
	slices.SortStableFunc(r.kept, func(a, b *keptTest) int {
		return cmp.Compare(len(b.trial.test.Calls), len(a.trial.test.Calls))
	})
	return r
}

// run plays the kept tests again and makes them smaller. The most effective passes come first: removing calls that no
// covering call needs, playing each test again, removing other calls, simplifying values. Enough of the limit is
// reserved for playing each changed test again at the end. Without a reset, run skips the second pass, and proves the
// tests at the end instead.
func (r *reducer) run(ctx context.Context) {
	r.each(ctx, r.keepNeeded)
	if r.pool.resets {
		r.each(ctx, r.replay)
	} else {
		r.proofPlays = proofPlays
	}
	for _, pass := range []func(context.Context, *keptTest){r.removeCalls, r.simplifyAll, r.simplifyMost, r.simplifyEach} {
		r.each(ctx, pass)
	}
	if r.pool.resets {
		r.each(ctx, r.replay)
	} else {
		r.proveAll(ctx)
	}
	r.finish()
}

// each calls pass for each kept test while the limit and the budget allow another test. If coverage is lost, it
// skips tests that cover code targets.
func (r *reducer) each(ctx context.Context, pass func(context.Context, *keptTest)) {
	r.player.doAll(ctx, func(yield func(func()) bool) {
		for _, kept := range r.kept {
			if !r.player.canPlay() || r.player.sent+r.pool.resetCost >= r.player.limit || ctx.Err() != nil {
				return
			}
			if (!kept.coversCode || r.code.lostErr == nil) && !yield(func() { pass(ctx, kept) }) {
				return
			}
		}
	})
}

// play plays a test if the limit allows it. It returns false if the outcome cannot be used, or if the coverage could
// not be read.
func (r *reducer) play(ctx context.Context, t model.Test) (played, bool) {
	p, ok := r.player.play(ctx, t)
	return p, ok && p.coverageErr == nil
}

// reservedRequests returns the number of requests that are reserved for playing or proving tests at the end.
func (r *reducer) reservedRequests() int {
	n := 0
	for _, kept := range r.kept {
		switch {
		case kept.trial.replayed:
		case r.proofPlays > 0:
			n += r.proofPlays * r.requests(kept)
		case kept.smaller:
			n += r.requests(kept)
		}
	}
	return n
}

// requests returns the number of requests for playing a kept test once.
func (r *reducer) requests(kept *keptTest) int {
	return len(kept.trial.test.Calls) + r.pool.resetCost
}

// replay plays a kept test again, keeps the checks that hold (see stableChecks), and marks a test that differs as
// flaky. If a test has not become smaller, replay plays it only if enough requests remain besides the reserved ones.
func (r *reducer) replay(ctx context.Context, kept *keptTest) {
	t := kept.trial
	if t.replayed || !kept.smaller && r.player.sent+r.reservedRequests()+r.requests(kept) > r.player.limit {
		return
	}
	p, ok := r.play(ctx, t.test)
	if !ok {
		return
	}
	t.replayed = true
	r.journal.markChanged()
	held, changed := stableChecks(t.test, r.judge.checks(p), nil)
	t.test.Checks, t.droppedChecks = held, len(changed)
	for _, at := range changed {
		r.changingValues[at] = true
	}
	t.test.Flaky = divergence(t.test, p.results)
	scores := r.covering(p)
	if lost := uncovered(scores, kept.covers); len(lost) > 0 {
		kept.lost, t.test.Flaky = true, cmp.Or(t.test.Flaky, "it was played again")+"; then it did not cover "+listTargets(lost)
	}
}

// listTargets returns the IDs, separated by commas. Of more than four, it returns the first three and the number of the
// others.
func listTargets(ids []string) string {
	const most = 3
	if more := len(ids) - most; more > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), more)
	}
	return strings.Join(ids, ", ")
}

// finish weakens the checks of values that are known to change (see stableChecks), and emits the results of
// minimising.
func (r *reducer) finish() {
	for t := range r.archive.tests() {
		held, changed := stableChecks(t.test, t.test.Checks, r.changingValues)
		t.test.Checks, t.droppedChecks = held, t.droppedChecks+len(changed)
	}
	s := r.player.scheduler.summary()
	r.journal.emit(model.SuiteReplayed{
		Call:          s.Calls,
		Tests:         s.Tests,
		Replayed:      s.Replayed,
		Flaky:         s.FlakyTests,
		DroppedChecks: s.DroppedChecks,
		RemovedCalls:  s.RemovedCalls,
	})
	for t := range r.archive.tests() {
		if t.test.EarlierState != "" {
			r.journal.emit(model.Note{Call: s.Calls, Text: "test " + t.test.ID + " depends on earlier state: " + t.test.EarlierState})
		}
		if t.test.Flaky != "" {
			r.journal.emit(model.Note{Call: s.Calls, Text: "test " + t.test.ID + " is flaky: " + t.test.Flaky})
		}
	}
}

// Bounds of the attempts of removeCalls, simplifyMost and simplifyEach for one test.
const (
	maxCallTries  = 32
	maxPlainTries = 16
	maxFinerTries = 24
)

// maxSlowTries bounds the attempts of removeCalls for a test in which the service waits long for a host. Each play of
// such a test takes seconds. The reducer therefore does not simplify its values one by one, but only all at once.
const maxSlowTries = 4

// keepNeeded tries to keep only calls that cover the test's targets, and calls that these calls need; see
// neededCalls.
func (r *reducer) keepNeeded(ctx context.Context, kept *keptTest) {
	t := kept.trial.test
	calls := r.judge.targets.lastCalls(t, kept.covers)
	if kept.coversCode {
		calls = append(calls, len(t.Calls)-1) // a guess: any call may have covered the code targets
	}
	if keep := neededCalls(t, calls...); len(keep) > 0 && len(keep) < len(t.Calls) {
		r.holds(ctx, kept, kept.individual().KeepCalls(keep))
	}
}

// removeCalls looks for the fewest calls that cover the targets.
func (r *reducer) removeCalls(ctx context.Context, kept *keptTest) {
	if kept.lost {
		return
	}
	ind, tries := kept.individual(), maxCallTries
	if kept.trial.waitsLong() {
		tries = maxSlowTries
	}
	shrink.Subset(&shrink.Limit{Remaining: tries}, ind.Len(), func(keep []int) bool {
		return len(keep) > 0 && r.holds(ctx, kept, ind.KeepCalls(keep))
	})
}

// simplifyAll tries the test with plain values only.
func (r *reducer) simplifyAll(ctx context.Context, kept *keptTest) {
	if ind := kept.individual(); !kept.lost && ind.SimplifiableCount() > 0 {
		r.holds(ctx, kept, ind.Simplified(nil))
	}
}

// simplifyMost looks for the fewest values that must stay as they are, and makes all other values plain.
func (r *reducer) simplifyMost(ctx context.Context, kept *keptTest) {
	ind := kept.individual()
	n := ind.SimplifiableCount()
	if kept.lost || n == 0 || kept.trial.waitsLong() {
		return
	}
	shrink.Subset(&shrink.Limit{Remaining: maxPlainTries}, n, func(keep []int) bool {
		return r.holds(ctx, kept, ind.Simplified(keep))
	})
}

// simplifyEach makes the remaining values plainer, one after the other.
func (r *reducer) simplifyEach(ctx context.Context, kept *keptTest) {
	if kept.lost || kept.trial.waitsLong() {
		return
	}
	l := &shrink.Limit{Remaining: maxFinerTries}
	shrink.Simplify(l, kept.individual(), (*individual.Individual).Simpler, testText, func(ind *individual.Individual) bool {
		if ctx.Err() != nil || !r.affords(ind.Len()) {
			l.Remaining = 0
			return false
		}
		return r.holds(ctx, kept, ind)
	})
}

// testText returns a text that is equal for individuals with equal tests.
func testText(ind *individual.Individual) string {
	text, err := json.Marshal(ind.Test())
	if err != nil {
		return "" // impossible: a test consists of text and numbers
	}
	return string(text)
}

// holds plays a smaller test and reports whether it replaces the kept test. The smaller test must cover the targets. It
// must not be larger than the kept test, and must not depend more on other tests than the kept test does. holds also
// records the new targets and faults of the smaller test. holds returns false without playing a test that was tried
// before or that the limit does not allow.
func (r *reducer) holds(ctx context.Context, kept *keptTest, ind *individual.Individual) bool {
	test, key := ind.Test(), testText(ind)
	if kept.tried[key] || !r.affords(len(test.Calls)) {
		return false
	}
	p, ok := r.play(ctx, test)
	if !ok {
		return false
	}
	kept.tried[key] = true
	t := r.newTrial(kept, ind, p)
	scores := r.covering(p)
	r.recordFinds(t, p, scores)
	if r.dependsMore(kept, t, p) || len(uncovered(scores, kept.covers)) > 0 || (problem{}).Size(t) > (problem{}).Size(kept.trial) {
		return false
	}
	r.archive.search.Replace(t, scores, kept.covers...)
	kept.trial, kept.smaller = t, true
	r.journal.markChanged()
	return true
}

// affords reports whether the limit allows two plays of a test with this number of calls: one now, and one at the
// end.
func (r *reducer) affords(calls int) bool {
	return r.player.sent+r.reservedRequests()+2*(calls+r.pool.resetCost) <= r.player.limit
}

// dependsMore reports whether a smaller test depends more on other tests than the kept test does. Without a reset,
// the smaller test may cover its targets only because of what other tests left in the service.
func (r *reducer) dependsMore(kept *keptTest, t *trial, p played) bool {
	before := r.judge.history.foreignValues(kept.trial.test)
	return r.judge.history.unstableCall(t.test, p.results) >= 0 ||
		slices.ContainsFunc(r.judge.history.foreignValues(t.test), func(v string) bool { return !slices.Contains(before, v) })
}

// newTrial returns the trial of a smaller test that was played.
func (r *reducer) newTrial(kept *keptTest, ind *individual.Individual, p played) *trial {
	t := &trial{individual: ind, test: p.test}
	t.test.ID = fmt.Sprintf("m%d", r.pool.requestsSent()) // unique also in a resumed run
	t.test.Calls = p.test.Calls[:len(p.results)]
	t.test.Lineage = minimisedLineage(kept.trial.test, r.pool.requestsSent())
	t.test.Checks = r.judge.checks(p)
	t.remember(p.results)
	t.removedCalls = kept.trial.removedCalls + len(kept.trial.test.Calls) - len(t.test.Calls)
	if !r.pool.resets {
		t.foreignCalls = r.judge.targets.foreignCalls(t.test) + boolToInt(len(r.judge.history.foreignValues(t.test)) > 0)
	}
	return t
}

// minimisedLineage returns the lineage of a test that was made smaller. It has the template, the target and the first
// covered targets of the original.
func minimisedLineage(of model.Test, call int) *model.TestLineage {
	b := model.TestLineage{Call: call, Rule: model.FromMinimisation, Parent: of.ID}
	if of.Lineage != nil {
		b.Template, b.Target, b.First = of.Lineage.Template, of.Lineage.Target, of.Lineage.First
	}
	return &b
}

// recordFinds offers a smaller test to the search for targets that were not covered before, and records its new faults.
func (r *reducer) recordFinds(t *trial, p played, scores []model.Score) {
	var first []model.Score
	for _, sc := range scores {
		if r.archive.isOpen(sc) {
			first = append(first, sc)
		}
	}
	var faults []model.Fault
	for _, f := range r.judge.faultsOf(p) {
		if !r.judge.faults.isKnown(f) {
			faults = append(faults, r.judge.faults.record(f)...)
		}
	}
	if len(first) > 0 {
		r.judge.stats.countAnswers(t.test, p.results)
	}
	t.test.Lineage.First, t.test.Lineage.Code = r.archive.noteFirsts(r.archive.search.Offer(t, first))
	r.archive.record(t.test.Lineage.First, t.test.Lineage.Code, faults)
}

// covering returns the scores of those targets that a played test covers.
func (r *reducer) covering(p played) []model.Score {
	return coveredScores(r.judge.scores(p.test, p, r.proposer.namedByTest, true))
}

// uncovered returns those of the targets that have no score in scores.
func uncovered(scores []model.Score, targets []string) []string {
	covers := make(map[string]bool, len(scores))
	for _, sc := range scores {
		covers[sc.Target] = true
	}
	return slices.DeleteFunc(slices.Clone(targets), func(id string) bool { return covers[id] })
}

// valuePlace is the place of a value in the answers of an operation.
type valuePlace struct {
	op      model.OpID
	status  int
	pointer string
}

// stableChecks returns those checks of a test that hold again. now are the checks for the answers when the test was
// played again. If a value differs, or if its place is in known, the check of the value becomes weaker: it only
// asserts that the value exists. If a value is missing, its check is dropped. changed has the places of the weakened
// and dropped checks.
func stableChecks(t model.Test, now []model.Check, known map[valuePlace]bool) (stable []model.Check, changed []valuePlace) {
	type spot struct {
		call    int
		pointer string
	}
	again := map[spot]model.Check{}
	for _, c := range now {
		again[spot{c.Call, c.Pointer}] = c
	}
	for _, c := range t.Checks {
		at := valuePlace{op: t.Calls[c.Call].Op, status: t.Calls[c.Call].Status, pointer: c.Pointer}
		other, there := again[spot{c.Call, c.Pointer}]
		if !there || c.Equals != nil && (known[at] || !bytes.Equal(c.Equals, other.Equals)) {
			changed = append(changed, at)
			c.Equals = nil
		}
		if there {
			stable = append(stable, c)
		}
	}
	return stable, changed
}

// divergence describes the first call whose status in results differs from its status in t. It returns "" if no call
// differs.
func divergence(t model.Test, results []client.CallResult) string {
	for i, c := range t.Calls {
		if i >= len(results) {
			return fmt.Sprintf("call %d, %s, was not reached when it was played again", i+1, c.Op)
		}
		switch now := results[i].Exchange.Reply.Status; now {
		case c.Status:
		case 0:
			return fmt.Sprintf("call %d, %s, answered %d, and nothing when it was played again", i+1, c.Op, c.Status)
		default:
			return fmt.Sprintf("call %d, %s, answered %d, and %d when it was played again", i+1, c.Op, c.Status, now)
		}
	}
	return ""
}
