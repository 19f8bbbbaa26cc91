package match

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// reference finds what names another thing: "productId", or "customer" where
// there are customers.
func (q *qualifier) reference(op *model.Operation, u *ValueUse, i *identity) {
	switch {
	case u.In == model.InHeader && u.Out:
		q.element(op, u, i, "Location")
		return
	case u.Out && u.holder == u.Name && u.owner == "" && strings.Trim(u.Pointer, "/0") == "":
		q.element(op, u, i, "the answer")
		return
	case u.In == model.InPath && i.entity != nil:
		return // inPath has seen to it
	}
	if i.refers || u.Pointer == "" && u.In == model.InBody && kindOf(*u) != scalar || chosen(u.schema) {
		return
	}
	if e, attr := q.named(u, q.at[op], i.entity); e != nil {
		*i = identity{entity: e, attr: e.note(attr, *u), why: u.Name + " names " + article(e.name)}
		i.refers = u.In != model.InBody || !q.creates(op, e)
	}
}

// creates reports whether an operation makes things of that kind.
func (q *qualifier) creates(op *model.Operation, e *entity) bool {
	if op.Method != "POST" || q.byNode[q.at[op]] != e {
		return false
	}
	parts := words(ResourceName(op.Path))
	return len(parts) < 2 || !slices.Contains(verbs, parts[0]) || slices.Contains(makings, parts[0])
}

// element reads an answer that is only the id of an element of the resource.
func (q *qualifier) element(op *model.Operation, u *ValueUse, i *identity, carrier string) {
	for _, c := range q.at[op].Children {
		if e := q.byNode[c]; c.Param && e != nil && u.ID == q.at[op].Element() {
			*i = identity{entity: e, attr: e.note(q.paramKey(c, u.ID), *u), refers: true, why: carrier + " leads to " + c.Path}
			return
		}
	}
}

// named returns the entity that a name refers to, seen from a resource and from within an entity,
// and the attribute; or nil. The entity's name comes before a word such as "id" or the name of an
// attribute. The longest name of an entity is chosen.
func (q *qualifier) named(u *ValueUse, near *resource.Resource, within *entity) (*entity, string) {
	parts := words(u.Name)
	if len(parts) == 0 {
		return nil, ""
	}
	parts = singularLast(parts)
	if len(parts) > 1 && parts[0] == "id" {
		parts = append(parts[1:], "id")
	}
	if kindOf(*u) == moment {
		return nil, ""
	}
	for from := range parts {
		for to := len(parts) - 1; to > from; to-- {
			e := q.find(strings.Join(parts[from:to], ""), near)
			if e == nil || len(e.nodes) == 0 && !e.stranger {
				continue
			}
			attr := e.identified(strings.Join(parts[to:], ""), *u, from == 0)
			switch {
			case attr == "":
			case e != within || from == 0 && listed(*u):
				return e, attr
			case from == 0:
				return nil, "" // the cartItemId of a cart-item is its own, whatever items there are
			}
		}
	}
	if e, attr := q.short(u, near, within, parts); e != nil {
		return e, attr
	}
	return q.bare(u, near, within, parts)
}

// identified returns the attribute that a word after the entity's name means,
// "" for none: one that says which thing it is, or any that the thing has if
// the whole name is understood.
func (e *entity) identified(word string, u ValueUse, whole bool) string {
	a := e.attrs[word]
	switch {
	case a != nil && a.kind.fits(kindOf(u)) && (whole || slices.Contains(identities, word)):
		return a.name
	case a == nil && slices.Contains(identities, word) && e.keyed():
		return e.keyName()
	case a == nil && (slices.Contains(identities, word) || e.stranger && word == "name"):
		return word
	}
	return ""
}

// keyName is the name of the attribute that says which thing it is.
func (e *entity) keyName() string {
	key := e.key()
	if a := e.attrs[key]; a != nil {
		return a.name
	}
	return key
}

// bare resolves a name that is nothing but a thing's, or ends in one's, such as
// "customer" or "sourceFeature".
func (q *qualifier) bare(u *ValueUse, near *resource.Resource, within *entity, parts []string) (*entity, string) {
	if k := kindOf(*u); k != scalar && k != unknown || counts(*u) {
		return nil, ""
	}
	for from := range parts {
		e := q.find(strings.Join(parts[from:], ""), near)
		if e == nil || e == within && !listed(*u) || !e.many() {
			continue
		}
		if a := e.attrs[e.key()]; a != nil && a.kind.fits(scalar) {
			return e, a.name
		}
	}
	return nil, ""
}

// counts reports whether a value says how many there are: it is one number, and
// called after several.
func counts(u ValueUse) bool {
	parts := words(u.Name)
	last := parts[len(parts)-1]
	return (u.Type == "integer" || u.Type == "number") && Singular(last) != last
}

// IsCredentialName reports whether a value with that name is a credential, which needs an account
// or a session. An idempotency key is not one.
func IsCredentialName(name string) bool {
	p := plain(name)
	return (hasAnySuffix(p, "token", "apikey") || p == "authorization") && !strings.Contains(p, "idempotency")
}

// chosen reports whether a value is one of a few that the document lists.
func chosen(s *model.Schema) bool { return s != nil && (len(s.Enum) > 0 || s.Const != nil) }

// listed reports whether a use is a list of plain values.
func listed(u ValueUse) bool { return u.schema != nil && u.schema.Items != nil }

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
