package rest

import (
	"slices"

	"sonde/model"
	"sonde/runner/gene"
	"sonde/runner/outside"
)

// Individual is a test whose values are genes. It is never changed once it was
// handed out.
type Individual struct {
	calls []call
	links []model.Link
	stubs []*outside.Stub // what hosts around the service answer
	// free tells that calls may be added and removed at will; else the
	// individual follows a template of these steps.
	free   bool
	steps  []model.Step
	target model.OpID // of the template
	change string     // what the mutation changed that made it
	turn   *turn      // of which it is the sweep; nil for none
}

// Target returns the operation whose template the individual follows, "" where
// it follows none.
func (ind *Individual) Target() model.OpID { return ind.target }

// Change says in a word what the mutation changed that made the individual: its
// values, structure or user; "" where it was sampled.
func (ind *Individual) Change() string { return ind.change }

// call is one operation with its genes.
type call struct {
	*chromosome
	genes   []gene.Gene // in the order of op.Params
	payload gene.Gene   // nil where there is no body
	user    string
	step    int // of the template
	flaw    flaw
}

func (c call) clone() call {
	c.genes = slices.Clone(c.genes)
	for i, g := range c.genes {
		c.genes[i] = g.Clone()
	}
	if c.payload != nil {
		c.payload = c.payload.Clone()
	}
	return c
}

func (ind *Individual) clone() *Individual {
	c := *ind
	c.calls = slices.Clone(ind.calls)
	for i := range c.calls {
		c.calls[i] = c.calls[i].clone()
	}
	c.links, c.stubs = slices.Clone(ind.links), cloneStubs(ind.stubs)
	return &c
}

// trees are the genes of all calls.
func (ind *Individual) trees() []gene.Gene {
	trees := make([]gene.Gene, 0, 4*len(ind.calls))
	for _, c := range ind.calls {
		trees = append(trees, c.genes...)
		if c.payload != nil {
			trees = append(trees, c.payload)
		}
	}
	return append(trees, hostTrees(ind.stubs)...)
}

// link ties two calls together and locks the parameter that is given: to
// mutate it would be in vain (section 5.2.8).
func (ind *Individual) link(l model.Link, from, to int) {
	l.From, l.To = from, to
	ind.links = append(ind.links, l)
	ind.lock(l)
}

// lock locks the parameter that a link gives.
func (ind *Individual) lock(l model.Link) {
	for i, p := range ind.calls[l.To].op.Params {
		if p.In == l.In && p.Name == l.Name {
			ind.calls[l.To].genes[i] = gene.Lock(gene.Unlock(ind.calls[l.To].genes[i]))
		}
	}
}

// insert adds a call at a place.
func (ind *Individual) insert(at int, c call) {
	ind.calls = slices.Insert(ind.calls, at, c)
	for i := range ind.links {
		l := &ind.links[i]
		l.From += after(l.From, at)
		l.To += after(l.To, at)
	}
}

func after(i, at int) int {
	if i >= at {
		return 1
	}
	return 0
}

// remove takes a call out, and what was tied to it.
func (ind *Individual) remove(at int) {
	ind.calls = slices.Delete(ind.calls, at, at+1)
	ind.links = slices.DeleteFunc(ind.links, func(l model.Link) bool { return l.From == at || l.To == at })
	for i := range ind.links {
		l := &ind.links[i]
		l.From -= after(l.From, at)
		l.To -= after(l.To, at)
	}
}

// Test prints the individual: calls with literal values, links still open.
func (ind *Individual) Test() model.Test {
	t := model.Test{Origin: model.Searched, Links: slices.Clone(ind.links), Calls: make([]model.Call, 0, len(ind.calls))}
	for _, c := range ind.calls {
		t.Calls = append(t.Calls, c.flaw.put(model.Call{Op: c.op.ID, Args: c.args(), Body: c.message(), User: c.user}))
	}
	for _, s := range ind.stubs {
		t.Stubs = append(t.Stubs, s.Model())
	}
	if ind.Sweeps() {
		t.Patience = patience
	}
	return t
}
