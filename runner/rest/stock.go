package rest

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/gene"
	"sonde/runner/pool"
)

// stock gives the inputs of a new call values of the pool now and then.
func (p *Problem) stock(r *rand.Rand, c call) {
	if p.pool == nil {
		return
	}
	for _, in := range p.pool.Inputs(c.op.ID) {
		if r.Float64() < p.sampling.Pool {
			c.take(in, p.pool.Draw(r, in))
		}
	}
}

// restock gives one input of a test another value of the pool, and reports whether
// there is one.
func (p *Problem) restock(r *rand.Rand, ind *Individual) bool {
	if p.pool == nil {
		return false
	}
	i := r.IntN(len(ind.calls))
	c := ind.calls[i]
	inputs := slices.DeleteFunc(p.pool.Inputs(c.op.ID), func(in pool.Input) bool { return ind.linked(i, in) })
	if len(inputs) == 0 {
		return false
	}
	in := inputs[r.IntN(len(inputs))]
	return c.take(in, p.pool.Draw(r, in))
}

// linked reports whether an input has its value from another call.
func (ind *Individual) linked(i int, in pool.Input) bool {
	return slices.ContainsFunc(ind.links, func(l model.Link) bool { return l.To == i && l.In == in.In && l.Name == in.Name })
}

// take puts a value into the gene of an input, if it fits there.
func (c call) take(in pool.Input, v any) bool {
	if in.In == model.InBody {
		g := gene.At(c.payload, in.Path)
		return g != nil && gene.Put(g, v)
	}
	for i, prm := range c.op.Params {
		if prm.In == in.In && prm.Name == in.Name {
			return gene.Put(c.genes[i], v)
		}
	}
	return false
}
