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
}

// problem lets mio search over trials.
type problem struct{ *rest.Problem }

func (p problem) Sample(r *rand.Rand, smart float64) *trial {
	return &trial{individual: p.Problem.Sample(r, smart)}
}

func (p problem) Mutate(r *rand.Rand, t *trial, pace float64) *trial {
	return &trial{individual: p.Problem.Mutate(r, t.individual, pace)}
}

// Size is the number of calls that were sent: what comes after a chain that
// broke costs nothing.
func (p problem) Size(t *trial) int { return len(t.test.Calls) }
