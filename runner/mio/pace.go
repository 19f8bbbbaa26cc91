package mio

import (
	"math"

	"sonde/model"
)

// Where the moving parameters end, at the start of the focused phase.
const (
	lastRandom     = 0
	lastPopulation = 1
	lastMutations  = 10
)

// pace is the paper's UpdateParameters (line 21): P_r, n and the number of
// mutations move linearly over the used budget until the focused phase
// begins. A parameter that a person sets moves on from there.
type pace struct {
	tuning model.Tuning
	used   float64

	random, population, mutations ramp
}

// ramp is a straight line over the used budget from a point to a last value.
type ramp struct {
	from, value float64 // where it starts
	until, last float64 // where it ends
}

func newPace(t model.Tuning) pace {
	return pace{
		tuning:     t,
		random:     ramp{0, t.Random, t.Focus, lastRandom},
		population: ramp{0, float64(t.Population), t.Focus, lastPopulation},
		mutations:  ramp{0, float64(t.Mutations), t.Focus, lastMutations},
	}
}

func (r ramp) at(used float64) float64 {
	if used >= r.until {
		return r.last
	}
	return r.value + (r.last-r.value)*(used-r.from)/(r.until-r.from)
}

// share returns the used share of the budget before the focused phase.
func (p *pace) share() float64 {
	if p.used >= p.tuning.Focus {
		return 1
	}
	return p.used / p.tuning.Focus
}

func (p *pace) applied() model.Tuning {
	t := p.tuning
	t.Random = p.random.at(p.used)
	t.Population = max(1, int(math.Round(p.population.at(p.used))))
	t.Mutations = max(1, int(math.Round(p.mutations.at(p.used))))
	return t
}

// tune lets the parameters that a person changed move on from their new
// value; a new focus bends the others from where they are.
func (p *pace) tune(t model.Tuning) {
	old := p.tuning
	p.tuning = t
	p.bend(&p.random, old.Random, t.Random, old.Focus)
	p.bend(&p.population, float64(old.Population), float64(t.Population), old.Focus)
	p.bend(&p.mutations, float64(old.Mutations), float64(t.Mutations), old.Focus)
}

func (p *pace) bend(r *ramp, old, value, oldFocus float64) {
	focus := p.tuning.Focus
	switch {
	case value != old && p.used >= focus:
		// Set in the focused phase, it has the rest of the budget.
		r.from, r.value, r.until = p.used, value, 1
	case value != old:
		r.from, r.value, r.until = p.used, value, focus
	case focus != oldFocus:
		r.from, r.value, r.until = p.used, r.at(p.used), focus
	}
}
