// Package individual defines the problem of testing a REST API for the search: an
// individual is a test whose values are genes, sampled at random or from a template
// (the EvoMaster paper, sections 4.1, 4.2 and 5.2).
package individual

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/search/gene"
)

// maxCalls is the greatest length of a test that is sampled at random (section 4.2).
const maxCalls = 10

// Problem samples and mutates individuals for one spec. It combines parts that own one piece of state
// each: the operations and templates with their weights, the users, what earlier answers showed, the
// values of the pool, and the hosts around the service. It is for one goroutine.
type Problem struct {
	sampling   model.Sampling
	operations *operationSet
	templates  *templateSet
	users      *userPool
	pool       *poolValues // nil if the plan does not use it
	constants  constants
	hosts      hostStubs

	calls      *callSampler
	extensions *extender
	sweeps     *sweeper
}

// New returns the problem of a plan: its spec, templates, users and sampling.
func New(plan model.Plan) *Problem {
	p := &Problem{
		sampling:   plan.Sampling,
		operations: newOperationSet(plan.Spec.Operations),
		users:      newUserPool(plan.Users),
		pool:       newPoolValues(plan.Spec, plan.Sampling.Pool),
		constants:  newConstants(plan.Constants),
	}
	p.templates = newTemplateSet(plan, p.operations)
	p.hosts.constants, p.hosts.sampling = p.constants, &p.sampling
	p.hosts.model.Vocabulary.DrawConstant = p.hosts.constant
	p.calls = &callSampler{operations: p.operations, users: p.users, pool: p.pool}
	p.extensions = &extender{
		sampling:  &p.sampling,
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
	}
	p.SetWeights(nil)
	return p
}

// SetWeights sets how often each operation is sampled from now on, relative to the
// others, alone or as the target of a template. All have weight 1 at first.
func (p *Problem) SetWeights(weights model.Weights) {
	p.operations.setWeights(weights)
	p.templates.setWeights(weights)
}

// ObserveReply lets later calls take values from an answer.
func (p *Problem) ObserveReply(op model.OpID, reply model.Reply) { p.pool.observe(op, reply) }

// RecordStatus records with which status an operation answered a user, so that later
// tests prefer users whom it accepts.
func (p *Problem) RecordStatus(op model.OpID, user string, status int) {
	p.users.admitted.record(op, user, status)
}

// RemoveUser keeps a user out of new tests.
func (p *Problem) RemoveUser(user string) { p.users.remove(user) }

// RecordSuccess lets later sweeps begin with a call that succeeded.
func (p *Problem) RecordSuccess(ind *Individual, call int) { p.sweeps.lessons.recordSuccess(ind, call) }

// RecordSweep records the statuses of a sweep. It returns how often all variations of
// the operation were swept.
func (p *Problem) RecordSweep(ind *Individual, statuses []int) float64 {
	return p.sweeps.lessons.recordSweep(ind, statuses)
}

// RecordReached lets later tests extend one that was the first to reach something in the service's source.
func (p *Problem) RecordReached(ind *Individual) { p.extensions.recordReached(ind) }

// ExtendReached returns one of the recorded tests with one more call, or with more messages from one of
// its hosts. It returns nil if no test was recorded.
func (p *Problem) ExtendReached(r *rand.Rand) *Individual { return p.extensions.extendReached(r) }

// Sweep returns a sweep of one of the operations that were swept least, or nil if none can be swept.
func (p *Problem) Sweep(r *rand.Rand) *Individual { return p.sweeps.next(r) }

// ProvenTest returns a test with a template's structure and the values of successful calls, as far as
// there are any.
func (p *Problem) ProvenTest(r *rand.Rand, t model.Template, user string) model.Test {
	return p.sweeps.provenTest(r, t, user)
}

// RetryAsNextUser returns a test whose call was refused, with that call made by the next user whom its
// operation has not answered yet. It returns nil if there is none, or if the operation has accepted a
// user. The other calls keep their users: the test of one user may have to be set up by another.
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

// Sample returns a new individual. With probability smart it follows a template of a
// random operation on a random path; otherwise it is one to ten random calls.
func (p *Problem) Sample(r *rand.Rand, smart float64) *Individual {
	if p.templates.drawable() && r.Float64() < smart {
		return p.hosts.sample(r, p.continueAndVary(r, p.FollowTemplate(r, p.templates.draw(r))))
	}
	ind := &Individual{free: true}
	user := p.users.any(r)
	for range 1 + r.IntN(maxCalls) {
		ind.calls = append(ind.calls, p.calls.random(r, user))
	}
	p.users.changeLast(r, ind)
	return p.hosts.sample(r, p.varyNew(r, ind))
}

// continueAndVary continues some of the tests that follow a template, and varies all.
func (p *Problem) continueAndVary(r *rand.Rand, ind *Individual) *Individual {
	if r.Float64() < p.sampling.Sequel {
		p.extensions.continueTest(r, ind)
	}
	return p.varyNew(r, ind)
}

// varyNew adds to a new test, each with its own probability, a value at an edge, two equal values, a
// value that the service compares with, and a violation in the last call.
func (p *Problem) varyNew(r *rand.Rand, ind *Individual) *Individual {
	if r.Float64() < p.sampling.Edge {
		ind.setEdge(r)
	}
	if r.Float64() < p.sampling.Echo {
		ind.copyValue(r)
	}
	if p.constants.due(r, p.sampling.Constants) {
		p.constants.assign(r, ind.leaves())
	}
	if r.Float64() < p.sampling.Invalid {
		ind.calls[len(ind.calls)-1].violate(r)
	}
	return ind
}

// Initial returns the individuals that a search begins with, shuffled: one of each template for each
// user and, if users are configured, an anonymous call of each operation that should refuse it
// according to the spec.
func (p *Problem) Initial(r *rand.Rand) []*Individual {
	var all []*Individual
	users := p.users.names
	if len(users) == 0 {
		users = []string{""}
	}
	for _, e := range p.templates.endpoints {
		for _, t := range slices.Concat(e.ops...) {
			for _, u := range users {
				all = append(all, p.calls.follow(r, t, u))
			}
		}
	}
	for _, c := range p.operations.all {
		if p.users.configured() && asksAnonymous(c.op) {
			all = append(all, &Individual{free: true, calls: []call{c.sample(r)}})
		}
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// FollowTemplate returns a new individual with a template's structure.
func (p *Problem) FollowTemplate(r *rand.Rand, t model.Template) *Individual {
	ind := p.calls.follow(r, t, p.users.forOperation(r, t.Target()))
	p.users.changeLast(r, ind)
	return ind
}

// DraftTest returns a test with a template's structure and the simplest values, made by
// the first user.
func (p *Problem) DraftTest(t model.Template) model.Test {
	return p.calls.follow(rand.New(rand.NewPCG(0, 0)), t, p.users.first()).Simplified(nil).Test()
}

// pace converts the search's pace to that of genes.
func pace(p float64) gene.Pace { return gene.Pace(p) }

// ReadOnlyTests returns tests that read from the service before anything changes it: one call of each
// GET without path parameters.
func (p *Problem) ReadOnlyTests(r *rand.Rand) []*Individual {
	var all []*Individual
	for _, c := range p.operations.all {
		inPath := func(prm model.Parameter) bool { return prm.In == model.InPath }
		if c.op.Method != "GET" || slices.ContainsFunc(c.op.Params, inPath) {
			continue
		}
		read := &Individual{free: true, calls: []call{p.calls.sample(r, c, p.users.first())}}
		all = append(all, read.RequiredOnly(r))
	}
	return all
}

// CreationTests returns a test of each POST operation that sends only what is required,
// the shortest first and with no more than maxTotal calls together. How the service
// answers them in its first state shows later which faults depend on another state.
func (p *Problem) CreationTests(r *rand.Rand, templates []model.Template, maxTotal int) []*Individual {
	shortest := map[model.OpID]model.Template{}
	for _, t := range templates {
		if s, known := shortest[t.Target()]; !known || len(t.Steps) < len(s.Steps) {
			shortest[t.Target()] = t
		}
	}
	var all []*Individual
	for _, c := range p.operations.all {
		if t, ok := shortest[c.op.ID]; ok && c.op.Method == "POST" {
			all = append(all, p.calls.follow(r, t, p.users.first()).RequiredOnly(r))
		}
	}
	slices.SortStableFunc(all, func(a, b *Individual) int { return a.Len() - b.Len() })
	sent := 0
	for i, ind := range all {
		sent += ind.Len()
		if sent > maxTotal {
			return all[:i]
		}
	}
	return all
}
