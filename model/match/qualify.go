package match

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// qualifier gives the uses of an API's values their identities: a thing, and
// which attribute of it. The evidence is the place in the paths, the component,
// the name, the type, and what the document itself links.
type qualifier struct {
	*entities
	ops  []*model.Operation
	uses map[*model.Operation][]ValueUse
	of   map[*model.Operation][]identity // at the use's place in uses
	// Caches of what the messages of operations are about, and of the resources of their path
	// parameters.
	subjects map[*model.Operation][]*entity
	holders  map[*model.Operation]map[string]*resource.Resource
}

// identity is an attribute of a thing.
type identity struct {
	entity *entity // nil for a value that is the API's as a whole
	attr   string
	// refers reports whether the use identifies the entity. Else it is another attribute.
	refers bool
	why    string
}

// qualify sets the identities of the uses. Each step builds on the results of those before it.
func qualify(ops []*model.Operation, m *Matcher) *entities {
	q := &qualifier{
		entities: newEntities(ops, m), ops: ops, uses: m.uses, of: map[*model.Operation][]identity{},
		subjects: map[*model.Operation][]*entity{}, holders: map[*model.Operation]map[string]*resource.Resource{},
	}
	for _, step := range []func(*model.Operation, *ValueUse, *identity){q.fields, q.inPath, q.reference, q.filter, q.part} {
		q.each(step)
	}
	q.join()
	q.adopt()
	q.follow()
	q.each(func(_ *model.Operation, u *ValueUse, i *identity) {
		u.ID, u.Why, u.IsReference, u.thing = i.id(u.Name), i.why, i.refers || !u.Out && IsCredentialName(u.Name), i.entity
	})
	return q.entities
}

func (i identity) id(name string) string {
	if i.entity == nil {
		return name
	}
	return i.entity.name + "." + i.entity.attrs[i.attr].name
}

func (q *qualifier) each(do func(*model.Operation, *ValueUse, *identity)) {
	for _, op := range q.ops {
		if q.of[op] == nil {
			q.of[op] = make([]identity, len(q.uses[op]))
		}
		uses, of := q.uses[op], q.of[op]
		for i := range uses {
			do(op, &uses[i], &of[i])
		}
	}
}

// fields makes the fields of messages attributes of the entity of the message, or of the object
// around them.
func (q *qualifier) fields(op *model.Operation, u *ValueUse, i *identity) {
	if u.Pointer == "" || strings.Trim(u.Pointer, "/0") == "" {
		return
	}
	e, why := q.owner(op, u)
	*i = identity{entity: e, attr: e.note(e.own(u.Name), *u), why: u.Name + " of " + why}
}

// owner returns what the object around a field is about, and what says so.
func (q *qualifier) owner(op *model.Operation, u *ValueUse) (*entity, string) {
	if e := q.core[u.owner]; e != nil {
		return e, u.owner
	}
	r := q.at[op]
	if u.holder == "" || slices.Contains(wrappers, plain(u.holder)) {
		return q.about(r), r.Path
	}
	if e := q.find(EntityName(u.holder), r); e != nil {
		return e, u.holder
	}
	return q.get(thingWords(u.holder)), u.holder
}

// about returns what a place is about.
func (q *qualifier) about(r *resource.Resource) *entity {
	if e := q.byNode[r]; e != nil {
		return e
	}
	return q.get([]string{"api"})
}

// part gives the fields of what is only a part of a thing, such as
// /orders/{id}/status, to the thing, if it has them as well.
func (q *qualifier) part(op *model.Operation, u *ValueUse, i *identity) {
	place := q.at[op]
	if i.entity == nil || i.refers || i.entity.many() || u.holder != "" || q.byNode[place] != i.entity ||
		!i.entity.called(EntityName(ResourceName(place.Path))) || slices.Contains(identities, i.attr) {
		return
	}
	for r := place.Parent; r != nil; r = r.Parent {
		if e := q.byNode[r]; e != nil && e != i.entity && e.has(i.attr, *u) {
			e.note(e.attrs[i.attr].name, *u)
			i.entity, i.why = e, fmt.Sprintf("%s of %s, of which %s is a part", u.Name, article(e.name), place.Path)
			return
		}
	}
}

// topics are the things that an operation's messages are about, of the answers
// first, and those of its place.
func (q *qualifier) topics(op *model.Operation) []*entity {
	list, known := q.subjects[op]
	if known {
		return list
	}
	for _, name := range mainComponents(op) {
		if e := q.core[name]; e != nil && !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	for r := q.at[op]; r != nil; r = r.Parent {
		if e := q.byNode[r]; e != nil && !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	q.subjects[op] = list
	return list
}
