package match

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// entities are all entities of an API.
type entities struct {
	all    map[string]*entity // by plain name
	byNode map[*resource.Resource]*entity
	// callings are the resources whose path has another name for an entity, in order: "item"
	// for the cart-items of /carts/{id}/items.
	callings map[string][]calling
	// called are, by name and resource, the first of these entities with a resource at or below it.
	called map[string]map[*resource.Resource]*entity
	// roles are entities by other names that fields have for them: an "author" is a profile.
	// The entity is nil if a name means several.
	roles map[string]*entity
	core  map[string]*entity // by component
	// endings are entities that components describe, by the last words of their names.
	endings map[string][]*entity
	at      map[*model.Operation]*resource.Resource
	// elements are the plain names, of one word, of entities that path parameters identify, in
	// order.
	elements []string
}

// calling is a resource whose path has another name for an entity.
type calling struct {
	at *resource.Resource
	of *entity
}

// newEntities finds the entities of an API in its paths and in the components of its messages.
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

// get returns the entity with a name, creating it if necessary.
func (x *entities) get(parts []string) *entity {
	key := strings.Join(parts, "")
	if x.all[key] == nil {
		x.all[key] = &entity{name: strings.Join(parts, "-"), attrs: map[string]*attribute{}}
	}
	return x.all[key]
}

// find returns the entity that a name means, seen from a resource, or nil: one of that name whose
// elements have a path, or one for which the path of a resource nearby has the name.
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

// maxNear limits how many resources of an entity are compared to find the nearest.
const maxNear = 100

// settle computes what depends on all resources, once each has its entity.
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
				for _, r := range c.of.nodes[:min(len(c.of.nodes), maxNear)] {
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

// describe sets the entity that a component describes.
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

// described returns the entity with a name if a component describes it, or nil.
func (x *entities) described(thing string) *entity {
	if e := x.all[thing]; e != nil && e.described {
		return e
	}
	return nil
}

// strangers adds entities that the API has no paths for, but to which several of its own refer by
// an id, as orders and invoices do by customerId; or to which a parameter or field refers by name.
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

// namers returns the components, or else resources, that have a value with each name.
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

// qualifies reports whether words are the name of a known entity with an adjective: a forwarding
// address is an address.
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

// place sets the entity of a resource: that of its messages, or one with the name in the path.
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

// likely returns the entity of a resource with whose name there is no component: the one that the
// parameter of its elements names, or the only component whose name ends like the resource's.
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
