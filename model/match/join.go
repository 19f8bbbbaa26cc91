package match

import (
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
	"field", "fields", "filter", "query", "token",
}

// maxJoined limits how many entities may share an attribute that identifies them.
const maxJoined = 100

// joinEntities finds pairs of entities that path parameters identify by an attribute of the same specific
// name, such as profiles and users by "username". That attribute becomes one value. If the other entity has
// no key of its own, the two entities are the same, and all attributes that both have become one value
// each, except those with common names.
func (q *qualifier) joinEntities() {
	same := map[*attribute]*entity{}
	having := q.entitiesByAttr()
	for _, a := range q.sortedEntities() {
		for _, key := range a.pathAttrs {
			if len(having[key]) > maxJoined || slices.Contains(commonAttrs, key) {
				continue
			}
			for _, b := range having[key] {
				switch {
				case b == a || !b.attrs[key].basicType.fits(a.attrs[key].basicType):
				case b.created && !a.created:
					mergeAttrs(same, b, a, key)
				default:
					mergeAttrs(same, a, b, key)
				}
			}
		}
	}
	q.each(func(_ *model.Operation, _ *ValueUse, i *identity) {
		for i.entity != nil {
			to := same[i.entity.attrs[i.attr]]
			if to == nil {
				return
			}
			i.entity, i.why = to, i.why+", which is "+article(to.name)+"'s"
		}
	})
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
