package depend

import (
	"cmp"
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// need is a field of a request that names a resource.
type need struct {
	field
	of *resource.Resource
}

// needed returns the required fields of an operation that name a resource
// which another operation creates.
func (x *index) needed(op *model.Operation) []need {
	var list []need
	for _, f := range required(op) {
		if r := x.find(f.name, x.at[op.ID]); r != nil && !made(r, op) {
			list = append(list, need{f, r})
		}
	}
	return list
}

// made tells whether that operation is the one that creates the resource.
func made(r *resource.Resource, op *model.Operation) bool {
	m := r.Makers()
	return len(m) > 0 && m[0].Op == op
}

// find returns the resource that a field of that name points at, seen from a
// place in the tree, or nil. A field that does not end in a word such as "id"
// points only at resources that have an id.
func (x *index) find(name string, near *resource.Resource) *resource.Resource {
	things := match.Things(name)
	for _, thing := range things {
		if r := x.nearest(x.things[thing], name, near); r != nil {
			return r
		}
	}
	if len(things) == 0 {
		return nil
	}
	return x.nearest(x.named[things[0]], name, near)
}

// nearest returns the resource that shares the most of its path with a place;
// of equals one with an id, then that with the shorter path, then the first.
func (x *index) nearest(list []*resource.Resource, name string, near *resource.Resource) *resource.Resource {
	list = slices.DeleteFunc(slices.Clone(list), func(r *resource.Resource) bool {
		return !r.Param && !match.Identifies(name)
	})
	if len(list) == 0 {
		return nil
	}
	return slices.MinFunc(list, func(a, b *resource.Resource) int {
		return cmp.Or(
			cmp.Compare(resource.Common(b, near), resource.Common(a, near)),
			cmp.Compare(many(b), many(a)),
			cmp.Compare(a.Depth(), b.Depth()),
			cmp.Compare(x.order[a], x.order[b]),
		)
	})
}

func many(r *resource.Resource) int {
	if r.Param {
		return 1
	}
	return 0
}

// alias is where the id in a path comes from, if not from where it stands:
// "/stock/{productId}" takes that of "/products".
type alias struct {
	of *resource.Resource // nil if there is none
	// named tells that the parameter names the other resource; else the other
	// only helps where nothing creates this one.
	named bool
}

// alias finds it by the parameter's name, beside the resource, by the
// collection's name, or as a part of what another operation creates.
func (x *index) alias(r *resource.Resource) alias {
	name := resource.Params(r.Segment)[0]
	things := match.Things(name)
	thing := match.Thing(match.Resource(r.Path))
	if !slices.Contains(things, thing) {
		if of := x.find(name, r); of != nil && of != r {
			return alias{of, true}
		}
	}
	if len(r.Makers()) > 0 {
		return alias{}
	}
	if of := sibling(r); of != nil {
		return alias{of: of}
	}
	if of := x.nearest(x.things[thing], thing, r); of != nil || len(things) == 0 {
		return alias{of: of}
	}
	return alias{of: x.nearest(x.gives[name], name, r)}
}

// sibling returns the place beside a resource where the like of it is created,
// such as "/users/register" for "/users/{id}", or nil.
func sibling(r *resource.Resource) *resource.Resource {
	for _, c := range r.Parent.Children {
		about := match.Resource(c.Path) == match.Resource(r.Path)
		if about && !c.Param && resource.Params(c.Segment) == nil && c.Operation("POST") != nil {
			return c
		}
	}
	return nil
}
