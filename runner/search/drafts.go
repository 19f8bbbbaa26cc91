package search

import (
	"cmp"
	"slices"

	"sonde/model"
	"sonde/runner/search/individual"
)

// Drafts makes tests that a user can edit and send by hand. It sends no requests.
type Drafts struct {
	spec      *model.Spec
	problem   *individual.Problem
	templates map[model.OpID]model.Template
}

// NewDrafts returns drafts for the spec, the templates and the users of a plan.
func NewDrafts(p model.Plan) *Drafts {
	d := &Drafts{
		spec:      p.Spec,
		problem:   individual.New(model.Plan{Spec: p.Spec, Users: p.Users}),
		templates: map[model.OpID]model.Template{},
	}
	for _, t := range p.Templates {
		if old, known := d.templates[t.Target()]; !known || compareTemplates(t, old) > 0 {
			d.templates[t.Target()] = t
		}
	}
	return d
}

// compareTemplates compares two templates of one operation for sorting; the better template is greater. The template
// with more links into its last call, the call of the operation, is better. Next, the template with the greater
// weight is better; next, the template with more links; next, the shorter template.
func compareTemplates(a, b model.Template) int {
	return cmp.Or(
		cmp.Compare(linksInto(a.Links, len(a.Steps)-1), linksInto(b.Links, len(b.Steps)-1)), cmp.Compare(a.Weight, b.Weight),
		cmp.Compare(len(a.Links), len(b.Links)), cmp.Compare(len(b.Steps), len(a.Steps)),
	)
}

// linksInto returns the number of links into a call.
func linksInto(links []model.Link, call int) (n int) {
	for _, l := range links {
		if l.To == call {
			n++
		}
	}
	return n
}

// Draft returns a test that ends with a call of an operation, after the calls that create what it needs. The values
// come from one of the given tests: the one that gets a 2xx answer from the operation after the fewest calls. If
// there is no such test, they are the values of gene.Draft.
//
// Draft fills the links into the last call from the answers of the session h, which may be nil. ready is true if
// there are such links and all of them were filled: the earlier calls need not be sent then.
func (d *Drafts) Draft(op model.OpID, tests []model.Test, h *ManualSession) (t model.Test, ready bool) {
	t = d.draftFrom(op, tests)
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

// Args returns arguments for all parameters of an operation, including those that Draft leaves out. It returns nil if the
// spec does not have the operation.
func (d *Drafts) Args(op model.OpID) []model.Arg {
	if declared := d.spec.Operation(op); declared != nil {
		return individual.DraftArgs(declared)
	}
	return nil
}

// Bodies returns a draft of the body for each media type that an operation declares, in the order of the document. It
// returns nil if the spec does not have the operation.
func (d *Drafts) Bodies(op model.OpID) []model.Payload {
	if declared := d.spec.Operation(op); declared != nil {
		return individual.DraftBodies(declared)
	}
	return nil
}

// DraftTemplate returns a test that follows a template, with the values of gene.Draft and the template's links.
func (d *Drafts) DraftTemplate(t model.Template) model.Test {
	test := d.problem.DraftTest(t)
	test.Origin = model.OriginManual
	return test
}

// draftFrom chooses the test that gets a 2xx answer from an operation after the fewest calls, and cuts the test after
// this call. If no test has such a call, draftFrom returns a plain draft.
func (d *Drafts) draftFrom(op model.OpID, tests []model.Test) model.Test {
	best := -1
	var t model.Test
	for _, from := range tests {
		i := slices.IndexFunc(from.Calls, func(c model.Call) bool { return c.Op == op && c.Status/100 == 2 })
		if i >= 0 && (best < 0 || i < best) {
			best, t = i, from
		}
	}
	if best < 0 {
		return d.plainDraft(op)
	}
	begun := *testHead(t, best+1)
	begun.Origin, begun.Calls = model.OriginManual, slices.Clone(begun.Calls)
	for i := range begun.Calls {
		begun.Calls[i].Status = 0
	}
	return begun
}

// plainDraft returns a test of an operation with the values of gene.Draft, after the calls that it needs. Optional
// parameters of the query are left out, also those that a link would set: a request that only reads needs no others then.
func (d *Drafts) plainDraft(op model.OpID) model.Test {
	t, known := d.templates[op]
	if !known {
		t = model.Template{Steps: []model.TemplateStep{{Op: op}}}
	}
	t.Steps = slices.Clone(t.Steps)
	for i := range t.Steps {
		t.Steps[i].Min, t.Steps[i].Max = 1, 1
	}
	test := d.withoutOptional(d.DraftTemplate(t))
	return withCalls(test, neededCalls(test, len(test.Calls)-1))
}

// withoutOptional returns a test without the links into optional parameters of its last call's query.
func (d *Drafts) withoutOptional(t model.Test) model.Test {
	last := len(t.Calls) - 1
	op := d.spec.Operation(t.Calls[last].Op)
	if op == nil {
		return t
	}
	isOptional := func(in model.Location, name string) bool {
		return in == model.InQuery && slices.ContainsFunc(op.Params, func(p model.Parameter) bool {
			return p.In == in && p.Name == name && !p.Required
		})
	}
	args := slices.Clone(t.Calls[last].Args)
	for _, l := range t.Links {
		if l.To == last && isOptional(l.In, l.Name) {
			args = slices.DeleteFunc(args, func(a model.Arg) bool { return a.In == l.In && a.Name == l.Name })
		}
	}
	t.Calls = slices.Clone(t.Calls)
	t.Calls[last].Args = args
	t.Links = slices.DeleteFunc(slices.Clone(t.Links), func(l model.Link) bool { return l.To == last && isOptional(l.In, l.Name) })
	return t
}
