package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"sonde/model"
	"sonde/runner/search/individual"
	"sonde/runner/search/mio"
	"sonde/runner/target/client"
)

// startupSearch finds answers of hosts with which the service starts. These answers are part of the test input, like
// calls (section 4.2 of the virtual network paper). The search uses MIO, like the search for tests. An individual is
// the stubs of one start. The targets are the contacts of the start, the targets in the service's source, and one
// target that is covered when the service becomes ready.
//
// A service may become ready although a host did not answer. If coverage guides the search, the search then starts
// the service again with answers of that host, because the service may reach more of its source.
type startupSearch struct {
	bed     *testbed
	worker  *worker
	tests   *individual.Problem
	chance  *rand.Rand
	search  *mio.Search[*startTrial]
	observe func(permanent []model.Stub, contacts []model.Contact)

	began    time.Time
	starts   int
	best     *startTrial   // nil before the first start
	since    int           // starts since best was found
	patience time.Duration // how long a start may take without another contact
	stalls   int           // starts that stalled since patience changed
}

const (
	// maxStarts bounds the number of starts, and maxStartTime the time. The time limit is maxBetterTime if the service
	// became ready at once. Otherwise, it is maxBlindTime if coverage does not guide the search, because answers are
	// then found only by luck.
	maxStarts     = 4000
	maxStartTime  = 4 * time.Minute
	maxBetterTime = 10 * time.Second
	maxBlindTime  = 15 * time.Second
	// startRandom is the initial probability of a start with new answers of all hosts. It is lower than the
	// probability of a new test in a search, because each step of a start needs the steps before it.
	startRandom = 0.1
	// replaceLast is the probability that a mutation replaces the last answer before the service gave up. Most likely
	// that answer was the reason.
	replaceLast = 0.4
	// settledStarts is the number of starts in a row without progress after which the search ends. It applies only
	// once the service becomes ready.
	settledStarts = 20
	// maxSmallerStarts is the maximum number of starts with fewer or simpler answers, after the search.
	maxSmallerStarts = 30
	// maxAnsweringStarts is how many starts enqueueAnswers queues, each time that a better trial makes the service
	// ready.
	maxAnsweringStarts = 5
	// maxStalls is the number of stalled starts after which the patience is doubled.
	maxStalls = 8
	// firstPatience is the initial value of startupSearch.patience. The first start may take as long as the plan
	// says.
	firstPatience = time.Second
	// readyTarget is the ID of the target that is covered when the service becomes ready.
	readyTarget = "ready"
)

// newStartupSearch returns a search on the first worker of a testbed. If the first start is not enough, the search
// calls observe with the stubs and the contacts of each start, the first included. observe may be nil.
func newStartupSearch(b *testbed, observe func(permanent []model.Stub, contacts []model.Contact)) *startupSearch {
	s := &startupSearch{
		bed:      b,
		worker:   b.pool.first(),
		tests:    individual.New(b.code.planWithConstants()),
		chance:   rand.New(rand.NewPCG(b.plan.Seed, 0)),
		observe:  observe,
		began:    time.Now(),
		patience: firstPatience,
	}
	b.code.describeHostReads(s.tests.Hosts())
	s.tests.Hosts().Faultless = true
	var targets []string
	if b.code.guides() {
		targets = b.code.coverage.ids
	}
	tuning := model.DefaultTuning()
	tuning.Random = startRandom
	s.search = mio.New(s, s.chance, tuning, targets)
	return s
}

// Sample implements mio.Problem. In the sampled start, all hosts answer that the service has contacted so far.
func (s *startupSearch) Sample(r *rand.Rand, _ float64) *startTrial {
	none := s.tests.AdoptTest(r, model.Test{})
	return newStartTrial(cmp.Or(s.tests.WithAnsweringHosts(r, none), none))
}

// Mutate implements mio.Problem. It adds answers of hosts that did not answer, or changes answers.
func (s *startupSearch) Mutate(r *rand.Rand, t *startTrial, target int, pace float64) *startTrial {
	from, adds := t.individual, t.unanswered
	if !adds && len(t.stubs) > 0 && r.Float64() < replaceLast {
		from, adds = from.KeepStubs(slices.DeleteFunc(indexes(len(t.stubs)), func(i int) bool { return i == t.last })), true
	}
	if adds {
		if ind := s.tests.WithAnsweringHosts(r, from); ind != nil {
			return newStartTrial(ind)
		}
	}
	var hints []individual.Hint
	if i := target - 1; s.bed.code.guides() && i < len(s.bed.code.coverage.ids) {
		hints = s.bed.code.coverage.hintsAbout(i, t.hints)
	}
	if len(hints) == 0 {
		hints = t.hints
	}
	for range maxMutationTries {
		if ind := s.tests.MutateHosts(r, t.individual, pace, hints); ind != nil {
			return newStartTrial(ind)
		}
	}
	return s.Sample(r, 0)
}

// maxMutationTries bounds how often Mutate tries to change an answer.
const maxMutationTries = 10

// Size implements mio.Problem. The size is the number of answers plus the number of their bytes: a start with fewer
// and shorter answers is better.
func (s *startupSearch) Size(t *startTrial) (n int) {
	for _, stub := range t.stubs {
		for _, a := range stub.AllAnswers() {
			n += 1 + len(a.Content())
		}
	}
	return n
}

// run starts the service again and again until it becomes ready. It returns the stubs that the service needs to
// become ready, besides the stubs of the user. At the end run starts the service once more with these stubs, unless
// the first start was enough. If the service does not become ready, run returns the error of ctx, or an error that is
// based on the error of the first start.
func (s *startupSearch) run(ctx context.Context) (found model.StartupStubsFound, err error) {
	earlier := s.bed.plan.Net.StartupStubs
	first := &startTrial{individual: s.tests.AdoptTest(s.chance, model.Test{Stubs: earlier}), stubs: earlier}
	contacts := s.play(ctx, first)
	if ctx.Err() != nil || errors.Is(first.err, client.ErrBudget) || !s.isWorthwhile(first, contacts) {
		return s.found(first), first.err
	}
	s.learn(ctx, mio.Candidate[*startTrial]{Individual: first, Rule: mio.Enqueued}, contacts)
	limit := s.timeLimit(first)
	for s.starts < maxStarts && time.Since(s.began) < limit && !s.isContent() {
		s.search.SetBudgetUsed(float64(s.starts) / maxStarts)
		c := s.search.Ask()
		contacts := s.play(ctx, c.Individual)
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
		s.learn(ctx, c, contacts)
	}
	if s.best.err != nil {
		return found, s.explain(first, contacts)
	}
	s.minimise(ctx)
	return s.found(s.best), s.start(ctx, s.best.stubs, s.worker.service.Restart)
}

// timeLimit returns how long a search may take after the first start.
func (s *startupSearch) timeLimit(first *startTrial) time.Duration {
	switch {
	case first.err == nil:
		return maxBetterTime
	case !s.bed.code.guides():
		return maxBlindTime
	}
	return maxStartTime
}

// found returns the result of a search with its best trial.
func (s *startupSearch) found(best *startTrial) model.StartupStubsFound {
	return model.StartupStubsFound{Stubs: best.stubs, Starts: s.starts}
}

// isContent reports whether the search can end: the service becomes ready, and further starts will hardly reach more.
func (s *startupSearch) isContent() bool { return s.best.err == nil && s.since >= settledStarts }

// isWorthwhile reports whether stubs may bring the service further than its first start. At least one host must have
// been without an answer. In addition, the service must not have become ready, or coverage must guide the search. If
// the service became ready with the stubs of an earlier search, these stubs stay, because tests were found with them.
func (s *startupSearch) isWorthwhile(first *startTrial, contacts []model.Contact) bool {
	return (first.err != nil || len(first.stubs) == 0 && s.bed.code.guides()) && slices.ContainsFunc(contacts, isUnanswered)
}

// play starts the service with the stubs of a trial, notes whether it became ready, and returns the contacts.
func (s *startupSearch) play(ctx context.Context, t *startTrial) []model.Contact {
	t.err = s.startInTime(ctx, t.stubs)
	return s.worker.service.Client().MaskContacts(s.worker.network.Network.StartupContacts())
}

// startInTime starts the service with some stubs besides those of the user. It ends all starts but the first if they
// stall; the error is then errStalled.
func (s *startupSearch) startInTime(ctx context.Context, stubs []model.Stub) error {
	if s.starts == 0 {
		return s.start(ctx, stubs, s.worker.service.Start)
	}
	timed, end := context.WithCancel(ctx)
	defer end()
	go endStalled(timed, end, s.worker.network.Network, s.patience)
	err := s.start(timed, stubs, s.worker.service.Restart)
	if err == nil || ctx.Err() != nil || timed.Err() == nil {
		return err
	}
	if s.stalls++; s.stalls == maxStalls {
		s.stalls, s.patience = 0, 2*s.patience
	}
	return errStalled
}

// start starts the service by a function, with some stubs besides those of the user.
func (s *startupSearch) start(ctx context.Context, stubs []model.Stub, by func(context.Context) error) error {
	w := s.worker
	w.network.permanent = slices.Concat(s.bed.plan.Net.Stubs, stubs)
	if err := w.network.beginStart(); err != nil {
		return err
	}
	if err := w.tracker.beginStart(); err != nil {
		return err
	}
	s.bed.pool.budget.grant(&w.quota, math.MaxInt)
	defer s.bed.pool.budget.settle(&w.quota)
	s.starts++
	return w.startBy(ctx, by)
}

// learn passes the scores of a trial to the search, and notes the trial if it is the best so far.
func (s *startupSearch) learn(ctx context.Context, c mio.Candidate[*startTrial], contacts []model.Contact) {
	t := c.Individual
	if s.observe != nil {
		s.observe(s.worker.network.permanent, contacts)
	}
	s.tests.Hosts().ObserveContacts(model.Test{Stubs: t.stubs}, contacts)
	t.keepUsed(contacts, len(s.bed.plan.Net.Stubs))
	t.unanswered = slices.ContainsFunc(contacts, isUnanswered) || t.individual.Guesses()
	scores := s.scores(ctx, t, contacts)
	if e, ok := s.observer().(operandObserver); ok && s.bed.code.seesOperands() {
		t.hints = s.tests.MatchOperands(t.individual, e.compared())
	}
	if len(s.search.Tell(c, scores).FirstCovered) > 0 {
		s.tests.RecordReached(t.individual)
	}
	s.since++
	if s.best == nil || t.compare(s.best) < 0 {
		s.best, s.since = t, 0
		s.enqueueAnswers()
	}
}

// enqueueAnswers queues starts with additional answers, of the hosts that did not answer, if the best trial makes the
// service ready. MIO alone would hardly start from this trial: a trial that makes the service ready covers its targets,
// and MIO samples the tests of targets that are not covered.
func (s *startupSearch) enqueueAnswers() {
	if s.best.err != nil || !s.best.unanswered {
		return
	}
	for range maxAnsweringStarts {
		if ind := s.tests.WithAnsweringHosts(s.chance, s.best.individual); ind != nil {
			s.search.Enqueue(newStartTrial(ind))
		}
	}
}

// observer returns the observer of the worker, nil if coverage of the source is not measured.
func (s *startupSearch) observer() observer {
	if s.worker.tracker == nil {
		return nil
	}
	return s.worker.tracker.observer
}

// scores returns the scores of the targets that a trial reached, and sets the number of targets that the trial
// covers.
func (s *startupSearch) scores(ctx context.Context, t *startTrial, contacts []model.Contact) (scores []model.Score) {
	if s.bed.code.guides() {
		scores, _ = s.observer().reached(ctx) // without the scores, contacts still guide the search
	}
	for i := range scores {
		scores[i].Number = 0 // a number in the run; this search numbers the targets differently
	}
	for _, id := range contactTargets(contacts) {
		scores = append(scores, model.Score{Target: id, H: 1})
	}
	if t.err == nil {
		scores = append(scores, model.Score{Target: readyTarget, H: 1})
	}
	for _, sc := range scores {
		t.covered += boolToInt(isCovered(sc))
	}
	return scores
}

// minimise removes answers of the best trial that the service does not need, and simplifies the other answers.
func (s *startupSearch) minimise(ctx context.Context) {
	for left := maxSmallerStarts; ; {
		smaller := s.smaller(ctx, &left)
		if smaller == nil {
			return
		}
		s.best = smaller
	}
}

// smaller returns a simplified copy of the best trial that makes the service ready and covers at least as many targets.
// Each copy that is tried uses up one of the starts that are left. smaller returns nil if it finds no such copy before
// the starts are used up or ctx ends.
func (s *startupSearch) smaller(ctx context.Context, left *int) *startTrial {
	for ind := range s.best.individual.Simpler() {
		if *left == 0 || ctx.Err() != nil {
			return nil
		}
		*left--
		t := newStartTrial(ind)
		contacts := s.play(ctx, t)
		s.scores(ctx, t, contacts)
		if t.err == nil && t.covered >= s.best.covered {
			return t
		}
	}
	return nil
}

// explain returns the error of a service that did not become ready, with the hosts that did not answer its first start.
func (s *startupSearch) explain(first *startTrial, contacts []model.Contact) error {
	var hosts []string
	for _, c := range contacts {
		if isUnanswered(c) && !slices.Contains(hosts, c.Host) {
			hosts = append(hosts, c.Host)
		}
	}
	return &UnreachableError{fmt.Errorf(
		"%w; before it was ready it called %s, and Sonde found no answer in %d starts: give one with --stubs, or say --net-allow",
		first.err, strings.Join(hosts, ", "), s.starts,
	)}
}
