package match

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// nameReader finds the entities to which the names of values refer.
type nameReader struct{ *entities }

// entityNamed returns the entity to which the name of a use refers, and the name of the entity's attribute: a product
// and its id for "productId". It returns nil if there is no such entity. In the name of the use, the entity's name
// precedes an id word or the name of an attribute. The longest entity name is chosen. near is the resource of the
// operation, and within is the entity that has the use as an attribute.
func (n nameReader) entityNamed(u *ValueUse, near *resource.Resource, within *entity) (*entity, string) {
	parts := words(u.Name)
	if len(parts) == 0 {
		return nil, ""
	}
	parts = singularLast(parts)
	if len(parts) > 1 && parts[0] == "id" {
		parts = append(parts[1:], "id")
	}
	if basicTypeOf(*u) == dateTime {
		return nil, ""
	}
	if e := n.entityEndingInID(u, near, within, parts); e != nil {
		return e, e.keyLike(*u)
	}
	for from := range parts {
		if from > 0 && slices.Contains(foreignWords, parts[from-1]) {
			break
		}
		for to := len(parts) - 1; to > from; to-- {
			word := strings.Join(parts[to:], "")
			e := n.find(strings.Join(parts[from:to], ""), near)
			if e == nil && from == 0 && (word == "name" || slices.Contains(idWords, word)) {
				e = n.entityEndingIn(strings.Join(parts[:to], ""), word)
			}
			if e == nil || len(e.resources) == 0 && !e.referencedOnly && e.attrs[word] == nil {
				continue
			}
			attr := e.attrFor(word, *u, from == 0)
			switch {
			case attr == "":
			case e != within || isList(*u):
				return e, attr
			case from == 0:
				return nil, "" // the cartItemId of a cart-item identifies that cart-item, not an item
			}
		}
	}
	if e, attr := n.entityAbbreviated(u, near, within, parts); e != nil {
		return e, attr
	}
	if key := within.relativeKey(parts, *u); key != "" {
		return within, key
	}
	if e := n.find("user", near); e != nil && e != within && slices.Contains(userRoles, plainName(u.Name)) {
		if key := e.keyLike(*u); key != "" && e.canBeMany() && u.Pointer != "" && basicTypeOf(*u) == scalar {
			return e, key
		}
	}
	return n.entityAlone(u, near, within, parts)
}

// foreignWords precede the names of entities of another system: an "external_user_id" identifies no user of the API.
var foreignWords = []string{"external", "foreign"}

// entityEndingInID returns the entity whose name ends with an id word and is the end of a value's name. For the value
// default_tax_code, this is the entity tax-code if the API has /tax_codes/{id}. entityEndingInID returns nil if there
// is no such entity. parts are the words of the value's name.
func (n nameReader) entityEndingInID(u *ValueUse, near *resource.Resource, within *entity, parts []string) *entity {
	if !slices.Contains(idWords, parts[len(parts)-1]) {
		return nil
	}
	for from := range len(parts) - 1 {
		e := n.find(strings.Join(parts[from:], ""), near)
		if e != nil && e != within && e.elementPath && e.hasKey() && e.keyLike(*u) != "" {
			return e
		}
	}
	return nil
}

// entityEndingIn returns the entity whose name ends with the words of entityName and that has an attribute attr. For
// the value jobName, this may be the entity transfer-job. If attr is "name", an entity with a key and without a title
// also counts. A component must describe the entity. entityEndingIn returns nil if there is no such entity or more than
// one.
func (n nameReader) entityEndingIn(entityName, attr string) *entity {
	return onlyOne(n.byLastWords[entityName], func(e *entity) bool {
		return e.attrs[attr] != nil || attr == "name" && e.attrs["title"] == nil && e.elementPath && e.hasKey()
	})
}

// userRoles are plain names of values in messages that refer to a user, if the API has users.
var userRoles = []string{
	"createdby", "updatedby", "modifiedby", "lastmodifiedby", "deletedby", "invitedby", "approvedby", "creator", "author", "owner",
	"assignee", "reporter", "caller", "createdbyid", "updatedbyid", "ownerid", "creatorid", "authorid", "assigneeid", "reporterid",
}

// relations are words that, before an id word, mean another element of the same entity, as in "parentId".
var relations = []string{
	"parent", "child", "root", "previous", "prev", "next", "original", "source", "target", "sibling", "linked", "related",
}

// relativeKey returns the name of the entity's key if a field of the entity refers to another element of the same
// entity, or else "". parts are the words of the field's name: a word of relations, followed by the entity's key, as in
// "parentId", or by the entity's name, as in the "parentScore" of a score.
func (e *entity) relativeKey(parts []string, u ValueUse) string {
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

// attrFor returns the name of the attribute that a word after the entity's name means, "" for none. An id word means the
// attribute of that name, or else the key. Any other word means the attribute of that name only if whole is true, that
// is, if the value's name consists of the entity's name and the word.
func (e *entity) attrFor(word string, u ValueUse, whole bool) string {
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

// maxAloneWords is the maximum number of words of a name that [nameReader.entityAlone] reads: a longer name rarely is
// that of an entity.
const maxAloneWords = 3

// entityAlone returns the entity to which a name without an id word refers, and the name of the entity's key. The name is
// the entity's name or ends with it: "customer" or "sourceFeature".
func (n nameReader) entityAlone(u *ValueUse, near *resource.Resource, within *entity, parts []string) (*entity, string) {
	last := parts[len(parts)-1]
	if t := basicTypeOf(*u); t != scalar && t != unknown || isPluralOfOne(*u) || len(parts) > maxAloneWords {
		return nil, ""
	}
	for from := range parts {
		if from > 0 && slices.Contains(foreignWords, parts[from-1]) {
			break
		}
		e := n.find(strings.Join(parts[from:], ""), near)
		if e == nil || e == within && !isList(*u) && !n.selectsOwn(u, near, e) || !e.canBeMany() || u.contradicts(e) {
			continue
		}
		isKey := from == 0 && e.attrs[last] != nil && e.attrs[last].inPath
		if slices.Contains(genericNouns, last) && !isKey || from > 0 && slices.Contains(genericNouns, parts[0]) {
			continue
		}
		if key := e.keyLike(*u); key != "" && !e.isMadeUp(key, u) {
			return e, key
		}
	}
	return nil, ""
}

// isMadeUp reports whether a use cannot be an id of the entity, because the example of the use is a word, but services
// generate the ids of the entity. For example, the task "deploy" is not the id of a task. isMadeUp returns false for
// path parameters.
func (e *entity) isMadeUp(key string, u *ValueUse) bool {
	a := e.attrs[plainName(key)]
	return u.In != model.InPath && slices.Contains(strictIDWords, key) && u.isWord() && (a == nil || !a.isWord)
}

// selectsOwn reports whether a field of an action's request selects the element of the resource on which the action works:
// the "channel" of POST /channels.archive.
func (n nameReader) selectsOwn(u *ValueUse, near *resource.Resource, e *entity) bool {
	return !u.Out && u.owner() == "" && u.holder() == "" && n.byResource[near] == e && isMethod(near) &&
		!slices.Contains(creationWords, plainName(near.Segment))
}

// genericNouns are names of attributes that do not refer to an entity of that name, unless a path parameter has the same
// name: the "version" in a message is rarely one of the API's versions, and a "sort_order" is not one of its orders.
var genericNouns = []string{
	"name", "type", "status", "state", "description", "value", "text", "date", "time", "message", "count", "total", "page", "size",
	"limit", "offset", "sort", "data", "content", "version", "url", "kind", "code", "number", "key", "format", "error", "body",
	"field", "filter", "query", "pattern", "path", "amount", "entity",
	"comment", "note", "title", "link",
}
