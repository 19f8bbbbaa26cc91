package depend

import (
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// index is what the templates of one API are made from. What is the same value
// as what the matcher says. Once it is made it is read-only.
type index struct {
	matcher *match.Matcher
	places  map[model.OpID][]place
	order   map[*resource.Resource]int
	// makes are the resources whose id stands in an operation's answer.
	makes map[model.OpID][]*resource.Resource
	// gives are those that can be created, by the values that the answer tells.
	gives   map[string][]*resource.Resource
	aliases map[*resource.Resource]alias
	needs   map[model.OpID][]need
	// follows are the links of the document, by where they come from, and leads
	// those to what must be there, by where they lead.
	follows, leads map[model.OpID][]follow
	// nearby are the lists of resources that were asked for what is near.
	nearby map[any]nearby[*resource.Resource]
}

// place is a resource on an operation's path that has parameters, and what
// they are called there.
type place struct {
	at    *resource.Resource
	names []string
}

func newIndex(m *match.Matcher, ops []*model.Operation) *index {
	x := &index{
		matcher: m,
		places:  map[model.OpID][]place{},
		order:   map[*resource.Resource]int{},
		makes:   map[model.OpID][]*resource.Resource{},
		gives:   map[string][]*resource.Resource{},
		aliases: map[*resource.Resource]alias{},
		needs:   map[model.OpID][]need{},
		follows: map[model.OpID][]follow{},
		leads:   map[model.OpID][]follow{},
		nearby:  map[any]nearby[*resource.Resource]{},
	}
	for r := range x.matcher.Tree.Subtree() {
		x.add(r)
	}
	for r, u := range x.keys(ops) {
		x.aliases[r] = x.alias(r, u)
	}
	for _, op := range ops {
		x.needs[op.ID] = x.needed(op)
	}
	x.addFollows(ops)
	return x
}

// add takes in a resource whose parents are in already.
func (x *index) add(r *resource.Resource) {
	x.order[r] = len(x.order)
	for _, op := range r.Operations {
		x.places[op.ID] = places(r, resource.Segments(op.Path))
	}
	for _, m := range r.Creators() {
		if !m.Own {
			x.makes[m.Op.ID] = append(x.makes[m.Op.ID], r)
		}
	}
	if !creatable(r) {
		return
	}
	for _, u := range x.told(r.Creators()[0].Op) {
		x.gives[u.ID] = append(x.gives[u.ID], r)
	}
}

// creatable reports whether some operation creates a resource. An element with
// nothing but an operation to create it is an action.
func creatable(r *resource.Resource) bool {
	makers := r.Creators()
	return len(makers) > 0 && (len(r.Operations) > 1 || !makers[0].Own)
}

// demands are the values without which an operation cannot do and that say
// which thing is meant.
func (x *index) demands(op *model.Operation) []match.ValueUse {
	return slices.DeleteFunc(slices.Clone(x.matcher.UsesOf(op)), func(u match.ValueUse) bool { return u.Out || !u.Required || !u.IsReference })
}

// told are the values in an operation's answer that had not to be known before.
func (x *index) told(op *model.Operation) []match.ValueUse {
	known := map[string]bool{}
	for _, u := range x.demands(op) {
		known[u.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(x.matcher.UsesOf(op)), func(u match.ValueUse) bool { return !u.Out || known[u.ID] })
}

// madeUp are the values that an operation takes and that the client makes up.
func (x *index) madeUp(op *model.Operation) []match.ValueUse {
	return slices.DeleteFunc(slices.Clone(x.matcher.UsesOf(op)), func(u match.ValueUse) bool { return u.Out || u.IsReference })
}

// places returns the resources with parameters on the way to r, for a path
// with these segments.
func places(r *resource.Resource, segments []string) []place {
	var list []place
	for i := len(segments) - 1; i >= 0; i-- {
		if n := resource.ParamNames(segments[i]); n != nil {
			list = append(list, place{r, n})
		}
		r = r.Parent
	}
	slices.Reverse(list)
	return list
}

// keys returns the value that says which resource is meant, for each with an
// id.
func (x *index) keys(ops []*model.Operation) map[*resource.Resource]match.ValueUse {
	keys := map[*resource.Resource]match.ValueUse{}
	for _, op := range ops {
		for _, u := range x.matcher.UsesOf(op) {
			if p, ok := x.placeOf(op, u); ok && p.names[0] == u.Name && p.at.Param && keys[p.at].ID == "" {
				keys[p.at] = u
			}
		}
	}
	return keys
}

// placeOf returns the place on an operation's path in which a value stands.
func (x *index) placeOf(op *model.Operation, u match.ValueUse) (place, bool) {
	if u.Out || u.In != model.InPath {
		return place{}, false
	}
	list := x.places[op.ID]
	i := slices.IndexFunc(list, func(p place) bool { return slices.Contains(p.names, u.Name) })
	if i < 0 {
		return place{}, false
	}
	return list[i], true
}
