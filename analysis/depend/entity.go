package depend

import (
	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// ResourceEntity is a kind of thing that an API stores, with its operations: those of a path without a
// parameter at its end, such as "/products", of the paths with parameters after it, such as
// "/products/{productId}", and of the actions below these, such as "/products/{productId}/publish".
type ResourceEntity struct {
	// Path is the shortest path with operations: "/products", if that has any.
	Path string
	// Operations by [Role], each list in the order of the document.
	Operations [RoleAction + 1][]model.OpID
	// Needs are the entities that must exist before this one, in order.
	Needs []EntityNeed

	place *resource.Resource
}

// EntityNeed is the values of another entity that an entity's operations need: values that operations of the
// other entity emit, or ids in its paths.
type EntityNeed struct {
	Entity int // index into Inventory.Entities
	Values []string
}

// Inventory is the entities of an API, in the order of their first operations.
type Inventory struct {
	Entities []*ResourceEntity
	// MissingInputs are the operations that need values without a source in the API.
	MissingInputs []MissingInput

	of   map[model.OpID]int // operation → entity
	runs map[*resource.Resource]int
}

// MissingInput is the values that an operation needs and that the client can neither choose nor get from
// another operation. They come from outside the API.
type MissingInput struct {
	Op     model.OpID
	Values []string
}

// NewInventory returns the inventory of some operations of an API, whose values the matcher has. Only a
// qualified matcher can find needs: if m matches by name, NewInventory uses a matcher of the default mode.
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

// add adds an operation to its entity. It creates the entity if it is new.
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

// head returns the resource without a parameter before the parameters at the end of r's path.
func head(r *resource.Resource) *resource.Resource {
	for r.Param {
		r = r.Parent
	}
	return r
}

// subject returns the resource on which an action acts: its parent. It is the action's own resource if that
// has a parameter or other operations, or if the parent is the root or has no operations.
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

// inhabited reports whether a resource, or an element of it, has operations.
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
