package rest

import (
	"math/rand/v2"

	"sonde/model"
	"sonde/runner/gene"
)

// The chances of what a mutation does besides changing values.
const (
	restructureFree  = 0.5  // of a test of random calls
	restructureSmart = 0.25 // of a test after a template that leaves it a choice
	changeUser       = 0.25
)

// Mutate returns a neighbour: of another structure, with another user, or with
// a few other values. Hints are of the individual: what it is to try.
func (p *Problem) Mutate(r *rand.Rand, ind *Individual, at float64, hints []Hint) *Individual {
	c := ind.clone()
	c.change = changedStructure
	switch {
	case p.tries(r, hints) && p.try(r, c, hints):
		c.change = changedValues
	case c.free && r.Float64() < restructureFree:
		p.restructure(r, c)
	case !c.free && r.Float64() < restructureSmart && p.regrow(r, c):
	case r.Float64() < changeUser && p.changeUser(r, c):
		c.change = changedUser
	case !c.free && len(c.calls) <= len(c.steps) && r.Float64() < p.sampling.Sequel && p.sequel(r, c):
	case r.Float64() < p.sampling.Invalid && c.respoil(r),
		r.Float64() < p.sampling.Pool && p.restock(r, c),
		r.Float64() < p.sampling.Edge/3 && c.edge(r),
		r.Float64() < p.sampling.Echo/3 && c.echo(r),
		p.hints(r, p.sampling.Constants) && p.hint(r, c),
		gene.Mutate(r, c.trees(), pace(at)):
		c.change = changedValues
	case c.free:
		p.restructure(r, c)
	}
	return c
}

// What a mutation changes.
const (
	changedStructure = "structure"
	changedUser      = "user"
	changedValues    = "values"
	changedOutside   = "outside" // what a host answers
)

// restructure adds a random call or removes one.
func (p *Problem) restructure(r *rand.Rand, ind *Individual) {
	n := len(ind.calls)
	if n > 1 && (n >= maxCalls || r.IntN(2) == 0) {
		ind.remove(r.IntN(n))
		return
	}
	user := ind.calls[r.IntN(n)].user
	if user == "" {
		user = p.anyUser(r)
	}
	ind.insert(r.IntN(n+1), p.sampleCall(r, p.chromosomes[p.calls.draw(r)], user))
}

// regrow changes how often a step of the template is repeated, which is the
// one change of structure that section 5.2.8 allows.
func (p *Problem) regrow(r *rand.Rand, ind *Individual) bool {
	var growing []int
	for i, s := range ind.steps {
		if s.Max > s.Min {
			growing = append(growing, i)
		}
	}
	if len(growing) == 0 {
		return false
	}
	step := growing[r.IntN(len(growing))]
	first, n := ind.run(step)
	s := ind.steps[step]
	if n > s.Min && (n >= s.Max || r.IntN(2) == 0) {
		ind.remove(first) // links start from a run's last call
		return true
	}
	if n == 0 {
		return false
	}
	p.repeat(r, ind, first)
	return true
}

// run returns where the calls of a step begin, and how many there are.
func (ind *Individual) run(step int) (first, n int) {
	for i, c := range ind.calls {
		if c.step == step {
			if n == 0 {
				first = i
			}
			n++
		}
	}
	return first, n
}

// repeat puts a call of the same operation, user and links before the one at a
// place, with values of its own.
func (p *Problem) repeat(r *rand.Rand, ind *Individual, at int) {
	twin := ind.calls[at].chromosome.sample(r)
	twin.user, twin.step = ind.calls[at].user, ind.calls[at].step
	ind.insert(at, twin)
	var same []model.Link
	for _, l := range ind.links {
		if l.To == at+1 {
			same = append(same, l)
		}
	}
	for _, l := range same {
		ind.link(l, l.From, at)
	}
}

// changeUser lets another user make the last call, or all of them, or an anonymous
// caller the last.
func (p *Problem) changeUser(r *rand.Rand, ind *Individual) bool {
	if len(p.users) == 0 {
		return false
	}
	user, all := p.userFor(r, ind.calls[len(ind.calls)-1].op.ID), r.IntN(2) == 0
	if r.Float64() < anonymousChance {
		user, all = "", false
	}
	changed := false
	for i := len(ind.calls) - 1; i >= 0 && (all || !changed); i-- {
		if c := &ind.calls[i]; c.user != user {
			c.user, changed = user, true
		}
	}
	return changed
}

// respoil gives a call a flaw, or takes the one that it has away: often the test
// ends where its last call is not reached.
func (ind *Individual) respoil(r *rand.Rand) bool {
	c := &ind.calls[r.IntN(len(ind.calls))]
	if c.flaw.in != "" && r.IntN(2) == 0 {
		c.flaw = flaw{}
		return true
	}
	return c.spoil(r)
}
