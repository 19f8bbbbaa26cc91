package rest

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/gene"
	"sonde/runner/outside"
)

// outsideChance is how often a mutation of a test that turns to other hosts changes
// what these answer, and nothing else.
const outsideChance = 0.4

// World is what is known of the hosts around the service.
func (p *Problem) World() *outside.World { return &p.world }

// constantFor is a value that the service compares with, for one that a host says.
func (p *Problem) constantFor(r *rand.Rand, name string, g gene.Gene) string {
	if !p.hints(r, 1) {
		return ""
	}
	return p.constants.draw(r, leaf{outsider, name, g})
}

// dress gives a new test what the hosts answer to which its operations turn. Chance
// is not asked where there are none.
func (p *Problem) dress(r *rand.Rand, ind *Individual) *Individual {
	ind.stubs = p.world.Sample(r, ind.ops())
	return ind
}

// Answered is a test with all hosts there to which its operations turn.
func (p *Problem) Answered(r *rand.Rand, ind *Individual) *Individual {
	c := ind.clone()
	c.stubs, c.change = p.world.Answer(r, c.ops()), changedOutside
	return c
}

// redress changes what the hosts around a test answer, and tells whether it did.
func (p *Problem) redress(r *rand.Rand, ind *Individual, at float64, hints []Hint) (changed bool) {
	if p.tries(r, hints) && p.try(r, ind, hints) {
		return true
	}
	if own := ind.hosted(); len(own) > 0 && p.hints(r, p.sampling.Constants) && p.hintOne(r, own) {
		return true
	}
	ind.stubs, changed = p.world.Mutate(r, ind.stubs, ind.ops(), pace(at))
	return changed
}

// turns tells whether it is time to change what hosts answer.
func (p *Problem) turns(r *rand.Rand, ind *Individual) bool {
	return p.world.Knows(ind.ops()) && r.Float64() < outsideChance
}

// Redress returns a neighbour whose calls are the same, and what hosts answer is not;
// nil where that cannot be or it is not the time for it.
func (p *Problem) Redress(r *rand.Rand, ind *Individual, at float64, hints []Hint) *Individual {
	if !p.turns(r, ind) {
		return nil
	}
	c := ind.clone()
	if !p.redress(r, c, at, hints) {
		return nil
	}
	c.change = changedOutside
	return c
}

func (ind *Individual) ops() []model.OpID {
	all := make([]model.OpID, len(ind.calls))
	for i, c := range ind.calls {
		all[i] = c.op.ID
	}
	return all
}

// outsider is the call of a value that a host says.
const outsider = -1

// hosted are the scalars that hosts say.
func (ind *Individual) hosted() (all []leaf) {
	for _, s := range ind.stubs {
		for _, v := range s.Values() {
			all = appendLeaves(all, leaf{outsider, v.Name, v.Gene})
		}
	}
	return all
}

// cloneStubs lets stubs be changed that are a test's.
func cloneStubs(all []*outside.Stub) []*outside.Stub {
	c := slices.Clone(all)
	for i, s := range c {
		c[i] = s.Clone()
	}
	return c
}

// fewerStubs are individuals with one stub less, or one that does less.
func (ind *Individual) fewerStubs(yield func(*Individual) bool) bool {
	for i := range ind.stubs {
		c := ind.clone()
		if c.stubs = slices.Delete(c.stubs, i, i+1); !yield(c) {
			return false
		}
	}
	for i, s := range ind.stubs {
		for _, less := range s.Plainer() {
			c := ind.clone()
			if c.stubs[i] = less; !yield(c) {
				return false
			}
		}
	}
	return true
}

// hostTrees are the roots of the values that hosts say.
func hostTrees(stubs []*outside.Stub) (all []gene.Gene) {
	for _, s := range stubs {
		all = append(all, s.Trees()...)
	}
	return all
}
