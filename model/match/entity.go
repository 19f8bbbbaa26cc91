package match

import (
	"slices"
	"strings"

	"sonde/model/resource"
)

// entity is a kind of thing in an API, such as a product. It has resources in the paths, components
// of the document describe it, and its attributes are values.
type entity struct {
	name  string // words with dashes: "cart-item"
	nodes []*resource.Resource
	// stranger reports whether other entities of the API refer to it, and it has no resource.
	stranger bool
	// described reports whether a component of the document describes it.
	described bool
	attrs     map[string]*attribute
	paths     []string // the attributes that are parameters of a path, in order

	// These are set when all nodes are there: whether a path parameter identifies one, whether
	// a path has the plural of its name, and whether the API creates it.
	element, plural, made bool
}

// attribute is a value of an entity, identified by its plain name in the singular.
type attribute struct {
	name    string // as the document first writes it
	kind    kind
	emitted bool
	path    bool // it identifies the entity in a path
}

// note adds a use of an attribute of the entity and returns the attribute's key.
func (e *entity) note(name string, u ValueUse) string {
	key := attrKey(name, u)
	a := e.attrs[key]
	if a == nil {
		a = &attribute{name: name, kind: kindOf(u)}
		if key == "name" || slices.Contains(identities, key) {
			a.name = key
		}
		e.attrs[key] = a
	}
	a.emitted = a.emitted || u.Out
	return key
}

// attrKey returns the key of an attribute with a name. A list has the key of its elements.
func attrKey(name string, u ValueUse) string {
	if u.schema == nil || u.schema.Items == nil {
		return plain(name)
	}
	parts := words(name)
	if n := len(parts); n > 1 && parts[n-1] == "list" {
		parts = parts[:n-1]
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(singularLast(parts), "")
}

// own returns the name of an attribute without the entity's name before it, if there is a rest:
// "productName" of a product is its "name", "itemId" of a cart-item its "id".
func (e *entity) own(name string) string {
	parts := strings.Split(e.name, "-")
	for from := range parts {
		rest, ok := cutWords(name, parts[from:])
		if !ok {
			continue
		}
		if key := plain(rest); key == "name" || slices.Contains(identities, key) || key != "" && e.attrs[key] != nil {
			return rest
		}
	}
	return name
}

// cutWords cuts words off the front of a name.
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

// cutWord cuts a word off the front of a name, and what parts it from the next.
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

// key returns the attribute that identifies the entity.
func (e *entity) key() string {
	for _, name := range identities {
		if e.attrs[name] != nil {
			return name
		}
	}
	if len(e.paths) > 0 {
		return e.paths[0]
	}
	if e.attrs["name"] != nil {
		return "name"
	}
	return "id"
}

// keyed reports whether the entity has an attribute that identifies it.
func (e *entity) keyed() bool {
	a := e.attrs[e.key()]
	return a != nil && (a.path || slices.Contains(identities, e.key()))
}

// has reports whether the entity has an attribute that such a use can be of.
func (e *entity) has(attr string, u ValueUse) bool {
	a := e.attrs[attr]
	return a != nil && a.kind.fits(kindOf(u))
}

// called reports whether the entity's name is a thing's, as Thing writes it.
func (e *entity) called(thing string) bool { return strings.ReplaceAll(e.name, "-", "") == thing }

// after reports whether the entity's name begins with a thing's, as Thing writes
// it, and is longer: a show-vote is after a show.
func (e *entity) after(thing string) bool {
	begin := ""
	for _, w := range strings.Split(e.name, "-") {
		if begin != "" && begin == thing {
			return true
		}
		begin += w
	}
	return false
}

// settle sets what follows from the entity's nodes.
func (e *entity) settle() {
	for _, r := range e.nodes {
		e.element = e.element || r.Param
		e.plural = e.plural || Singular(r.Segment) != strings.ToLower(r.Segment) && r.Operation("GET") != nil
		e.made = e.made || r.Param && len(r.Creators()) > 0
	}
}

// many reports whether there can be several of the entity: path parameters identify them, or a path
// has the plural of the name.
func (e *entity) many() bool { return e.stranger || e.element || e.plural }

// tells adds an attribute that identifies the entity in a path.
func (e *entity) tells(attr string) {
	if i, known := slices.BinarySearch(e.paths, attr); !known {
		e.paths = slices.Insert(e.paths, i, attr)
		e.attrs[attr].path = true
	}
}

// kind is the type of a value, as far as it decides whether two values can be the same. Numbers and
// texts are one kind, since paths and queries have numbers as text.
type kind int

const (
	unknown kind = iota
	scalar
	truth
	moment
	container
)

func kindOf(u ValueUse) kind {
	s := u.schema
	for depth := 0; s != nil && s.Items != nil && depth < maxDepth; depth++ {
		s = s.Items
	}
	switch {
	case s == nil || s.Type == "":
		return unknown
	case s.Type == "boolean":
		return truth
	case s.Type == "object":
		return container
	case slices.Contains([]string{"date", "date-time", "time"}, s.Format):
		return moment
	}
	return scalar
}

// fits reports whether a value of one kind can be one of the other.
func (k kind) fits(o kind) bool { return k == o || k == unknown || o == unknown }
