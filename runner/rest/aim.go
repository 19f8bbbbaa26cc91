package rest

import (
	"math/rand/v2"
	"slices"

	"sonde/runner/gene"
)

// The chances of what becomes of the call that is aimed at, before its values change.
const (
	aimedUser  = changeUser / 2
	aimedFlaws = 3 // times as many as elsewhere: most of what is not reached complains
)

// Aim returns a neighbour in which one call alone is another one: the one of whose
// doing it is known that it came near to where the test is to come. It returns nil
// where nothing of it can change.
func (p *Problem) Aim(r *rand.Rand, ind *Individual, call int, at float64, hints []Hint) *Individual {
	c := ind.clone()
	c.change = changedValues
	switch own := c.leavesOf(call); {
	case r.Float64() < aimedUser && p.changeUserOf(r, c, call):
		c.change = changedUser
	case r.Float64() < aimedFlaws*p.sampling.Invalid && c.calls[call].flaw.in == "" && c.calls[call].spoil(r),
		p.tries(r, hints) && p.try(r, c, hints),
		r.Float64() < p.sampling.Edge/3 && edgeOne(r, own),
		r.Float64() < p.sampling.Echo/3 && echoOne(r, own, c.leaves()),
		p.hints(r, p.sampling.Constants) && p.hintOne(r, own),
		gene.Mutate(r, c.calls[call].trees(), pace(at)):
	default:
		return nil
	}
	return c
}

// leavesOf are the scalars of one call.
func (ind *Individual) leavesOf(call int) []leaf {
	return slices.DeleteFunc(ind.leaves(), func(l leaf) bool { return l.call != call })
}

// changeUserOf lets another user make a call, or an anonymous caller.
func (p *Problem) changeUserOf(r *rand.Rand, ind *Individual, call int) bool {
	c := &ind.calls[call]
	user := p.userFor(r, c.op.ID)
	if r.Float64() < anonymousChance {
		user = ""
	}
	if c.user == user {
		return false
	}
	c.user = user
	return true
}
