package individual

import (
	"slices"

	"sonde/model"
	"sonde/runner/search/gene"
)

// Individual is a test whose values are genes. It is immutable once a method of Problem has returned
// it.
type Individual struct {
	calls []call
	links linkSet
	stubs stubSet // the answers of the hosts around the service
	rows  rowSet  // the rows that are inserted into the service's database
	// free is true if mutations may add and remove any calls. Otherwise the individual follows a template.
	free   bool
	steps  []model.TemplateStep // steps of the template
	target model.OpID           // target of the template
	change string               // the kind of change by which a mutation made the individual; see Change
	sweep  *sweepPlan           // nil if the individual is not a sweep

	afterRedirect bool // see model.Test
}

// linkSet has the links between the calls of a test.
type linkSet []model.Link

// sets reports whether a link sets an input of a call.
func (s linkSet) sets(call int, in model.Location, name string) bool {
	return slices.ContainsFunc(s, func(l model.Link) bool { return l.To == call && l.In == in && l.Name == name })
}

// Target returns the operation whose template the individual follows, or "" if it follows none.
func (ind *Individual) Target() model.OpID { return ind.target }

// Change returns the kind of change by which a mutation made the individual: "values", "structure",
// "user", "rows", or "outside" for the answers of hosts. It returns "" if no mutation made the individual.
func (ind *Individual) Change() string { return ind.change }

// call is one operation with its genes.
type call struct {
	*chromosome
	genes   []gene.Gene // genes in the order of op.Params
	payload gene.Gene   // gene of the body; nil if the operation has none
	user    string      // "" for the anonymous caller
	step    int         // index of the template's step
	accept  string      // media type that the call asks for, "" for any

	violation violation
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
	c.links, c.stubs, c.rows = slices.Clone(ind.links), ind.stubs.clone(), ind.rows.clone()
	return &c
}

// trees returns the genes of all calls, stubs and rows.
func (ind *Individual) trees() []gene.Gene {
	trees := make([]gene.Gene, 0, 4*len(ind.calls))
	for _, c := range ind.calls {
		trees = append(trees, c.genes...)
		if c.payload != nil {
			trees = append(trees, c.payload)
		}
	}
	return append(append(trees, ind.stubs.genes()...), ind.rows.genes()...)
}

// link adds a link between two calls. It locks the parameter that the link sets, because mutating the
// parameter would have no effect (the EvoMaster paper, section 5.2.8).
func (ind *Individual) link(l model.Link, from, to int) {
	l.From, l.To = from, to
	ind.links = append(ind.links, l)
	ind.lock(l)
}

// lock locks the parameter that a link sets.
func (ind *Individual) lock(l model.Link) {
	for i, p := range ind.calls[l.To].op.Params {
		if p.In == l.In && p.Name == l.Name {
			ind.calls[l.To].genes[i] = gene.LockValue(gene.UnlockValue(ind.calls[l.To].genes[i]))
		}
	}
}

// fixPath gives a call the values in the path of another call of the same operation, and locks them.
func (c call) fixPath(of call) {
	for i, p := range c.op.Params {
		if p.In == model.InPath {
			c.genes[i] = gene.LockValue(gene.UnlockValue(of.genes[i].Clone()))
		}
	}
}

// insert inserts a call at an index.
func (ind *Individual) insert(at int, c call) {
	ind.calls = slices.Insert(ind.calls, at, c)
	for i := range ind.links {
		l := &ind.links[i]
		l.From += indexShift(l.From, at)
		l.To += indexShift(l.To, at)
	}
}

// indexShift returns 1 if i is at least at, otherwise 0. The index i of a call increases by this number when a call is
// inserted at the index at, and decreases by it when the call at this index is removed.
func indexShift(i, at int) int {
	if i >= at {
		return 1
	}
	return 0
}

// remove removes a call with all links from and to it.
func (ind *Individual) remove(at int) {
	ind.calls = slices.Delete(ind.calls, at, at+1)
	ind.links = slices.DeleteFunc(ind.links, func(l model.Link) bool { return l.From == at || l.To == at })
	for i := range ind.links {
		l := &ind.links[i]
		l.From -= indexShift(l.From, at)
		l.To -= indexShift(l.To, at)
	}
}

// Test returns the individual as a test: calls with literal values, links, stubs with literal answers, and rows.
func (ind *Individual) Test() model.Test {
	t := model.Test{
		Origin: model.OriginSearched, Links: slices.Clone(ind.links), Calls: make([]model.Call, 0, len(ind.calls)),
		AfterRedirect: ind.afterRedirect, Rows: ind.rows.literal(),
	}
	for _, c := range ind.calls {
		t.Calls = append(t.Calls, c.violation.put(model.Call{Op: c.op.ID, Args: c.args(), Body: c.message(), User: c.user}))
	}
	for _, s := range ind.stubs {
		t.Stubs = append(t.Stubs, s.LiteralStub())
	}
	if ind.IsSweep() && !ind.IsNegative() {
		t.Patience = maxRefusals
	}
	return t
}
