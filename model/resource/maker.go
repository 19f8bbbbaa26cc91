package resource

import (
	"slices"

	"sonde/model"
)

// Maker is an operation that creates a resource.
type Maker struct {
	Op *model.Operation
	// Own tells that the client chooses the id, in the path; else the id stands
	// in the answer.
	Own bool
}

// Makers returns the operations that may create a resource, the likeliest
// first: of one with an id POST on its collection, then POST and PUT on
// itself, then POST and PUT on the closest constant part of its path; of
// another POST on itself.
//
// The EvoMaster paper (5.2.1) names the resource's own operations first. Where
// an API has both, PUT on the resource is mostly an update, and POST on the
// collection what the paper's examples show.
func (r *Resource) Makers() []Maker { return r.makers }

func (r *Resource) findMakers() []Maker {
	if !r.Param {
		if op := r.Operation("POST"); op != nil && Params(r.Segment) == nil {
			return []Maker{{op, false}}
		}
		return nil
	}
	list := []Maker{{r.Direct(), false}, {r.Operation("POST"), true}, {r.Operation("PUT"), true}}
	for a := r.Parent; a != nil && !a.Param; a = a.Parent {
		list = append(list, Maker{a.Operation("POST"), false}, Maker{a.Operation("PUT"), false})
	}
	var found []Maker
	for _, m := range list {
		if m.Op != nil && !slices.Contains(found, m) {
			found = append(found, m)
		}
	}
	return found
}

// Direct returns the POST on the collection that a resource is in, or nil.
func (r *Resource) Direct() *model.Operation {
	if r.Parent == nil {
		return nil
	}
	return r.Parent.Operation("POST")
}

// Maker returns the first maker of a resource that is allowed.
func (r *Resource) Maker(allowed func(Maker) bool) (Maker, bool) {
	for _, m := range r.Makers() {
		if allowed(m) {
			return m, true
		}
	}
	return Maker{}, false
}

// Listing returns the operation that lists the resources like this one.
func (r *Resource) Listing() (*model.Operation, bool) {
	if !r.Param || r.Parent.Param {
		return nil, false
	}
	op := r.Parent.Operation("GET")
	return op, op != nil
}
