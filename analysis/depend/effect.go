package depend

import (
	"sonde/model"
	"sonde/model/resource"
)

// Effect is what an operation does to its element, as a verb.
type Effect string

// The effects of operations.
const (
	EffectCreates Effect = "creates"
	EffectDeletes Effect = "deletes"
	// EffectDetaches is the effect of a DELETE that removes only the connection between two elements. For example, a
	// user who is removed from a team still exists.
	EffectDetaches Effect = "detaches"
	EffectAttaches Effect = "attaches"
	EffectChanges  Effect = "changes"
	EffectReads    Effect = "reads"
)

// effect returns what an operation does to its element.
func (f *feeders) effect(op *model.Operation) Effect {
	r := f.matcher.ResourceOf(op)
	switch {
	case op.Method == "DELETE" && (r.Param && f.connects(op) || !r.Param && !hasElement(r)):
		return EffectDetaches
	case op.Method == "DELETE":
		return EffectDeletes
	case f.createsNew(op):
		return EffectCreates
	case op.Method == "PUT" && r.Param && f.connects(op):
		return EffectAttaches
	case writes(op.Method):
		return EffectChanges
	}
	return EffectReads
}

// homes returns the paths of the elements that operations create, delete, change or read. An element has the path of
// the operation, or a path one parameter longer: for POST /products and for GET /products/{id}, the path is
// /products/{id}. Each path in the result is the set of the identities of its parameters. Operations without such a
// path are left out.
func (f *feeders) homes(ops []*model.Operation) (list []map[string]bool) {
	for _, op := range ops {
		r := f.matcher.ResourceOf(op)
		for _, c := range append([]*resource.Resource{r}, r.Children...) {
			if c.Param && len(c.Operations) > 0 {
				_, ids := f.pathValues(c.Operations[0])
				list = append(list, ids)
				break
			}
		}
	}
	return list
}

// subject returns the name of the entity whose elements an operation creates, deletes, changes or reads, or "" if it
// is unknown.
func (f *feeders) subject(op *model.Operation) string {
	r := f.matcher.ResourceOf(op)
	if f.createsNew(op) && f.main[op].name != "" {
		return f.main[op].name
	}
	if r.Param {
		return f.entityOfPath(r)
	}
	for _, c := range r.Children {
		if c.Param {
			return f.entityOfPath(c)
		}
	}
	if f.createsNew(op) {
		return ""
	}
	for a := r.Parent; a != nil && writes(op.Method); a = a.Parent {
		if a.Param {
			return f.entityOfPath(a)
		}
	}
	return f.main[op].name
}

// entityOfPath returns the entity that the last parameter in a resource's path identifies, or "" if it is unknown.
func (f *feeders) entityOfPath(r *resource.Resource) string {
	for op := range operationsBelow(r) {
		uses := f.matcher.UsesOf(op)
		for i := range uses {
			if p, ok := f.placeOf(op, &uses[i]); ok && p.at == r {
				return uses[i].Entity()
			}
		}
	}
	return ""
}

// operationsBelow returns an iterator over the operations of a resource and of the resources below it.
func operationsBelow(r *resource.Resource) func(func(*model.Operation) bool) {
	return func(yield func(*model.Operation) bool) {
		for c := range r.Subtree() {
			for _, op := range c.Operations {
				if !yield(op) {
					return
				}
			}
		}
	}
}

// identifiersOf returns the identities of the inputs by which ops name an element of an entity.
func (f *feeders) identifiersOf(entity string, ops []*model.Operation) []string {
	var list []string
	for _, op := range ops {
		for _, u := range f.matcher.UsesOf(op) {
			if names(u, entity) {
				list = including(list, u.ID)
			}
		}
	}
	return list
}
