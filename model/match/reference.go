package match

import (
	"cmp"
	"slices"
	"strings"

	"sonde/model"
)

// reference sets the identity of a value that refers to another entity: by its name, such as "productId" (or "customer"
// if there is an entity customer), by the name of its type, or by its description. A header or a key in an answer, and
// an answer that is only an id, may refer to an element of the operation's resource; see answerID.
func (q *qualifier) reference(op *model.Operation, u *ValueUse, i *identity) {
	switch {
	case u.In == model.InHeader && u.Out:
		q.answerID(op, u, i, "Location")
		return
	case u.IsKey:
		q.answerID(op, u, i, "a key of the answer")
		return
	case u.Out && u.holder() == u.Name && u.owner() == "" && strings.Trim(u.Pointer, "/0") == "":
		q.answerID(op, u, i, "the answer")
		return
	case u.In == model.InPath && i.entity != nil:
		return // pathParam has already set the identity
	case isClientSecret(u.Name):
		return
	}
	if i.isReference || u.Pointer == "" && u.In == model.InBody && basicTypeOf(u) != scalar || isEnum(u.schema) {
		return
	}
	near := q.resources[op]
	if u.In == model.InPath && !u.Out {
		near = cmp.Or(q.resourceOfParam(op, u.Name), near)
	}
	if e, attr := q.ownElements(op, u); e != nil {
		why := u.Name + " are elements of " + op.Path
		*i = identity{entity: e, attr: e.addUse(attr, u), isReference: true, why: why, evidence: EvidenceName}
		return
	}
	if e, attr := q.names.entityNamed(u, near, i.entity); e != nil {
		if a := e.attrs[plainName(attr)]; a == nil || !a.inPath {
			if described, key := q.descriptions.attrDescribed(op, u, i.entity); described == e {
				attr = key
			}
		}
		*i = identity{entity: e, attr: e.addUse(attr, u), why: q.nameEvidence(u, e), evidence: EvidenceName}
		i.isReference = u.In != model.InBody || !q.createsEntity(op, e)
		return
	}
	if u.In == model.InPath {
		return
	}
	if e, attr := q.entityTyped(op, u, i.entity); e != nil {
		why := "its type " + typeAlias(u) + " names " + article(e.name)
		*i = identity{entity: e, attr: e.addUse(attr, u), isReference: true, why: why, evidence: EvidenceName}
		return
	}
	if e, attr := q.descriptions.entityDescribed(op, u, i.entity); e != nil {
		why := "the description of " + u.Name + " names " + article(e.name)
		*i = identity{entity: e, attr: e.addUse(attr, u), isReference: true, why: why, evidence: EvidenceGuess}
		return
	}
	if e, attr := q.descriptions.attrDescribed(op, u, i.entity); e != nil {
		why := "the description of " + u.Name + " names the " + attr + " of " + article(e.name)
		*i = identity{entity: e, attr: e.addUse(attr, u), isReference: true, why: why, evidence: EvidenceGuess}
	}
}

// ownElements returns the entity of the elements of a list, and the key of this entity. The list must be in a request
// and have the same name as the operation's collection. For example, the labels of PUT /runners/{id}/labels are labels
// of runners, even if other resources have labels, too. ownElements returns nil for other values.
func (q *qualifier) ownElements(op *model.Operation, u *ValueUse) (*entity, string) {
	r := q.resources[op]
	if u.Out || u.In != model.InBody || r.Param || !isList(u) || basicTypeOf(u) != scalar || u.holder() != "" {
		return nil, ""
	}
	name := EntityName(ResourceName(r.Path))
	e := q.byResource[r]
	if e == nil || !e.elementPath || e.isNamed(name) || EntityName(u.Name) != name {
		return nil, ""
	}
	if key := e.keyLike(u); key != "" {
		return e, key
	}
	return nil, ""
}

// createsEntity reports whether an operation creates elements of an entity.
func (q *qualifier) createsEntity(op *model.Operation, e *entity) bool {
	if op.Method != "POST" || q.byResource[q.resources[op]] != e {
		return false
	}
	parts := words(ResourceName(op.Path))
	return len(parts) == 0 || !slices.Contains(verbWords, parts[0]) || slices.Contains(creationWords, parts[0])
}

// answerID sets the identity of a value in an answer if the value is the id of an element of the operation's resource.
// carrier names the part of the answer that has the value, such as Location; it becomes part of the evidence.
func (q *qualifier) answerID(op *model.Operation, u *ValueUse, i *identity, carrier string) {
	for _, c := range q.resources[op].Children {
		if e := q.byResource[c]; c.Param && e != nil && u.ID == q.resources[op].Element() {
			attr, why := e.addUse(q.paramKey(c, u.ID, u), u), carrier+" leads to "+c.Path
			*i = identity{entity: e, attr: attr, isReference: true, why: why, evidence: EvidencePlace}
			return
		}
	}
}

// typeAlias returns the name of the component that a document uses as the type of a text or a number, such as UserId.
// The component itself may have no type. typeAlias returns "" if there is no such component.
func typeAlias(u *ValueUse) string {
	if t := basicTypeOf(u); t == scalar || t == unknown {
		if s := elementSchema(u.schema); s != nil {
			return s.Name
		}
	}
	return ""
}

// entityTyped returns the entity and the attribute to which the name of the value's type refers: a user for a
// "creator" of type UserId. within is the entity that has the value as an attribute. It returns nil if the name of
// the type does not end in a strict id word, or if it refers to within.
func (q *qualifier) entityTyped(op *model.Operation, u *ValueUse, within *entity) (*entity, string) {
	alias := typeAlias(u)
	if alias == "" {
		return nil, ""
	}
	if parts := words(alias); len(parts) < 2 || !slices.Contains(strictIDWords, parts[len(parts)-1]) {
		return nil, ""
	}
	named := *u
	named.Name, named.spelling = alias, q.spellings.of(alias)
	e, attr := q.names.entityNamed(&named, q.resources[op], within)
	if e == nil || e == within {
		return nil, ""
	}
	return e, attr
}

// contradicts reports whether a value with the name of an entity is not an id, according to the name of the value's
// type. Examples are a "certificate" of type CertificatePem, and a "channel" of type Conversation, which seems to be
// an object.
func (u *ValueUse) contradicts(e *entity) bool {
	alias := typeAlias(u)
	if alias == "" {
		return false
	}
	parts := words(alias)
	if len(parts) == 0 {
		return false
	}
	last := parts[len(parts)-1]
	if last == "name" || slices.Contains(idWords, last) {
		return false
	}
	return basicTypeOf(u) == unknown || len(parts) > 1 && e.attrs[last] == nil && !strings.HasSuffix(e.name, last)
}

// isPluralOfOne reports whether a value is not a list although its name is a plural. Such a value is a number of
// elements, or a text about them. It returns false for a parameter of type string, which may be a list written as
// text.
func isPluralOfOne(u *ValueUse) bool {
	parts := u.spelling.words
	last := parts[len(parts)-1]
	return (u.Pointer != "" || u.Type == "integer" || u.Type == "number") && u.Type != "" && !isList(u) && Singular(last) != last
}

// IsCredentialName reports whether a value with that name is a credential, such as a token, an API key or a secret
// access key. A credential must come from the service. Idempotency tokens and passwords are therefore not
// credentials: the client can make them up.
func IsCredentialName(name string) bool {
	p := plainName(name)
	return (hasAnySuffix(p, "token", "apikey", "secretkey", "accesskey") || p == "authorization") && !strings.Contains(p, "idempotency")
}

// isClientSecret reports whether a value with that name is a secret that gives a client access to a single object.
func isClientSecret(name string) bool {
	return hasAnySuffix(name, "ecret", "ECRET") && strings.HasSuffix(plainName(name), "clientsecret")
}

// isEnum reports whether the document lists the possible values of a schema.
func isEnum(s *model.Schema) bool { return s != nil && (len(s.Enum) > 0 || s.Const != nil) }

// isList reports whether a use is a list.
func isList(u *ValueUse) bool { return u.schema != nil && u.schema.Items != nil }

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
