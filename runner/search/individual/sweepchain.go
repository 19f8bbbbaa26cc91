package individual

import (
	"math/rand/v2"

	"sonde/model"
	"sonde/runner/search/gene"
)

// Probabilities of the values in the chain of a sweep: the calls that the target needs, and the target.
const (
	successChance  = 0.7 // of using the values of a successful call for a call
	sameTestChance = 0.7 // of using the values of one successful test for all calls
)

// chain returns the calls of the template with the values of successful calls, as far as there are
// any.
func (s *sweepBuilder) chain() *Individual {
	ind := s.sweeper.calls.follow(s.rand, s.of, s.user)
	sameTest := s.rand.Float64() < sameTestChance
	for i := range ind.calls {
		if last := i == len(ind.calls)-1; last || sameTest || s.rand.Float64() < successChance {
			s.useSuccess(&ind.calls[i])
		}
	}
	for _, l := range ind.links {
		ind.lock(l)
	}
	return ind
}

// user returns the user of a sweep's calls: one whom the target is likely to accept, or who called
// it successfully. A successful anonymous call of the target does not mean that the calls before it
// can be anonymous.
func (w *sweeper) user(r *rand.Rand, target model.OpID) string {
	user := w.calls.users.forOperation(r, target)
	if s, ok := w.lessons.lastSuccess(target, user); ok && s.call().user != "" {
		return s.call().user
	}
	return user
}

// useSuccess gives a call the values of a successful one, if there is any, preferably of one that
// preceded a success of the target.
func (s *sweepBuilder) useSuccess(c *call) {
	good, ok := s.led[c.op.ID]
	if !ok {
		success, known := s.sweeper.lessons.lastSuccess(c.op.ID, c.user)
		if !known {
			return
		}
		good = success.call()
	}
	good = good.clone()
	c.genes, c.payload, c.user = good.genes, good.payload, good.user
	for i, g := range c.genes {
		c.genes[i] = gene.UnlockValue(g)
	}
}

// provenTest returns a test with a template's structure and the values of successful calls, as far as
// there are any.
func (w *sweeper) provenTest(r *rand.Rand, t model.Template, user string) model.Test {
	s := &sweepBuilder{sweeper: w, rand: r, of: t, led: w.lessons.leadingTo(t.Target(), user)}
	ind := w.calls.follow(r, t, user)
	for i := range ind.calls {
		s.useSuccess(&ind.calls[i])
	}
	for _, l := range ind.links {
		ind.lock(l)
	}
	return ind.Test()
}
