package resource

import (
	"slices"

	"sonde/model"
)

// Creator is an operation that creates a resource.
type Creator struct {
	Op *model.Operation
	// Own tells that the client chooses the id, in the path; else the id stands
	// in the answer.
	Own bool
}

// Creators returns the operations that may create a resource, the likeliest
// first: of one with an id POST on its collection, then POST and PUT on
// itself, then POST and PUT on the closest constant part of its path; of
// another POST on itself.
//
// The EvoMaster paper (5.2.1) names the resource's own operations first. Where
// an API has both, PUT on the resource is mostly an update, and POST on the
// collection what the paper's examples show.
func (r *Resource) Creators() []Creator { return r.makers }

func (r *Resource) findMakers() []Creator {
	if !r.Param {
		if op := r.Operation("POST"); op != nil && ParamNames(r.Segment) == nil {
			return []Creator{{op, false}}
		}
		return nil
	}
	list := []Creator{{r.CollectionPost(), false}, {r.Operation("POST"), true}, {r.Operation("PUT"), true}}
	for a := r.Parent; a != nil && !a.Param; a = a.Parent {
		list = append(list, Creator{a.Operation("POST"), false}, Creator{a.Operation("PUT"), false})
	}
	var found []Creator
	for _, m := range list {
		if m.Op != nil && !slices.Contains(found, m) {
			found = append(found, m)
		}
	}
	return found
}

// CollectionPost returns the POST on the collection that a resource is in, or nil.
func (r *Resource) CollectionPost() *model.Operation {
	if r.Parent == nil {
		return nil
	}
	return r.Parent.Operation("POST")
}

// Creator returns the first maker of a resource that is allowed.
func (r *Resource) Creator(allowed func(Creator) bool) (Creator, bool) {
	for _, m := range r.Creators() {
		if allowed(m) {
			return m, true
		}
	}
	return Creator{}, false
}

// Listing returns the operation that lists the resources like this one.
func (r *Resource) Listing() (*model.Operation, bool) {
	if !r.Param || r.Parent.Param {
		return nil, false
	}
	op := r.Parent.Operation("GET")
	return op, op != nil
}
