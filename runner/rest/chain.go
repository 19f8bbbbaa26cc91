package rest

import (
	"math/rand/v2"

	"sonde/model"
	"sonde/runner/gene"
)

// How the chain of a sweep is made: the calls that the target needs, and itself.
const (
	provenChance = 0.7 // that a call of the chain is one that went well before
	trustChance  = 0.7 // that all of it are those by which the target went well
)

// chain follows the template with calls that went well before, as far as there
// are such.
func (s *sweeping) chain() *Individual {
	ind := s.follow(s.rand, s.of, s.user)
	trust := s.rand.Float64() < trustChance
	for i := range ind.calls {
		if last := i == len(ind.calls)-1; last || trust || s.rand.Float64() < provenChance {
			s.prove(&ind.calls[i])
		}
	}
	for _, l := range ind.links {
		ind.lock(l)
	}
	return ind
}

// sweeper is who makes the calls of a sweep: a user whom the target is likely to
// accept, or who could call it. That an anonymous caller could does not say so of
// what comes before it.
func (p *Problem) sweeper(r *rand.Rand, target model.OpID) string {
	user := p.userFor(r, target)
	if good, ok := p.proven(target, user); ok && good.call().user != "" {
		return good.call().user
	}
	return user
}

// prove gives a call the values of one that went well, if there is any, rather of
// one by which the target did.
func (s *sweeping) prove(c *call) {
	good, ok := s.led[c.op.ID]
	if !ok {
		p, known := s.proven(c.op.ID, c.user)
		if !known {
			return
		}
		good = p.call()
	}
	good = good.clone()
	c.genes, c.payload, c.user = good.genes, good.payload, good.user
	for i, g := range c.genes {
		c.genes[i] = gene.Unlock(g)
	}
}

// Proven returns a test of a template's structure with the values of calls that went
// well, as far as there are such.
func (p *Problem) Proven(r *rand.Rand, t model.Template, user string) model.Test {
	s := &sweeping{Problem: p, rand: r, of: t, led: p.led(t.Target(), user)}
	ind := p.follow(r, t, user)
	for i := range ind.calls {
		s.prove(&ind.calls[i])
	}
	for _, l := range ind.links {
		ind.lock(l)
	}
	return ind.Test()
}
