package openapi

import (
	"maps"
	"strings"
)

// shape is the kind of value that a document may have at a place.
type shape uint8

const (
	aText   shape = iota
	aFlag         // true or false
	aNumber       // any number
	aCount        // a whole number, 0 or more
	aValue        // anything: an example, a default
	texts         // a list of texts; a lone text is a list of one
	types         // like texts, but null means "null"
	values        // a list of anything
	one           // an object that follows a rule
	many          // a list of such objects
	named         // an object whose members are such objects
)

var shapeName = map[shape]string{
	aText: "a text", aFlag: "true or false", aNumber: "a number",
	aCount: "a whole number from 0", texts: "a list of names", types: "a type", values: "a list",
}

// field is a member of an object: its shape, and its rule for the shapes one, many and named.
type field struct {
	shape shape
	rule  *rule
	// flag reports whether true and false are also allowed.
	flag bool
	// instead reports whether an empty object replaces an invalid member. For example, a property exists even
	// if its schema cannot be read.
	instead bool
}

// rule lists the members of an object of the specification. Other members are extensions or unknown. They are
// ignored, unless rest is set.
type rule struct {
	name   string // in messages
	fields map[string]field
	rest   *field // for members that are not in fields and are not extensions; nil ignores them
	refs   bool   // the object may be a reference, {"$ref": …}
	// check returns an error text for the clean object as a whole, "" if it is valid.
	check func(*node) string
}

// field returns the field for a name, and false if the rule has none.
func (r *rule) field(key string) (field, bool) {
	f, ok := r.fields[key]
	if !ok && r.rest != nil && !strings.HasPrefix(key, "x-") {
		return *r.rest, true
	}
	return f, ok
}

var (
	text    = field{shape: aText}
	flag    = field{shape: aFlag}
	number  = field{shape: aNumber}
	count   = field{shape: aCount}
	value   = field{shape: aValue}
	names   = field{shape: texts}
	typed   = field{shape: types}
	anyList = field{shape: values}
)

func object(r *rule) field  { return field{shape: one, rule: r} }
func listOf(r *rule) field  { return field{shape: many, rule: r} }
func namesOf(r *rule) field { return field{shape: named, rule: r} }

// with returns the fields of several tables as one; later ones win.
func with(tables ...map[string]field) map[string]field {
	all := map[string]field{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}
