package match

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sonde/model"
)

// commonAttrs are names of attributes that many entities have, so that the same name does not mean the same value.
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

// joinEntities merges attributes of different entities into one value if they have the same name, the name is not a
// common one, and one of them is a path parameter: the "username" of profiles and of users. The value then belongs to
// the most likely owner, see compareOwners.
//
// The attribute of another entity stays a value of its own in two cases: if this entity and the owner are both
// namespaces of the attribute (see isNamespace), or if this entity is a remote account (see isRemoteAccount).
//
// If another entity has no key except the merged attribute, it counts as the same entity as the owner. All attributes
// that both have are then merged, except those with common names.
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
			areTwo := e.isNamespace(key) && best.isNamespace(key) || e.isRemoteAccount(key)
			if e != best && !areTwo && e.attrs[key].basicType.fits(best.attrs[key].basicType) {
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
			case !i.replaceByTextKey(u):
				return
			}
		}
	})
}

// isNamespace reports whether an attribute identifies elements of the entity in the entity's own paths, and messages have
// it. The attribute of the same name of another such entity is then a different value.
func (e *entity) isNamespace(attr string) bool {
	return e.described && e.attrs[attr].inPath && e.attrs[attr].types != 0
}

// addressWords are names of attributes with the address of a host.
var addressWords = []string{"host", "hostname", "hostaddress", "server", "port", "endpoint"}

// isRemoteAccount reports whether an attribute of the entity, such as a username, identifies an account at another
// host. This is so if the entity also has the address of the host and no path has the attribute, as for a remote file
// system or a mail server.
func (e *entity) isRemoteAccount(attr string) bool {
	return slices.Contains(textKeys, attr) && attr != "name" && !e.attrs[attr].inPath &&
		slices.ContainsFunc(addressWords, func(w string) bool { return e.attrs[w] != nil })
}

// compareOwners compares two entities with the same attribute by how likely the attribute belongs to each. The
// criteria are, the most important first: the API creates the entity's elements; the entity is a namespace of the
// attribute; a component describes the entity and a path parameter has the attribute; a component describes the
// entity; an operation emits the attribute; the number of its uses.
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

// replaceByTextKey handles a text attribute that no message of its entity has, such as the username in /users/{username}. If
// the messages have a text key with another name, such as "login", that key becomes the attribute of i. It reports whether it
// replaced the attribute.
func (i *identity) replaceByTextKey(u *ValueUse) bool {
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

// mergeAttrs records in same that the attribute with this key is the same value in b as in a. If b has no other key,
// mergeAttrs also records this for all other attributes that both have, except those with common names.
func mergeAttrs(same map[*attribute]*entity, a, b *entity, key string) {
	replace := func(name string) {
		if from, to := b.attrs[name], a.attrs[name]; to != nil && same[from] == nil && same[to] == nil {
			same[from] = a
			to.emitted = to.emitted || from.emitted
		}
	}
	replace(key)
	if own := b.key(); own != key && b.attrs[own] != nil {
		return
	}
	for name := range b.attrs { // the order of the attributes does not matter
		if !slices.Contains(commonAttrs, name) {
			replace(name)
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
