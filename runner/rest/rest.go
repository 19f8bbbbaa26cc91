// Package rest is the problem of testing a REST API as the search sees it: an
// individual is a test whose values are genes, sampled at random or after a
// template (the EvoMaster paper, sections 4.1, 4.2 and 5.2).
package rest

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/gene"
	"sonde/runner/outside"
	"sonde/runner/pool"
)

// maxCalls is the longest test that is sampled at random (section 4.2).
const maxCalls = 10

// Problem samples and mutates individuals for one spec. But for the pool, the
// lessons and the weights it is read-only once made.
type Problem struct {
	calls, paths, seqs wheel // of the chromosomes, the endpoints and the distilled

	chromosomes []*chromosome
	byOp        map[model.OpID]*chromosome
	endpoints   []endpoint
	distilled   []model.Template
	users       []string
	sampling    model.Sampling
	pool        *pool.Pool // nil where none is asked for
	constants   constants
	admissions
	stoodIn map[admission]bool // see ByNextUser

	lessons
	reached   []*reached       // see Reach
	templates []model.Template // of all operations
	weights   model.Weights
	world     outside.World
}

// New returns the problem of a plan's spec, templates and users, with what the
// plan says of sampling.
func New(plan model.Plan) *Problem {
	p := &Problem{
		byOp: map[model.OpID]*chromosome{}, lessons: newLessons(), sampling: plan.Sampling, constants: newConstants(plan.Constants),
		admissions: admissions{}, stoodIn: map[admission]bool{},
	}
	for _, op := range plan.Spec.Operations {
		c := newChromosome(op)
		p.chromosomes = append(p.chromosomes, c)
		p.byOp[op.ID] = c
	}
	for _, u := range plan.Users {
		p.users = append(p.users, u.Name)
	}
	p.world.Constant = p.constantFor
	p.addTemplates(plan.Templates)
	for _, t := range plan.Distilled {
		if p.knows(t) {
			p.distilled = append(p.distilled, t)
		}
	}
	p.Weigh(nil)
	if plan.Sampling.Pool > 0 {
		p.pool = pool.New(plan.Spec)
	}
	return p
}

// See lets later calls take what an answer tells.
func (p *Problem) See(op model.OpID, reply model.Reply) {
	if p.pool != nil {
		p.pool.See(op, reply)
	}
}

// Sample returns a new individual: with probability smart after a template of
// a random operation on a random path, else one to ten random calls.
func (p *Problem) Sample(r *rand.Rand, smart float64) *Individual {
	if p.paths.total() > 0 && r.Float64() < smart {
		return p.dress(r, p.further(r, p.Follow(r, p.template(r))))
	}
	ind := &Individual{free: true}
	user := p.anyUser(r)
	for range 1 + r.IntN(maxCalls) {
		ind.calls = append(ind.calls, p.sampleCall(r, p.chromosomes[p.calls.draw(r)], user))
	}
	p.lastByAnother(r, ind)
	return p.dress(r, p.bend(r, ind))
}

// further lets a test that follows a template go on now and then, and bends it.
func (p *Problem) further(r *rand.Rand, ind *Individual) *Individual {
	if r.Float64() < p.sampling.Sequel {
		p.sequel(r, ind)
	}
	return p.bend(r, ind)
}

// bend gives a test values that go together, one at its edge, one that the service
// compares with, and the last call a flaw, each now and then.
func (p *Problem) bend(r *rand.Rand, ind *Individual) *Individual {
	if r.Float64() < p.sampling.Edge {
		ind.edge(r)
	}
	if r.Float64() < p.sampling.Echo {
		ind.echo(r)
	}
	if p.hints(r, p.sampling.Constants) {
		p.hint(r, ind)
	}
	if r.Float64() < p.sampling.Invalid {
		ind.calls[len(ind.calls)-1].spoil(r)
	}
	return ind
}

// Initial returns the individuals that a search begins with, shuffled: one of
// each template for each user, and where there are users an anonymous call of each
// operation that should refuse it, as far as the document says.
func (p *Problem) Initial(r *rand.Rand) []*Individual {
	var all []*Individual
	users := p.users
	if len(users) == 0 {
		users = []string{""}
	}
	for _, e := range p.endpoints {
		for _, t := range slices.Concat(e.ops...) {
			for _, u := range users {
				all = append(all, p.follow(r, t, u))
			}
		}
	}
	for _, c := range p.chromosomes {
		if len(p.users) > 0 && asksAnonymous(c.op) {
			all = append(all, &Individual{free: true, calls: []call{c.sample(r)}})
		}
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// Follow returns a new individual of a template's structure.
func (p *Problem) Follow(r *rand.Rand, t model.Template) *Individual {
	ind := p.follow(r, t, p.userFor(r, t.Target()))
	p.lastByAnother(r, ind)
	return ind
}

// Draft returns a test of a template's structure with the plainest values, by the
// first user.
func (p *Problem) Draft(t model.Template) model.Test {
	return p.follow(rand.New(rand.NewPCG(0, 0)), t, p.firstUser()).Plain(nil).Test()
}

func (p *Problem) follow(r *rand.Rand, t model.Template, user string) *Individual {
	ind := &Individual{steps: t.Steps, target: t.Target()}
	first, last := make([]int, len(t.Steps)), make([]int, len(t.Steps))
	for i, s := range t.Steps {
		first[i] = len(ind.calls)
		for range s.Min + r.IntN(max(1, s.Max-s.Min+1)) {
			c := p.sampleCall(r, p.byOp[s.Op], user)
			c.step = i
			ind.calls = append(ind.calls, c)
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

func (p *Problem) sampleCall(r *rand.Rand, c *chromosome, user string) call {
	out := c.sample(r)
	out.user = p.caller(r, c.op.ID, user)
	p.stock(r, out)
	return out
}

// pace converts the search's to the genes'.
func pace(p float64) gene.Pace { return gene.Pace(p) }

// Looks returns tests that look at the service before anything changes it: a call of each
// operation that only reads and needs no resource.
func (p *Problem) Looks(r *rand.Rand) []*Individual {
	var all []*Individual
	for _, c := range p.chromosomes {
		if c.op.Method != "GET" || slices.ContainsFunc(c.op.Params, func(prm model.Param) bool { return prm.In == model.InPath }) {
			continue
		}
		look := &Individual{free: true, calls: []call{p.sampleCall(r, c, p.firstUser())}}
		all = append(all, look.Least(r))
	}
	return all
}

// Creations returns tests that create something with what they must send alone, of each
// operation with POST, the shortest first and of no more calls in all than most. How the
// service answers them in its first state shows later which faults come of a later one.
func (p *Problem) Creations(r *rand.Rand, templates []model.Template, most int) []*Individual {
	shortest := map[model.OpID]model.Template{}
	for _, t := range templates {
		if s, known := shortest[t.Target()]; !known || len(t.Steps) < len(s.Steps) {
			shortest[t.Target()] = t
		}
	}
	var all []*Individual
	for _, c := range p.chromosomes {
		if t, ok := shortest[c.op.ID]; ok && c.op.Method == "POST" {
			all = append(all, p.follow(r, t, p.firstUser()).Least(r))
		}
	}
	slices.SortStableFunc(all, func(a, b *Individual) int { return a.Len() - b.Len() })
	sent := 0
	for i, ind := range all {
		sent += ind.Len()
		if sent > most {
			return all[:i]
		}
	}
	return all
}

// firstUser is the first of the users, "" where there is none.
func (p *Problem) firstUser() string {
	if len(p.users) == 0 {
		return ""
	}
	return p.users[0]
}
