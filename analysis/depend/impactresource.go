package depend

import (
	"cmp"
	"maps"
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// ImpactResource is a kind of element at or below the path of a deleted element, with its operations.
type ImpactResource struct {
	// Entity is the name of the kind. It is "" for parts of the deleted element that have no identifier of their own.
	Entity string
	// Path is the shortest path of the elements. Parts without an identifier have the path of the deleted
	// element.
	Path       string
	Operations []ImpactedOperation
}

// impactResources groups the operations at and below a deleted element by the resources that they use.
type impactResources struct {
	*feeders
	deletes *model.Operation
	last    string          // the identity of the last parameter in the path of the deleted element
	naming  map[string]bool // the identities of all values that name an element of the deleted kind
	deleted resourceLevel
	// members has the resources that also exist without the deleted element.
	members resourceLevel
}

func (f *feeders) impactResources(deletes *model.Operation, identities []string) *impactResources {
	last, _ := f.pathValues(deletes)
	s := &impactResources{feeders: f, deletes: deletes, last: last, naming: map[string]bool{last: true}}
	for _, id := range identities {
		s.naming[id] = true
	}
	return s
}

// place returns the element that an operation below the deleted element uses, and the level in which the operation
// belongs.
func (s *impactResources) place(op *model.Operation) (impactElement, *resourceLevel) {
	e := s.elementOf(op)
	if e.member {
		return e, &s.members
	}
	return e, &s.deleted
}

// impactElement is the kind of element that an operation below a deleted element uses.
type impactElement struct {
	entity, path string
	member       bool // the elements also exist without the deleted element
}

// elementOf returns the kind of element that an operation below the deleted element uses. If the kind is unknown, or
// if the operation only connects the deleted element to elements of another kind, the result is named after the path.
func (s *impactResources) elementOf(op *model.Operation) impactElement {
	home := s.matcher.ResourceOf(s.deletes)
	at := s.matcher.ResourceOf(op)
	if c := elementBelow(at); c != nil {
		at = c
	}
	for !at.Param && at.Parent != nil {
		at = at.Parent
	}
	switch {
	case (at == home || s.namesAt(op, at)) && s.matcher.ResourceOf(op) == at:
		return impactElement{entity: s.entityOfPath(at), path: home.Path}
	case at == home || s.namesAt(op, at):
		if u, ok := s.listed(op); ok && s.listsMembers(op, u) {
			return impactElement{entity: u.Entity(), path: s.matcher.ResourceOf(op).Path, member: true}
		}
		return impactElement{path: home.Path}
	}
	e := impactElement{entity: s.entityOfPath(at), path: at.Path, member: s.isMember(at)}
	if first := firstOperation(at); e.entity == "" || !e.member && first != nil && s.connects(first) {
		e.entity = match.EntityName(match.ResourceName(at.Path))
	}
	return e
}

// isMember reports whether the elements of a resource below the deleted element also exist without the deleted
// element. Two conditions must hold: no operation creates elements at this resource, and other operations name, read
// or create the same elements in a path without the deleted element.
func (s *impactResources) isMember(at *resource.Resource) bool {
	last, ids := s.identityAt(at)
	if last == "" || s.naming[last] || s.createdAt(at, last) {
		return false
	}
	return s.namedOutside(last, ids) || s.madeOutside(last)
}

// identityAt returns the identities of the parameters in a resource's path. last is the identity of the last
// parameter. ids has the identities of all parameters.
func (s *impactResources) identityAt(at *resource.Resource) (last string, ids map[string]bool) {
	above := map[*resource.Resource]bool{}
	for r := at; r != nil; r = r.Parent {
		above[r] = true
	}
	for op := range operationsBelow(at) {
		ids = map[string]bool{}
		uses := s.matcher.UsesOf(op)
		for i := range uses {
			u := &uses[i]
			if p, ok := s.placeOf(op, u); ok && above[p.at] {
				ids[u.ID] = true
				if p.at == at {
					last = u.ID
				}
			}
		}
		break
	}
	return last, ids
}

// createdAt reports whether an operation creates new elements of a resource, instead of adding existing ones. last is
// the identity of the elements' identifier.
func (s *impactResources) createdAt(at *resource.Resource, last string) bool {
	return slices.ContainsFunc(s.by[last], func(b feeder) bool {
		r := s.matcher.ResourceOf(b.op)
		return b.rank == rankPost && (r == at || r == at.Parent)
	})
}

// namedOutside reports whether other operations name the element without naming the deleted element. They must name it
// by fewer values than ids has, and ids must have all of these values.
func (s *impactResources) namedOutside(last string, ids map[string]bool) bool {
	return slices.ContainsFunc(s.elements[last], func(other map[string]bool) bool {
		return len(other) < len(ids) && subset(other, ids) && !s.leadsHere(other)
	})
}

// madeOutside reports whether elements with the identifier last also exist outside the deleted element. This is so if
// an operation creates or reads one such element at a path that contains neither the deleted element nor last. Paths
// with last are compared by namedOutside.
func (s *impactResources) madeOutside(last string) bool {
	return slices.ContainsFunc(s.by[last], func(b feeder) bool {
		r := s.matcher.ResourceOf(b.op)
		one := r.Param || b.rank == rankPost
		if c := elementBelow(r); c != nil {
			r = c
		}
		at, _ := s.identityAt(r)
		_, ids := s.pathValues(b.op)
		return one && b.rank <= rankRead && b.use.Out && !inList(b.use) && at != last && !s.leadsHere(ids)
	})
}

// leadsHere reports whether one of the values in a path names the deleted element.
func (s *impactResources) leadsHere(ids map[string]bool) bool {
	for id := range ids {
		if s.naming[id] {
			return true
		}
	}
	return false
}

// listed returns the identifier of the elements that an operation lists in its answer. ok is false if the answer is
// not a list of elements, or if the elements are of the same kind as the deleted element.
func (s *impactResources) listed(op *model.Operation) (u match.ValueUse, ok bool) {
	main := s.main[op]
	if writes(op.Method) || main.name == "" {
		return match.ValueUse{}, false
	}
	for _, u := range s.matcher.UsesOf(op) {
		if u.Out && u.Kind == match.KindIdentifier && u.Entity() == main.name && depthOf(&u) <= main.depth && inList(&u) {
			return u, !s.naming[u.ID]
		}
	}
	return match.ValueUse{}, false
}

// listsMembers reports whether the elements that an operation lists also exist without the deleted element. u is
// their identifier.
func (s *impactResources) listsMembers(op *model.Operation, u match.ValueUse) bool {
	_, ids := s.pathValues(op)
	ids = maps.Clone(ids) // pathValues returns a cached set, which must not be changed
	ids[u.ID] = true
	return s.namedOutside(u.ID, ids) || s.madeOutside(u.ID)
}

// namesAt reports whether a parameter in an operation's path names the deleted element. at is the resource whose
// segment has the parameter.
func (s *impactResources) namesAt(op *model.Operation, at *resource.Resource) bool {
	return slices.ContainsFunc(s.matcher.UsesOf(op), func(u match.ValueUse) bool {
		p, ok := s.placeOf(op, &u)
		return ok && p.at == at && u.ID == s.last
	})
}

// elementBelow returns the resource of a collection's elements. Their path may have several parameters after the
// collection. It returns nil if r is not a collection.
func elementBelow(r *resource.Resource) (element *resource.Resource) {
	for !r.Param || element != nil && len(r.Operations) == 0 {
		i := slices.IndexFunc(r.Children, func(c *resource.Resource) bool { return c.Param })
		if i < 0 {
			break
		}
		r = r.Children[i]
		element = r
	}
	return element
}

// firstOperation returns the first operation of a resource, or nil if it has none.
func firstOperation(r *resource.Resource) *model.Operation {
	if len(r.Operations) == 0 {
		return nil
	}
	return r.Operations[0]
}

// resourceLevel collects the operations of a level, by path and by resource.
type resourceLevel struct {
	groups impactGroups
	at     map[string]int
	list   []ImpactResource
}

// add adds an operation to the group of a path and to the resource of an element. Members of different collections are
// different resources.
func (l *resourceLevel) add(group string, e impactElement, use ImpactedOperation) {
	l.groups.add(group, use)
	key := e.entity
	if e.member {
		key += " " + e.path
	}
	k, known := l.at[key]
	if !known {
		if l.at == nil {
			l.at = map[string]int{}
		}
		k = len(l.list)
		l.at[key] = k
		l.list = append(l.list, ImpactResource{Entity: e.entity, Path: e.path})
	}
	r := &l.list[k]
	if len(e.path) < len(r.Path) {
		r.Path = e.path
	}
	r.Operations = append(r.Operations, use)
}

// sorted returns the resources. Resources with the most operations come first, and parts without an identifier come
// last.
func (l *resourceLevel) sorted() []ImpactResource {
	slices.SortStableFunc(l.list, func(a, b ImpactResource) int {
		return cmp.Or(
			compareBools(a.Entity == "", b.Entity == ""),
			cmp.Compare(len(b.Operations), len(a.Operations)),
			cmp.Compare(a.Entity, b.Entity),
		)
	})
	return l.list
}
