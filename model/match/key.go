package match

import "slices"

// textKeys are names of attributes that are often a second, readable key, the least ambiguous first.
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

// hasKey reports whether the entity has an attribute that identifies its elements: an id word or a path parameter.
func (e *entity) hasKey() bool {
	a := e.attrs[e.key()]
	return a != nil && (a.inPath || slices.Contains(idWords, e.key()))
}

// keyName returns the name of the attribute that identifies the elements of the entity.
func (e *entity) keyName() string {
	key := e.key()
	if a := e.attrs[key]; a != nil {
		return a.name
	}
	return key
}

// keyLike returns the name of an attribute that identifies the elements of the entity and whose type fits a use. It is
// the first of these attributes whose type fits:
//  1. an attribute that a path parameter and a message have
//  2. the key
//  3. a text key that messages have
//  4. another text key
//  5. an attribute that only a path parameter has
//
// For example, a user has an integer id and a login. For the text in /users/{user}, keyLike returns the login.
//
// If no type fits, and the use is a parameter, the result is the key if its basic type fits. Its JSON type does not
// count, because parameters are sent as text. Otherwise the result is "".
func (e *entity) keyLike(u *ValueUse) string {
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

// jsonTypesOf returns the JSON types of a use. For a list, it returns the types of the elements. The set is empty if
// the document declares no type, or a type that is neither a text nor a number.
func jsonTypesOf(u *ValueUse) jsonTypes {
	name := u.Type
	if s := elementSchema(u.schema); s != nil {
		name = s.Type
	}
	switch name {
	case "string":
		return textType
	case "integer":
		return integerType
	case "number":
		return integerType | numberType
	}
	return 0
}

// agrees reports whether the JSON types of a use and of the attribute allow both to be the same value. The types of
// the attribute's path parameters count only if no message has the attribute. If the types of the use or of the
// attribute are unknown, agrees returns true.
func (a *attribute) agrees(u *ValueUse) bool {
	t, own := jsonTypesOf(u), a.types
	if own == 0 {
		own = a.pathTypes
	}
	return own == 0 || t == 0 || own&t != 0
}
