package match

import "slices"

// textKeys are names of attributes that are often used as a second, readable key, the least ambiguous first.
var textKeys = []string{"username", "login", "slug", "handle", "name"}

// key returns the key of the attribute that identifies the entity, "id" if none does.
func (e *entity) key() string {
	for _, name := range idWords {
		if e.attrs[name] != nil {
			return name
		}
	}
	if len(e.pathAttrs) > 0 {
		return e.pathAttrs[0]
	}
	if e.attrs["name"] != nil {
		return "name"
	}
	return "id"
}

// hasKey reports whether the entity has an attribute that identifies it: an id word, or a path parameter.
func (e *entity) hasKey() bool {
	a := e.attrs[e.key()]
	return a != nil && (a.inPath || slices.Contains(idWords, e.key()))
}

// keyName returns the name of the attribute that identifies the entity.
func (e *entity) keyName() string {
	key := e.key()
	if a := e.attrs[key]; a != nil {
		return a.name
	}
	return key
}

// keyLike returns the name of the attribute that identifies the entity and whose type fits a use, "" if there is none.
// The attribute is the first of these whose type fits:
//  1. an attribute that a path parameter and a message have
//  2. the key
//  3. a text key that messages have
//  4. another text key
//  5. an attribute that only a path parameter has
//
// So the key for the text in /users/{user} is the login of a user with an integer id and a login. If none of these fits
// a parameter, the key is used whatever its JSON type is, because a parameter is sent as text.
func (e *entity) keyLike(u ValueUse) string {
	fits := func(key string) bool {
		a := e.attrs[key]
		return a != nil && a.basicType.fits(basicTypeOf(u)) && a.agrees(u)
	}
	key := e.key()
	for _, inPath := range e.pathAttrs {
		if fits(inPath) && e.attrs[inPath].types != 0 {
			return e.attrs[inPath].name
		}
	}
	if !fits(key) {
		key = ""
		for _, k := range textKeys {
			if fits(k) && (key == "" || e.attrs[key].types == 0 && e.attrs[k].types != 0) {
				key = k
			}
		}
	}
	if i := slices.IndexFunc(e.pathAttrs, fits); key == "" && i >= 0 {
		key = e.pathAttrs[i]
	}
	if a := e.attrs[e.key()]; key == "" && a != nil && u.Pointer == "" && a.basicType.fits(basicTypeOf(u)) {
		key = e.key()
	}
	if key == "" {
		return ""
	}
	return e.attrs[key].name
}

// jsonTypes is a set of JSON types.
type jsonTypes uint8

const (
	textType jsonTypes = 1 << iota
	integerType
	numberType
)

// jsonTypesOf returns the JSON types of a use, or of its elements if it is a list. The set is empty if the document
// declares no type, or one that is neither text nor a number.
func jsonTypesOf(u ValueUse) jsonTypes {
	name := u.Type
	if s := elementSchema(u.schema); s != nil {
		name = s.Type
	}
	return map[string]jsonTypes{"string": textType, "integer": integerType, "number": integerType | numberType}[name]
}

// agrees reports whether the JSON types of a use and of the attribute allow them to be the same value. The types of the
// attribute's path parameters count only if no message has the attribute. An attribute without types agrees with all uses.
func (a *attribute) agrees(u ValueUse) bool {
	t, own := jsonTypesOf(u), a.types
	if own == 0 {
		own = a.pathTypes
	}
	return own == 0 || t == 0 || own&t != 0
}
