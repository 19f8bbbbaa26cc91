package depend

import (
	"sonde/model"
	"sonde/model/resource"
)

// maxSteps is the maximum number of steps of a template. At most one step is repeated, up to three times, so a test
// has up to ten calls, as in the EvoMaster paper.
const maxSteps = 8

// builder makes one template. The steps that create what a step needs come before that step.
type builder struct {
	*binder
	steps []model.TemplateStep

	held int                                     // number of steps that are started and not added yet
	used map[model.OpID]bool                     // operations of steps that are started or added
	done map[*resource.Resource]bool             // resources for which ensure was called
	by   map[*resource.Resource]resource.Creator // by resource: the operation that must create it, if prescribed
	not  *resource.Resource                      // a resource that must not be created, nil for none

	deleted *resource.Resource // the resource that the target of the template deletes, nil for none
}

// add adds the steps that create what an operation needs (the EvoMaster paper, section 5.2.6), then the
// operation's own step, which is called between least and most times. It does nothing if the template is full.
func (b *builder) add(op *model.Operation, least, most int) {
	if len(b.steps)+b.held >= maxSteps {
		return
	}
	b.held++
	b.used[op.ID] = true
	b.prepare(op)
	b.held--

	b.bind(op)
	b.steps = append(b.steps, model.TemplateStep{Op: op.ID, Min: least, Max: most})
}

// prepare adds steps that create the resources an operation needs: those on its path and, if fields are
// linked, those to which its fields refer.
func (b *builder) prepare(op *model.Operation) {
	for _, p := range b.places[op.ID] {
		b.ensure(p.at)
	}
	if b.fields == noFields {
		return
	}
	b.addLinkSources(op)
	for _, n := range b.needs[op.ID] {
		if b.ties(op, !n.optional) {
			b.ensure(n.of)
		}
	}
}

// ensure adds a step that creates r. It adds no step if ensure was called for r before, if an earlier
// step has the id of r, or if r is b.not.
//
// If fields are linked, there are two more cases. If the id of r is that of another resource, ensure is first called
// for the other resource. If no unused operation creates r, the step lists r instead. There is no such step if the
// target deletes r, because the target would delete a resource that other tests need.
func (b *builder) ensure(r *resource.Resource) {
	if b.done[r] {
		return
	}
	b.done[r] = true
	a := b.aliases[r]
	if b.fields > noFields && a.of != nil {
		b.ensure(a.of)
	}
	if _, known := b.made[r]; known || r == b.not {
		return
	}
	m, ok := b.by[r]
	if !ok {
		m, ok = r.Creator(func(m resource.Creator) bool { return !b.used[m.Op.ID] })
	}
	if !ok && b.fields > noFields && r != b.deleted {
		m.Op, ok = r.Listing()
	}
	if ok && !b.used[m.Op.ID] {
		b.add(m.Op, 1, 1)
	}
}
