package depend

import (
	"sonde/model"
	"sonde/model/resource"
)

// maxSteps is the maximum number of steps of a template. At most one step is repeated, up to three times by default. A
// test therefore has up to ten calls, as in the EvoMaster paper.
const maxSteps = 8

// builder makes templates, one after the other. The steps that create the resources for a step come before this step.
type builder struct {
	*binder
	steps []model.TemplateStep

	held int                         // number of steps that are started but not yet added
	used map[*model.Operation]bool   // operations of steps that are started or added
	done map[*resource.Resource]bool // resources for which ensure was called
	// at is the resource of the target. by is the operation that must create it; by.Op is nil if none is prescribed.
	at  *resource.Resource
	by  resource.Creator
	not *resource.Resource // a resource that must not be created, nil for none

	deleted *resource.Resource // the resource that the target of the template deletes, nil for none

	ids map[string]bool // the identities of inputs that repeats has seen; reused to save memory
}

func (f *feeders) builder() *builder {
	return &builder{
		binder: f.binder(noFields, nil),
		used:   map[*model.Operation]bool{},
		done:   map[*resource.Resource]bool{},
		ids:    map[string]bool{},
	}
}

// reset prepares a builder for the template of a target.
func (b *builder) reset(which fields, target *model.Operation) {
	b.binder.reset(which, target)
	clear(b.used)
	clear(b.done)
	b.steps, b.held, b.at = b.steps[:0], 0, b.matcher.ResourceOf(target)
	b.by, b.not, b.deleted = resource.Creator{}, nil, nil
}

// add adds a step for an operation. least and most are the minimum and the maximum number of its calls. Before this
// step, it adds the steps that create the resources that the operation needs (the EvoMaster paper, section 5.2.6). It
// adds nothing if the template has the maximum number of steps.
func (b *builder) add(op *model.Operation, least, most int) {
	if len(b.steps)+b.held >= maxSteps {
		return
	}
	b.held++
	b.used[op] = true
	b.prepare(op)
	b.held--

	b.bind(op)
	b.steps = append(b.steps, model.TemplateStep{Op: op.ID, Min: least, Max: most})
}

// prepare adds steps that create the resources that an operation needs. These are the resources in its path and, if
// fields are linked, the resources to which its fields refer.
func (b *builder) prepare(op *model.Operation) {
	for _, p := range b.places[op] {
		b.ensure(p.at)
	}
	if b.fields == noFields {
		return
	}
	b.addLinkSources(op)
	for _, n := range b.needs[op] {
		if b.ties(op, !n.optional) {
			b.ensure(n.of)
		}
	}
}

// ensure adds a step that creates the resource r. It adds no step in these cases:
//   - ensure was called for r before.
//   - An earlier step has the id of r.
//   - r is b.not.
//
// If fields are linked, there are two more rules. If the id of r is the id of another resource, ensure first ensures
// the other resource. If no unused operation creates r, ensure adds a step that lists r, unless the target deletes r:
// the target would then delete a resource that other tests need.
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
	m, ok := b.by, b.by.Op != nil && r == b.at
	if !ok {
		m, ok = r.Creator(func(m resource.Creator) bool { return !b.used[m.Op] })
	}
	if !ok && b.fields > noFields && r != b.deleted {
		m.Op, ok = r.Listing()
	}
	if ok && !b.used[m.Op] {
		b.add(m.Op, 1, 1)
	}
}
