package match

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sonde/model"
)

// commonAttrs are names of attributes that many entities have. Attributes of different entities with such a name are
// different values.
var commonAttrs = []string{
	"name", "type", "status", "state", "description", "title", "value", "text", "date", "time", "message", "count", "total", "page", "size",
	"limit", "offset", "sort", "order", "data", "content", "label", "comment", "version", "url", "link",
	"enabled", "active", "kind", "category",
	"created", "updated", "createdat", "updatedat", "code", "number", "id", "uuid", "key", "slug", "guid",
	"format", "error", "errors", "body",
	"field", "fields", "filter", "query", "token", "path", "amount", "fee", "country", "language", "currency", "locale", "timezone", "city",
}

// maxJoined is the maximum number of entities whose attributes of the same name are merged.
const maxJoined = 100

// joinEntities merges attributes of different entities into one value, such as the "username" of profiles and of users.
// The attributes must have the same name, the name must not be a common one, and one of the attributes must be a path
// parameter. The merged value belongs to the most likely owner, see compareOwners.
//
// The attribute of an entity other than the owner is not merged in three cases:
//   - This entity and the owner are both namespaces of the attribute, see isNamespace.
//   - The attribute identifies a remote account, see isRemoteAccount.
//   - Its basic type does not fit that of the owner's attribute.
//
// If an entity other than the owner has no key except the merged attribute, both entities count as the same. Then all
// attributes that both have are merged, except those with common names. Finally, joinEntities calls replaceByTextKey
// for the uses of all attributes.
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
				i.evidence = min(i.evidence, EvidenceName)
			case !i.replaceByTextKey(u):
				return
			}
		}
	})
}

// isNamespace reports whether the entity's own paths and messages have an attribute. If two entities are namespaces
// of attributes with the same name, these attributes are different values.
func (e *entity) isNamespace(attr string) bool {
	return e.described && e.attrs[attr].inPath && e.attrs[attr].types != 0
}

// addressWords are names of attributes with the address of a host.
var addressWords = []string{"host", "hostname", "hostaddress", "server", "port", "endpoint"}

// isRemoteAccount reports whether an attribute of the entity, such as a username, identifies an account at another
// host, such as a remote file system or a mail server. This is so if the entity also has the address of a host, and
// no path has the attribute.
func (e *entity) isRemoteAccount(attr string) bool {
	return slices.Contains(textKeys, attr) && attr != "name" && !e.attrs[attr].inPath &&
		slices.ContainsFunc(addressWords, func(w string) bool { return e.attrs[w] != nil })
}

// compareOwners compares how likely two entities are the owner of an attribute that both have. The criteria are, the
// most important first:
//  1. The API creates elements of the entity.
//  2. The entity is a namespace of the attribute.
//  3. A component describes the entity, and a path parameter has the attribute.
//  4. A component describes the entity.
//  5. An operation emits the attribute.
//  6. The attribute has more uses.
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

// replaceByTextKey replaces the attribute of i if it is a text attribute that only paths have, such as the username in
// /users/{username}. If answers have a text key of the same entity, such as "login", and its type agrees with that of
// u, this key becomes the attribute of i. replaceByTextKey reports whether it replaced the attribute.
func (i *identity) replaceByTextKey(u *ValueUse) bool {
	if !slices.Contains(textKeys, i.attr) || i.entity.attrs[i.attr].types != 0 || !isText(u) {
		return false
	}
	for _, key := range textKeys {
		if a := i.entity.attrs[key]; a != nil && a.emitted && a.types != 0 && a.agrees(u) {
			i.attr, i.why, i.evidence = key, i.why+", which is its "+a.name, EvidenceGuess
			return true
		}
	}
	return false
}

// mergeAttrs merges the attributes with the given key of two entities: it records in same that the attribute of b is
// now an attribute of a. If b has no other key, mergeAttrs also merges all other attributes that both entities have,
// except those with common names.
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
	for name := range b.attrs { // the result does not depend on the order of the attributes
		if !slices.Contains(commonAttrs, name) {
			replace(name)
		}
	}
}

// entitiesByAttr returns, for each key of an attribute, the entities with such an attribute, ordered by name.
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
