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
const outsideChance = 0.55

// World is what is known of the hosts around the service.
func (p *Problem) World() *outside.World { return &p.world }

// constantFor is a value that the service compares with, for one that a host says.
func (p *Problem) constantFor(r *rand.Rand, name string, g gene.Gene) string {
	if !p.hints(r, 1) {
		return ""
	}
	return p.constants.draw(r, leaf{call: outsider, name: name, gene: g})
}

// dress gives a new test what the hosts answer to which its operations turn. Chance
// is not asked where there are none.
func (p *Problem) dress(r *rand.Rand, ind *Individual) *Individual {
	ind.stubs = p.world.Sample(r, ind.ops())
	p.relate(r, ind, p.sampling.Echo)
	return ind
}

// reword gives one of the values that hosts say one that the service may look for.
func (p *Problem) reword(r *rand.Rand, hosted []leaf) bool {
	for range min(len(hosted), someTries) {
		l := hosted[r.IntN(len(hosted))]
		if p.world.Reword(r, l.said, gene.Field{Name: l.name, Gene: l.gene}) {
			return true
		}
	}
	return false
}

// relate lets what a host says be about what is asked for, or the other way round: one
// has a value of the other; and reports whether it did.
func (p *Problem) relate(r *rand.Rand, ind *Individual, odds float64) bool {
	hosted := ind.hosted()
	if len(hosted) == 0 || r.Float64() >= odds {
		return false
	}
	if all := ind.leaves(); r.IntN(2) == 0 {
		return echoOne(r, hosted, all)
	}
	return echoOne(r, ind.asked(), hosted)
}

// asked are the scalars of calls.
func (ind *Individual) asked() []leaf {
	return slices.DeleteFunc(ind.leaves(), func(l leaf) bool { return l.said != nil })
}

// Answered is a test with all hosts there to which its operations turn.
func (p *Problem) Answered(r *rand.Rand, ind *Individual) *Individual {
	c := ind.clone()
	c.stubs, c.change = p.world.Answer(r, c.ops()), changedOutside
	p.relate(r, c, p.sampling.Echo)
	return c
}

// redress changes what the hosts around a test answer, and reports whether it did.
func (p *Problem) redress(r *rand.Rand, ind *Individual, at float64, hints []Hint) (changed bool) {
	if p.tries(r, hints) && p.try(r, ind, hints) {
		return true
	}
	if p.relate(r, ind, p.sampling.Echo) {
		return true
	}
	if p.hints(r, p.sampling.Constants) && p.reword(r, ind.hosted()) {
		return true
	}
	ind.stubs, changed = p.world.Mutate(r, ind.stubs, ind.ops(), pace(at))
	return changed
}

// turns reports whether it is time to change what hosts answer.
func (p *Problem) turns(r *rand.Rand, ind *Individual) bool {
	return p.world.Knows(ind.ops()) && r.Float64() < outsideChance
}

// continueChance is how often a test that turns to hosts goes on by what these say.
const continueChance = 0.6

// converse goes on from a test by what hosts say, and reports whether it did.
func (p *Problem) converse(r *rand.Rand, ind *Individual) (done bool) {
	if len(ind.stubs) == 0 || r.Float64() >= continueChance {
		return false
	}
	ind.stubs, done = p.world.Continue(r, ind.stubs, ind.ops())
	return done
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
			all = appendLeaves(all, leaf{call: outsider, name: v.Name, gene: v.Gene, said: &v})
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
		c.stubs = slices.Delete(c.stubs, i, i+1)
		if !yield(c) {
			return false
		}
	}
	for i, s := range ind.stubs {
		for _, less := range s.Plainer() {
			c := ind.clone()
			c.stubs[i] = less
			if !yield(c) {
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
