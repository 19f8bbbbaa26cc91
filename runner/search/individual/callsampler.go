package individual

import (
	"math/rand/v2"

	"sonde/model"
)

// callSampler samples calls of one operation, or of all steps of a template. It chooses the users of
// the calls, sets some of the inputs to values of earlier answers, and follows the rules that refusals
// stated.
type callSampler struct {
	operations *operationSet
	users      *userPool
	pool       *poolValues // nil if the plan does not use the pool
	refusals   *refusalRules
	uniform    float64 // probability of uniform values; see model.Sampling
	redirect   float64 // Sampling.AfterRedirect
}

// sample returns a call of an operation with random values. user is the user of the test, who makes the call unless
// the operation refuses that user.
func (s *callSampler) sample(r *rand.Rand, c *chromosome, user string) call {
	if c.uniform != nil && r.Float64() < s.uniform {
		c = c.uniform
	}
	out := c.sample(r)
	out.user = s.users.caller(r, c.op.ID, user)
	s.pool.fill(r, out)
	s.refusals.follow(r, out, s.refusals.chance)
	return out
}

// random is like sample, for a random operation.
func (s *callSampler) random(r *rand.Rand, user string) call {
	return s.sample(r, s.operations.draw(r), user)
}

// follow samples the steps of a template for a user, and links them.
func (s *callSampler) follow(r *rand.Rand, t model.Template, user string) *Individual {
	ind := &Individual{steps: t.Steps, target: t.Target()}
	ind.afterRedirect = s.redirect > 0 && r.Float64() < s.redirect
	first, last := make([]int, len(t.Steps)), make([]int, len(t.Steps))
	for i, step := range t.Steps {
		first[i] = len(ind.calls)
		for range step.Min + r.IntN(max(1, step.Max-step.Min+1)) {
			c := s.sample(r, s.operations.byID[step.Op], user)
			c.step = i
			ind.calls = append(ind.calls, c)
			if step.FixedPath {
				c.fixPath(ind.calls[first[i]])
			}
		}
		last[i] = len(ind.calls) - 1
	}
	for _, l := range t.Links {
		for to := first[l.To]; to <= last[l.To]; to++ {
			ind.link(l, last[l.From], to)
		}
	}
	return ind
}
