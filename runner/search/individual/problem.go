// Package individual samples and mutates the tests of a search. An individual is a test whose values are
// genes. It is sampled at random or from a template (the EvoMaster paper, sections 4.1, 4.2 and 5.2). The
// package does not decide which individuals are kept; package mio does.
package individual

import (
	"math/rand/v2"

	"sonde/model"
	"sonde/model/match"
)

// Problem samples and mutates individuals for one spec. Each of its parts owns one piece of state, such as the
// operations with their weights, the users, or the values of earlier answers. A Problem must be used by one goroutine
// at a time.
type Problem struct {
	sampling   model.Sampling
	sizes      model.Sizes
	operations *operationSet
	templates  *templateSet
	users      *userPool
	pool       *poolValues // nil if the plan does not use the pool
	constants  constants
	hosts      hostStubs
	Rows       *RowMaker // adds rows of the service's database to tests

	calls      *callSampler
	extensions *extender
	sweeps     *sweeper
	attempts   *attempter // nil if the plan makes no attempts

	interactions *interactor
}

// New returns the problem of a plan, with the plan's spec, templates, users, sampling and sizes.
func New(plan model.Plan) *Problem {
	var m *match.Matcher
	if plan.Sampling.Pool > 0 || plan.Sampling.Attempts > 0 {
		m = match.New(plan.Spec.Operations, match.DefaultMode, plan.Spec.Corrections...)
	}
	p := &Problem{
		sampling:   plan.Sampling,
		sizes:      plan.Sizes.OrDefault(),
		operations: newOperationSet(plan.Spec.Operations, plan.Sampling.Uniform > 0, plan.Sizes),
		users:      newUserPool(plan.Users, plan.Sampling.AnyUser),
		pool:       newPoolValues(plan, m),
		constants:  newConstants(plan.Constants),
	}
	p.templates = newTemplateSet(plan, p.operations)
	p.Rows = newRowMaker(&p.sampling, p.sizes)
	p.hosts.constants, p.hosts.sampling, p.hosts.sizes = p.constants, &p.sampling, p.sizes
	p.hosts.model.Vocabulary.DrawConstant = p.hosts.constant
	p.calls = &callSampler{
		operations: p.operations, users: p.users, pool: p.pool, refusals: newRefusalRules(plan.Sampling),
		uniform: plan.Sampling.Uniform, redirect: plan.Sampling.AfterRedirect,
	}
	p.extensions = &extender{
		sampling:  &p.sampling,
		maxCalls:  p.sizes.Calls,
		calls:     p.calls,
		templates: p.templates,
		constants: p.constants,
		hosts:     &p.hosts,
	}
	p.sweeps = &sweeper{
		calls:     p.calls,
		templates: p.templates,
		constants: p.constants,
		hosts:     &p.hosts,
		lessons:   newLessons(),
		negative:  newNegativeProgress(),
	}
	p.interactions = newInteractor(p.sweeps, p.sizes.Calls)
	p.attempts = newAttempter(plan, m, p.calls, p.templates)
	p.SetWeights(nil)
	return p
}

// SetWeights sets the weights with which operations are sampled from now on, alone or as the target of a
// template. At first all operations have weight 1.
func (p *Problem) SetWeights(weights model.Weights) {
	p.operations.setWeights(weights)
	p.templates.setWeights(weights)
}

// ObserveReply adds the values of an answer to the pool, from which later calls take values. If the
// answer is a refusal, ObserveReply also reads what its message says about inputs, so that later calls
// follow it.
func (p *Problem) ObserveReply(op model.OpID, reply model.Reply) {
	p.pool.observe(op, reply)
	if c := p.operations.byID[op]; c != nil {
		p.calls.refusals.observe(c, reply)
	}
}

// ObserveAnswer reads the answer to a call of an individual, so that attempts can take values from it. statuses has the
// statuses of the individual's calls.
func (p *Problem) ObserveAnswer(ind *Individual, call int, statuses []int, reply model.Reply) {
	p.attempts.observe(ind, call, statuses, reply)
}

// Attempt returns the next attempt, nil if there is none; see attempt.go.
func (p *Problem) Attempt(r *rand.Rand) *Individual {
	ind := p.attempts.next(r)
	if ind == nil {
		return nil
	}
	return p.Rows.sample(r, p.hosts.sample(r, ind))
}

// RecordStatus records the status with which an operation answered a user, so that later tests prefer users
// whom the operation accepts.
func (p *Problem) RecordStatus(op model.OpID, user string, status int) {
	p.users.admitted.record(op, user, status)
}

// RemoveUser keeps a user out of new tests.
func (p *Problem) RemoveUser(user string) { p.users.remove(user) }

// RecordSuccess records a call that succeeded, so that later sweeps can begin with its values and later calls can send its
// files.
func (p *Problem) RecordSuccess(ind *Individual, call int) {
	p.sweeps.lessons.recordSuccess(ind, call)
	if c := ind.calls[call]; c.violation.in == "" && c.acceptFiles() {
		delete(p.sweeps.negative.done, c.op.ID) // there are new edge cases
	}
}

// RecordSweep records the statuses of a sweep's calls. It returns how often all variations of the
// sweep's operation were tried so far.
func (p *Problem) RecordSweep(ind *Individual, statuses []int) float64 {
	return p.sweeps.lessons.recordSweep(ind, statuses)
}

// RecordReached records a test that was the first to reach some statement or branch of the service's
// source, so that later tests can extend it.
func (p *Problem) RecordReached(ind *Individual) { p.extensions.recordReached(ind) }

// ExtendReached returns a copy of one of the tests that RecordReached recorded, with further calls or
// with more messages from one of its hosts. It returns nil if no test was recorded.
func (p *Problem) ExtendReached(r *rand.Rand) *Individual { return p.extensions.extendReached(r) }

// Sweep returns a sweep of one of the operations that were swept least, nil if it finds none that can be swept.
func (p *Problem) Sweep(r *rand.Rand) *Individual { return p.sweeps.next(r) }

// ProvenTest returns a test that follows a template. Its calls have the values of earlier successful calls, or
// random values if there were none.
func (p *Problem) ProvenTest(r *rand.Rand, t model.Template, user string) model.Test {
	return p.sweeps.provenTest(r, t, user)
}

// RetryAsNextUser returns a copy of a test in which a refused call is made by the next user whom the call's
// operation has not answered yet. It returns nil if the call is anonymous, if there is no such user, or if
// the operation has accepted a user. The other calls keep their users, because one user may have to prepare
// what another user tests.
func (p *Problem) RetryAsNextUser(ind *Individual, call int) *Individual {
	if ind.calls[call].user == "" {
		return nil
	}
	next := p.users.replacement(ind.calls[call].op.ID)
	if next == "" {
		return nil
	}
	c := ind.clone()
	c.calls[call].user, c.change = next, changedUser
	return c
}

// Fixed returns the maker of the tests that each search plays once.
func (p *Problem) Fixed() *FixedTests {
	return &FixedTests{operations: p.operations, templates: p.templates, users: p.users, calls: p.calls}
}

// Sample returns a new individual. With probability smart it follows a template. Otherwise it has random calls: at least
// one, and at most as many as the sizes allow.
func (p *Problem) Sample(r *rand.Rand, smart float64) *Individual {
	if p.templates.drawable() && r.Float64() < smart {
		return p.Rows.sample(r, p.hosts.sample(r, p.continueAndVary(r, p.FollowTemplate(r, p.templates.draw(r)))))
	}
	ind := &Individual{free: true}
	user := p.users.any(r)
	for range 1 + r.IntN(p.sizes.Calls) {
		ind.calls = append(ind.calls, p.calls.random(r, user))
	}
	p.users.changeLast(r, ind)
	return p.Rows.sample(r, p.hosts.sample(r, p.varyNew(r, ind)))
}

// continueAndVary extends a new test, with probability Sampling.Sequel, and changes some of its values.
func (p *Problem) continueAndVary(r *rand.Rand, ind *Individual) *Individual {
	if r.Float64() < p.sampling.Sequel {
		p.extensions.continueTest(r, ind)
	}
	return p.varyNew(r, ind)
}

// varyNew makes up to four changes to a new test, each with a probability of its own:
//   - It sets a value to the edge of its range.
//   - It relates a value to other values; see relate.
//   - It sets a value to a constant of the service.
//   - It gives the last call a violation.
func (p *Problem) varyNew(r *rand.Rand, ind *Individual) *Individual {
	if r.Float64() < p.sampling.Edge {
		setEdge(r, ind.leaves())
	}
	if r.Float64() < p.sampling.Echo {
		p.relate(r, ind)
	}
	if p.constants.due(r, p.sampling.Constants) {
		p.constants.assign(r, ind.leaves())
	}
	if r.Float64() < p.sampling.Invalid {
		ind.calls[len(ind.calls)-1].violate(r)
	}
	return ind
}

// FollowTemplate returns a new individual that follows a template.
func (p *Problem) FollowTemplate(r *rand.Rand, t model.Template) *Individual {
	ind := p.calls.follow(r, t, p.users.forOperation(r, t.Target()))
	p.users.changeLast(r, ind)
	return ind
}

// IsMuted reports whether the user has muted an operation.
func (p *Problem) IsMuted(op model.OpID) bool { return p.operations.mutedByUser(op) }

// KeepForLast keeps operations out of all tests but those of FixedTests.Last. It must be called before the first test is made.
func (p *Problem) KeepForLast(ops []model.OpID) {
	p.operations.last = map[model.OpID]bool{}
	for _, op := range ops {
		p.operations.last[op] = true
	}
	p.templates.retain(p.operations)
	p.SetWeights(p.operations.weights)
}

// BeginWithPart divides the operations into parts, and lets the search begin with one part. An operation in another
// part has only one initial test, and its sweeps, negative tests and interaction tests come later. The islands of a
// search therefore begin with different operations. BeginWithPart must be called before the first test is made.
func (p *Problem) BeginWithPart(part, parts int) {
	p.operations.others = map[model.OpID]bool{}
	for i, c := range p.operations.all {
		p.operations.others[c.op.ID] = i%parts != part
	}
}
