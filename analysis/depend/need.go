package depend

import (
	"cmp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// need is a field of a request that names a resource.
type need struct {
	in   model.Location // query or body
	link string         // the name that a link gives it: a JSON pointer in a body
	of   *resource.Resource
	// optional tells that the field may be absent.
	optional bool
}

// needed returns the query parameters and body fields of an operation that name a
// resource which another operation creates.
func (x *index) needed(op *model.Operation) []need {
	var list []need
	for _, u := range x.matcher.UsesOf(op) {
		if !u.IsReference || !linkable(op, u) {
			continue
		}
		if r := x.find(u, x.matcher.ResourceOf(op)); r != nil && !made(r, op) {
			list = append(list, need{in: u.In, link: cmp.Or(u.Pointer, u.Name), of: r, optional: !u.Mandatory})
		}
	}
	return list
}

// linkable reports whether an earlier answer's value can be put there: into the
// query, or into a body of JSON.
func linkable(op *model.Operation, u match.ValueUse) bool {
	if u.Out || u.In != model.InBody || u.Pointer == "" {
		return !u.Out && u.In == model.InQuery
	}
	media, _, _ := strings.Cut(strings.ToLower(op.Body.Contents[0].Media), ";")
	media = strings.TrimSpace(media)
	return media == "application/json" || strings.HasSuffix(media, "+json") || media == "*/*"
}

// made reports whether that operation is the likeliest to create the resource.
func made(r *resource.Resource, op *model.Operation) bool {
	m := r.Creators()
	return len(m) > 0 && m[0].Op == op
}

// find returns the resource that a value names and that can be created, seen
// from a place in the tree, or nil: one of the places of the thing that the value
// is an attribute of, or else one whose creation tells the value.
func (x *index) find(u match.ValueUse, near *resource.Resource) *resource.Resource {
	if r := x.nearest(x.matcher.EntityResources(u), near); r != nil {
		return r
	}
	return x.giver(u.ID, near)
}

// giver returns the nearest of the resources whose creation tells a value, or
// nil.
func (x *index) giver(value string, near *resource.Resource) *resource.Resource {
	return x.among(value, x.gives[value], near)
}

// nearest returns the nearest of the places of one thing, or nil.
func (x *index) nearest(places []*resource.Resource, near *resource.Resource) *resource.Resource {
	if len(places) == 0 {
		return nil
	}
	return x.among(places[0], places, near) // no two things have a place in common
}

// among returns of the resources that can be created the one that shares the
// most of its path with a place; of equals one with an id, then that with the
// shorter path, then the first. The list always is the same for a key.
func (x *index) among(key any, list []*resource.Resource, near *resource.Resource) *resource.Resource {
	n, known := x.nearby[key]
	if !known {
		n = x.creatable(list)
		x.nearby[key] = n
	}
	r, _ := n.find(near)
	return r
}

// creatable are the resources of a list that can be created.
func (x *index) creatable(list []*resource.Resource) nearby[*resource.Resource] {
	n := newNearby(x.before)
	for _, r := range list {
		if creatable(r) {
			n.add(r, r)
		}
	}
	return n
}

// before tells which of two resources that are equally near is taken.
func (x *index) before(a, b *resource.Resource) bool {
	return cmp.Or(
		cmp.Compare(many(b), many(a)),
		cmp.Compare(a.Depth(), b.Depth()),
		cmp.Compare(x.order[a], x.order[b]),
	) < 0
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
	// named tells that the value is the other resource's; else the other only
	// helps where nothing creates this one.
	named bool
}

// alias finds it by the value in the path, beside the resource, among the
// places of the like of it, or as a part of what another operation creates.
func (x *index) alias(r *resource.Resource, u match.ValueUse) alias {
	if !slices.Contains(x.matcher.EntityResources(u), r) {
		if of := x.find(u, r); of != nil && of != r {
			return alias{of, true}
		}
	}
	if len(r.Creators()) > 0 {
		of := x.joined(r, u)
		return alias{of, of != nil}
	}
	if of := sibling(r); of != nil {
		return alias{of: of}
	}
	if of := x.nearest(x.matcher.SameEntity(r), r); of != nil {
		return alias{of: of}
	}
	return alias{of: x.giver(u.ID, r)}
}

// joined returns what a place joins to its parent, where the client does not make
// up the id in it: the agent of "/queues/{key}/members/{agentId}", whose PUT
// creates no agent. It is where else the like of it is created under an id that
// the service gives; nil where there is none.
func (x *index) joined(r *resource.Resource, u match.ValueUse) *resource.Resource {
	if slices.ContainsFunc(r.Creators(), func(m resource.Creator) bool { return m.Op.Method != "PUT" }) {
		return nil
	}
	given := slices.DeleteFunc(slices.Clone(x.matcher.EntityResources(u)), func(p *resource.Resource) bool {
		return p == r || !slices.ContainsFunc(p.Creators(), func(m resource.Creator) bool { return !m.Own })
	})
	of, _ := x.creatable(given).find(r)
	return of
}

// sibling returns the place beside a resource where the like of it is created,
// such as "/users/register" for "/users/{id}", or nil.
func sibling(r *resource.Resource) *resource.Resource {
	for _, c := range r.Parent.Children {
		about := match.ResourceName(c.Path) == match.ResourceName(r.Path)
		if about && !c.Param && resource.ParamNames(c.Segment) == nil && c.Operation("POST") != nil {
			return c
		}
	}
	return nil
}
