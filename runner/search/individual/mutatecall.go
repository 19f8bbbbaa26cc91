package individual

import (
	"math/rand/v2"
	"slices"

	"sonde/runner/search/gene"
)

// The probabilities of the changes that MutateCall tries before changing values.
const (
	callUserChance      = changeUserChance / 2
	callViolationFactor = 3 // factor of Sampling.Invalid: most code that is not reached yet handles errors
)

// MutateCall returns a copy of an individual in which one call differs, for example the call that came nearest to a
// target in the code. If MutateCall applies a hint, a value of another call may differ instead. It returns nil if
// nothing can change. It also returns nil with probability Sampling.AnyCall.
func (p *Problem) MutateCall(r *rand.Rand, ind *Individual, call int, at float64, hints []Hint) *Individual {
	if p.sampling.AnyCall > 0 && r.Float64() < p.sampling.AnyCall {
		return nil
	}
	c := p.copyToMutate(r, ind)
	c.change = changedValues
	canViolate := func() bool { return c.calls[call].violation.in == "" && c.calls[call].violate(r) }
	switch own := c.leavesOf(call); {
	case r.Float64() < callUserChance && p.users.changeCaller(r, c, call):
		c.change = changedUser
	case r.Float64() < callViolationFactor*p.sampling.Invalid && canViolate(),
		hintsDue(r, hints, p.sampling.Operands) && applyHint(r, c, hints),
		r.Float64() < p.sampling.Edge/3 && setEdge(r, own),
		r.Float64() < p.sampling.Echo/3 && copyOne(r, own, c.leaves()),
		p.constants.due(r, p.sampling.Constants) && p.constants.assign(r, own),
		gene.Mutate(r, c.calls[call].trees(), gene.NewPace(at, p.sizes)):
	default:
		return nil
	}
	return c
}

// leavesOf returns the scalars of one call.
func (ind *Individual) leavesOf(call int) []leaf {
	return slices.DeleteFunc(ind.leaves(), func(l leaf) bool { return l.call != call })
}
