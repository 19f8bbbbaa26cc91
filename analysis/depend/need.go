package depend

import (
	"cmp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// need is a field of a request whose value identifies a resource.
type need struct {
	in   model.Location // any location except the path
	link string         // the name of the field in a link; a JSON pointer for a field of a body
	of   *resource.Resource
	// optional reports whether the field may be absent.
	optional bool
}

// needed returns the inputs of an operation outside its path that refer to a resource that another operation creates.
// keys has the value that identifies each resource.
func (x *index) needed(op *model.Operation, keys map[*resource.Resource]*match.ValueUse) []need {
	var list []need
	uses := x.matcher.UsesOf(op)
	for i := range uses {
		u := &uses[i]
		if !u.IsReference || u.In == model.InPath || isLoginHeader(u) || !linkable(op, u) {
			continue
		}
		if r := x.find(u, x.matcher.ResourceOf(op)); r != nil && !made(r, op) && (keys[r] == nil || !x.isOther(u, keys[r].Type)) {
			list = append(list, need{in: u.In, link: placeName(u), of: r, optional: !u.Mandatory})
		}
	}
	return list
}

// linkable reports whether a link can set an input. It can set parameters, fields of a JSON body, and top-level
// fields of a URL-encoded form.
func linkable(op *model.Operation, u *match.ValueUse) bool {
	if u.Out || u.In != model.InBody {
		return !u.Out
	}
	media, _, _ := strings.Cut(strings.ToLower(op.Body.Contents[0].Media), ";")
	switch media = strings.TrimSpace(media); {
	case media == "application/x-www-form-urlencoded":
		return strings.LastIndex(u.Pointer, "/") == 0
	case media == "application/json", strings.HasSuffix(media, "+json"), media == "*/*":
		return u.Pointer != ""
	}
	return false
}

// made reports whether op is the most likely operation to create the resource r.
func made(r *resource.Resource, op *model.Operation) bool {
	m := r.Creators()
	return len(m) > 0 && m[0].Op == op
}

// find returns the creatable resource to which a value refers. This is a resource of the value's entity or, if there
// is none, a resource whose creation returns the value. If there are several, find returns the one that is nearest to
// near in the tree of resources. It returns nil if there is none.
func (x *index) find(u *match.ValueUse, near *resource.Resource) *resource.Resource {
	if r := x.nearest(x.matcher.EntityResources(u), near); r != nil {
		return r
	}
	return x.giver(u.ID, near)
}

// giver returns the resource nearest to near whose creation returns a value, nil if there is none.
func (x *index) giver(value string, near *resource.Resource) *resource.Resource {
	return x.among(value, x.gives[value], near)
}

// nearest returns the creatable resource of an entity that is nearest to near, nil if there is none. places are all
// resources of the entity.
func (x *index) nearest(places []*resource.Resource, near *resource.Resource) *resource.Resource {
	if len(places) == 0 {
		return nil
	}
	return x.among(places[0], places, near) // the first resource is the key, because it identifies the entity
}

// among returns the creatable resource in a list that is nearest to near, nil if there is none. Of equally near
// resources it prefers one with an id, then one with a shorter path, then the first. It caches data of the list under
// key, so two lists with the same key must be equal.
func (x *index) among(key any, list []*resource.Resource, near *resource.Resource) *resource.Resource {
	n, known := x.nearby[key]
	if !known {
		n = x.creatable(list)
		x.nearby[key] = n
	}
	r, _ := n.find(near)
	return r
}

// creatable returns those resources of a list that can be created.
func (x *index) creatable(list []*resource.Resource) nearby[*resource.Resource] {
	n := newNearby(x.before)
	for _, r := range list {
		if creatable(r) {
			n.add(r, r)
		}
	}
	return n
}

// before reports whether a takes precedence over b. Both resources are equally near.
func (x *index) before(a, b *resource.Resource) bool {
	return cmp.Or(
		cmp.Compare(many(b), many(a)),
		cmp.Compare(a.Depth(), b.Depth()),
		cmp.Compare(x.order[a], x.order[b]),
	) < 0
}

// many returns 1 for a resource with an id, which may have many elements, and 0 for other resources.
func many(r *resource.Resource) int {
	if r.Param {
		return 1
	}
	return 0
}

// alias says that the id in the path of one resource is the id of another resource: "/stock/{productId}" has the id
// of a product.
type alias struct {
	of *resource.Resource // nil if the path has an id of its own
	// named reports whether the id is always that of the other resource: the path parameter refers to the other
	// resource by its name, or the path connects an existing element; see joined. If named is false, the other
	// resource is used only if no operation creates the resource of the path itself.
	named bool
}

// alias returns the alias of a resource r, whose path parameter is u. The other resource is the first of these:
//  1. the resource to which u refers, if this is not r
//  2. the result of joined, which may be nil, if operations create r
//  3. a sibling of r that creates its elements
//  4. the nearest resource of the same entity
//  5. the nearest resource whose creation returns the value
func (x *index) alias(r *resource.Resource, u *match.ValueUse) alias {
	if !slices.Contains(x.matcher.EntityResources(u), r) {
		if of := x.find(u, r); of != nil && of != r {
			return alias{of: of, named: true}
		}
	}
	if len(r.Creators()) > 0 {
		of := x.joined(r, u)
		return alias{of: of, named: of != nil}
	}
	if of := sibling(r); of != nil {
		return alias{of: of}
	}
	if of := x.nearest(x.matcher.SameEntity(r), r); of != nil {
		return alias{of: of}
	}
	return alias{of: x.giver(u.ID, r)}
}

// joined returns the existing resource that a path connects to its parent. For example, PUT on
// "/queues/{key}/members/{agentId}" does not create an agent, but connects an existing one. The result is another
// resource of the same entity for which the service chooses the id. It is nil if there is none, or if an operation
// other than a PUT creates elements of r.
func (x *index) joined(r *resource.Resource, u *match.ValueUse) *resource.Resource {
	if slices.ContainsFunc(r.Creators(), func(m resource.Creator) bool { return m.Op.Method != "PUT" }) {
		return nil
	}
	given := slices.DeleteFunc(slices.Clone(x.matcher.EntityResources(u)), func(p *resource.Resource) bool {
		return p == r || !slices.ContainsFunc(p.Creators(), func(m resource.Creator) bool { return !m.Own })
	})
	of, _ := x.creatable(given).find(r)
	return of
}

// sibling returns the sibling of a resource that creates the elements of the resource, nil if there is none. For
// "/users/{id}", this may be "/users/register".
func sibling(r *resource.Resource) *resource.Resource {
	for _, c := range r.Parent.Children {
		about := match.ResourceName(c.Path) == match.ResourceName(r.Path)
		if about && !c.Param && resource.ParamNames(c.Segment) == nil && c.Operation("POST") != nil {
			return c
		}
	}
	return nil
}
