package search

import (
	"math/rand/v2"

	"sonde/model"
	"sonde/runner/search/individual"
	"sonde/runner/search/mio"
)

// testKind is a kind of test that gets a share of the requests, whatever the search would ask for next.
type testKind struct {
	rule  model.CreationRule // "" if ruleOf derives it from the test
	share func() float64     // returns the share of the requests so far that tests of this kind may use
	next  func(*rand.Rand) *individual.Individual
	used  int // requests of the kind's tests so far
}

// testKinds returns the kinds in the order in which nextOfKind tries them. The first one is extensions, which continue
// an earlier test.
func (p *proposer) testKinds() []*testKind {
	return []*testKind{
		{share: p.extensionShare, next: p.tests.ExtendReached},
		{rule: model.FromAttempt, share: p.attemptShare, next: p.tests.Attempt},
		{rule: model.FromNegative, share: p.negativeShare, next: p.tests.NegativeTest},
		{rule: model.FromMigration, share: func() float64 { return migrantShare }, next: p.nextMigrant},
		{rule: model.FromInteraction, share: p.interactionShare, next: p.tests.InteractionTest},
	}
}

// nextOfKind returns a test of the first kind that has used less than its share and can make a test. It returns false
// if there is no such kind.
func (p *proposer) nextOfKind() (mio.Candidate[*trial], bool) {
	for _, k := range p.kinds {
		if k.used >= p.shareOfCalls(k.share()) {
			continue
		}
		ind := k.next(p.chance)
		if ind == nil {
			continue
		}
		k.used += ind.Len() + p.pool.resetCost
		t := &trial{individual: ind}
		if k.rule != "" {
			t.lineage = &model.TestLineage{Rule: k.rule}
		}
		return mio.Candidate[*trial]{Individual: t, Rule: mio.Sampled}, true
	}
	return mio.Candidate[*trial]{}, false
}
