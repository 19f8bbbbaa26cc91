package rest

import "math/rand/v2"

const (
	mostReached  = 200 // tests that are gone on from
	reachedDraws = 3   // of which the one is taken that was so least
	sameChance   = 0.5 // that it goes on with its last operation
	keptChance   = 0.5 // with the values that this had, but for one
)

// reached is a test that was the first to come to some place in the service's
// source, and how often another went on from it.
type reached struct {
	ind  *Individual
	used int
}

// Reach lets new tests go on from one that was the first to come to some place in
// the service's source: it may have left the service in a state in which another
// call comes further.
func (p *Problem) Reach(ind *Individual) {
	if p.sampling.Operands == 0 {
		return
	}
	p.world.Prove(ind.stubs)
	if len(p.reached) == mostReached {
		p.reached = p.reached[1:]
	}
	p.reached = append(p.reached, &reached{ind: ind})
}

// Onward is a test that was the first to come somewhere and one more call; nil
// where there is none.
func (p *Problem) Onward(r *rand.Rand) *Individual {
	if len(p.reached) == 0 {
		return nil
	}
	from := p.reached[r.IntN(len(p.reached))]
	for range reachedDraws - 1 {
		if other := p.reached[r.IntN(len(p.reached))]; other.used < from.used {
			from = other
		}
	}
	from.used++
	ind := from.ind.clone()
	ind.change = ""
	if p.converse(r, ind) {
		ind.change = changedOutside
		return ind
	}
	if len(ind.calls) >= maxCalls {
		ind = ind.Only(somewhat(r, len(ind.calls)))
	}
	p.goFurther(r, ind)
	return ind
}

// goFurther appends a call: the last one again, the target of a template that needs
// what is there, or any.
func (p *Problem) goFurther(r *rand.Rand, ind *Individual) {
	last := len(ind.calls) - 1
	if r.Float64() < sameChance && ind.encore(last) {
		p.vary(r, ind)
		return
	}
	for range sequelTries {
		if p.paths.total() > 0 && p.goOn(r, ind, p.template(r), maxCalls) {
			return
		}
	}
	user := p.maker(r, ind)
	ind.calls = append(ind.calls, p.sampleCall(r, p.chromosomes[p.calls.draw(r)], user))
	p.vary(r, ind)
}

// somewhat are all of n but one, which is not the last.
func somewhat(r *rand.Rand, n int) []int {
	gone := r.IntN(n - 1)
	var all []int
	for i := range n {
		if i != gone {
			all = append(all, i)
		}
	}
	return all
}

// vary gives the last call of a test other values.
func (p *Problem) vary(r *rand.Rand, ind *Individual) {
	last := len(ind.calls) - 1
	if r.Float64() >= keptChance {
		ind.calls[last].refresh(r)
	}
	if p.hints(r, p.sampling.Constants) {
		p.hintOne(r, ind.leavesOf(last))
	}
}
