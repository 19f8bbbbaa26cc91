package match

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sonde/model"
)

// commonAttrs are names of attributes that many kinds of entities have.
var commonAttrs = []string{
	"name", "type", "status", "state", "description", "title", "value", "text", "date", "time", "message", "count", "total", "page", "size",
	"limit", "offset", "sort", "order", "data", "content", "label", "comment", "version", "url", "link",
	"enabled", "active", "kind", "category",
	"created", "updated", "createdat", "updatedat", "code", "number", "id", "uuid", "key", "slug", "guid",
	"format", "error", "errors", "body",
	"field", "fields", "filter", "query", "token", "path", "amount", "fee", "country", "language", "currency", "locale", "timezone", "city",
}

// maxJoined limits how many entities may share an attribute that identifies them.
const maxJoined = 100

// joinEntities finds entities that have an attribute of the same specific name, by which a path parameter identifies
// elements, such as profiles and users with a "username". That attribute becomes one value, unless both entities are
// namespaces of their own. If the other entity has no key of its own, the two entities are the same, and all attributes that
// both have become one value each, except those with common names.
func (q *qualifier) joinEntities() {
	same := map[*attribute]*entity{}
	having := q.entitiesByAttr()
	for _, key := range sortedKeys(having) {
		list := having[key]
		inPath := slices.ContainsFunc(list, func(e *entity) bool { return e.attrs[key].inPath })
		if !inPath || len(list) > maxJoined || slices.Contains(commonAttrs, key) {
			continue
		}
		best := slices.MaxFunc(list, func(a, b *entity) int { return compareOwners(a, b, key) })
		for _, e := range list {
			if e != best && !(e.isNamespace(key) && best.isNamespace(key)) && e.attrs[key].basicType.fits(best.attrs[key].basicType) {
				mergeAttrs(same, best, e, key)
			}
		}
	}
	q.each(func(_ *model.Operation, u *ValueUse, i *identity) {
		for i.entity != nil {
			to := same[i.entity.attrs[i.attr]]
			switch {
			case to != nil:
				i.entity, i.why = to, i.why+", which is "+article(to.name)+"'s"
			case !i.becomesTextKey(u):
				return
			}
		}
	})
}

// isNamespace reports whether an attribute of the entity identifies elements of the entity in its own paths,
// and messages have it. The same attribute of another such entity is something else.
func (e *entity) isNamespace(attr string) bool {
	return e.described && e.attrs[attr].inPath && e.attrs[attr].types != 0
}

// compareOwners compares how much entities are the proper ones for an attribute that both have. These count, each more
// than all after it: the API creates the entity's elements, the entity is the attribute's namespace, a component
// describes it and a path parameter has the attribute, a component describes it, a message has the attribute, more
// uses have it.
func compareOwners(a, b *entity, attr string) int {
	rank := func(e *entity) (n int) {
		for _, is := range []bool{e.created, e.isNamespace(attr), e.described && e.attrs[attr].inPath, e.described, e.attrs[attr].emitted} {
			n *= 2
			if is {
				n++
			}
		}
		return n
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.attrs[attr].uses, b.attrs[attr].uses))
}

// becomesTextKey makes a text that is in no message, such as the username in /users/{username}, the text key that the
// entity's messages have under another name, such as "login". It reports whether there is one.
func (i *identity) becomesTextKey(u *ValueUse) bool {
	if !slices.Contains(textKeys, i.attr) || i.entity.attrs[i.attr].types != 0 || !isText(*u) {
		return false
	}
	for _, key := range textKeys {
		if a := i.entity.attrs[key]; a != nil && a.emitted && a.types != 0 && a.agrees(*u) {
			i.attr, i.why = key, i.why+", which is its "+a.name
			return true
		}
	}
	return false
}

// mergeAttrs replaces the attribute key of b by that of a in same. If b has no other key, it also replaces
// all other attributes that a has, except those with common names.
func mergeAttrs(same map[*attribute]*entity, a, b *entity, key string) {
	become := func(name string) {
		if from, to := b.attrs[name], a.attrs[name]; to != nil && same[from] == nil && same[to] == nil {
			same[from] = a
			to.emitted = to.emitted || from.emitted
		}
	}
	become(key)
	if own := b.key(); own != key && b.attrs[own] != nil {
		return
	}
	for name := range b.attrs { // the order of the attributes does not matter
		if !slices.Contains(commonAttrs, name) {
			become(name)
		}
	}
}

// entitiesByAttr returns for each key of an attribute the entities that have it, ordered by name.
func (q *qualifier) entitiesByAttr() map[string][]*entity {
	list := map[string][]*entity{}
	for _, e := range q.sortedEntities() {
		for key := range e.attrs {
			list[key] = append(list[key], e)
		}
	}
	return list
}

// sortedEntities returns all entities, ordered by name.
func (q *qualifier) sortedEntities() []*entity {
	return slices.SortedFunc(maps.Values(q.byName), func(a, b *entity) int { return strings.Compare(a.name, b.name) })
}
