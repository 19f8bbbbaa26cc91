package individual

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/runner/search/gene"
	"sonde/runner/search/pool"
)

// poolValues sets inputs of calls to values of earlier answers. A nil *poolValues does nothing.
type poolValues struct {
	pool   *pool.Pool
	chance float64 // probability for each input of a new call
}

// cursorChance is the minimum probability of setting a query parameter from the pool if answers have its values only
// inside URLs, as in "next": "/things?cursor=x7". Templates do not link such a parameter.
const cursorChance = 0.3

// newPoolValues returns nil if the plan does not use the pool.
func newPoolValues(plan model.Plan, m *match.Matcher) *poolValues {
	if plan.Sampling.Pool <= 0 {
		return nil
	}
	return &poolValues{pool: pool.New(plan.Spec, m), chance: plan.Sampling.Pool}
}

// observe adds the values of an answer to the pool.
func (v *poolValues) observe(op model.OpID, reply model.Reply) {
	if v != nil {
		v.pool.Observe(op, reply)
	}
}

// fill sets some inputs of a new call to values of the pool.
func (v *poolValues) fill(r *rand.Rand, c call) {
	if v == nil {
		return
	}
	for _, in := range v.pool.Inputs(c.op.ID) {
		chance := v.chance
		if in.In == model.InQuery && v.pool.IsUndeclared(in) {
			chance = max(chance, cursorChance)
		}
		if r.Float64() < chance {
			c.assign(in, v.pool.Draw(r, in))
		}
	}
}

// refill sets one input of a test to a value of the pool, and reports whether it did.
func (v *poolValues) refill(r *rand.Rand, ind *Individual) bool {
	if v == nil {
		return false
	}
	i := r.IntN(len(ind.calls))
	c := ind.calls[i]
	inputs := slices.DeleteFunc(v.pool.Inputs(c.op.ID), func(in pool.Input) bool { return ind.links.sets(i, in.In, in.Name) })
	if len(inputs) == 0 {
		return false
	}
	in := inputs[r.IntN(len(inputs))]
	return c.assign(in, v.pool.Draw(r, in))
}

// assign sets the gene of an input to a value, and reports whether the gene can represent the value.
func (c call) assign(in pool.Input, v any) bool {
	if in.In == model.InBody {
		g := gene.LookupField(c.payload, in.Path)
		return g != nil && gene.AssignValue(g, v)
	}
	for i, prm := range c.op.Params {
		if prm.In == in.In && prm.Name == in.Name {
			return gene.AssignValue(c.genes[i], v)
		}
	}
	return false
}
