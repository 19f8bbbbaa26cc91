package individual

import (
	"math/rand/v2"

	"sonde/model"
	"sonde/runner/search/gene"
)

// Probabilities for the values of the chain and of the target's first call.
const (
	successChance  = 0.7 // probability of using the values of a successful call
	sameTestChance = 0.7 // probability of using the values of successful calls for all calls of the chain
)

// chain returns an individual with the calls of the template. Most of these calls have the values of
// earlier successful calls, if there were any.
func (s *sweepBuilder) chain() *Individual {
	ind := s.sweeper.calls.follow(s.rand, s.part, s.user)
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

// chainTo returns a builder whose test has the calls of the target's template.
func (w *sweeper) chainTo(r *rand.Rand, target model.OpID) *sweepBuilder {
	t := w.templates.mostLinkedOrAlone(target)
	s := &sweepBuilder{sweeper: w, rand: r, whole: t, part: t, user: w.user(r, target)}
	s.proven = w.lessons.callsBefore(target, s.user)
	s.ind = s.chain()
	return s
}

// user returns the user of a sweep's calls: the user of a successful call of the target, or else a user whom
// the target probably accepts. An anonymous success is ignored, because the calls before it may need a user.
func (w *sweeper) user(r *rand.Rand, target model.OpID) string {
	user := w.calls.users.forOperation(r, target)
	if s, ok := w.lessons.lastSuccess(target, user); ok && s.call().user != "" {
		return s.call().user
	}
	return user
}

// useSuccess gives a call the values and the user of a successful call of its operation, if there is
// one. It prefers a call from which a successful call of the target took values.
func (s *sweepBuilder) useSuccess(c *call) {
	good, ok := s.proven[c.op.ID]
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

// provenTest returns a test that follows a template; see Problem.ProvenTest.
func (w *sweeper) provenTest(r *rand.Rand, t model.Template, user string) model.Test {
	s := &sweepBuilder{sweeper: w, rand: r, part: t, proven: w.lessons.callsBefore(t.Target(), user)}
	ind := w.calls.follow(r, t, user)
	for i := range ind.calls {
		s.useSuccess(&ind.calls[i])
	}
	for _, l := range ind.links {
		ind.lock(l)
	}
	return ind.Test()
}
