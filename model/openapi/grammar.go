package openapi

import (
	"maps"
	"strings"
)

// shape is the kind of value that a member of a document may have.
type shape uint8

const (
	aText      shape = iota
	aFlag            // true or false
	aNumber          // any number
	aCount           // a whole number, 0 or more
	aValue           // anything: an example, a default
	texts            // a list of texts; a single text becomes a list of one
	types            // like texts, but null means "null"
	values           // a list of anything
	oneObject        // an object that follows a rule
	objectList       // a list of objects that follow a rule
	objectMap        // an object whose members are objects that follow a rule
)

var shapeName = map[shape]string{
	aText: "a text", aFlag: "true or false", aNumber: "a number",
	aCount: "a whole number from 0", texts: "a list of names", types: "a type", values: "a list",
}

// field describes a member of an object. For the shapes oneObject, objectList and objectMap, rule is the rule for the
// objects.
type field struct {
	shape shape
	rule  *rule
	// allowsFlag reports whether true and false are also allowed.
	allowsFlag bool
	// orEmpty reports whether an empty object replaces an invalid value. It is set for properties: a property exists
	// even if its schema cannot be read.
	orEmpty bool
}

// rule lists the members that an object may have according to the specification of OpenAPI. All other members are
// ignored unless rest is set.
type rule struct {
	name   string // name of the rule in error messages
	fields map[string]field
	rest   *field // for members that are not in fields and are not extensions; nil ignores them
	refs   bool   // the object may be a reference, {"$ref": …}
	// check returns an error text for the clean copy of the object, "" if the object is valid. A nil check accepts
	// every object.
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

// with joins tables of fields. If several tables have a field of the same name, the field of the last table counts.
func with(tables ...map[string]field) map[string]field {
	all := map[string]field{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}
