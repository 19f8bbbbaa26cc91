package match

import (
	"slices"

	"sonde/model"
	"sonde/model/resource"
)

// nameReader finds the entities to which the names of values refer.
type nameReader struct{ *entities }

// entityNamed returns the entity to which the name of a use refers, and the name of the entity's attribute: "productId"
// refers to the id of a product. In the name of the use, the entity's name comes before an id word or the name of an
// attribute. If several entity names fit, the longest is chosen. near is the resource of the operation. within is the
// entity that has the use as an attribute; it may be nil. If no name fits in this way, the use may refer to an entity
// as described at entityAbbreviated, relativeKey, userRoles and entityAlone. entityNamed returns nil if there is no
// such entity, and for a date or time.
func (n nameReader) entityNamed(u *ValueUse, near *resource.Resource, within *entity) (*entity, string) {
	parts := u.spelling.parts
	if len(parts) == 0 || basicTypeOf(u) == dateTime {
		return nil, ""
	}
	if e := n.entityEndingInID(u, near, within, parts); e != nil {
		return e, e.keyLike(u)
	}
	for from := range parts {
		if from > 0 && slices.Contains(foreignWords, parts[from-1]) {
			break
		}
		for to := len(parts) - 1; to > from; to-- {
			word := u.spelling.phrase(to, len(parts))
			e := n.find(u.spelling.phrase(from, to), near)
			if e == nil && from == 0 && (word == "name" || slices.Contains(idWords, word)) {
				e = n.entityEndingIn(u.spelling.phrase(0, to), word)
			}
			if e == nil || len(e.resources) == 0 && !e.referencedOnly && e.attrs[word] == nil {
				continue
			}
			attr := e.attrFor(word, u, from == 0)
			switch {
			case attr == "":
			case e != within || isList(u):
				return e, attr
			case from == 0:
				return nil, "" // the cartItemId of a cart-item identifies that cart-item, not an item
			}
		}
	}
	if e, attr := n.entityAbbreviated(u, near, within, parts); e != nil {
		return e, attr
	}
	if key := within.relativeKey(parts, u); key != "" {
		return within, key
	}
	if !slices.Contains(userRoles, u.spelling.plain) {
		return n.entityAlone(u, near, within, parts)
	}
	if e := n.find("user", near); e != nil && e != within {
		if key := e.keyLike(u); key != "" && e.canBeMany() && u.Pointer != "" && basicTypeOf(u) == scalar {
			return e, key
		}
	}
	return n.entityAlone(u, near, within, parts)
}

// foreignWords come before the name of an entity of another system: an "external_user_id" does not identify a user of
// the API.
var foreignWords = []string{"external", "foreign"}

// entityEndingInID returns the entity to which the end of a value's name refers, if the entity's name itself ends
// with an id word. For example, the value default_tax_code refers to the entity tax-code if the API has
// /tax_codes/{id}. parts are the words of the value's name. entityEndingInID returns nil if there is no such entity.
func (n nameReader) entityEndingInID(u *ValueUse, near *resource.Resource, within *entity, parts []string) *entity {
	if !slices.Contains(idWords, parts[len(parts)-1]) {
		return nil
	}
	for from := range len(parts) - 1 {
		e := n.find(u.spelling.phrase(from, len(parts)), near)
		if e != nil && e != within && e.elementPath && e.hasKey() && e.keyLike(u) != "" {
			return e
		}
	}
	return nil
}

// entityEndingIn returns the only entity whose name ends with entityName and that has the attribute attr: the value
// jobName may refer to the name of the entity transfer-job. A component must describe the entity. If attr is "name",
// an entity with a key but without a title also counts. entityEndingIn returns nil if there is no such entity or more
// than one.
func (n nameReader) entityEndingIn(entityName, attr string) *entity {
	return onlyOne(n.byLastWords[entityName], func(e *entity) bool {
		return e.attrs[attr] != nil || attr == "name" && e.attrs["title"] == nil && e.elementPath && e.hasKey()
	})
}

// userRoles are plain names of values in messages that refer to a user. They count only if the API has users.
var userRoles = []string{
	"createdby", "updatedby", "modifiedby", "lastmodifiedby", "deletedby", "invitedby", "approvedby", "creator", "author", "owner",
	"assignee", "reporter", "caller", "createdbyid", "updatedbyid", "ownerid", "creatorid", "authorid", "assigneeid", "reporterid",
}

// relations are words for another element of the same entity. They come before an id word, as in "parentId".
var relations = []string{
	"parent", "child", "root", "previous", "prev", "next", "original", "source", "target", "sibling", "linked", "related",
}

// relativeKey returns the name of the entity's key if a field of the entity refers to another element of the same
// entity, otherwise "". parts are the words of the field's name. The first must be a word of relations. The second
// must be the entity's key, as in "parentId", or the entity's name, as in the "parentScore" of a score.
func (e *entity) relativeKey(parts []string, u *ValueUse) string {
	if e == nil || len(parts) != 2 || !slices.Contains(relations, parts[0]) || !e.hasKey() {
		return ""
	}
	switch {
	case parts[1] == e.key() && e.attrs[parts[1]].agrees(u):
		return e.keyName()
	case parts[1] == e.name && basicTypeOf(u) == scalar:
		return e.keyLike(u)
	}
	return ""
}

// attrFor returns the name of the attribute that a word after the entity's name means, "" for none. An id word means
// the attribute with this name, the key or, if there is neither, a new attribute. "name" may also mean the key or a new
// attribute. Another word means the attribute with this name, but only if whole is true. whole reports whether the
// value's name consists only of the entity's name and the word.
func (e *entity) attrFor(word string, u *ValueUse, whole bool) string {
	a := e.attrs[word]
	switch {
	case a != nil && a.basicType.fits(basicTypeOf(u)) && (whole || slices.Contains(idWords, word)):
		return a.name
	case a == nil && e.hasKey() && e.key() != "name" && (slices.Contains(strictIDWords, word) || whole && slices.Contains(idWords, word)):
		return e.keyLike(u)
	case a == nil && word == "name" && !e.referencedOnly && e.elementPath && e.hasKey() && whole:
		return e.keyLike(u)
	case a == nil && (slices.Contains(idWords, word) || e.referencedOnly && word == "name"):
		return word
	}
	return ""
}

// maxAloneWords is the maximum number of words of a name that [nameReader.entityAlone] reads. Longer names are rarely
// those of entities.
const maxAloneWords = 3

// entityAlone returns the entity to which a name without an id word refers, and the name of the entity's key. The
// name is the name of the entity, as in "customer", or ends with it, as in "sourceFeature".
func (n nameReader) entityAlone(u *ValueUse, near *resource.Resource, within *entity, parts []string) (*entity, string) {
	last := parts[len(parts)-1]
	if t := basicTypeOf(u); t != scalar && t != unknown || isPluralOfOne(u) || len(parts) > maxAloneWords {
		return nil, ""
	}
	for from := range parts {
		if from > 0 && slices.Contains(foreignWords, parts[from-1]) {
			break
		}
		e := n.find(u.spelling.phrase(from, len(parts)), near)
		if e == nil || e == within && !isList(u) && !n.selectsOwn(u, near, e) || !e.canBeMany() || u.contradicts(e) {
			continue
		}
		isKey := from == 0 && e.attrs[last] != nil && e.attrs[last].inPath
		if slices.Contains(genericNouns, last) && !isKey || from > 0 && slices.Contains(genericNouns, parts[0]) {
			continue
		}
		if key := e.keyLike(u); key != "" && !e.isMadeUp(key, u) {
			return e, key
		}
	}
	return nil, ""
}

// isMadeUp reports whether a use cannot be an id of the entity, because its example is a word. Services generate ids
// that are not words: the task "deploy" is not the id of a task. If the document also gives a word as an example of
// the id itself, isMadeUp returns false. It returns false for path parameters, too.
func (e *entity) isMadeUp(key string, u *ValueUse) bool {
	a := e.attrs[plainName(key)]
	return u.In != model.InPath && slices.Contains(strictIDWords, key) && u.isWord() && (a == nil || !a.isWord)
}

// selectsOwn reports whether a field in the request of an action selects the element on which the action works: the
// "channel" of POST /channels.archive.
func (n nameReader) selectsOwn(u *ValueUse, near *resource.Resource, e *entity) bool {
	return !u.Out && u.owner() == "" && u.holder() == "" && n.byResource[near] == e && isMethod(near) &&
		!slices.Contains(creationWords, plainName(near.Segment))
}

// genericNouns are names of attributes that usually do not refer to an entity of the same name: the "version" in a
// message is rarely one of the API's versions, and a "sort_order" is not one of its orders. Such a name refers to an
// entity only if a path parameter has the same name.
var genericNouns = []string{
	"name", "type", "status", "state", "description", "value", "text", "date", "time", "message", "count", "total", "page", "size",
	"limit", "offset", "sort", "data", "content", "version", "url", "kind", "code", "number", "key", "format", "error", "body",
	"field", "filter", "query", "pattern", "path", "amount", "entity",
	"comment", "note", "title", "link",
}
