package individual

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
)

// FixedTests makes the tests that each search plays once, at its beginning or its end. They do not depend on what the
// search has found.
type FixedTests struct {
	operations *operationSet
	templates  *templateSet
	users      *userPool
	calls      *callSampler
}

// Initial returns the individuals with which a search begins: one of each template for each user. If users are
// configured, it adds an anonymous call of each operation for which the spec declares security or the status 401.
//
// The budget may end before all of them are played. Therefore the list first has only one individual for each
// operation: it follows the operation's template with the most links, and has the examples of the spec. The list
// others has the other individuals, except those of operations with which another island begins. Each list is
// shuffled.
func (f *FixedTests) Initial(r *rand.Rand) (first, others []*Individual) {
	users := f.users.names
	if len(users) == 0 {
		users = []string{""}
	}
	for _, e := range f.templates.usual.endpoints {
		for _, c := range e.ops {
			for i, t := range c.mostLinkedFirst() {
				for k, u := range users {
					ind := f.calls.follow(r, t, u)
					if i+k == 0 {
						ind.calls[len(ind.calls)-1].setExamples(r, 0)
						ind.calls[len(ind.calls)-1].chooseFiles(0)
						first = append(first, ind)
					} else if !f.operations.others[ind.target] {
						others = append(others, ind)
					}
				}
			}
		}
	}
	for _, c := range f.operations.all {
		if !f.operations.last[c.op.ID] && !f.operations.others[c.op.ID] {
			others = append(others, f.anonymous(r, c)...)
		}
	}
	for _, list := range [][]*Individual{first, others} {
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return first, others
}

// Last returns the tests of the operations that are kept for the end of the run, without those that the user has
// muted. Each operation has a test with the examples of the spec, a test with only the required values and, if it may
// need credentials, an anonymous call. The tests follow the operation's template with the most links.
func (f *FixedTests) Last(r *rand.Rand, templates []model.Template) (all []*Individual) {
	for _, c := range f.operations.all {
		if !f.operations.last[c.op.ID] || f.operations.mutedByUser(c.op.ID) {
			continue
		}
		best := model.Template{Steps: []model.TemplateStep{{Op: c.op.ID, Min: 1, Max: 1}}}
		for _, t := range templates {
			if t.Target() == c.op.ID && len(t.Links) > len(best.Links) {
				best = t
			}
		}
		ind := f.calls.follow(r, best, f.users.first())
		ind.calls[len(ind.calls)-1].setExamples(r, 0)
		all = append(append(all, f.anonymous(r, c)...), ind, ind.RequiredOnly(r))
	}
	return all
}

// ReadOnly returns a test for each GET operation without path parameters, except those that are kept for the end of the
// run. Each test is one call with only the required values. The tests read the service's first state.
func (f *FixedTests) ReadOnly(r *rand.Rand) []*Individual {
	var all []*Individual
	for _, c := range f.operations.all {
		inPath := func(prm model.Parameter) bool { return prm.In == model.InPath }
		if c.op.Method != "GET" || slices.ContainsFunc(c.op.Params, inPath) || f.operations.last[c.op.ID] {
			continue
		}
		read := &Individual{free: true, calls: []call{f.calls.sample(r, c, f.users.first())}}
		all = append(all, read.RequiredOnly(r))
	}
	return all
}

// Creations returns a test for each POST operation that has a template, with only the required values. Shorter tests
// come first, and all tests together have at most maxTotal calls. The answers show how the service behaves in its
// first state. A later comparison with these answers shows which faults depend on another state.
func (f *FixedTests) Creations(r *rand.Rand, templates []model.Template, maxTotal int) []*Individual {
	shortest := map[model.OpID]model.Template{}
	for _, t := range templates {
		if s, known := shortest[t.Target()]; f.operations.has(t) && (!known || len(t.Steps) < len(s.Steps)) {
			shortest[t.Target()] = t
		}
	}
	var all []*Individual
	for _, c := range f.operations.all {
		if t, ok := shortest[c.op.ID]; ok && c.op.Method == "POST" {
			all = append(all, f.calls.follow(r, t, f.users.first()).RequiredOnly(r))
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

// anonymous returns a test with a call of an operation without credentials. It returns nil if there are no users, or
// if nothing in the spec says that the operation may need credentials.
func (f *FixedTests) anonymous(r *rand.Rand, c *chromosome) []*Individual {
	if !f.users.configured() || !asksAnonymous(c.op) {
		return nil
	}
	return []*Individual{{free: true, calls: []call{c.sample(r)}}}
}
