package search

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/search/individual"
)

// Island connects a run with other runs of the same search, each on its own copy of the service. These runs are
// islands: they share a budget, and exchange some of their best tests. An island only explores. It neither repeats
// its faults nor minimises its tests, because another run does that with the tests of all islands. If an island
// continues an earlier run, it has Plan.Resume; the requests of the earlier run were leased by that run.
type Island struct {
	// Lease asks for further requests of the shared budget, and returns how many it was granted. 0 ends the run. The
	// run calls Lease when it has sent all requests that it was granted before. All islands together therefore never
	// send more requests than the budget.
	Lease func(ctx context.Context) (requests int, err error)
	// The operations are divided into Parts parts, numbered from 0. The island begins with the part Part.
	Part, Parts int
	// Every is the number of requests between two migrations.
	Every int
	// Migrants is the maximum number of tests that leave in one migration.
	Migrants int
	// Exchange sends the tests of leave to other islands, and returns the tests that have arrived from other islands.
	// number is the number of the migration, from 1.
	Exchange func(ctx context.Context, number int, leave []Migrant) (arrived []Migrant, err error)
}

// Migrant is a test that migrates, with scores that say how near the test comes to targets.
type Migrant struct {
	Test   model.Test    `json:"test"`
	Scores []model.Score `json:"scores"` // without target numbers, which differ between islands
}

// ErrNoLease is the error of an island for which there are no requests left.
var ErrNoLease = errors.New("the budget that the islands share is used up")

// NewIsland is like New, for a run that is an island. It first asks for requests, and returns ErrNoLease if none are
// left.
func NewIsland(ctx context.Context, p model.Plan, i Island, hosts ...string) (*Run, error) {
	p.Workers, p.Minimise, p.Security = 1, 0, false
	granted, err := i.Lease(ctx)
	switch {
	case err != nil:
		return nil, err
	case granted == 0:
		return nil, ErrNoLease
	}
	r, err := newRun(ctx, p, &i, hosts)
	if err != nil {
		return nil, err
	}
	s, before := r.scheduler, 0
	if p.Resume != nil {
		before = requestsSent(p.Resume)
	}
	b := s.pool.budget
	b.lease = &lease{left: max(0, granted-(b.calls-before)), extend: i.Lease}
	s.migration = &migration{island: i, last: before / i.Every, sent: map[string]float64{}}
	s.proposer.migration = s.migration
	return r, nil
}

// Unused returns how many of the granted requests the island has not sent. The run must have ended.
func (r *Run) Unused() int { return r.scheduler.pool.budget.lease.left }

// Kept returns the kept tests, each with all targets for which it is kept, including targets in the service's source.
// Kept may be called when the run has ended, and by Island.Exchange.
func (r *Run) Kept() []Migrant {
	a := r.scheduler.archive
	var all []Migrant
	at := map[string]int{}
	for i, t := range a.savedTests() {
		all, at[t.ID] = append(all, Migrant{Test: t}), i
	}
	for _, k := range a.search.Archive() {
		i := at[k.Individual.test.ID]
		all[i].Scores = append(all[i].Scores, model.Score{Target: k.Target, H: k.H})
	}
	return all
}

// lease is the part of the shared budget that an island may use.
type lease struct {
	left   int
	extend func(context.Context) (int, error)
	ended  bool
	err    error
}

// take counts a request before it is sent. If it returns false, the request must not be sent. A nil lease has no limit.
func (l *lease) take() bool {
	if l == nil {
		return true
	}
	if l.left == 0 && !l.ended {
		l.left, l.err = l.extend(context.Background())
		l.ended = l.left == 0
	}
	if l.left == 0 {
		return false
	}
	l.left--
	return true
}

// hasEnded reports whether no requests are left and no more will be granted.
func (l *lease) hasEnded() bool { return l != nil && l.ended }

// migration exchanges tests between an island and the other islands.
type migration struct {
	island  Island
	last    int                // number of the last migration
	arrived []Migrant          // tests that have arrived and were not played yet
	sent    map[string]float64 // target → best score of the tests that have left or arrived
}

// isDue reports whether the next migration is due after a number of requests. It is never due for a run that is no
// island.
func (m *migration) isDue(requests int) bool {
	return m != nil && requests/m.island.Every > m.last
}

// run sends the best tests to other islands. It keeps the tests that have arrived until nextMigrant returns them.
func (m *migration) run(ctx context.Context, a *archive) error {
	m.last++
	arrived, err := m.island.Exchange(ctx, m.last, m.choose(a))
	for _, t := range arrived {
		for _, score := range t.Scores {
			m.sent[score.Target] = max(m.sent[score.Target], score.H) // other islands have a test with this score
		}
	}
	m.arrived = append(m.arrived, arrived...)
	return err
}

// migrantShare is the share of the requests for tests that have arrived. The share is small, so that most requests
// are left for the island's own tests.
const migrantShare = 0.05

// nextMigrant returns the next arrived test that comes nearer to a target than all tests of the island. It drops
// arrived tests that do not come nearer to any target, or that have an operation which the spec lacks. It returns nil
// if no arrived test is left.
func (p *proposer) nextMigrant(r *rand.Rand) *individual.Individual {
	for m := p.migration; m != nil && len(m.arrived) > 0; {
		next := m.arrived[0]
		m.arrived = m.arrived[1:]
		better := slices.ContainsFunc(next.Scores, func(s model.Score) bool { return s.H > p.search.BestH(s.Target) })
		if better && p.hasOperations(next.Test) {
			return p.tests.AdoptTest(r, next.Test)
		}
	}
	return nil
}

// choose returns the tests that leave the island. Each is the best test of the island for at least one target, and is
// better for this target than all tests that have left or arrived before. The tests that cover the most of these
// targets come first. Among tests that cover equally many, those that are the best for the most targets come first.
func (m *migration) choose(a *archive) []Migrant {
	type candidate struct {
		trial   *trial
		scores  []model.Score
		covered int
	}
	var all []*candidate
	by := map[*trial]*candidate{}
	for _, best := range a.search.Best() {
		if best.H <= m.sent[best.Target] || best.Individual.test.ID == "" {
			continue
		}
		c := by[best.Individual]
		if c == nil {
			c = &candidate{trial: best.Individual}
			by[best.Individual] = c
			all = append(all, c)
		}
		c.scores = append(c.scores, model.Score{Target: best.Target, H: best.H})
		c.covered += boolToInt(best.H >= 1)
	}
	slices.SortStableFunc(all, func(x, y *candidate) int {
		return cmp.Or(y.covered-x.covered, len(y.scores)-len(x.scores))
	})
	var leave []Migrant
	for _, c := range all[:min(len(all), m.island.Migrants)] {
		for _, score := range c.scores {
			m.sent[score.Target] = score.H
		}
		leave = append(leave, Migrant{Test: c.trial.test, Scores: c.scores})
	}
	return leave
}

// hasOperations reports whether the spec has all operations of a test.
func (p *proposer) hasOperations(t model.Test) bool {
	return !slices.ContainsFunc(t.Calls, func(c model.Call) bool { return p.plan.Spec.Operation(c.Op) == nil })
}

// exploreAsIsland explores until the island's part of the budget is used up.
func exploreAsIsland(ctx context.Context, s *scheduler) {
	s.explore(ctx, math.Inf(1))
	if l := s.pool.budget.lease; s.err == nil && ctx.Err() == nil {
		s.err = l.err
	}
}
