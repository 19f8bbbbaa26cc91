package mio

import (
	"math"

	"sonde/model"
)

// The values of the changing parameters at the start of the focused phase.
const (
	lastRandom     = 0
	lastPopulation = 1
	lastMutations  = 10
)

// pace is UpdateParameters in line 21 of Algorithm 1. Three parameters change linearly with the used budget until the
// focused phase begins: the probability of a random test (P_r), the size of the populations (n), and the number of
// mutations in a row. A parameter that the user sets during the search continues from its new value.
type pace struct {
	tuning model.Tuning
	used   float64

	random, population, mutations ramp
}

// ramp is a value that changes linearly with the used share of the budget.
type ramp struct {
	from, value float64 // used share and value at the start
	until, last float64 // used share and value at the end
}

func newPace(t model.Tuning) pace {
	return pace{
		tuning:     t,
		random:     ramp{from: 0, value: t.Random, until: t.Focus, last: lastRandom},
		population: ramp{from: 0, value: float64(t.Population), until: t.Focus, last: lastPopulation},
		mutations:  ramp{from: 0, value: float64(t.Mutations), until: t.Focus, last: lastMutations},
	}
}

// at returns the value when the given share of the budget is used.
func (r ramp) at(used float64) float64 {
	if used >= r.until {
		return r.last
	}
	return r.value + (r.last-r.value)*(used-r.from)/(r.until-r.from)
}

// share returns the used share of the part of the budget before the focused phase. It is 1 in the focused phase.
func (p *pace) share() float64 {
	if p.used >= p.tuning.Focus {
		return 1
	}
	return p.used / p.tuning.Focus
}

// applied returns the current values of the parameters.
func (p *pace) applied() model.Tuning {
	t := p.tuning
	t.Random = p.random.at(p.used)
	t.Population = max(1, int(math.Round(p.population.at(p.used))))
	t.Mutations = max(1, int(math.Round(p.mutations.at(p.used))))
	return t
}

// set sets a parameter. A parameter that changes during the search continues from its new value. If t moves the start
// of the focused phase, all these parameters continue from their current values, but change faster or more slowly.
func (p *pace) set(t model.TuningChange) {
	p.tuning = p.tuning.WithChange(t)
	switch t.Knob {
	case model.KnobRandom:
		p.restart(&p.random, t.Value)
	case model.KnobPopulation:
		p.restart(&p.population, t.Value)
	case model.KnobMutations:
		p.restart(&p.mutations, t.Value)
	case model.KnobFocus:
		for _, r := range []*ramp{&p.random, &p.population, &p.mutations} {
			r.from, r.value, r.until = p.used, r.at(p.used), t.Value
		}
	}
}

// restart starts a ramp at the current used share. The ramp ends when the focused phase begins, or with the budget if
// that phase has begun already.
func (p *pace) restart(r *ramp, value float64) {
	r.from, r.value, r.until = p.used, value, p.tuning.Focus
	if p.used >= p.tuning.Focus {
		r.until = 1
	}
}
