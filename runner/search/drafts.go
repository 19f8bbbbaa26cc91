package search

import (
	"cmp"
	"slices"

	"sonde/model"
	"sonde/runner/search/individual"
	"sonde/runner/target/client"
)

// Drafts are requests for a person to begin with. They call nothing.
type Drafts struct {
	spec      *model.Spec
	problem   *individual.Problem
	templates map[model.OpID]model.Template
}

// NewDrafts reads of a plan what operations need: its templates and users.
func NewDrafts(p model.Plan) *Drafts {
	d := &Drafts{
		spec:      p.Spec,
		problem:   individual.New(model.Plan{Spec: p.Spec, Users: p.Users}),
		templates: map[model.OpID]model.Template{},
	}
	for _, t := range p.Templates {
		if old, known := d.templates[t.Target()]; !known || templateGives(t, old) > 0 {
			d.templates[t.Target()] = t
		}
	}
	return d
}

// templateGives compares templates of one operation by how much of what that needs they
// bring, how likely they are, and how much the calls before bring each other.
func templateGives(a, b model.Template) int {
	return cmp.Or(
		cmp.Compare(linksInto(a.Links, len(a.Steps)-1), linksInto(b.Links, len(b.Steps)-1)), cmp.Compare(a.Weight, b.Weight),
		cmp.Compare(len(a.Links), len(b.Links)), cmp.Compare(len(b.Steps), len(a.Steps)),
	)
}

// linksInto counts the links into a call.
func linksInto(links []model.Link, call int) (n int) {
	for _, l := range links {
		if l.To == call {
			n++
		}
	}
	return n
}

// Draft returns a request of an operation: the last call of a test, behind those that
// create what it needs. Its values are those of the shortest of some tests in which
// it was answered 2xx, or else plain ones; what one of the requests that were sent
// before by hand brought is taken from there. Ready tells that this is all that it
// needs: no call need come before.
func (d *Drafts) Draft(op model.OpID, tests []model.Test, h *ManualSession) (t model.Test, ready bool) {
	t = d.known(op, tests)
	last := len(t.Calls) - 1
	ready = true
	for _, l := range t.Links {
		if l.To != last {
			continue
		}
		call, ok := h.fillLink(l, t.Calls[l.From].Op, t.Calls[last])
		t.Calls[last], ready = call, ready && ok
	}
	return t, ready && linksInto(t.Links, last) > 0
}

// DraftTemplate returns a test of a seq's template with the plainest values and open links.
func (d *Drafts) DraftTemplate(t model.Template) model.Test {
	test := d.problem.DraftTest(t)
	test.Origin = model.ByHand
	return test
}

// known is the beginning of a test that ends with an operation which goes well there,
// or else a plain one.
func (d *Drafts) known(op model.OpID, tests []model.Test) model.Test {
	best := -1
	var t model.Test
	for _, from := range tests {
		i := slices.IndexFunc(from.Calls, func(c model.Call) bool { return c.Op == op && c.Status/100 == 2 })
		if i >= 0 && (best < 0 || i < best) {
			best, t = i, from
		}
	}
	if best < 0 {
		return d.plain(op)
	}
	begun := *testHead(t, best+1)
	begun.Origin, begun.Calls = model.ByHand, slices.Clone(begun.Calls)
	for i := range begun.Calls {
		begun.Calls[i].Status = 0
	}
	return begun
}

// plain is a test of an operation with the plainest values, behind those that give it
// some.
func (d *Drafts) plain(op model.OpID) model.Test {
	t, known := d.templates[op]
	if !known {
		t = model.Template{Steps: []model.Step{{Op: op}}}
	}
	t.Steps = slices.Clone(t.Steps)
	for i := range t.Steps {
		t.Steps[i].Min, t.Steps[i].Max = 1, 1
	}
	test := d.DraftTemplate(t)
	return withCalls(test, neededCalls(test, len(test.Calls)-1))
}

// fillLink gives a call what a link brings from the newest request of an operation that
// went well.
func (h *ManualSession) fillLink(l model.Link, from model.OpID, call model.Call) (model.Call, bool) {
	if h == nil {
		return call, false
	}
	for _, s := range slices.Backward(h.sent) {
		if s.call.Op == from && s.reply.Status/100 == 2 {
			if filled, ok := client.ApplyLink(h.bed.plan.Spec, l, s.call, s.reply, call); ok {
				return filled, true
			}
		}
	}
	return call, false
}
