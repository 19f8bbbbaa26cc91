package rest

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/gene"
)

// Adopt returns an individual that has the values of a test, as far as the genes
// of its operations can have them, and its links. Calls may be added and removed
// at will. All operations must be of the problem's spec.
func (p *Problem) Adopt(r *rand.Rand, t model.Test) *Individual {
	ind := &Individual{free: true}
	for _, c := range t.Calls {
		own := p.byOp[c.Op].sample(r)
		own.user = c.User
		own.adopt(c)
		ind.calls = append(ind.calls, own)
	}
	for _, l := range t.Links {
		ind.link(l, l.From, l.To)
	}
	for _, s := range t.Stubs {
		ind.stubs = append(ind.stubs, p.world.Adopt(s))
	}
	return ind
}

// adopt gives the genes the values of a call.
func (c call) adopt(from model.Call) {
	for i, p := range c.op.Params {
		j := slices.IndexFunc(from.Args, func(a model.Arg) bool { return a.In == p.In && a.Name == p.Name })
		if j < 0 {
			gene.Leave(c.genes[i])
		} else {
			gene.PutText(c.genes[i], from.Args[j].Own())
		}
	}
	switch {
	case c.payload == nil:
	case from.Body == nil:
		gene.Leave(c.payload)
	case isJSON(from.Body.Media):
		gene.Put(c.payload, decode(from.Body.Data))
	}
}
