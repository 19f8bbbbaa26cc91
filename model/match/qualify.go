package match

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// qualifier finds the identity of each use of a value: an entity and one of its attributes. The evidence is in the
// paths, the names of components, the names and types of values, and the links that the document declares.
type qualifier struct {
	*entities
	ops          []*model.Operation
	uses         map[*model.Operation][]ValueUse
	identities   map[*model.Operation][]identity // parallel to uses
	names        nameReader
	descriptions *descriptionReader
	// topicCache, paramCache, fieldCache and nameCache cache the results of topics, resourceOfParam, fieldEvidence and
	// nameEvidence.
	topicCache map[*model.Operation][]*entity
	paramCache map[*model.Operation]map[string]*resource.Resource
	fieldCache map[fieldOf]string
	nameCache  map[nameFor]string
}

// fieldOf is the key of fieldCache: the name of a field, and the owner of the field.
type fieldOf struct {
	field *spelling
	owner string
}

// nameFor is the key of nameCache: a name, and the entity to which the name refers.
type nameFor struct {
	name   *spelling
	entity *entity
}

// identity is an attribute of an entity.
type identity struct {
	entity *entity // nil if the value belongs to no entity
	attr   string
	// isReference reports whether the use identifies an element of the entity.
	isReference bool
	why         string
	evidence    Evidence
}

// qualify finds the entities of an API, and sets the identities and the kinds of all uses. Each step uses the results
// of the earlier steps.
func qualify(ops []*model.Operation, m *Matcher) *entities {
	x := newEntities(ops, m)
	q := &qualifier{
		entities:     x,
		ops:          ops,
		uses:         m.uses,
		identities:   make(map[*model.Operation][]identity, len(ops)),
		names:        nameReader{x},
		descriptions: &descriptionReader{x, map[string]*description{}},
		topicCache:   map[*model.Operation][]*entity{},
		paramCache:   map[*model.Operation]map[string]*resource.Resource{},
		fieldCache:   map[fieldOf]string{},
		nameCache:    map[nameFor]string{},
	}
	steps := []func(*model.Operation, *ValueUse, *identity){
		q.messageField, q.pathParam, q.reference, q.queryParam, q.partOfEntity,
	}
	for _, step := range steps {
		q.each(step)
	}
	q.joinEntities()
	q.matchUnemitted()
	q.followLinks()
	urlMatcher{qualifier: q, root: m.Tree, leadsTo: map[*model.Schema]*resource.Resource{}}.matchAll()
	nameMatcher{
		qualifier: q, keys: map[string]identity{}, forms: map[*model.Schema]string{}, described: map[string]string{},
	}.matchAll()
	q.setKinds()
	cursorJoiner{qualifier: q, owners: map[*attribute]string{}}.joinAll()
	q.each(func(_ *model.Operation, u *ValueUse, i *identity) {
		u.ID, u.Why = u.Name, i.why
		u.IsReference = i.isReference && u.Kind.Links() || u.Kind == KindCredential && !u.Out
		u.spelling = nil
		if i.entity != nil {
			u.attr = i.entity.attrs[i.attr]
			u.ID, u.Evidence = u.attr.identity(), i.evidence
		}
	})
	x.spellings = nil
	return x
}

// identity returns the identity of the values that are this attribute, such as "product.name".
func (a *attribute) identity() string {
	if a.id == "" {
		a.id = a.entity.name + "." + a.name
	}
	return a.id
}

// each calls the function do for each use of a value by an operation. The function may change the use and its identity.
func (q *qualifier) each(do func(*model.Operation, *ValueUse, *identity)) {
	for _, op := range q.ops {
		uses, of := q.uses[op], q.identities[op]
		if of == nil {
			of = make([]identity, len(uses))
			q.identities[op] = of
		}
		for i := range uses {
			do(op, &uses[i], &of[i])
		}
	}
}

// messageField gives a field of a message its identity: an attribute of the entity that the object around the field
// describes.
func (q *qualifier) messageField(op *model.Operation, u *ValueUse, i *identity) {
	if u.Pointer == "" || strings.Trim(u.Pointer, "/0") == "" {
		return
	}
	e, why, evidence := q.ownerOf(op, u)
	attr := e.addUse(e.trimEntityName(u.Name), u)
	*i = identity{entity: e, attr: attr, why: q.fieldEvidence(u, why), evidence: evidence}
}

// fieldEvidence returns "name of owner". It returns the same string for equal arguments to save memory, because there
// are very many fields.
func (q *qualifier) fieldEvidence(u *ValueUse, owner string) string {
	of := fieldOf{u.spelling, owner}
	text, known := q.fieldCache[of]
	if !known {
		text = u.Name + " of " + owner
		q.fieldCache[of] = text
	}
	return text
}

// nameEvidence returns the evidence that the name of a use refers to an entity. Like fieldEvidence, it returns the
// same string for equal arguments.
func (q *qualifier) nameEvidence(u *ValueUse, e *entity) string {
	of := nameFor{u.spelling, e}
	text, known := q.nameCache[of]
	if !known {
		text = u.Name + " names " + article(e.name)
		q.nameCache[of] = text
	}
	return text
}

// ownerOf returns the entity that the object around a field describes, and the evidence for it in words and as a grade.
// The evidence is the name of a component or of a property, the type that the object declares, or a path. ownerOf
// creates the entity if there is none.
func (q *qualifier) ownerOf(op *model.Operation, u *ValueUse) (*entity, string, Evidence) {
	if e := q.byComponent[u.owner()]; e != nil {
		return e, u.owner(), EvidencePlace
	}
	r := q.resources[op]
	if name := EntityName(u.typeName()); name != "" {
		if e := q.find(name, r); e != nil {
			return e, "an object of type " + u.typeName(), EvidenceName
		}
	}
	if u.holder() == "" || slices.Contains(wrappers, plainName(u.holder())) {
		return q.entityAt(r), r.Path, EvidencePlace
	}
	if e := q.find(EntityName(u.holder()), r); e != nil {
		return e, u.holder(), EvidenceName
	}
	if e := q.byResource[r]; e != nil && isPage(op, u) {
		return e, r.Path, EvidencePlace
	}
	if e := q.linkedTo(u, r); e != nil {
		return e, u.holder(), EvidenceName
	}
	return q.getOrCreate(entityWords(u.holder())), u.holder(), EvidenceName
}

// linkedTo returns the entity to which a relationship of JSON:API leads, nil if there is none. The name of the
// relationship ends with the entity's name: "transferAccount" leads to an account. If the name is a word in
// relations, such as "parent", the relationship leads to the entity of the resource r.
func (q *qualifier) linkedTo(u *ValueUse, r *resource.Resource) *entity {
	if !u.object.linkage {
		return nil
	}
	parts := entityWords(u.holder())
	if len(parts) == 1 && slices.Contains(relations, parts[0]) {
		return q.byResource[r]
	}
	for from := range parts {
		if e := q.find(strings.Join(parts[from:], ""), r); e != nil && e.canBeMany() {
			return e
		}
	}
	return nil
}

// isPage reports whether a value is in an element of the only list in the answer to a GET of a collection. Such an
// element belongs to the collection, whatever the name of the list is.
func isPage(op *model.Operation, u *ValueUse) bool {
	if op.Method != "GET" || !u.Out || u.In != model.InResponse || strings.Count(u.Pointer, "/") != 3 || strings.HasSuffix(op.Path, "}") {
		return false
	}
	return slices.ContainsFunc(answers(op.Responses), func(r model.Response) bool {
		return slices.ContainsFunc(r.Contents, func(c model.Content) bool {
			list := listedIn(c.Schema)
			return list != c.Schema && strings.HasPrefix(u.Pointer, "/"+u.holder()+"/0/")
		})
	})
}

// entityAt returns the entity of a resource, or the entity "api" if it has none.
func (q *qualifier) entityAt(r *resource.Resource) *entity {
	if e := q.byResource[r]; e != nil {
		return e
	}
	return q.getOrCreate([]string{"api"})
}

// partOfEntity handles a value of a resource that is only a part of another entity, such as the status of an order in
// /orders/{id}/status. If the other entity has an attribute of the same name, the use gets the identity of this
// attribute.
func (q *qualifier) partOfEntity(op *model.Operation, u *ValueUse, i *identity) {
	place := q.resources[op]
	if i.entity == nil || i.isReference || i.entity.canBeMany() || u.holder() != "" || q.byResource[place] != i.entity ||
		!i.entity.isNamed(EntityName(ResourceName(place.Path))) || slices.Contains(idWords, i.attr) {
		return
	}
	for r := place.Parent; r != nil; r = r.Parent {
		if e := q.byResource[r]; e != nil && e != i.entity && e.hasAttr(i.attr, u) {
			e.addUse(e.attrs[i.attr].name, u)
			i.entity, i.why = e, fmt.Sprintf("%s of %s, of which %s is a part", u.Name, article(e.name), place.Path)
			i.evidence = min(i.evidence, EvidenceName)
			return
		}
	}
}

// topics returns the entities that an operation is about: those of its answers, of its request body, of its
// resource and of the resources above it, in this order.
func (q *qualifier) topics(op *model.Operation) []*entity {
	list, known := q.topicCache[op]
	if known {
		return list
	}
	for _, name := range mainComponents(op) {
		if e := q.byComponent[name]; e != nil && !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	for r := q.resources[op]; r != nil; r = r.Parent {
		if e := q.byResource[r]; e != nil && !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	q.topicCache[op] = list
	return list
}
