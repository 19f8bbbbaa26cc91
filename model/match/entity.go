package match

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// entity is a kind of thing in an API, such as a product. Paths have resources for the entity, components of the
// document describe it, and values are its attributes.
type entity struct {
	name      string   // words with dashes: "cart-item"
	parts     []string // the words of the name
	plain     string   // the words of the name without separators
	resources []*resource.Resource
	// referencedOnly reports whether values refer to the entity, even if no resource has it; see addReferencedOnly.
	referencedOnly bool
	// described reports whether a component of the document describes the entity.
	described bool
	attrs     map[string]*attribute
	pathAttrs []string // keys of the attributes that are path parameters, in order

	// summarize sets these fields when all resources are known:
	//   - elementPath reports whether a path parameter identifies an element of the entity.
	//   - pluralPath reports whether a path with a GET or an action has the plural of the entity's name.
	//   - created reports whether the API creates elements of the entity.
	elementPath, pluralPath, created bool
}

// newEntity returns an entity without attributes.
func newEntity(name string) *entity {
	return &entity{
		name:  name,
		parts: strings.Split(name, "-"),
		plain: strings.ReplaceAll(name, "-", ""),
		attrs: map[string]*attribute{},
	}
}

// attribute is a value of an entity. The key of an attribute is the result of attrKey.
type attribute struct {
	entity    *entity
	name      string // as written in the first use in the document
	id        string // the ID of the value, such as "product.name", set when it is first needed
	basicType basicType
	types     jsonTypes // JSON types of the attribute's uses in messages
	pathTypes jsonTypes // JSON types of the attribute's path parameters
	emitted   bool
	uses      int
	// identifies is the evidence that the attribute identifies elements, "" if there is none.
	identifies string
	inPath     bool // the attribute is a path parameter
	isWord     bool // the document gives a word as an example of the attribute, see [ValueUse.isWord]
}

// addUse adds a use of an attribute of the entity and returns the attribute's key.
func (e *entity) addUse(name string, u *ValueUse) string {
	key := attrKey(name, u)
	a := e.attrs[key]
	if a == nil {
		a = &attribute{entity: e, name: name, basicType: basicTypeOf(u)}
		if key == "name" || slices.Contains(idWords, key) {
			a.name = key
		}
		e.attrs[key] = a
	}
	a.emitted, a.uses, a.isWord = a.emitted || u.Out, a.uses+1, a.isWord || u.isWord()
	switch {
	case u.Pointer != "":
		a.types |= jsonTypesOf(u)
	case u.In == model.InPath:
		a.pathTypes |= jsonTypesOf(u)
	}
	return key
}

// attrKey returns the key of an attribute with a name. A list has the key of its elements.
func attrKey(name string, u *ValueUse) string {
	if u.schema == nil || u.schema.Items == nil {
		return u.plainAs(name)
	}
	parts := u.wordsAs(name)
	if n := len(parts); n > 1 && parts[n-1] == "list" {
		parts = parts[:n-1]
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(singularLast(parts), "")
}

// trimEntityName removes the entity's name from the start of an attribute's name: "productName" of a product becomes
// "name", and "itemId" of a cart-item becomes "id". It does so only if the rest is "name", an id word or an attribute
// of the entity. Otherwise it returns the whole name.
func (e *entity) trimEntityName(name string) string {
	for from := range e.parts {
		rest, ok := cutWords(name, e.parts[from:])
		if !ok {
			continue
		}
		if key := plainName(rest); key == "name" || slices.Contains(idWords, key) || key != "" && e.attrs[key] != nil {
			return rest
		}
	}
	return name
}

// cutWords cuts words off the start of a name. ok is false if the name does not start with these words.
func cutWords(name string, parts []string) (rest string, ok bool) {
	rest = name
	for _, w := range parts {
		rest, ok = cutWord(rest, w)
		if !ok {
			return name, false
		}
	}
	return rest, true
}

// cutWord cuts a word and the separators after it off the start of a name. It returns false if the name
// does not start with the word.
func cutWord(name, word string) (string, bool) {
	if len(name) < len(word) || !strings.EqualFold(name[:len(word)], word) {
		return name, false
	}
	rest := name[len(word):]
	if rest != "" && len(words(name)) == len(words(rest)) {
		return name, false // the word is longer: "production" is not "product"
	}
	return strings.TrimLeft(rest, "_-. "), true
}

// hasAttr reports whether the entity has an attribute with this key, and the basic type of the attribute fits the
// use.
func (e *entity) hasAttr(attr string, u *ValueUse) bool {
	a := e.attrs[attr]
	return a != nil && a.basicType.fits(basicTypeOf(u))
}

// isNamed reports whether the entity has this plain name, as EntityName returns it.
func (e *entity) isNamed(entityName string) bool {
	return e.plain == entityName
}

// extendsName reports whether the entity's name begins with the words of a plain name and has more words:
// "show-vote" extends "show".
func (e *entity) extendsName(entityName string) bool {
	begin := ""
	for _, w := range e.parts {
		if begin != "" && begin == entityName {
			return true
		}
		begin += w
	}
	return false
}

// summarize sets the fields that follow from the entity's resources.
func (e *entity) summarize() {
	for _, r := range e.resources {
		e.elementPath = e.elementPath || r.Param
		read := r.Operation("GET") != nil || slices.ContainsFunc(r.Children, isMethod)
		e.pluralPath = e.pluralPath || read && Singular(r.Segment) != strings.ToLower(r.Segment)
		e.created = e.created || r.Param && slices.ContainsFunc(r.Creators(), func(c resource.Creator) bool {
			return e.described || !c.Own // a PUT may connect elements of another entity
		})
	}
}

// isMethod reports whether a resource is a custom method or another action on the resource above it.
func isMethod(r *resource.Resource) bool { return r.Method || isAction(r) }

// canBeMany reports whether the API may have several elements of the entity: values refer to them, path
// parameters identify them, or a path with a GET or an action has the plural of the name.
func (e *entity) canBeMany() bool { return e.referencedOnly || e.elementPath || e.pluralPath }

// addPathAttr records that the attribute with this key is a path parameter.
func (e *entity) addPathAttr(attr string) {
	if i, known := slices.BinarySearch(e.pathAttrs, attr); !known {
		e.pathAttrs = slices.Insert(e.pathAttrs, i, attr)
		e.attrs[attr].inPath = true
	}
}

// basicType is the type of a value for the purpose of matching: values of different basic types cannot be the same.
// Numbers and texts have the same basic type, because paths and queries contain numbers as text.
type basicType int

const (
	unknown basicType = iota
	scalar            // a number or a text
	boolean
	dateTime
	container
)

// basicTypeOf returns the basic type of a use. For a list, it returns the basic type of the elements.
func basicTypeOf(u *ValueUse) basicType {
	return basicTypeOfSchema(elementSchema(u.schema), true)
}

// basicTypeOfSchema returns the basic type of a schema that is not a list. A schema with alternatives (oneOf, anyOf)
// has the basic type that all alternatives have. But if one of the alternatives is scalar, the result is scalar,
// because an API may answer with an id in place of the object. If choose is false, alternatives are not read, and a
// schema with alternatives has the type unknown.
func basicTypeOfSchema(s *model.Schema, choose bool) basicType {
	switch {
	case s == nil:
		return unknown
	case s.Type == "" && len(s.Properties) > 0:
		return container
	case s.Type == "":
		return commonType(append(s.OneOf[:len(s.OneOf):len(s.OneOf)], s.AnyOf...), choose)
	case s.Type == "boolean":
		return boolean
	case s.Type == "object":
		return container
	case slices.Contains([]string{"date", "date-time", "time"}, s.Format):
		return dateTime
	}
	return scalar
}

// commonType returns the basic type that all alternatives have, apart from enums. See [basicTypeOfSchema].
func commonType(alternatives []*model.Schema, choose bool) basicType {
	common := unknown
	for i, s := range alternatives {
		if !choose || isEnum(s) {
			continue
		}
		switch t := basicTypeOfSchema(elementSchema(s), false); {
		case t == scalar:
			return scalar
		case i > 0 && t != common && common != unknown:
			return unknown
		default:
			common = t
		}
	}
	return common
}

// fits reports whether values of two basic types can be the same.
func (t basicType) fits(o basicType) bool { return t == o || t == unknown || o == unknown }
