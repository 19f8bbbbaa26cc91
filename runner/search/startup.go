package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"time"

	"sonde/model"
	"sonde/runner/network/netsim"
	"sonde/runner/search/individual"
	"sonde/runner/search/mio"
	"sonde/runner/target/client"
)

// startupSearch finds answers of hosts with which the service starts. What the service does before it is ready is
// part of the test input like its calls (section 4.2 of the virtual network paper). The search is MIO, too: an
// individual is the stubs of one start, and the targets are contacts of the start, those in the service's source,
// and that the service becomes ready.
//
// A service that becomes ready although a host did not answer is started again as well, if coverage guides the
// search: with the host it may reach more.
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
	stalls   int           // starts that took longer, since patience changed
}

// startTrial is the stubs of one start, and what came of it.
type startTrial struct {
	individual *individual.Individual
	stubs      []model.Stub
	hints      []individual.Hint // operands with which the service compared what the stubs sent
	err        error             // why the service did not become ready, nil if it did
	unanswered bool              // a host did not answer, or was contacted by an unknown protocol
	last       int               // index of the stub that answered last
	covered    int               // number of covered targets
}

func newStartTrial(ind *individual.Individual) *startTrial {
	return &startTrial{individual: ind, stubs: ind.Test().Stubs}
}

const (
	// maxStarts and maxStartTime bound the search.
	maxStarts    = 4000
	maxStartTime = 4 * time.Minute
	// startRandom is the initial probability of a start with new answers of all hosts. It is lower than that of new tests,
	// because each step of a start needs the steps before it.
	startRandom = 0.1
	// replaceLast is the probability that a mutation replaces the last answer before the service gave up. Most likely it
	// did so because of that answer.
	replaceLast = 0.4
	// settledStarts is the number of starts without a better one after which the search is content with a
	// service that becomes ready.
	settledStarts = 20
	// maxSmallerStarts is the maximum number of starts with fewer or simpler answers, after the search.
	maxSmallerStarts = 30
	// maxStalls is the number of stalled starts after which the patience is doubled.
	maxStalls = 8
	// maxRepeats is how often a service contacts the same hosts until it counts as stalled after repeatTime.
	maxRepeats = 4
	repeatTime = 300 * time.Millisecond
	// firstPatience is the patience at first. The first start may take as long as the plan says.
	firstPatience = time.Second
	// readyTarget is the ID of the target that is covered when the service becomes ready.
	readyTarget = "ready"
)

// newStartupSearch returns a search on the first worker of a testbed. It calls observe, which may be nil, with the stubs and the
// contacts of each start, once more than one is needed.
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

// Sample implements mio.Problem: all hosts that the service has contacted so far answer.
func (s *startupSearch) Sample(r *rand.Rand, _ float64) *startTrial {
	none := s.tests.AdoptTest(r, model.Test{})
	return newStartTrial(cmp.Or(s.tests.WithAnsweringHosts(r, none), none))
}

// Mutate implements mio.Problem: hosts answer that did not, or the answers of hosts change.
func (s *startupSearch) Mutate(r *rand.Rand, t *startTrial, target int, pace float64) *startTrial {
	from := t.individual
	if replaces := !t.unanswered && len(t.stubs) > 0 && r.Float64() < replaceLast; replaces {
		from = from.KeepStubs(slices.DeleteFunc(indexes(len(t.stubs)), func(i int) bool { return i == t.last }))
	}
	if t.unanswered || from != t.individual {
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

// Size implements mio.Problem: a start with fewer and shorter answers is better. It is the number of their bytes, and one for
// each answer.
func (s *startupSearch) Size(t *startTrial) (n int) {
	for _, stub := range t.stubs {
		for _, a := range stub.AllAnswers() {
			n += 1 + len(a.Content())
		}
	}
	return n
}

// run starts the service until it becomes ready, and returns the stubs that this needs besides those that the user gave.
// After run the service is as after its only start with these stubs. If it does not become ready, the error is
// that of the first start, or the context's.
func (s *startupSearch) run(ctx context.Context) (found model.StartupStubsFound, err error) {
	earlier := s.bed.plan.Net.StartupStubs
	first := &startTrial{individual: s.tests.AdoptTest(s.chance, model.Test{Stubs: earlier}), stubs: earlier}
	contacts := s.play(ctx, first)
	if ctx.Err() != nil || errors.Is(first.err, client.ErrBudget) || !s.isWorthwhile(first, contacts) {
		return s.found(first), first.err
	}
	s.learn(ctx, mio.Candidate[*startTrial]{Individual: first, Rule: mio.Enqueued}, contacts)
	for s.starts < maxStarts && time.Since(s.began) < maxStartTime && !s.isContent() {
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
	return s.found(s.best), s.start(ctx, s.best.stubs)
}

// found returns the result of a search with its best trial.
func (s *startupSearch) found(best *startTrial) model.StartupStubsFound {
	return model.StartupStubsFound{Stubs: best.stubs, Starts: s.starts}
}

// isContent reports whether the service becomes ready, and further starts will hardly reach more.
func (s *startupSearch) isContent() bool { return s.best.err == nil && s.since >= settledStarts }

// isWorthwhile reports whether stubs may bring the service further than its first start: a host did not answer, and
// the service did not become ready, or coverage shows what it reaches.
func (s *startupSearch) isWorthwhile(first *startTrial, contacts []model.Contact) bool {
	return (first.err != nil || s.bed.code.guides()) && slices.ContainsFunc(contacts, isUnanswered)
}

// isUnanswered reports whether a contact is an attempt to use a host for which there is no stub.
func isUnanswered(c model.Contact) bool {
	return !c.Inward && c.Stub < 0 && (c.Kind == model.ContactDial && c.Outcome != connected || c.Kind == model.ContactMessage)
}

// play starts the service with the stubs of a trial, notes whether it became ready, and returns the contacts.
func (s *startupSearch) play(ctx context.Context, t *startTrial) []model.Contact {
	t.err = s.start(ctx, t.stubs)
	return s.worker.service.Client().MaskContacts(s.worker.network.Network.StartupContacts())
}

// start starts the service with some stubs besides those of the user. All starts but the first end early if they
// stall.
func (s *startupSearch) start(ctx context.Context, stubs []model.Stub) error {
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
	if s.starts == 1 {
		return w.startBy(ctx, w.service.Start)
	}
	timed, end := context.WithCancel(ctx)
	defer end()
	go endStalled(timed, end, w.network.Network, s.patience)
	err := w.startBy(timed, w.service.Restart)
	if err == nil || ctx.Err() != nil || timed.Err() == nil {
		return err
	}
	if s.stalls++; s.stalls == maxStalls {
		s.stalls, s.patience = 0, 2*s.patience
	}
	return errStalled
}

// errStalled is the error of a start during which the service waited too long.
var errStalled = errors.New("the service did not become ready, and contacted no further host")

// endStalled calls end when the service has contacted hosts, and no further one within the patience, or within repeatTime if
// it has contacted them again and again. The service most likely waits for another answer.
func endStalled(ctx context.Context, end func(), n *netsim.Network, patience time.Duration) {
	const interval = 20 * time.Millisecond
	number := 0
	for last := time.Now(); ctx.Err() == nil; time.Sleep(interval) {
		all := n.StartupContacts()
		now, still := len(contactTargets(all)), time.Since(last)
		switch {
		case now > number:
			number, last = now, time.Now()
		case number > 0 && (still > patience || still > repeatTime && len(all) >= maxRepeats*number):
			end()
		}
	}
}

// learn tells the search what a trial reached, and notes the trial if it is the best so far.
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
	}
}

// keepUsed drops the stubs that answered none of the contacts. first is the number of the user's stubs.
func (t *startTrial) keepUsed(contacts []model.Contact, first int) {
	var used []int
	for _, c := range contacts {
		if i := c.Stub - first; i >= 0 {
			used, t.last = append(used, i), i
		}
	}
	slices.Sort(used)
	used = slices.Compact(used)
	if len(used) < len(t.stubs) {
		t.last = slices.Index(used, t.last)
		t.individual = t.individual.KeepStubs(used)
		t.stubs = t.individual.Test().Stubs
	}
}

// observer returns the observer of the worker, nil if coverage of the source is not measured.
func (s *startupSearch) observer() observer {
	if s.worker.tracker == nil {
		return nil
	}
	return s.worker.tracker.observer
}

// scores returns the scores of the targets that a trial reached, and sets how many it covers.
func (s *startupSearch) scores(ctx context.Context, t *startTrial, contacts []model.Contact) (scores []model.Score) {
	if s.bed.code.guides() {
		scores, _ = s.observer().reached(ctx) // without the scores, contacts still guide the search
	}
	for i := range scores {
		scores[i].Number = 0 // the number that the run gives the target; this search has its own
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

// contactTargets returns the IDs of the targets that contacts cover: what the service sent to which host, without
// values.
func contactTargets(contacts []model.Contact) (ids []string) {
	for _, c := range contacts {
		if c.Inward {
			continue
		}
		path, _, _ := strings.Cut(c.Request.URL, "?")
		id := strings.Join([]string{"contact", string(c.Kind), string(c.Protocol), c.Host, c.Request.Method, path}, " ")
		if c.Kind == model.ContactDial {
			id += " " + c.Outcome
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// compare returns a negative number if a trial is better than another: it makes the service ready, covers more
// targets, or needs fewer stubs.
func (t *startTrial) compare(other *startTrial) int {
	return cmp.Or(
		cmp.Compare(boolToInt(t.err != nil), boolToInt(other.err != nil)),
		cmp.Compare(other.covered, t.covered),
		cmp.Compare(len(t.stubs), len(other.stubs)),
	)
}

// minimise removes and simplifies answers of the best trial that the service does not need.
func (s *startupSearch) minimise(ctx context.Context) {
	for left := maxSmallerStarts; ; {
		smaller := s.smaller(ctx, &left)
		if smaller == nil {
			return
		}
		s.best = smaller
	}
}

// smaller returns a trial that reaches as much as the best one and sends less. It returns nil if there is none, or no
// start is left.
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

// withoutAnsweredHosts returns the contacts of a start without those with hosts that stubs answered: the stubs of tests cannot
// change what these hosts answer to a start.
func withoutAnsweredHosts(contacts []model.Contact) (other []model.Contact) {
	answered := map[string]bool{}
	for _, c := range contacts {
		if !c.Inward && c.Stub >= 0 {
			answered[hostName(c.Host)] = true
		}
	}
	for _, c := range contacts {
		if c.Inward || !answered[hostName(c.Host)] {
			other = append(other, c)
		}
	}
	return other
}

// hostName returns the name in a host of a contact, which has a port unless the contact is a lookup.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}
