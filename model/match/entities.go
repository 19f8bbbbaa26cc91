package match

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// entities are all kinds of things of an API.
type entities struct {
	all    map[string]*entity // by plain name
	byNode map[*resource.Resource]*entity
	// callings are the places that call a thing otherwise, in order: "item" for
	// the cart-items of /carts/{id}/items. called are the first of these things
	// with a place at or below each place.
	callings map[string][]calling
	called   map[string]map[*resource.Resource]*entity
	// roles are those that a field calls otherwise: an "author" is a profile.
	// It is nil where a name means several.
	roles map[string]*entity
	core  map[string]*entity // by component
	// endings are those that components describe, by the words that their names
	// end in.
	endings map[string][]*entity
	at      map[*model.Operation]*resource.Resource
	// elements are the plain names of one word that are told apart in the
	// paths, in order.
	elements []string
}

// calling is a place that calls a thing otherwise.
type calling struct {
	at *resource.Resource
	of *entity
}

// newEntities finds the things of an API: in its paths, and in the components
// of its messages.
func newEntities(ops []*model.Operation, m *Matcher) *entities {
	x := &entities{
		all:      map[string]*entity{},
		byNode:   map[*resource.Resource]*entity{},
		callings: map[string][]calling{},
		called:   map[string]map[*resource.Resource]*entity{},
		roles:    map[string]*entity{},
		core:     map[string]*entity{},
		endings:  map[string][]*entity{},
		at:       m.at,
	}
	known := map[string]bool{}
	for r := range m.Tree.Subtree() {
		known[strings.Join(thingWords(ResourceName(r.Path)), "")] = true
	}
	x.components(ops, m.uses, known)
	x.strangers(ops, m.uses, known)
	held := x.held(ops)
	for r := range m.Tree.Subtree() {
		x.place(r, held.choose(r))
	}
	x.views(m.Tree, held)
	x.settle()
	x.elements = x.oneWord()
	return x
}

// get returns the entity of these words, which it makes if it is new.
func (x *entities) get(parts []string) *entity {
	key := strings.Join(parts, "")
	if x.all[key] == nil {
		x.all[key] = &entity{name: strings.Join(parts, "-"), attrs: map[string]*attribute{}}
	}
	return x.all[key]
}

// find returns the entity that a thing's name means, seen from a place in the
// paths, or nil: one of that name whose elements have a place, or one that a
// place nearby calls so.
func (x *entities) find(thing string, near *resource.Resource) *entity {
	e := x.all[thing]
	if e != nil && e.element {
		return e
	}
	for up := near; up != nil && x.called[thing] != nil; up = up.Parent {
		if other := x.called[thing][up]; other != nil && (e == nil || up.Parent != nil) {
			return other
		}
	}
	if e == nil {
		return x.roles[thing]
	}
	return e
}

// mostNear is how many places of a thing are looked at for the one that is near.
const mostNear = 100

// settle takes stock of the places, once each has its entity.
func (x *entities) settle() {
	for _, e := range x.all {
		e.settle()
	}
	for thing, all := range x.callings {
		x.called[thing] = map[*resource.Resource]*entity{}
		seen := map[*entity]bool{}
		for _, c := range all {
			if !seen[c.of] {
				seen[c.of] = true
				for _, r := range c.of.nodes[:min(len(c.of.nodes), mostNear)] {
					x.call(thing, r, c.of)
				}
			}
			x.call(thing, c.at, c.of)
		}
	}
}

// call makes a thing's name mean an entity at all places below those that the entity itself is
// below, unless it means another one there.
func (x *entities) call(thing string, r *resource.Resource, e *entity) {
	for up := r; up != nil && x.called[thing][up] == nil; up = up.Parent {
		x.called[thing][up] = e
	}
}

// components makes an entity of each component with values.
func (x *entities) components(ops []*model.Operation, uses map[*model.Operation][]ValueUse, known map[string]bool) {
	kin := newKin(ops, uses, known)
	for _, op := range ops {
		for _, u := range uses[op] {
			if u.owner == "" {
				continue
			}
			if x.core[u.owner] == nil {
				x.describe(u.owner, kin.thing(u.owner))
			}
			if u.holder != "" {
				x.role(EntityName(u.holder), x.core[u.owner])
			}
		}
	}
}

// describe makes a component describe the thing of these words.
func (x *entities) describe(component string, parts []string) {
	e := x.get(parts)
	x.core[component] = e
	if e.described {
		return
	}
	e.described = true
	for from := range parts[1:] {
		end := strings.Join(parts[from+1:], "")
		x.endings[end] = append(x.endings[end], e)
	}
}

// described returns the entity of that name if a component describes it, or
// nil.
func (x *entities) described(thing string) *entity {
	if e := x.all[thing]; e != nil && e.described {
		return e
	}
	return nil
}

// strangers are things that the API does not serve itself but that several of
// its own name by an id, a customerId in orders and in invoices; or by a name,
// where a parameter or field is called after the thing itself.
func (x *entities) strangers(ops []*model.Operation, uses map[*model.Operation][]ValueUse, known map[string]bool) {
	named, alone := map[string]map[string]bool{}, map[string]bool{}
	for name, by := range x.namers(ops, uses) {
		alone[strings.Join(thingWords(name), "-")] = true
		parts := words(name)
		n := len(parts) - 1
		if n < 1 || parts[n] != "name" && !slices.Contains(handles, parts[n]) {
			continue
		}
		thing := strings.Join(parts[:n], "-")
		if named[thing] == nil {
			named[thing] = map[string]bool{}
		}
		maps.Copy(named[thing], by)
		alone[thing] = alone[thing] || parts[n] != "name"
	}
	for _, thing := range sortedKeys(named) {
		if parts := strings.Split(thing, "-"); len(named[thing]) > 1 && alone[thing] && !x.qualifies(parts, known) {
			x.get(parts).stranger = true
		}
	}
}

// namers are the components, or else places, that have a value of each name.
func (x *entities) namers(ops []*model.Operation, uses map[*model.Operation][]ValueUse) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, op := range ops {
		for _, u := range uses[op] {
			if all[u.Name] == nil {
				all[u.Name] = map[string]bool{}
			}
			all[u.Name][cmp.Or(u.owner, x.at[op].Path)] = true
		}
	}
	return all
}

// qualifies reports whether words only say which of a thing that is known is
// meant: the forwarding address is an address.
func (x *entities) qualifies(parts []string, known map[string]bool) bool {
	for from := range parts[1:] {
		if end := strings.Join(parts[from+1:], ""); known[end] || x.described(end) != nil {
			return true
		}
	}
	return false
}

func (x *entities) role(name string, e *entity) {
	if old, ok := x.roles[name]; ok && old != e {
		e = nil
	}
	x.roles[name] = e
}

// place gives a place in the paths its entity: what its messages hold, or one
// that is called as the path says.
func (x *entities) place(r *resource.Resource, e *entity) {
	name := ResourceName(r.Path)
	thing := EntityName(name)
	if thing == "" {
		return
	}
	if e == nil {
		e = x.likely(r, thing)
	}
	if e == nil {
		e = x.get(thingWords(name))
	}
	e.nodes = append(e.nodes, r)
	x.byNode[r] = e
	if !e.called(thing) {
		x.callings[thing] = append(x.callings[thing], calling{r, e})
	}
}

// likely returns what a place is about that no component is named after: the
// thing that the parameter of its elements names, or the only component whose
// name ends like the place's.
func (x *entities) likely(r *resource.Resource, thing string) *entity {
	if x.described(thing) != nil {
		return nil
	}
	for _, c := range append([]*resource.Resource{r}, r.Children...) {
		if !c.Param {
			continue
		}
		for _, name := range things(resource.ParamNames(c.Segment)[0]) {
			if e := x.described(name); e != nil {
				return e
			}
		}
	}
	if like := x.endings[thing]; len(like) == 1 {
		return like[0]
	}
	return nil
}

// sortedKeys returns a map's keys in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
