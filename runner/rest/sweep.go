package rest

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
)

// A sweep is a test that calls one operation many times on the same things, each
// time with one value other than in a call that went well, or with all of them
// drawn anew. It costs one reset and one chain of creations where single tests
// would need as many as values.

// sweepDraws is how many templates are looked at for the next sweep.
const sweepDraws = 8

// patience is how often in a row a sweep's calls may meet the same refusal: what
// it goes over is not there, then, or used up.
const patience = 6

// Sweeps tells that the individual is a sweep.
func (ind *Individual) Sweeps() bool { return ind.turn != nil }

// Sweep returns a sweep over one of the operations that had the fewest, nil where
// there is none to sweep over.
func (p *Problem) Sweep(r *rand.Rand) *Individual {
	t, ok := p.due(r)
	if !ok {
		return nil
	}
	s := p.sweeping(r, t)
	s.crowd()
	s.vary()
	s.close()
	p.dress(r, s.ind)
	p.begin(s.ind.turn)
	return s.ind
}

// due draws some templates and returns the one whose target was swept least.
func (p *Problem) due(r *rand.Rand) (least model.Template, ok bool) {
	if p.paths.total() == 0 {
		return least, false
	}
	for range sweepDraws {
		t := p.richest(p.template(r).Target())
		if len(p.varying(t)) > 0 && (!ok || p.rounds[t.Target()] < p.rounds[least.Target()]) {
			least, ok = t, true
		}
	}
	return least, ok
}

// richest is the template of an operation that ties the most.
func (p *Problem) richest(op model.OpID) (richest model.Template) {
	for _, t := range p.templates {
		if t.Target() == op && (len(richest.Steps) == 0 || len(t.Links) > len(richest.Links)) {
			richest = t
		}
	}
	return richest
}

// varying are the steps of a template whose calls can be varied, the last first.
// What is muted is called where it is needed, but not varied.
func (p *Problem) varying(t model.Template) []int {
	var all []int
	for i, s := range slices.Backward(t.Steps) {
		if p.byOp[s.Op].varies() && p.weights.Of(s.Op) > 0 {
			all = append(all, i)
		}
	}
	return all
}

// varies reports whether there is something in a call that could be varied.
func (c *chromosome) varies() bool {
	return c.body != nil || slices.ContainsFunc(c.op.Params, func(p model.Param) bool { return p.In != model.InPath })
}
