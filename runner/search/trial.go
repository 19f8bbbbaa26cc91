package search

import (
	"math/rand/v2"

	"sonde/model"
	"sonde/runner/search/individual"
	"sonde/runner/search/mio"
	"sonde/runner/target/client"
)

// trial is an individual on its way: evaluated once, then frozen.
type trial struct {
	individual     *individual.Individual
	codeTargets    []int      // of a piece of a sweep: places in the source that the whole covers
	reduces        *reduction // of which it is a step, of these calls; nil for none
	reductionCalls []int
	resumed        *trial // of before, to be played again; nil for none
	birth          *model.TestLineage
	test           model.Test          // what was sent of it
	foreignCalls   int                 // calls that hit a resource which the test did not create, and 1 for values of others
	results        []client.CallResult // for as long as it may be blamed, see follow
	hints          []individual.Hint   // what the service compared its values with
	exchanges      []model.Exchange    // of a test that is kept, see remember
	nearCalls      []nearCall          // see played

	replayed bool // it was played again
	dropped  int  // assertions that did not hold then
	spared   int  // calls of the test that it was minimised from
}

// script is the test to play.
func (t *trial) script() model.Test {
	if t.resumed != nil {
		return t.resumed.test
	}
	return t.individual.Test()
}

// sweeps tells that the trial is no more than a look around.
func (t *trial) sweeps() bool { return t.individual != nil && t.individual.IsSweep() }

// problem lets mio search over trials.
type problem struct {
	Problem  *individual.Problem
	coverage *codeCoverage
}

func (p problem) Sample(r *rand.Rand, smart float64) *trial {
	return &trial{individual: p.Problem.Sample(r, smart)}
}

func (p problem) Mutate(r *rand.Rand, t *trial, target int, pace float64) *trial {
	hints := p.coverage.hints(target, t.hints)
	if ind := p.Problem.MutateHosts(r, t.individual, pace, hints); ind != nil {
		return &trial{individual: ind}
	}
	if len(t.test.Calls) > 1 && p.coverage.index(target) >= 0 && r.Float64() < aimedShare {
		if ind := p.Problem.MutateCall(r, t.individual, t.nearest(target), pace, hints); ind != nil {
			return &trial{individual: ind}
		}
	}
	return &trial{individual: p.Problem.Mutate(r, t.individual, pace, hints)}
}

// foreignCallCost is what a call by luck costs, in calls: more than any chain is long, so
// that a test which stands alone is better.
const foreignCallCost = 10

// Size is the number of calls that were sent: what comes after a chain that
// broke costs nothing.
func (p problem) Size(t *trial) int { return len(t.test.Calls) + foreignCallCost*t.foreignCalls }

// birthOf tells how the search came by a trial.
func birthOf(a mio.Candidate[*trial], call int) *model.TestLineage {
	b := &model.TestLineage{Call: call, Rule: ruleOf(a), Template: a.Individual.individual.Target()}
	if a.Rule == mio.Mutated {
		b.Parent, b.Target, b.Change = a.Parent.test.ID, a.Target, a.Individual.individual.Change()
	}
	return b
}

func ruleOf(a mio.Candidate[*trial]) model.CreationRule {
	switch a.Rule {
	case mio.Planted:
		return model.FromPerson
	case mio.Initial:
		if a.Individual.individual.Target() == "" {
			return model.FromRecording
		}
		return model.FromInitialTemplate
	case mio.Mutated:
		return model.FromMutation
	}
	if a.Individual.sweeps() {
		return model.FromSweep
	}
	if a.Individual.individual.Target() == "" {
		return model.FromRandomCalls
	}
	return model.FromTemplate
}
