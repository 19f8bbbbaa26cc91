package runner

import (
	"math/rand/v2"

	"sonde/model"
	"sonde/runner/rest"
)

// trial is an individual on its way: evaluated once, then frozen.
type trial struct {
	individual *rest.Individual
	test       model.Test // what was sent of it
	lucky      int        // calls that hit a resource which the test did not create
}

// problem lets mio search over trials.
type problem struct{ *rest.Problem }

func (p problem) Sample(r *rand.Rand, smart float64) *trial {
	return &trial{individual: p.Problem.Sample(r, smart)}
}

func (p problem) Mutate(r *rand.Rand, t *trial, pace float64) *trial {
	return &trial{individual: p.Problem.Mutate(r, t.individual, pace)}
}

// luck is what a call by luck costs, in calls: more than any chain is long, so
// that a test which stands alone is better.
const luck = 10

// Size is the number of calls that were sent: what comes after a chain that
// broke costs nothing.
func (p problem) Size(t *trial) int { return len(t.test.Calls) + luck*t.lucky }
