package search

import (
	"context"
	"errors"
	"fmt"
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

// scheduler goes through the phases of a run, handles pauses, and decides the order of tests. One goroutine
// owns it.
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
	commands *commandApplier

	run             *Run
	queue           workQueue
	usage           usageMeter
	access          accessCheck
	denied          *model.AccessDenied    // the refusals that stopped or paused the run; nil if there were none
	pendingCommands []model.AppliedCommand // commands of the plan that are still to be applied

	asked     int    // tests asked of the search
	judged    int    // number of the last test that was judged
	lastTrial *trial // the last judged test

	checkedFaults map[int]bool // faults that security tests have found and repeated, by their indexes
	unusedCalls   int          // requests that security tests have left for checking
	marker        marker       // marker of the security tests; removed at the end of the run, because faults are repeated until then
	outOfBudget   bool         // the budget did not allow all requests of a player's test

	migration *migration   // migration of an island; nil for other runs
	last      []model.OpID // see lastOperations
	withheld  withheldTests

	lastPublished time.Time
	cancelled     bool
	err           error // why the run ends early
}

func newScheduler(b *testbed, island *Island) *scheduler {
	p := b.plan
	s := &scheduler{
		plan:            p,
		bed:             b,
		pool:            b.pool,
		judge:           b.judge,
		code:            b.code,
		hosts:           &hostRegistry{},
		run:             &Run{requests: newRequestQueue(), stop: make(chan struct{}), done: make(chan struct{})},
		usage:           newUsageMeter(b.pool.budget, p.Replay),
		pendingCommands: p.Commands,
		access:          newAccessCheck(p),
		checkedFaults:   map[int]bool{},
		last:            lastOperations(p, b.pool.resets),
		withheld:        withheldTests{},
	}
	s.run.scheduler = s
	b.pool.watchUsers()
	s.judge.prepare()
	tests := individual.New(withLoginExamples(b.code.planWithConstants()))
	tests.KeepForLast(s.last)
	if island != nil {
		tests.BeginWithPart(island.Part, island.Parts)
	}
	b.code.describeHostReads(tests.Hosts())
	if p.Net != nil {
		s.hosts.runStubs = p.Net.PermanentStubs()
	}
	chance := rand.New(rand.NewPCG(p.Seed, 0))
	if p.Resume != nil {
		b.pool.budget.resume(p.Resume)
		chance = rand.New(rand.NewPCG(p.Seed, uint64(b.pool.requestsSent())))
	}
	search := s.newSearch(tests, chance)
	if p.Resume == nil {
		enqueueFirst(search, tests, chance, p, b.pool.resets)
	}
	s.makeParts(search, tests, chance)
	if p.Resume != nil {
		s.resume(p.Resume)
	}
	return s
}

func (s *scheduler) newSearch(tests *individual.Problem, chance *rand.Rand) *mio.Search[*trial] {
	p := problem{Problem: tests, coverage: s.code.coverage, chance: chance, delayed: s.plan.Sampling.Delay}
	search := mio.New(p, chance, s.plan.Tuning, s.code.targetList(s.judge.targets.fixedIDs()))
	if s.code.seesOperands() && p.delayed > 0 {
		search.SetDelay(p.delay)
	}
	search.SetSingle(s.plan.Sampling.OneMutation)
	search.SetPlainTies(s.plan.Sampling.PlainTies)
	return search
}

// enqueueFirst queues the tests with which a new run begins. Without a reset, these come first: tests that only read,
// and then tests that create resources. Then come recorded tests and, if the search samples from templates, a test of
// each operation. All other tests are played later, so that each operation is called before any is called often. Tests
// of the remaining templates are initial individuals: they come before the tests that the search makes itself. Some
// tests may be left out; see model.Sampling.SkipInitial.
func enqueueFirst(search *mio.Search[*trial], tests *individual.Problem, chance *rand.Rand, p model.Plan, resets bool) {
	from := func(rule model.CreationRule, ind *individual.Individual) *trial {
		return &trial{individual: ind, lineage: &model.TestLineage{Rule: rule, Template: ind.Target()}}
	}
	fixed := tests.Fixed()
	if !resets && p.Sampling.SkipInitial < 1 {
		for _, ind := range slices.Concat(fixed.ReadOnly(chance), fixed.Creations(chance, p.Templates, creationCalls(p.Limits))) {
			search.Enqueue(from(model.FromInitialTemplate, ind))
		}
	}
	for _, t := range p.Recorded {
		search.Enqueue(from(model.FromRecording, tests.AdoptTest(chance, t)))
	}
	if p.Tuning.Smart == 0 {
		return
	}
	first, others := fixed.Initial(chance)
	if skip := p.Sampling.SkipInitial; skip > 0 {
		isSkipped := func(*individual.Individual) bool { return chance.Float64() < skip }
		first, others = slices.DeleteFunc(first, isSkipped), slices.DeleteFunc(others, isSkipped)
	}
	for _, ind := range first {
		search.Enqueue(from(model.FromInitialTemplate, ind))
	}
	for _, ind := range others {
		search.EnqueueInitial(from(model.FromInitialTemplate, ind))
	}
}

// makeParts makes the parts of a run that need the search.
func (s *scheduler) makeParts(search *mio.Search[*trial], tests *individual.Problem, chance *rand.Rand) {
	s.journal = &journal{budget: s.pool.budget}
	s.code.search, s.code.journal = search, s.journal
	s.archive = &archive{search: search, budget: s.pool.budget, judge: s.judge, code: s.code, journal: s.journal}
	s.archive.forgetPrevious()
	s.proposer = &proposer{
		plan: s.plan, pool: s.pool, tests: tests, chance: chance, search: search, targets: s.judge.targets, code: s.code,
	}
	s.proposer.kinds = s.proposer.testKinds()
	s.bed.obstacles = func(op model.OpID) []string { return append(s.withheld.obstacles(op), tests.Obstacles(op)...) }
	s.commands = &commandApplier{
		plan: s.plan, search: search, tests: tests, chance: chance, targets: s.judge.targets, code: s.code, hosts: s.hosts,
		tuning: s.plan.Tuning,
	}
}

// creationShare is the share of the budget for creating resources at the start of a run without a reset,
// when the service is still in its first state.
const creationShare = 0.03

// creationCalls returns the number of calls for creating resources at the start of a run without a reset.
func creationCalls(l model.Limits) int {
	if l.Calls > 0 {
		return int(creationShare * float64(l.Calls))
	}
	return 100
}

// loop runs all phases. The while loop of Algorithm 1 of the EvoMaster paper is in explore.
func (s *scheduler) loop(ctx context.Context) {
	defer close(s.run.done)
	defer func() { s.marker.remove() }()
	defer s.pool.stop()
	s.guard(func() {
		s.startService(ctx)
		s.pool.budget.begin()
		s.emitStart()
		if s.migration != nil {
			exploreAsIsland(ctx, s)
			return
		}
		last := s.proposer.lastShare()
		s.pool.budget.keepForLast(last)
		end := 1 - last
		share := end - checkShare - s.plan.Minimise
		if s.plan.Security {
			share -= securityShare
		}
		s.explore(ctx, share)
		s.testSecurity(ctx)
		s.check(ctx)
		s.minimisePhases(ctx, s.plan.Minimise, end)
		runLastTests(ctx, s)
	})
	s.guard(s.pool.cleanDatabases)
	s.guard(func() { s.finish(ctx) })
	s.publish(model.PhaseDone)
}

// emitStart emits an event that the run starts or resumes.
func (s *scheduler) emitStart() {
	s.journal.postponeTraffic() // the traffic that a resumed run has saved is kept for at least one interval
	if s.plan.Resume != nil {
		s.journal.emit(model.RunResumed{Call: s.pool.requestsSent(), Asked: s.asked})
	} else {
		s.journal.emit(model.RunStarted{Targets: s.judge.targets.declared})
	}
	if len(s.bed.startup.Stubs) > 0 {
		s.journal.emit(s.bed.startup)
	}
}

// explore searches until a share of the budget is used. It handles results in the order in which it asked
// for the tests, so that the search does not depend on the speed of the workers.
func (s *scheduler) explore(ctx context.Context, share float64) {
	s.queue.open(ctx, s.pool.workers)
	defer s.closeQueue()
	for s.hasWork() && s.usage.used < share {
		if s.queue.full() {
			s.handlePlayed(ctx, s.queue.receive())
			continue
		}
		if s.migration.isDue(s.pool.requestsSent()) {
			s.stopOnError(ctx, s.migration.run(ctx, s.archive))
			continue
		}
		if !s.prepareTest(ctx) {
			break
		}
		next := s.propose()
		for !s.queue.empty() && !s.pool.allowsBeside(next.test) {
			s.handlePlayed(ctx, s.queue.receive())
		}
		if s.err != nil || !s.pool.canStart() {
			break
		}
		s.dispatch(next)
	}
	for !s.queue.empty() {
		s.handlePlayed(ctx, s.queue.receive())
	}
	if s.usage.used < share && s.usage.ended(s.asked) {
		s.usage.finish()
	}
}

// closeQueue cancels the tests that are being played and counts their requests, also after a panic.
func (s *scheduler) closeQueue() {
	s.queue.close()
	for _, w := range s.pool.workers {
		s.pool.budget.settle(&w.quota)
	}
}

// guard calls work. A panic of work becomes the error of the run, so that results are saved and the terminal
// is restored.
func (s *scheduler) guard(work func()) {
	defer func() {
		if p := recover(); p != nil {
			const message = "sonde itself failed at call %d: %v; please report it with this: %s"
			s.err = fmt.Errorf(message, s.pool.requestsSent(), p, debug.Stack())
		}
	}()
	work()
}

// startService starts the service if the plan says how, and adds the targets of its driver.
func (s *scheduler) startService(ctx context.Context) {
	if !s.pool.starts() {
		return
	}
	err := s.bed.start(ctx, func(permanent []model.Stub, contacts []model.Contact) {
		s.hosts.runStubs = permanent
		s.hosts.observe(model.Test{}, contacts)
		s.publishIfDue()
	})
	switch {
	case err == nil:
		if s.plan.Net != nil {
			s.hosts.runStubs = s.pool.first().network.permanent
		}
		s.code.checkAttached()
		s.code.addAllTargets(ctx)
	case ctx.Err() == nil:
		s.err = err
	}
}

// hasWork reports whether explore continues. This is so if there is no error, and if there is budget left or a test
// in the queue. A run that repeats another run ends when it has asked for as many tests as the other run.
func (s *scheduler) hasWork() bool {
	return s.err == nil && !s.journal.failed() && (s.pool.canStart() || !s.queue.empty()) && !s.usage.ended(s.asked)
}

// propose returns the next test of the proposer.
func (s *scheduler) propose() *job {
	t := s.proposer.next()
	s.asked++
	if t.Individual.lineage == nil {
		t.Individual.lineage = lineageOf(t)
	}
	if t.Individual.lineage.Call == 0 {
		t.Individual.lineage.Call = s.pool.requestsSent()
	}
	return &job{
		number:      s.asked,
		candidate:   t,
		test:        t.Individual.testToPlay(),
		codeTargets: t.Individual.codeTargets,
		isSweep:     t.Individual.sweeps(),
	}
}

// handlePlayed judges a played test and passes its scores to the search. It does not judge a test without
// results.
func (s *scheduler) handlePlayed(ctx context.Context, j *job) {
	s.resolveTargets(ctx, j.worker, &j.played)
	p := j.played
	s.pool.budget.settle(&j.worker.quota)
	s.pool.countRestarts(p)
	s.journal.noteRestarts(p)
	s.stopOnError(ctx, p.err)
	s.journal.observeReplies(p.results)
	s.judge.history.observeTest(p.test, p.results)
	s.code.noteSetUp(p.setUpScores)
	s.archive.creditPrevious(j.worker, p.lateScores)
	s.archive.blamePrevious(j.worker, p.lateFault)
	if len(p.results) > 0 {
		s.judgeTest(ctx, j)
	}
	s.handleEnded(p.ended)
	s.updateProgress()
	s.publishIfDue()
}

// resolveTargets sets the target numbers of the code scores of a test, and notes if coverage is lost.
func (s *scheduler) resolveTargets(ctx context.Context, w *worker, p *played) {
	if s.code.noteLoss(w, p) {
		s.commands.updateWeights()
	}
	s.code.resolveTargets(ctx, w, p)
}

// judgeTest judges a test of the search. It records the faults, passes the scores to the search, and passes
// the outcome to the proposer and the archive.
func (s *scheduler) judgeTest(ctx context.Context, j *job) {
	t, p := j.candidate.Individual, j.played
	planned := p.test
	t.test = planned
	t.test.ID = "t" + strconv.Itoa(j.number)
	t.test.Calls = planned.Calls[:len(p.results)] // t.test has only the calls that were sent
	if !s.pool.resets {
		t.foreignCalls = s.judge.targets.foreignCalls(t.test) + boolToInt(len(s.judge.history.foreignValues(t.test)) > 0)
	}
	p.test = t.test
	wrong := s.judge.faultsOf(p)
	s.judge.stats.countAnswers(p.test, p.results)
	faults := s.judge.faults.record(wrong...)
	s.judge.history.observeVerdicts(t.test, wrong)
	if d := s.access.observe(t.test); d != nil {
		s.denyAccess(d)
	}
	s.abandon(s.judge.unsendable.observe(p.test, p.results))
	s.withheld.observe(t, p.results)
	s.proposer.observeContacts(t, planned, p)
	s.proposer.observeQueries(t, p)
	scores := s.judge.scores(planned, p, s.proposer.namedByTest, s.proposer.drawBinary())
	s.code.coverage.noteScores(p.codeScores)
	s.hosts.observe(model.Test{}, p.startContacts) // only stubs of the whole run answer before the first test
	s.hosts.observe(planned, p.contacts)
	if t.sweeps() {
		scores = coveredScores(scores) // a sweep is too long to be a good parent
	}
	s.proposer.matchOperands(t, p.operands)
	outcome := s.archive.search.Tell(j.candidate, scores)
	t.lineage.First, t.lineage.Code = s.archive.noteFirsts(outcome)
	t.test.Lineage = t.lineage
	if outcome.Archived {
		t.test.Checks = s.judge.checks(p)
		t.remember(p.results)
		s.journal.markChanged()
	}
	s.archive.record(t.lineage.First, t.lineage.Code, faults)
	if t.resumed != nil {
		t.resumed.remember(p.results)
		s.judge.stats.discoveries.restart(s.pool.budget.searched())
	}
	s.archive.setPrevious(j.worker, t, p.results)
	s.lastTrial, s.judged = t, j.number
	for i, r := range p.results {
		if ctx.Err() != nil {
			break // reading dozens of large answers would take seconds
		}
		s.proposer.observeAnswer(t, i, r.Exchange.Reply)
	}
	s.proposer.learn(t, planned, outcome, p.firstCalls)
	t.nearCalls = p.nearCalls
	s.proposer.noteReached(t)
	if t.reduces != nil {
		s.proposer.advanceReduction(t, p.codeScores)
	}
}

// dispatch lets the next worker play a test.
func (s *scheduler) dispatch(j *job) {
	j.test.Stubs = s.hosts.stubsFor(j.test.Stubs)
	free := s.queue.nextFree()
	free.tracker.dropCovered(s.code.coverage.coveredOrder(), s.code.coverage.targetIDs())
	limit := s.pool.requestLimit(len(j.test.Calls))
	if len(s.pool.workers) == 1 {
		limit = s.pool.budget.remaining()
	}
	s.pool.budget.grant(&free.quota, limit)
	j.ctx, j.cancel = s.pool.budget.deadline(s.queue.ctx)
	s.queue.dispatch(j)
}

// testSecurity plays security tests within their share of the budget, if the plan has them.
func (s *scheduler) testSecurity(ctx context.Context) {
	if !s.plan.Security {
		return
	}
	defer s.pool.budget.beginChecking()()
	s.archive.forgetPrevious()
	s.marker = writeMarker(s.plan)
	s.unusedCalls = runSecurityTests(ctx, s, s.usage.portion(securityShare))
}

// check checks the faults. It may use checkShare of the budget, and the requests that security tests have not used.
func (s *scheduler) check(ctx context.Context) {
	defer s.pool.budget.beginChecking()()
	s.archive.forgetPrevious() // if the service ends now, the last trial is not the cause
	newFaultChecker(s, s.usage.portion(checkShare)+s.unusedCalls).run(ctx)
}

// minimise makes the kept tests smaller within a share of the budget.
func (s *scheduler) minimise(ctx context.Context, share float64) {
	r := newReducer(s, s.usage.portion(share))
	if r.player.limit <= 0 || len(r.kept) == 0 || ctx.Err() != nil {
		return
	}
	defer s.pool.budget.beginMinimising()()
	for _, w := range s.pool.workers {
		s.code.coverage.setCoveredWanted(w.tracker, true)
		defer s.code.coverage.setCoveredWanted(w.tracker, false)
	}
	s.archive.forgetPrevious()
	r.run(ctx)
}

// playNow plays a test that the search did not ask for. It uses the first worker, sends at most the given number of
// requests, and returns how many it has sent. It handles the outcome by handleUnasked.
func (s *scheduler) playNow(ctx context.Context, t model.Test, most int) (p played, sent int) {
	before := s.pool.requestsSent()
	p = s.pool.play(ctx, t, most)
	s.outOfBudget = p.short
	s.handleUnasked(ctx, s.pool.first(), &p)
	return p, s.pool.requestsSent() - before
}

// handleUnasked handles the outcome of a test that the search did not ask for. It does not handle the faults and the
// scores of the test.
func (s *scheduler) handleUnasked(ctx context.Context, w *worker, p *played) {
	s.journal.noteRestarts(*p)
	s.stopOnError(ctx, p.err)
	s.journal.observeReplies(p.results)
	s.judge.history.observeTest(p.test, p.results)
	s.resolveTargets(ctx, w, p)
	s.code.noteSetUp(p.setUpScores)
	if p.lateFault != nil {
		s.archive.record(nil, 0, s.judge.faults.record(*p.lateFault))
	}
	s.handleEnded(p.ended)
	s.updateProgress()
	s.publishIfDue()
}

// canPlayNow reports whether the run and its budget allow another test of playNow.
func (s *scheduler) canPlayNow() bool {
	return s.err == nil && !s.journal.failed() && !s.outOfBudget && s.pool.canStart() && s.requestsLeft() > 0
}

// requestsLeft returns how many requests may still be sent. A run that repeats another run sends at most as
// many requests as that run.
func (s *scheduler) requestsLeft() int {
	left := s.pool.budget.remaining()
	if r := s.plan.Replay; r != nil && r.Asked > 0 {
		left = min(left, r.Calls-s.pool.requestsSent())
	}
	return left
}

// stopOnError makes err the error of the run, unless err is nil or follows from the end of the budget or of
// the context.
func (s *scheduler) stopOnError(ctx context.Context, err error) {
	if err != nil && !errors.Is(err, client.ErrBudget) && ctx.Err() == nil {
		s.err = err
	}
}

// finish notes why each fault without a verdict has none, saves everything, and emits the end of the run.
func (s *scheduler) finish(ctx context.Context) {
	s.cancelled = ctx.Err() != nil
	s.journal.markChanged()
	s.judge.explain(s.cancelled, s.err != nil, s.pool.canStart())
	s.code.readBlind()
	s.journal.save(s.archive)
	s.journal.saveTraffic(s.archive)
	summary := s.summary()
	summary.Forecast = s.archive.forecast(true)
	if s.err != nil {
		summary.Trouble = s.err.Error()
	}
	s.journal.emit(model.RunStopped{Summary: summary})
}

// minimisePhases explores and minimises until the used share of the budget is end. First it explores, until only the
// given share is left before end. Then it minimises the kept tests with that share, and explores with the requests
// that remain. If the budget is not limited by time, it also minimises the tests that it finds after the first
// minimising.
//
// Without a reset, minimisePhases does not explore first: it minimises at once, with everything that is left before
// end. A test that was not played again is worth little in such a run. If minimising is off, minimisePhases only
// explores.
func (s *scheduler) minimisePhases(ctx context.Context, share, end float64) {
	if whole := end - s.usage.used; !s.pool.resets && share > 0 && whole > share {
		s.minimise(ctx, whole)
	} else {
		s.explore(ctx, end-share)
		s.minimise(ctx, share)
	}
	if !s.usage.byTime {
		s.explore(ctx, end-lateShare*share)
		s.minimise(ctx, lateShare*share)
	}
	s.explore(ctx, end)
}
