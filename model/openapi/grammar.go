package openapi

import (
	"maps"
	"strings"
)

// shape is the kind of value that a document may have at a place.
type shape uint8

const (
	aText      shape = iota
	aFlag            // true or false
	aNumber          // any number
	aCount           // a whole number, 0 or more
	aValue           // anything: an example, a default
	texts            // a list of texts; a lone text is a list of one
	types            // like texts, but null means "null"
	values           // a list of anything
	oneObject        // an object that follows a rule
	objectList       // a list of such objects
	objectMap        // an object whose members are such objects
)

var shapeName = map[shape]string{
	aText: "a text", aFlag: "true or false", aNumber: "a number",
	aCount: "a whole number from 0", texts: "a list of names", types: "a type", values: "a list",
}

// field is a member of an object: its shape and, for the shapes oneObject, objectList and objectMap, the rule for the
// objects.
type field struct {
	shape shape
	rule  *rule
	// allowsFlag reports whether true and false are also allowed.
	allowsFlag bool
	// orEmpty reports whether an empty object replaces an invalid member. For example, a property exists even
	// if its schema cannot be read.
	orEmpty bool
}

// rule lists the members that an object may have according to the specification of OpenAPI. Other members are extensions
// or unknown. They are ignored, unless rest is set.
type rule struct {
	name   string // in messages
	fields map[string]field
	rest   *field // for members that are not in fields and are not extensions; nil ignores them
	refs   bool   // the object may be a reference, {"$ref": …}
	// check returns an error text for the clean object, "" if it is valid. nil accepts every object.
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

func object(r *rule) field  { return field{shape: oneObject, rule: r} }
func listOf(r *rule) field  { return field{shape: objectList, rule: r} }
func namesOf(r *rule) field { return field{shape: objectMap, rule: r} }

// with returns the fields of several tables as one table. If several tables have a field of the same name, the last one
// counts.
func with(tables ...map[string]field) map[string]field {
	all := map[string]field{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}
