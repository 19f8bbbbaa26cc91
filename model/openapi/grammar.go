package openapi

import (
	"maps"
	"strings"
)

// shape is what a document may hold at a place.
type shape uint8

const (
	aText   shape = iota
	aFlag         // true or false
	aNumber       // any number
	aCount        // a whole number, 0 or more
	aValue        // anything: an example, a default
	texts         // a list of texts; a lone text is a list of one
	types         // the same, and null means "null"
	values        // a list of anything
	one           // an object that keeps a rule
	many          // a list of such objects
	named         // an object whose members are such objects
)

var shapeName = map[shape]string{
	aText: "a text", aFlag: "true or false", aNumber: "a number",
	aCount: "a whole number from 0", texts: "a list of names", types: "a type", values: "a list",
}

// field is a member of an object: its shape, and the rule where that is one,
// many or named.
type field struct {
	shape shape
	rule  *rule
	// flag tells that true or false is fine here as well.
	flag bool
	// instead tells that a bad member leaves an empty object: a property is
	// there even if its schema is not understood.
	instead bool
}

// rule says what members an object of the specification has. Members that are
// not listed are extensions, or unknown, and are passed over, unless the rule
// has something for the rest.
type rule struct {
	name   string // what messages call the object
	fields map[string]field
	rest   *field // of members that are not listed and no extensions, if they count
	refs   bool   // {"$ref": …} may stand for the object
	// check tells what is wrong with the clean object as a whole, if anything.
	check func(*node) string
}

// field returns what may stand under a name, if anything counts there.
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
