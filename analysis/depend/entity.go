package depend

import (
	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// ResourceEntity is a kind of thing that an API keeps, and who deals with it: a place
// of the paths together with the parameters behind it, such as "/products" and
// "/products/{productId}", and with the actions below it, such as
// "/products/{productId}/publish".
type ResourceEntity struct {
	// Path is the shortest path that has operations, "/products" if it has any.
	Path string
	// Operations by [Role], each list in the order of the document.
	Operations [RoleAction + 1][]model.OpID
	// Needs are the entities of which there must be one before, in order.
	Needs []EntityNeed

	place *resource.Resource
}

// EntityNeed tells that operations of an entity need values that another's
// make, or that stand in its paths.
type EntityNeed struct {
	Entity int // into Inventory.Entities
	Values []string
}

// Inventory is what an API keeps: its entities, in the order of their first
// operations.
type Inventory struct {
	Entities []*ResourceEntity
	// MissingInputs are the operations that need what no other operation tells.
	MissingInputs []MissingInput

	of   map[model.OpID]int // operation → entity
	runs map[*resource.Resource]int
}

// MissingInput is values that an operation needs and that the client can neither make
// up nor get from another operation: data from outside.
type MissingInput struct {
	Op     model.OpID
	Values []string
}

// NewInventory takes stock of some of an API's operations, whose values the
// matcher knows. What there must be before them only a qualified matcher tells:
// instead of one that goes by names it makes one of its own, the usual one.
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
	inv.MissingInputs = s.outside(ops)
	return inv
}

// add gives an operation to its entity, which it makes if it is new.
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

// head returns the constant place before a run of parameters.
func head(r *resource.Resource) *resource.Resource {
	for r.Param {
		r = r.Parent
	}
	return r
}

// subject returns the place that an action below it is about, or the action's
// own where that is more than the action, or nothing above it is a thing.
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

// inhabited reports whether a place, or an element of it, has operations.
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
