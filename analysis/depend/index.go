package depend

import (
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// index is what the templates of one API are made from.
type index struct {
	at     map[model.OpID]*resource.Resource
	places map[model.OpID][]place
	order  map[*resource.Resource]int
	// makes are the resources whose id stands in an operation's answer.
	makes map[model.OpID][]*resource.Resource
	// things are the resources that can be created, by what one of them is
	// called; named are those by what their parameter calls them.
	things, named map[string][]*resource.Resource
	// gives are those that can be created, by the names in the answer.
	gives   map[string][]*resource.Resource
	aliases map[*resource.Resource]alias
	needs   map[model.OpID][]need
	matcher *match.Matcher
}

// place is a resource on an operation's path that has parameters, and what
// they are called there.
type place struct {
	at    *resource.Resource
	names []string
}

func newIndex(ops []*model.Operation) *index {
	x := &index{
		at:      map[model.OpID]*resource.Resource{},
		places:  map[model.OpID][]place{},
		order:   map[*resource.Resource]int{},
		makes:   map[model.OpID][]*resource.Resource{},
		things:  map[string][]*resource.Resource{},
		named:   map[string][]*resource.Resource{},
		gives:   map[string][]*resource.Resource{},
		aliases: map[*resource.Resource]alias{},
		needs:   map[model.OpID][]need{},
		matcher: match.New(ops, match.Way{Values: match.Shallow, Match: match.ByName}),
	}
	for r := range resource.Tree(ops).All() {
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
func (x *index) add(r *resource.Resource) {
	x.order[r] = len(x.order)
	for _, op := range r.Operations {
		x.at[op.ID] = r
		x.places[op.ID] = places(r, resource.Segments(op.Path))
	}
	makers := r.Makers()
	for _, m := range makers {
		if !m.Own {
			x.makes[m.Op.ID] = append(x.makes[m.Op.ID], r)
		}
	}
	if len(makers) == 0 {
		return
	}
	// An element with nothing but an operation to create it is an action.
	if len(r.Operations) > 1 || !makers[0].Own {
		x.name(r, makers[0])
	}
}

// name lets a resource that can be created be found by name.
func (x *index) name(r *resource.Resource, m resource.Maker) {
	thing := match.Thing(match.Resource(r.Path))
	x.things[thing] = append(x.things[thing], r)
	for _, u := range x.matcher.Uses(m.Op) {
		if u.Out {
			x.gives[u.Name] = append(x.gives[u.Name], r)
		}
	}
	if !r.Param {
		return
	}
	name := resource.Params(r.Segment)[0]
	things := match.Things(name)
	if len(things) > 0 && things[0] != thing && (m.Own || match.Identifies(name)) {
		x.named[things[0]] = append(x.named[things[0]], r)
	}
}

// places returns the resources with parameters on the way to r, for a path
// with these segments.
func places(r *resource.Resource, segments []string) []place {
	var list []place
	for i := len(segments) - 1; i >= 0; i-- {
		if n := resource.Params(segments[i]); n != nil {
			list = append(list, place{r, n})
		}
		r = r.Parent
	}
	slices.Reverse(list)
	return list
}
