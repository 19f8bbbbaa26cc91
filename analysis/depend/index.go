package depend

import (
	"slices"

	"sonde/model"
	"sonde/model/match"
)

// index is what the templates of one API are made from.
type index struct {
	at     map[model.OpID]*Resource
	places map[model.OpID][]place
	order  map[*Resource]int
	// makes are the resources whose id stands in an operation's answer.
	makes map[model.OpID][]*Resource
	// things are the resources that can be created, by what one of them is
	// called; named are those by what their parameter calls them.
	things, named map[string][]*Resource
	// gives are those that can be created, by the names in the answer.
	gives   map[string][]*Resource
	aliases map[*Resource]alias
	needs   map[model.OpID][]need
	matcher *match.Matcher
}

// place is a resource on an operation's path that has parameters, and what
// they are called there.
type place struct {
	at    *Resource
	names []string
}

func newIndex(ops []*model.Operation) *index {
	x := &index{
		at:      map[model.OpID]*Resource{},
		places:  map[model.OpID][]place{},
		order:   map[*Resource]int{},
		makes:   map[model.OpID][]*Resource{},
		things:  map[string][]*Resource{},
		named:   map[string][]*Resource{},
		gives:   map[string][]*Resource{},
		aliases: map[*Resource]alias{},
		needs:   map[model.OpID][]need{},
		matcher: match.New(ops, match.Way{Values: match.Shallow, Match: match.ByName}),
	}
	for r := range Tree(ops).All() {
		x.add(r)
	}
	for r := range x.order {
		if r.Param {
			x.aliases[r] = x.alias(r)
		}
	}
	for _, op := range ops {
		x.needs[op.ID] = x.needed(op)
	}
	return x
}

// add takes in a resource whose parents are in already.
func (x *index) add(r *Resource) {
	x.order[r] = len(x.order)
	for _, op := range r.Operations {
		x.at[op.ID] = r
		x.places[op.ID] = places(r, segments(op.Path))
	}
	makers := r.makers()
	for _, m := range makers {
		if !m.own {
			x.makes[m.op.ID] = append(x.makes[m.op.ID], r)
		}
	}
	if len(makers) == 0 {
		return
	}
	// An element with nothing but an operation to create it is an action.
	if len(r.Operations) > 1 || !makers[0].own {
		x.name(r, makers[0])
	}
}

// name lets a resource that can be created be found by name.
func (x *index) name(r *Resource, m maker) {
	thing := match.Thing(match.Resource(r.Path))
	x.things[thing] = append(x.things[thing], r)
	for _, u := range x.matcher.Uses(m.op) {
		if u.Out {
			x.gives[u.Name] = append(x.gives[u.Name], r)
		}
	}
	if !r.Param {
		return
	}
	name := names(r.Segment)[0]
	things := match.Things(name)
	if len(things) > 0 && things[0] != thing && (m.own || match.Identifies(name)) {
		x.named[things[0]] = append(x.named[things[0]], r)
	}
}

// places returns the resources with parameters on the way to r, for a path
// with these segments.
func places(r *Resource, segments []string) []place {
	var list []place
	for i := len(segments) - 1; i >= 0; i-- {
		if n := names(segments[i]); n != nil {
			list = append(list, place{r, n})
		}
		r = r.Parent
	}
	slices.Reverse(list)
	return list
}

// maker is an operation that creates a resource.
type maker struct {
	op *model.Operation
	// own tells that the client chooses the id, in the path; else the id stands
	// in the answer.
	own bool
}

// makers returns the operations that may create a resource, the likeliest
// first: of one with an id POST on its collection, then POST and PUT on
// itself, then POST and PUT on the closest constant part of its path; of
// another POST on itself.
//
// The EvoMaster paper (5.2.1) names the resource's own operations first. Where
// an API has both, PUT on the resource is mostly an update, and POST on the
// collection what the paper's examples show.
func (r *Resource) makers() []maker {
	if !r.Param {
		if op := r.operation("POST"); op != nil && names(r.Segment) == nil {
			return []maker{{op, false}}
		}
		return nil
	}
	list := []maker{{r.direct(), false}, {r.operation("POST"), true}, {r.operation("PUT"), true}}
	for a := r.Parent; a != nil && !a.Param; a = a.Parent {
		list = append(list, maker{a.operation("POST"), false}, maker{a.operation("PUT"), false})
	}
	var found []maker
	for _, m := range list {
		if m.op != nil && !slices.Contains(found, m) {
			found = append(found, m)
		}
	}
	return found
}

// direct returns the POST on the collection that a resource is in, or nil.
func (r *Resource) direct() *model.Operation {
	if r.Parent == nil {
		return nil
	}
	return r.Parent.operation("POST")
}

// maker returns the first maker of a resource that is allowed.
func (r *Resource) maker(allowed func(maker) bool) (maker, bool) {
	for _, m := range r.makers() {
		if allowed(m) {
			return m, true
		}
	}
	return maker{}, false
}

// listing returns the operation that lists the resources like this one.
func (r *Resource) listing() (*model.Operation, bool) {
	if !r.Param || r.Parent.Param {
		return nil, false
	}
	op := r.Parent.operation("GET")
	return op, op != nil
}
