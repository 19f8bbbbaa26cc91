package depend

import (
	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// ResourceEntity is a kind of thing that an API stores, with its operations. These are the operations on a
// collection, such as "/products", on the collection's elements, such as "/products/{productId}", and on actions of
// the elements, such as "/products/{productId}/publish".
type ResourceEntity struct {
	// Path is the shortest path of the entity with operations, such as "/products".
	Path string
	// Operations are the operations of the entity by their [Role]. Each list is in the order of the document.
	Operations [RoleAction + 1][]model.OpID
	// Needs lists the other entities that must exist before this entity, in order.
	Needs []EntityNeed

	place *resource.Resource
}

// EntityNeed has the values that an entity's operations take from another entity. The operations of the other entity
// emit these values or have them in their paths.
type EntityNeed struct {
	Entity int // index into Inventory.Entities
	Values []string
}

// Inventory has the entities of an API, in the order of their first operations.
type Inventory struct {
	Entities []*ResourceEntity
	// MissingInputs are the operations that need values without a source in the API.
	MissingInputs []MissingInput

	of   map[model.OpID]int         // for each operation, the index of its entity
	runs map[*resource.Resource]int // for each resource that head returns, the index of its entity
}

// MissingInput has the values that an operation needs and that must come from outside the API. The client can neither
// choose these values nor get them from another operation.
type MissingInput struct {
	Op     model.OpID
	Values []string
}

// NewInventory returns the inventory of operations. m has the values of the operations. If m matches by name,
// NewInventory uses a matcher of the default mode instead, because only a qualified matcher can find needs.
func NewInventory(m *match.Matcher, ops []*model.Operation) *Inventory {
	if m.Mode.Match != match.MatchQualified {
		m = match.New(ops, match.DefaultMode)
	}
	inv := &Inventory{of: map[model.OpID]int{}, runs: map[*resource.Resource]int{}}
	for _, op := range ops {
		inv.add(op, m.ResourceOf(op))
	}
	s := newSupply(inv, newIndex(m, ops), ops)
	s.connect(ops)
	inv.MissingInputs = s.missing(ops)
	return inv
}

// add adds an operation to its entity. If there is no such entity yet, add creates it.
func (inv *Inventory) add(op *model.Operation, r *resource.Resource) {
	roles := rolesOf(r, op)
	place := r
	if roles[0] == RoleAction || roles[0] == RoleCreate && makes(r) {
		place = subject(r)
	}
	run := head(place)
	k, ok := inv.runs[run]
	if !ok {
		k = len(inv.Entities)
		inv.runs[run] = k
		inv.Entities = append(inv.Entities, &ResourceEntity{Path: place.Path, place: place})
	}
	e := inv.Entities[k]
	inv.of[op.ID] = k
	if len(place.Operations) > 0 && (len(e.place.Operations) == 0 || place.Depth() < e.place.Depth()) {
		e.Path, e.place = place.Path, place
	}
	for _, role := range roles {
		e.Operations[role] = append(e.Operations[role], op.ID)
	}
}

// head returns the closest resource at or above r whose last segment is not a parameter.
func head(r *resource.Resource) *resource.Resource {
	for r.Param {
		r = r.Parent
	}
	return r
}

// subject returns the resource on which the action r acts: the parent of r. It returns r itself in these cases:
//   - r ends in a parameter or has several operations.
//   - r or its parent is the root.
//   - The parent of r does not end in a parameter, and neither the parent nor its elements have operations.
func subject(r *resource.Resource) *resource.Resource {
	up := r.Parent
	if r.Param || len(r.Operations) > 1 || up == nil || up.Parent == nil {
		return r
	}
	if up.Param || inhabited(up) {
		return up
	}
	return r
}

// inhabited reports whether a resource or its elements have operations.
func inhabited(r *resource.Resource) bool {
	if len(r.Operations) > 0 {
		return true
	}
	for _, c := range r.Children {
		if c.Param && inhabited(c) {
			return true
		}
	}
	return false
}
