package depend

import (
	"cmp"
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// ImpactResource is one kind of element that is deleted together with another element.
type ImpactResource struct {
	// Entity is the kind of element. It is "" for parts of the deleted element that have no identifier of
	// their own.
	Entity string
	// Path is the shortest path of the elements. Parts without an identifier have the path of the deleted
	// element.
	Path       string
	Operations []ImpactedOperation
}

// impactResources collects the resources that are deleted with an element.
type impactResources struct {
	*feeders
	deletes *model.Operation
	at      map[string]int
	list    []ImpactResource
}

func (f *feeders) impactResources(deletes *model.Operation) *impactResources {
	return &impactResources{feeders: f, deletes: deletes, at: map[string]int{}}
}

// add adds an operation to the resource that it uses.
func (s *impactResources) add(op *model.Operation, use ImpactedOperation) {
	entity, path := s.elementOf(op)
	k, known := s.at[entity]
	if !known {
		k = len(s.list)
		s.at[entity] = k
		s.list = append(s.list, ImpactResource{Entity: entity, Path: path})
	}
	r := &s.list[k]
	if len(path) < len(r.Path) {
		r.Path = path
	}
	r.Operations = append(r.Operations, use)
}

// elementOf returns the kind and the path of the elements that an operation below the deleted element
// uses. If the elements only connect the deleted element to another one, their kind is named after
// their path: a collaborator of a repository is not a user.
func (s *impactResources) elementOf(op *model.Operation) (entity, path string) {
	home := s.matcher.ResourceOf(s.deletes)
	last, _ := s.pathValues(s.deletes)
	at := s.matcher.ResourceOf(op)
	if c := elementBelow(at); c != nil {
		at = c
	}
	for !at.Param && at.Parent != nil {
		at = at.Parent
	}
	if at == home || s.names(op, at, last) {
		if s.matcher.ResourceOf(op) != at {
			return "", home.Path
		}
		return s.entityOfPath(at), home.Path
	}
	entity = s.entityOfPath(at)
	if first := firstOperation(at); entity == "" || first != nil && s.connects(first) {
		entity = match.EntityName(match.ResourceName(at.Path))
	}
	return entity, at.Path
}

// names reports whether a parameter in an operation's path has the identity value and belongs to the
// resource at.
func (s *impactResources) names(op *model.Operation, at *resource.Resource, value string) bool {
	return slices.ContainsFunc(s.matcher.UsesOf(op), func(u match.ValueUse) bool {
		p, ok := s.placeOf(op, u)
		return ok && p.at == at && u.ID == value
	})
}

// elementBelow returns the resource of a collection's elements. It returns nil if r is no collection.
func elementBelow(r *resource.Resource) *resource.Resource {
	if r.Param {
		return nil
	}
	for _, c := range r.Children {
		if c.Param {
			return c
		}
	}
	return nil
}

// firstOperation returns the first operation of a resource, or nil if it has none.
func firstOperation(r *resource.Resource) *model.Operation {
	if len(r.Operations) == 0 {
		return nil
	}
	return r.Operations[0]
}

// sorted returns the resources, those with the most operations first, and the parts without an identifier last.
func (s *impactResources) sorted() []ImpactResource {
	slices.SortStableFunc(s.list, func(a, b ImpactResource) int {
		return cmp.Or(
			compareBools(a.Entity == "", b.Entity == ""),
			cmp.Compare(len(b.Operations), len(a.Operations)),
			cmp.Compare(a.Entity, b.Entity),
		)
	})
	return s.list
}
