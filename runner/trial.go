package runner

import (
	"math/rand/v2"

	"sonde/model"
	"sonde/runner/client"
	"sonde/runner/mio"
	"sonde/runner/rest"
)

// trial is an individual on its way: evaluated once, then frozen.
type trial struct {
	individual *rest.Individual
	seeks      []int      // of a piece of a sweep: places in the source that the whole covers
	reduces    *reduction // of which it is a step, of these calls; nil for none
	calls      []int
	kept       *trial // of before, to be played again; nil for none
	birth      *model.Birth
	test       model.Test       // what was sent of it
	lucky      int              // calls that hit a resource which the test did not create, and 1 for values of others
	said       []client.Result  // for as long as it may be blamed, see follow
	hints      []rest.Hint      // what the service compared its values with
	exchanges  []model.Exchange // of a test that is kept, see remember
	sooner     []near           // see played

	replayed bool // it was played again
	dropped  int  // assertions that did not hold then
	spared   int  // calls of the test that it was minimised from
}

// script is the test to play.
func (t *trial) script() model.Test {
	if t.kept != nil {
		return t.kept.test
	}
	return t.individual.Test()
}

// sweeps tells that the trial is no more than a look around.
func (t *trial) sweeps() bool { return t.individual != nil && t.individual.Sweeps() }

// problem lets mio search over trials.
type problem struct {
	*rest.Problem
	source *source
}

func (p problem) Sample(r *rand.Rand, smart float64) *trial {
	return &trial{individual: p.Problem.Sample(r, smart)}
}

func (p problem) Mutate(r *rand.Rand, t *trial, target int, pace float64) *trial {
	hints := p.source.hints(target, t.hints)
	if ind := p.Redress(r, t.individual, pace, hints); ind != nil {
		return &trial{individual: ind}
	}
	if len(t.test.Calls) > 1 && p.source.index(target) >= 0 && r.Float64() < aimed {
		if ind := p.Aim(r, t.individual, t.nearest(target), pace, hints); ind != nil {
			return &trial{individual: ind}
		}
	}
	return &trial{individual: p.Problem.Mutate(r, t.individual, pace, hints)}
}

// luck is what a call by luck costs, in calls: more than any chain is long, so
// that a test which stands alone is better.
const luck = 10

// Size is the number of calls that were sent: what comes after a chain that
// broke costs nothing.
func (p problem) Size(t *trial) int { return len(t.test.Calls) + luck*t.lucky }

// birth tells how the search came by a trial.
func birth(a mio.Asked[*trial], call int) *model.Birth {
	b := &model.Birth{Call: call, Rule: ruleOf(a), Template: a.Individual.individual.Target()}
	if a.Rule == mio.Mutated {
		b.Parent, b.Target, b.Change = a.Parent.test.ID, a.Target, a.Individual.individual.Change()
	}
	return b
}

func ruleOf(a mio.Asked[*trial]) model.Rule {
	switch a.Rule {
	case mio.Planted:
		return model.ByPerson
	case mio.Begun:
		if a.Individual.individual.Target() == "" {
			return model.ByRecord
		}
		return model.ByBegin
	case mio.Mutated:
		return model.ByMutation
	}
	if a.Individual.sweeps() {
		return model.BySweep
	}
	if a.Individual.individual.Target() == "" {
		return model.ByChance
	}
	return model.ByTemplate
}
