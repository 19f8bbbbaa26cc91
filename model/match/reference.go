package match

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// reference finds the values whose names refer to another entity: "productId", or "customer" if there are
// customers.
func (q *qualifier) reference(op *model.Operation, u *ValueUse, i *identity) {
	switch {
	case u.In == model.InHeader && u.Out:
		q.answerID(op, u, i, "Location")
		return
	case u.Out && u.holder() == u.Name && u.owner() == "" && strings.Trim(u.Pointer, "/0") == "":
		q.answerID(op, u, i, "the answer")
		return
	case u.In == model.InPath && i.entity != nil:
		return // pathParam has set it
	case isClientSecret(u.Name):
		return
	}
	if i.isReference || u.Pointer == "" && u.In == model.InBody && basicTypeOf(*u) != scalar || isEnum(u.schema) {
		return
	}
	near := q.resources[op]
	if r := q.resourceOfParam(op, u.Name); r != nil && u.In == model.InPath && !u.Out {
		near = r
	}
	if e, attr := q.entityNamed(u, near, i.entity); e != nil {
		if described, key := q.attrDescribed(op, u, i.entity); described == e {
			attr = key
		}
		*i = identity{entity: e, attr: e.addUse(attr, *u), why: u.Name + " names " + article(e.name)}
		i.isReference = u.In != model.InBody || !q.createsEntity(op, e)
		return
	}
	if u.In == model.InPath {
		return
	}
	if e, attr := q.entityTyped(op, u, i.entity); e != nil {
		*i = identity{entity: e, attr: e.addUse(attr, *u), isReference: true, why: "its type " + typeAlias(u) + " names " + article(e.name)}
		return
	}
	if e, attr := q.entityDescribed(op, u, i.entity); e != nil {
		why := "the description of " + u.Name + " names " + article(e.name)
		*i = identity{entity: e, attr: e.addUse(attr, *u), isReference: true, why: why}
		return
	}
	if e, attr := q.attrDescribed(op, u, i.entity); e != nil {
		why := "the description of " + u.Name + " names the " + attr + " of " + article(e.name)
		*i = identity{entity: e, attr: e.addUse(attr, *u), isReference: true, why: why}
	}
}

// createsEntity reports whether an operation creates elements of an entity.
func (q *qualifier) createsEntity(op *model.Operation, e *entity) bool {
	if op.Method != "POST" || q.byResource[q.resources[op]] != e {
		return false
	}
	parts := words(ResourceName(op.Path))
	return len(parts) == 0 || !slices.Contains(verbWords, parts[0]) || slices.Contains(creationWords, parts[0])
}

// answerID reads a value of an answer that is the id of an element of the resource. carrier names the part of
// the answer in the evidence.
func (q *qualifier) answerID(op *model.Operation, u *ValueUse, i *identity, carrier string) {
	for _, c := range q.resources[op].Children {
		if e := q.byResource[c]; c.Param && e != nil && u.ID == q.resources[op].Element() {
			*i = identity{entity: e, attr: e.addUse(q.paramKey(c, u.ID, *u), *u), isReference: true, why: carrier + " leads to " + c.Path}
			return
		}
	}
}

// entityNamed returns the entity and the attribute to which the name of a use refers, or nil. In the name, an
// entity's name comes before an id word or the name of an attribute. The longest entity name is chosen. near
// is the resource of the operation, and within is the entity that has the use as an attribute.
func (q *qualifier) entityNamed(u *ValueUse, near *resource.Resource, within *entity) (*entity, string) {
	parts := words(u.Name)
	if len(parts) == 0 {
		return nil, ""
	}
	parts = singularLast(parts)
	if len(parts) > 1 && parts[0] == "id" {
		parts = append(parts[1:], "id")
	}
	if basicTypeOf(*u) == moment {
		return nil, ""
	}
	if e := q.entityEndingInID(u, near, within, parts); e != nil {
		return e, e.keyLike(*u)
	}
	for from := range parts {
		for to := len(parts) - 1; to > from; to-- {
			word := strings.Join(parts[to:], "")
			e := q.find(strings.Join(parts[from:to], ""), near)
			if e == nil && from == 0 && (word == "name" || slices.Contains(idWords, word)) {
				e = q.endingIn(strings.Join(parts[:to], ""), word)
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
	if e, attr := q.entityAbbreviated(u, near, within, parts); e != nil {
		return e, attr
	}
	if key := within.relativeKey(parts, *u); key != "" {
		return within, key
	}
	if e := q.find("user", near); e != nil && e != within && slices.Contains(userRoles, plainName(u.Name)) {
		if key := e.keyLike(*u); key != "" && e.canBeMany() && u.Pointer != "" && basicTypeOf(*u) == scalar {
			return e, key
		}
	}
	return q.entityAlone(u, near, within, parts)
}

// entityEndingInID returns the entity whose name ends the words of a value's name and itself ends with an id word, such as the
// tax-code of a default_tax_code in an API with /tax_codes/{id}. It returns nil if there is none.
func (q *qualifier) entityEndingInID(u *ValueUse, near *resource.Resource, within *entity, parts []string) *entity {
	if !slices.Contains(idWords, parts[len(parts)-1]) {
		return nil
	}
	for from := range len(parts) - 1 {
		e := q.find(strings.Join(parts[from:], ""), near)
		if e != nil && e != within && e.elementPath && e.hasKey() && e.keyLike(*u) != "" {
			return e
		}
	}
	return nil
}

// typeAlias returns the name of the component that is the type of a text or a number, such as UserId, "" if it has none. A
// component without a type counts, too.
func typeAlias(u *ValueUse) string {
	if t := basicTypeOf(*u); t == scalar || t == unknown {
		if s := elementSchema(u.schema); s != nil {
			return s.Name
		}
	}
	return ""
}

// entityTyped returns the entity and the attribute that the name of the value's type names: a user for a "creator" of type
// UserId. It returns nil if the type's name has no id word or if the value is the key of the entity within.
func (q *qualifier) entityTyped(op *model.Operation, u *ValueUse, within *entity) (*entity, string) {
	alias := typeAlias(u)
	if parts := words(alias); len(parts) < 2 || !slices.Contains(strictIDWords, parts[len(parts)-1]) {
		return nil, ""
	}
	named := *u
	named.Name = alias
	e, attr := q.entityNamed(&named, q.resources[op], within)
	if e == nil || e == within {
		return nil, ""
	}
	return e, attr
}

// contradicts reports whether the name of the value's type says that the value is no id, although the value has an
// entity's name: a "certificate" of type CertificatePem, or a "channel" of type Conversation, which seems to be an object.
func (u *ValueUse) contradicts(e *entity) bool {
	parts := words(typeAlias(u))
	if len(parts) == 0 {
		return false
	}
	last := parts[len(parts)-1]
	if last == "name" || slices.Contains(idWords, last) {
		return false
	}
	return basicTypeOf(*u) == unknown || len(parts) > 1 && e.attrs[last] == nil && !strings.HasSuffix(e.name, last)
}

// endingIn returns the only entity that a component describes, whose name ends with the words of entityName, and
// that has an attribute attr: the transfer-job of a jobName. A name may be the key of an entity without names. It returns
// nil if there is none or more than one.
func (q *qualifier) endingIn(entityName, attr string) *entity {
	return onlyOne(q.byLastWords[entityName], func(e *entity) bool {
		return e.attrs[attr] != nil || attr == "name" && e.attrs["title"] == nil && e.elementPath && e.hasKey()
	})
}

// userRoles are plain names of values in messages that refer to a user, if the API has users.
var userRoles = []string{
	"createdby", "updatedby", "modifiedby", "lastmodifiedby", "deletedby", "invitedby", "approvedby", "creator", "author", "owner",
	"assignee", "reporter", "caller", "createdbyid", "updatedbyid", "ownerid", "creatorid", "authorid", "assigneeid", "reporterid",
}

// relations are words that refer to another element of the same entity, before an id word.
var relations = []string{
	"parent", "child", "root", "previous", "prev", "next", "original", "source", "target", "sibling", "linked", "related",
}

// relativeKey returns the name of the entity's key if the words of a field of the entity refer to another of its
// elements: "parent", "id" or "parent", "key" if a key of that name identifies the entity, or "parent", "score" for a
// score. Otherwise it returns "".
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

// attrFor returns the attribute that a word after the entity's name means, "" for none. An id word means the
// key, or an attribute of that name. Any other word means an attribute of that name only if whole is true:
// then the entity's name and the word are the whole name of the value.
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

// maxAloneWords is the maximum number of words of a name that [qualifier.entityAlone] reads: a longer name rarely is
// that of an entity.
const maxAloneWords = 3

// entityAlone returns the entity to which a name refers that is an entity's name, or ends in one, without an
// id word: "customer" or "sourceFeature". It returns the entity's key, too.
func (q *qualifier) entityAlone(u *ValueUse, near *resource.Resource, within *entity, parts []string) (*entity, string) {
	last := parts[len(parts)-1]
	if t := basicTypeOf(*u); t != scalar && t != unknown || isPluralOfOne(*u) || len(parts) > maxAloneWords {
		return nil, ""
	}
	for from := range parts {
		e := q.find(strings.Join(parts[from:], ""), near)
		if e == nil || e == within && !isList(*u) && !q.selectsOwn(u, near, e) || !e.canBeMany() || u.contradicts(e) {
			continue
		}
		isKey := from == 0 && e.attrs[last] != nil && e.attrs[last].inPath
		if slices.Contains(genericNouns, last) && !isKey || from > 0 && slices.Contains(genericNouns, parts[0]) {
			continue
		}
		if key := e.keyLike(*u); key != "" {
			return e, key
		}
	}
	return nil, ""
}

// selectsOwn reports whether a field of a request says on which element of the resource an action works: the channel in a
// POST /channels.archive.
func (q *qualifier) selectsOwn(u *ValueUse, near *resource.Resource, e *entity) bool {
	return !u.Out && u.owner() == "" && u.holder() == "" && q.byResource[near] == e && isMethod(near) &&
		!slices.Contains(creationWords, plainName(near.Segment))
}

// genericNouns are names of attributes that do not refer to an entity of that name, unless a path parameter is called
// so, too: the "version" in a message is rarely one of the API's versions, and a "sort_order" none of its orders.
var genericNouns = []string{
	"name", "type", "status", "state", "description", "value", "text", "date", "time", "message", "count", "total", "page", "size",
	"limit", "offset", "sort", "data", "content", "version", "url", "kind", "code", "number", "key", "format", "error", "body",
	"field", "filter", "query", "pattern", "path", "amount", "entity",
	"comment", "note", "title", "link",
}

// isPluralOfOne reports whether a value is no list although its name is a plural: a number of elements, or a text
// about them. A parameter may be a list written as text.
func isPluralOfOne(u ValueUse) bool {
	parts := words(u.Name)
	last := parts[len(parts)-1]
	return Singular(last) != last && !isList(u) && (u.Pointer != "" || u.Type == "integer" || u.Type == "number") && u.Type != ""
}

// IsCredentialName reports whether a value with that name is a credential, such as a token or an API
// key. An idempotency token is not one, and neither is a password: a call may invent a password, but
// a credential must come from the service.
func IsCredentialName(name string) bool {
	p := plainName(name)
	return (hasAnySuffix(p, "token", "apikey") || p == "authorization") && !strings.Contains(p, "idempotency")
}

// isClientSecret reports whether a value with that name is the secret by which a client may see one object.
func isClientSecret(name string) bool {
	return hasAnySuffix(name, "ecret", "ECRET") && strings.HasSuffix(plainName(name), "clientsecret")
}

// isEnum reports whether the document lists the possible values of a schema.
func isEnum(s *model.Schema) bool { return s != nil && (len(s.Enum) > 0 || s.Const != nil) }

// isList reports whether a use is a list.
func isList(u ValueUse) bool { return u.schema != nil && u.schema.Items != nil }

// article puts "a" or "an" before a name.
func article(name string) string {
	for _, sound := range []string{"us", "uni", "eu", "one"} {
		if strings.HasPrefix(name, sound) {
			return "a " + name
		}
	}
	if strings.ContainsRune("aeiou", rune(name[0])) || strings.HasPrefix(name, "hour") {
		return "an " + name
	}
	return "a " + name
}
