package resource

import (
	"slices"

	"sonde/model"
)

// Creator is an operation that creates a resource.
type Creator struct {
	Op *model.Operation
	// Own reports whether the client chooses the id, which is in the path. Otherwise the id is in the answer.
	Own bool
}

// Creators returns the operations that may create a resource, the most likely first. For a resource with an id they
// are:
//  1. POST on its collection
//  2. POST and PUT on the resource itself
//  3. POST and PUT on the resources above it, but below the closest one with a parameter
//
// For a resource without an id, the only creator is POST on the resource itself. There is none if the segment has a
// parameter, such as "list.{name}".
//
// The EvoMaster paper (5.2.1) puts the operations on the resource itself first. But if an API has both, PUT on the
// resource is usually an update, and the paper's own examples use POST on the collection.
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

// CollectionPost returns the POST operation of the resource's collection, or nil.
func (r *Resource) CollectionPost() *model.Operation {
	if r.Parent == nil {
		return nil
	}
	return r.Parent.Operation("POST")
}

// Creator returns the first of Creators for which allowed returns true. It returns false if there is none.
func (r *Resource) Creator(allowed func(Creator) bool) (Creator, bool) {
	for _, m := range r.Creators() {
		if allowed(m) {
			return m, true
		}
	}
	return Creator{}, false
}

// Listing returns the operation that lists the resource's collection. ok is false if there is none, or if the resource
// is not an element of a collection.
func (r *Resource) Listing() (*model.Operation, bool) {
	if !r.Param || r.Parent.Param {
		return nil, false
	}
	op := r.Parent.Operation("GET")
	return op, op != nil
}
