package search

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"sonde/model"
	"sonde/runner/search/individual"
	"sonde/runner/search/mio"
	"sonde/runner/target/client"
)

// scheduler is the run: its phases, pauses and the order of tests. One goroutine owns it.
type scheduler struct {
	plan     model.Plan
	bed      *testbed
	pool     *workerPool
	judge    *judge
	code     *codeTracker
	hosts    *hostRegistry
	journal  *journal
	archive  *archive
	proposer *proposer
	controls *controls

	run    *Run
	queue  workQueue
	usage  usageMeter
	access accessCheck
	denied *model.AccessDenied    // refusals because of which the run stopped or is paused, else nil
	script []model.AppliedCommand // commands of the plan that are still to be applied

	asked       int    // tests asked of the search
	judged      int    // number of the last judged test
	lastTrial   *trial // that test
	outOfBudget bool   // the budget was too short for a test of a player

	lastShown time.Time
	cancelled bool
	err       error // why the run ends early
}

func newScheduler(c *testbed) *scheduler {
	p := c.plan
	e := &scheduler{
		plan:   p,
		bed:    c,
		pool:   c.pool,
		judge:  c.judge,
		code:   c.code,
		hosts:  &hostRegistry{},
		run:    &Run{requests: newRequestQueue(), stop: make(chan struct{}), done: make(chan struct{})},
		usage:  newUsageMeter(c.pool.budget, p.Replay),
		script: p.Commands,
		access: newAccessCheck(p),
	}
	e.run.scheduler = e
	c.pool.watchUsers()
	e.judge.prepare()
	tests := individual.New(c.code.informed())
	c.code.describeReads(tests.Hosts())
	if p.Net != nil {
		e.hosts.fixed = p.Net.Stubs
	}
	chance := rand.New(rand.NewPCG(p.Seed, 0))
	search := e.newSearch(tests, chance)
	enqueueFirst(search, tests, chance, p, c.pool.resets)
	if p.Resume != nil {
		c.pool.budget.resume(p.Resume)
		chance = rand.New(rand.NewPCG(p.Seed, uint64(c.pool.requestsSent())))
		search = e.newSearch(tests, chance)
	}
	e.assemble(search, tests, chance)
	if p.Resume != nil {
		e.resume(p.Resume)
	}
	return e
}

func (e *scheduler) newSearch(tests *individual.Problem, chance *rand.Rand) *mio.Search[*trial] {
	return mio.New(problem{tests, e.code.coverage}, chance, e.plan.Tuning, e.code.targetList(e.judge.targets.fixedIDs()))
}

// enqueueFirst queues the tests with which a run begins.
func enqueueFirst(search *mio.Search[*trial], tests *individual.Problem, chance *rand.Rand, p model.Plan, resets bool) {
	if !resets && p.Resume == nil {
		first := slices.Concat(tests.ReadOnlyTests(chance), tests.CreationTests(chance, p.Templates, creationCalls(p.Limits)))
		for _, ind := range first {
			search.Enqueue(&trial{individual: ind, birth: &model.TestLineage{Rule: model.FromInitialTemplate}})
		}
	}
	for _, t := range p.Recorded {
		search.EnqueueInitial(&trial{individual: tests.AdoptTest(chance, t)})
	}
	if p.Tuning.Smart > 0 {
		for _, ind := range tests.Initial(chance) {
			search.EnqueueInitial(&trial{individual: ind})
		}
	}
}

// assemble makes the parts of a run that work on its search.
func (e *scheduler) assemble(search *mio.Search[*trial], tests *individual.Problem, chance *rand.Rand) {
	e.journal = &journal{budget: e.pool.budget}
	e.code.search, e.code.journal = search, e.journal
	e.archive = &archive{search: search, budget: e.pool.budget, judge: e.judge, code: e.code, journal: e.journal}
	e.archive.forgetPrevious()
	e.proposer = &proposer{
		plan: e.plan, pool: e.pool, tests: tests, chance: chance, search: search, targets: e.judge.targets, code: e.code,
	}
	e.controls = &controls{
		plan: e.plan, search: search, tests: tests, chance: chance, targets: e.judge.targets, code: e.code, hosts: e.hosts,
		tuning: e.plan.Tuning,
	}
}

// creationShare is the share of the budget that may be used for creating resources at the start,
// while a service without a reset is in its first state.
const creationShare = 0.03

func creationCalls(l model.Limits) int {
	if l.Calls > 0 {
		return int(creationShare * float64(l.Calls))
	}
	return 100
}

// loop runs all phases; the while of MIO's Algorithm 1 is in explore.
func (e *scheduler) loop(ctx context.Context) {
	defer close(e.run.done)
	defer e.pool.stop()
	e.guard(func() {
		e.startService(ctx)
		e.pool.budget.begin()
		e.begin()
		e.explore(ctx, 1-checkShare-e.plan.Minimise)
		e.check(ctx)
		e.minimisePhases(ctx, e.plan.Minimise)
	})
	e.guard(func() { e.finish(ctx) })
	e.publish(model.PhaseDone)
}

// begin emits that the run starts or resumes.
func (e *scheduler) begin() {
	e.journal.postponeTraffic() // keeps the traffic of a resumed run until there is as much again
	if e.plan.Resume != nil {
		e.journal.emit(model.RunResumed{Call: e.pool.requestsSent(), Asked: e.asked})
		return
	}
	e.journal.emit(model.RunStarted{Targets: e.judge.targets.declared})
}

// explore searches until a share of the budget is used. Results are handled in the order in which
// tests were asked for, so that the search does not depend on the speed of the workers.
func (e *scheduler) explore(ctx context.Context, share float64) {
	e.queue.open(ctx, e.pool.workers)
	defer e.closeQueue()
	for e.hasWork() && e.usage.used < share {
		if e.queue.full() || !e.canDispatch() {
			e.handlePlayed(ctx, e.queue.take())
			continue
		}
		if !e.gate(ctx) {
			break
		}
		e.dispatchNext()
	}
	for !e.queue.empty() {
		e.handlePlayed(ctx, e.queue.take())
	}
}

// closeQueue cancels the tests that are being played, also after a panic, and counts their
// requests.
func (e *scheduler) closeQueue() {
	e.queue.close()
	for _, c := range e.pool.workers {
		e.pool.budget.settle(&c.quota)
	}
}

// guard turns a panic into the end of the run, so that a terminal can be restored and what was
// found is saved.
func (e *scheduler) guard(work func()) {
	defer func() {
		if p := recover(); p != nil {
			const message = "sonde itself failed at call %d: %v; please report it with this: %s"
			e.err = fmt.Errorf(message, e.pool.requestsSent(), p, debug.Stack())
		}
	}()
	work()
}

// startService starts the service if the plan says how.
func (e *scheduler) startService(ctx context.Context) {
	if !e.pool.starts() {
		return
	}
	err := e.pool.start(ctx)
	switch {
	case err == nil:
		e.code.checkAttached()
		e.code.addAllTargets(ctx)
	case ctx.Err() == nil:
		e.err = err
	}
}

func (e *scheduler) hasWork() bool {
	return e.err == nil && !e.journal.failed() && (e.pool.canStart() || !e.queue.empty()) && !e.usage.ended(e.asked)
}

// dispatchNext lets the next worker play the next test of the search.
func (e *scheduler) dispatchNext() {
	t := e.proposer.next()
	e.asked++
	if t.Individual.birth == nil {
		t.Individual.birth = birthOf(t, e.pool.requestsSent())
	}
	e.dispatch(t)
}

// handlePlayed judges a played test and passes its scores to the search. A test that the end of
// the run cut short is not judged.
func (e *scheduler) handlePlayed(ctx context.Context, j *job) {
	e.locateScores(ctx, j.caller, &j.played)
	p := j.played
	e.pool.budget.settle(&j.caller.quota)
	e.pool.countRestarts(p)
	e.journal.noteRestarts(p)
	e.stopOnError(ctx, p.err)
	e.journal.countReplies(p.results)
	e.judge.history.observe(p.test, p.results)
	e.code.noteSetUp(p.setUp)
	e.archive.creditPrevious(j.caller, p.belated)
	e.archive.blamePrevious(j.caller, p.late)
	if len(p.results) > 0 {
		e.judgeTest(ctx, j)
	}
	e.handleEnded(p.ended)
	e.updateProgress()
	e.publishIfDue()
}

// locateScores finds out which code targets a driver's scores are about.
func (e *scheduler) locateScores(ctx context.Context, c *worker, p *played) {
	if e.code.lostSight(c, p) {
		e.controls.updateWeights()
	}
	e.code.locateScores(ctx, c, p)
}

func (e *scheduler) judgeTest(ctx context.Context, j *job) {
	t, p := j.candidate.Individual, j.played
	planned := p.test
	t.test = planned
	t.test.ID = "t" + strconv.Itoa(j.number)
	t.test.Calls = planned.Calls[:len(p.results)] // calls that were not sent mean nothing
	if !e.pool.resets {
		t.foreignCalls = e.judge.targets.foreignCalls(t.test) + boolToInt(len(e.judge.history.borrowed(t.test)) > 0)
	}
	p.test = t.test
	wrong := e.judge.faultsOf(p)
	e.judge.stats.countAnswers(p.test, p.results)
	faults := e.judge.faults.record(wrong...)
	e.judge.history.observeVerdicts(t.test, wrong)
	if d := e.access.observe(t.test); d != nil {
		e.denyAccess(d)
	}
	e.abandon(e.judge.unsendable.observe(p.test, p.results))
	e.proposer.observeContacts(t, planned, p)
	scores := e.judge.scores(planned, p, e.proposer.namedByTest)
	e.code.coverage.noteScores(p.seen)
	e.hosts.observe(planned, p.start)
	e.hosts.observe(planned, p.contacts)
	if t.sweeps() {
		scores = coveredScores(scores) // a sweep is too long to be a good parent
	}
	verdict := e.archive.search.Tell(j.candidate, scores)
	t.birth.First, t.birth.Code = e.archive.noteFirsts(verdict)
	t.test.Lineage = t.birth
	if verdict.Archived {
		t.test.Checks = e.judge.checks(p)
		t.remember(p.results)
		e.journal.markChanged()
	}
	e.archive.record(t.birth.First, t.birth.Code, faults)
	if t.resumed != nil {
		t.resumed.remember(p.results)
	}
	e.archive.setPrevious(j.caller, t, p.results)
	e.lastTrial, e.judged = t, j.number
	for i, r := range p.results {
		if ctx.Err() != nil {
			break // dozens of large answers take seconds
		}
		e.proposer.tests.ObserveReply(planned.Calls[i].Op, r.Exchange.Reply)
	}
	e.proposer.learn(t, planned, verdict, p.marks)
	t.nearCalls = p.sooner
	e.proposer.noteOperands(t, p.compared)
	if t.reduces != nil {
		e.proposer.advanceReduction(t, p.seen)
	}
}

// updateProgress tells the search how much of the budget is used up.
func (e *scheduler) updateProgress() {
	if e.usage.advance(e.asked) {
		e.archive.search.SetBudgetUsed(e.usage.used)
		e.journal.emit(e.progressEvent())
	}
}

// progressEvent returns all that a killed run needs to resume.
func (e *scheduler) progressEvent() model.Progress {
	b := e.pool.budget
	targets, _ := e.archive.statusTargets()
	return model.Progress{
		Call: b.calls, SetUp: b.setUp, Checking: b.checking, Minimising: b.minimising, Elapsed: b.elapsed(),
		Unanswered: e.judge.stats.unanswered, NoAnswer: e.judge.stats.noAnswer, Restarts: e.pool.restarts,
		Asked: e.asked, Used: e.usage.used, Targets: targets,
	}
}

// requestsPerCall bounds the requests of a test for each of its calls while other tests are being
// played: the call, a new log-in and a repetition, and as much again.
const requestsPerCall = 6

// requestLimit returns how many requests a test may send while others are played.
func (e *scheduler) requestLimit(t model.Test) int {
	return e.pool.resetCost + requestsPerCall*(len(t.Calls)+len(e.plan.Users))
}

// canDispatch reports whether the budget allows another test beside those that are being played.
func (e *scheduler) canDispatch() bool {
	return e.queue.empty() || e.pool.budget.remaining() > e.pool.resetCost+requestsPerCall*(longTest+len(e.plan.Users))
}

// longTest is more calls than most tests have.
const longTest = 64

// dispatch lets the next worker play a candidate.
func (e *scheduler) dispatch(asked mio.Candidate[*trial]) {
	j := &job{
		number:      e.asked,
		candidate:   asked,
		test:        asked.Individual.script(),
		codeTargets: asked.Individual.codeTargets,
		isSweep:     asked.Individual.sweeps(),
	}
	j.test.Stubs = e.hosts.stubsFor(j.test.Stubs)
	free := e.queue.next()
	free.tracker.dropCovered(e.code.coverage.coveredOrder(), e.code.coverage.targetIDs())
	purse, most := &free.quota, e.requestLimit(j.test)
	if len(e.pool.workers) == 1 {
		most = e.pool.budget.remaining()
	}
	e.pool.budget.grant(purse, most)
	j.timed, j.cancel = e.pool.budget.deadline(e.queue.ctx)
	e.queue.dispatch(j)
}

// check shortens the tests of faults, plays follow-up tests and repeats each fault.
func (e *scheduler) check(ctx context.Context) {
	defer e.pool.budget.beginChecking()()
	e.archive.forgetPrevious() // a service that dies now was not killed by the last trial
	whole := e.usage.portion(checkShare)
	c := newFaultChecker(e, whole)
	c.trim(ctx)
	c.player.limit = c.player.sent + int(followUpShare*float64(whole-c.player.sent))
	for _, t := range followUpTests(e.plan, e.archive) {
		c.explore(ctx, t)
	}
	c.player.limit = whole
	silent := 0
	for i := 0; i < e.judge.faults.count(); i++ { // checking may add faults
		f := e.judge.faults.at(i)
		if f.Status == 0 {
			silent++
		}
		switch {
		case f.Test == nil:
		case c.judge.endsUser(*f.Test):
			c.judge.faults.setUnrepeated(i, "one of its calls ended a user, and is not sent again")
		case f.Status > 0 || silent <= maxSilentFaults:
			c.verify(ctx, i)
		}
	}
	if !e.pool.resets {
		c.confirmFaults(ctx)
	}
}

// playNow plays a test that the search did not ask for, on the first worker and with at most this many
// requests. It handles the outcome except for the test's own faults and scores, and returns the number of
// requests sent.
func (e *scheduler) playNow(ctx context.Context, t model.Test, most int) (p played, sent int) {
	before := e.pool.requestsSent()
	p = e.pool.play(ctx, t, most)
	sent = e.pool.requestsSent() - before
	e.journal.noteRestarts(p)
	e.outOfBudget = p.short
	e.stopOnError(ctx, p.err)
	e.journal.countReplies(p.results)
	e.judge.history.observe(p.test, p.results)
	e.locateScores(ctx, e.pool.first(), &p)
	e.code.noteSetUp(p.setUp)
	if p.late != nil {
		e.archive.record(nil, 0, e.judge.faults.record(*p.late))
	}
	e.handleEnded(p.ended)
	e.updateProgress()
	e.publishIfDue()
	return p, sent
}

// canPlayNow reports whether the run and its budget allow another test of playNow.
func (e *scheduler) canPlayNow() bool {
	return e.err == nil && !e.journal.failed() && !e.outOfBudget && e.pool.canStart() && e.requestsLeft() > e.pool.resetCost
}

// requestsLeft returns how many requests may still be sent. If the run repeats another one, it sends no
// more than that did.
func (e *scheduler) requestsLeft() int {
	left := e.pool.budget.remaining()
	if r := e.plan.Replay; r != nil && r.Asked > 0 {
		left = min(left, r.Calls-e.pool.requestsSent())
	}
	return left
}

// stopOnError ends the run unless the error is about the budget or the context.
func (e *scheduler) stopOnError(ctx context.Context, err error) {
	if err != nil && !errors.Is(err, client.ErrBudget) && ctx.Err() == nil {
		e.err = err
	}
}

// How often the snapshot, the suite and the traffic are renewed.
const (
	publishEvery = 50 * time.Millisecond
	saveEvery    = time.Second
	trafficEvery = 10 * time.Second // traffic may be large, and takes time to write
)

// publishIfDue renews the snapshot and what is on disk when it is time.
func (e *scheduler) publishIfDue() {
	now := time.Now()
	if now.Sub(e.lastShown) >= publishEvery {
		e.publish(model.PhaseRunning)
	}
	if now.Sub(e.journal.lastSaved) >= saveEvery {
		e.journal.save(e.archive)
	}
	if now.Sub(e.journal.lastTraffic) >= trafficEvery {
		e.journal.saveTraffic(e.archive)
	}
}

// publish replaces the snapshot.
func (e *scheduler) publish(phase model.RunPhase) {
	s := model.Snapshot{
		Phase:   phase,
		Summary: e.summary(),
		Used:    e.pool.budget.usedShare(),
		Tuning:  e.controls.tuning,
		Applied: e.archive.search.AppliedTuning(),
		Curve:   slices.Clip(e.judge.stats.curve),
		Marks:   slices.Clip(e.judge.stats.steered),
		Refused: slices.Clip(e.judge.stats.refused),
		Faults:  slices.Clone(e.judge.faults.all()),
		Grid:    e.judge.stats.answerCounts(),
		Newest:  maps.Clone(e.judge.stats.samples),
		Tests:   e.archive.savedTests(),
		Weights: e.controls.weights,
		Denied:  e.denied,
		Err:     errors.Join(e.err, e.journal.sinkErr),
	}
	s.Open = e.archive.openTargets()
	s.Log, s.Unlogged = e.journal.recent.Entries()
	s.Net, s.Hosts = e.plan.Net != nil, e.hosts.snapshot()
	s.Source = e.code.coverage.reachSnapshot() // after savedTests, which notes which test covers what
	if e.lastTrial != nil {
		last := e.lastTrial.test
		s.Last = &last
	}
	e.run.snapshot.Store(&s)
	e.lastShown = time.Now()
}

// summary adds the figures of the search to those of the calls.
func (e *scheduler) summary() model.Summary {
	s := e.bed.summary()
	s.Asked = e.judged
	s.NoReset = e.judge.history != nil
	s.Cancelled = e.cancelled
	if _, ok := errors.AsType[*DeniedError](e.err); ok {
		s.Warnings = slices.DeleteFunc(s.Warnings, followsFromDenial)
	}
	s.Targets, s.Covered = e.archive.statusTargets()
	for t := range e.archive.tests() {
		s.Tests++
		s.Replayed += boolToInt(t.replayed)
		s.FlakyTests += boolToInt(t.test.Flaky != "")
		s.EarlierState += boolToInt(e.archive.earlierState(t) != "")
		s.DroppedChecks += t.dropped
		s.RemovedCalls += t.spared
	}
	return s
}

// gate applies commands, waits while the run is paused, and reports whether to continue.
func (e *scheduler) gate(ctx context.Context) bool {
	for len(e.script) > 0 && e.script[0].Asked <= e.asked {
		e.apply(e.script[0].Command)
		e.script = e.script[1:]
	}
	for {
		steers, wait, wake := e.run.requests.take()
		e.journal.notePause(e.run.requests.isPaused())
		for _, s := range steers {
			e.apply(s)
		}
		if !e.run.requests.isPaused() && e.err == nil {
			e.denied = nil
		}
		if !wait || ctx.Err() != nil {
			return ctx.Err() == nil
		}
		e.wait(ctx, wake)
	}
}

// wait holds a paused run until something changes.
func (e *scheduler) wait(ctx context.Context, wake <-chan struct{}) {
	start := time.Now()
	e.publish(model.PhasePaused)
	select {
	case <-wake:
	case <-ctx.Done():
	}
	e.pool.budget.addPause(time.Since(start))
}

// finish gives faults their reasons, saves everything and emits the end.
func (e *scheduler) finish(ctx context.Context) {
	e.cancelled = ctx.Err() != nil
	e.journal.markChanged()
	e.judge.explain(e.cancelled, e.err != nil, e.pool.canStart())
	e.code.readBlind()
	e.journal.save(e.archive)
	e.journal.saveTraffic(e.archive)
	s := e.summary()
	if e.err != nil {
		s.Trouble = e.err.Error()
	}
	e.journal.emit(model.RunStopped{Summary: s})
}

// apply applies a command and emits it, or the reason why not.
func (e *scheduler) apply(s model.Command) {
	if err := e.controls.apply(s); err != nil {
		e.refuse(model.Note{Call: e.pool.requestsSent(), Text: err.Error()})
		return
	}
	steered := model.AppliedCommand{Call: e.pool.requestsSent(), Asked: e.asked, Command: s, Tuning: e.controls.tuning}
	e.judge.stats.addCommand(steered)
	e.journal.emit(steered)
	e.publish(model.PhaseRunning)
}

// refuse notes why a command does not take effect.
func (e *scheduler) refuse(n model.Note) {
	e.judge.stats.addRefusal(n)
	e.journal.emit(n)
	e.publish(model.PhaseRunning)
}

// abandon mutes operations whose requests cannot be sent. The run ends if no operation is left.
func (e *scheduler) abandon(all []abandonedOp) {
	for _, h := range all {
		why := model.Excerpt([]byte(h.err.Error()))
		if err := e.controls.stress(model.Priority{Kind: model.PriorityMuted, Ops: []model.OpID{h.op}}); err != nil {
			e.err = fmt.Errorf("no operation is left that can be called: of %q, %s; correct the specification", h.op, why)
			return
		}
		text := fmt.Sprintf("%s is no longer part of the search: %s", h.op, why)
		e.journal.note(text)
	}
}

// denyAccess ends or pauses a run whose users are refused.
func (e *scheduler) denyAccess(d *model.AccessDenied) {
	switch {
	case e.plan.OnDenied == model.PauseWhenDenied:
		e.denied = d
		e.journal.note("paused: " + d.String())
		e.run.Pause()
	case e.err == nil:
		e.denied = d
		e.err = &DeniedError{*d}
	}
}

// handleEnded notes the users that a test has ended. Without any other user the run pauses or
// ends.
func (e *scheduler) handleEnded(all []model.EndedUser) {
	for _, end := range all {
		if !e.judge.noteEnded(end) {
			continue
		}
		e.journal.note(end.String())
		switch {
		case end.Back || end.LockedOut || e.plan.Replay != nil || e.plan.OnDenied == model.ContinueWhenDenied:
		case e.judge.hasUsersLeft():
			e.proposer.tests.RemoveUser(end.User)
		default:
			e.denyAccess(&model.AccessDenied{Users: e.access.users, Ended: &end})
		}
	}
}

// minimisePhases explores further and minimises the kept tests with the last share of the budget.
// What minimising leaves goes back to exploring, and tests found then are minimised, too, unless
// the budget is limited by time. Without a reset, tests that could not be played again are worth
// little, so that what checking left of its share is used for minimising first.
func (e *scheduler) minimisePhases(ctx context.Context, share float64) {
	if whole := 1 - e.usage.used; !e.pool.resets && share > 0 && whole > share {
		e.minimise(ctx, whole)
	} else {
		e.explore(ctx, 1-share)
		e.minimise(ctx, share)
	}
	if !e.usage.byTime {
		e.explore(ctx, 1-lateShare*share)
		e.minimise(ctx, lateShare*share)
	}
	e.explore(ctx, 1)
}
