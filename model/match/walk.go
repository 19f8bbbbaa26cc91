package match

import (
	"cmp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// Limits of the number of values that are read, because a hostile document can nest without end. maxUses limits the
// values of one operation. maxTotalUses limits the values of all operations together, which
// then need a few hundred MB. Up to minUses values of each operation are always read.
const (
	maxUses      = 20_000
	maxTotalUses = 1_000_000
	minUses      = 100
)

// softMaxUses is the number of values of an operation above which the deepest values are left out. Documents with
// thousands of schemas, such as those of Stripe and Kubernetes, describe in each answer all objects to which the
// answer refers, directly or through other objects.
const softMaxUses = 300

// depths are the depths to which the values of an operation are read. The depth of a value is the number of objects
// and lists around it. The reader always reads to the first depth. It then tries the further depths in order, as long
// as the operation has at most softMaxUses values. Values deeper than maxDepth are never read.
var depths = []int{4, 5, 6, 7, 9, maxDepth}

const maxDepth = 20

// usesPerOperation returns the maximum number of values that are read of each operation, for a document with ops
// operations.
func usesPerOperation(ops int) int { return min(maxUses, max(minUses, maxTotalUses/max(1, ops))) }

// walk visits the schemas of an operation and collects the values that they name. It visits a schema only once in a
// message, so it also ends for schemas with cycles. The exception is a schema that identifies the elements of a
// relationship of JSON:API; there, the maximum depth ends a cycle.
type walk struct {
	reading  Reading
	pointers *pointers
	element  string
	maxUses  int
	depth    int  // the maximum depth
	cut      bool // a schema was left out because it was too deep
	uses     []ValueUse
	in       model.Location
	out      bool
	// optional reports whether the message may be absent.
	optional bool
	seen     map[visit]bool // for each visited schema, whether it names values
}

// visit is a schema that was visited. open reports whether its properties were read.
type visit struct {
	schema *model.Schema
	open   bool
}

// schemaPosition is the position of a schema in a message.
type schemaPosition struct {
	pointer  string // JSON pointer in the message
	required bool   // the schema and all schemas around it are required
	owner    string // the outermost component that describes the schema's object
	holder   string // the name of the property that has the schema
	typeName string // the type that the schema's object declares, or that an object around it declares
	// linked is the name of the relationship of JSON:API that has the schema. linkage reports whether the schema
	// identifies the elements of a relationship. In this case the name of the relationship determines the entity, not
	// the name of the component.
	linked  string
	linkage bool
	depth   int
}

// begin starts a message or a parameter.
func (w *walk) begin(in model.Location, out bool) {
	w.in, w.out, w.optional = in, out, false
	if w.seen == nil {
		w.seen = map[visit]bool{}
	}
	clear(w.seen)
}

// use adds a use, unless the operation already has the maximum number of uses.
func (w *walk) use(u ValueUse) {
	if len(w.uses) < w.maxUses {
		u.Out, u.Mandatory = w.out, u.Required
		u.Required = u.Required && !w.optional
		w.uses = append(w.uses, u)
	}
}

// schema adds the values of s and reports whether s names any values. If open is set, the properties of an object are
// values. For the elements of an array, open is always set.
func (w *walk) schema(s *model.Schema, at schemaPosition, open bool) bool {
	if s == nil || at.depth > w.depth || len(w.uses) >= w.maxUses {
		w.cut = w.cut || s != nil && at.depth > w.depth
		return false
	}
	if isLeaf(s) {
		return false
	}
	v := visit{s, open}
	if named, ok := w.seen[v]; ok && !at.linkage {
		return named
	}
	w.seen[v] = true // so that a schema that contains itself counts as naming values
	if !w.visit(s, at, open) {
		w.seen[v] = false
	}
	return w.seen[v]
}

// isLeaf reports whether a schema contains no other schemas. Most schemas are leaves. They name no values.
func isLeaf(s *model.Schema) bool {
	return s.Items == nil && s.Type != "array" && s.Additional == nil && len(s.Properties) == 0 &&
		len(s.AllOf) == 0 && len(s.OneOf) == 0 && len(s.AnyOf) == 0
}

// visit adds the values of a schema that was not visited before, and reports whether the schema names any values.
func (w *walk) visit(s *model.Schema, at schemaPosition, open bool) bool {
	if at.owner == "" && !at.linkage {
		at.owner = s.Name
	}
	at.typeName = cmp.Or(typeNameOf(s), at.typeName)
	at.depth++
	if s.Type == "array" || s.Items != nil {
		at.pointer, at.owner, at.typeName = at.pointer+"/0", "", ""
		return w.schema(s.Items, at, true)
	}
	named := false
	for _, part := range s.AllOf {
		named = w.schema(part, at, open) || named
	}
	if !open {
		return named
	}
	if w.reading == DeepReading {
		named = w.choices(s, at) || named
	}
	around := &object{owner: at.owner, holder: at.holder, typeName: at.typeName, linkage: at.linkage}
	for i := range s.Properties {
		w.property(&s.Properties[i], &at, around)
	}
	w.keys(s, at)
	return named || len(s.Properties) > 0
}

// keys adds the keys of an object if they are the ids of the resource's elements, as in {"17": {…}, "18": {…}}. Such
// an object is the answer itself, or a member of the answer that is a wrapper or has the name of the elements.
func (w *walk) keys(s *model.Schema, at schemaPosition) {
	if w.reading != DeepReading || w.in != model.InResponse || w.element == "" || s.Additional == nil || len(s.Properties) > 0 ||
		basicTypeOfSchema(s.Additional, true) != container {
		return
	}
	isElements := slices.Contains(wrappers, plainName(at.holder)) ||
		at.holder != "" && strings.HasPrefix(plainName(w.element), Singular(plainName(at.holder)))
	if at.pointer != "" && (strings.Count(at.pointer, "/") > 1 || !isElements) {
		return
	}
	w.use(ValueUse{
		Value:  model.Value{Name: w.element, Type: "string", In: w.in, Pointer: w.pointers.below(at.pointer, "*")},
		schema: &model.Schema{Type: "string"},
		object: &object{holder: w.element},
		IsKey:  true,
	})
}

// choices adds the values of the schemas of oneOf and anyOf. None of these values is required.
func (w *walk) choices(s *model.Schema, at schemaPosition) bool {
	named := false
	at.required = false
	for _, parts := range [][]*model.Schema{s.OneOf, s.AnyOf} {
		for _, part := range parts {
			named = w.schema(part, at, true) || named
		}
	}
	return named
}

// property adds a property of an object. In the deep reading, it adds the values in the property's schema instead, if
// the schema names any. The deep reading leaves out read-only properties of inputs and write-only properties of
// outputs.
func (w *walk) property(p *model.Property, at *schemaPosition, around *object) {
	if w.reading == DeepReading && (p.Schema.ReadOnly && !w.out || p.Schema.WriteOnly && w.out) {
		return
	}
	place := w.pointers.below(at.pointer, token(p.Name))
	required := p.Required && at.required
	inside := schemaPosition{pointer: place, required: required, holder: p.Name, depth: at.depth}
	switch {
	case (at.owner != "" || at.typeName != "") && isPartHolder(p.Name):
		inside.owner, inside.holder, inside.typeName = at.owner, at.holder, at.typeName
	case at.holder == "relationships":
		inside.linked = p.Name
	case at.linked != "" && p.Name == "data":
		inside.holder, inside.linkage = at.linked, true
	}
	if w.reading == DeepReading && w.schema(p.Schema, inside, true) {
		return
	}
	w.use(ValueUse{
		Value:  model.Value{Name: p.Name, Required: required, Type: p.Schema.Type, In: w.in, Pointer: place},
		schema: p.Schema, object: around,
	})
}

// partHolders are names of properties whose object describes the same element as the object around it.
var partHolders = []string{"metadata", "meta", "attributes", "properties"}

// isPartHolder reports whether a name is one of partHolders, in any case.
func isPartHolder(name string) bool {
	return slices.ContainsFunc(partHolders, func(h string) bool { return len(h) == len(name) && strings.EqualFold(h, name) })
}

// pointers stores one string for all equal JSON pointers to save memory, because the messages of a large document
// have few different pointers.
type pointers struct {
	known  map[string]string
	buffer []byte
}

// below returns the pointer that consists of another pointer and a token.
func (p *pointers) below(pointer, token string) string {
	p.buffer = append(append(append(p.buffer[:0], pointer...), '/'), token...)
	known, ok := p.known[string(p.buffer)]
	if !ok {
		known = string(p.buffer)
		p.known[known] = known
	}
	return known
}

// token returns a name as a token of a JSON pointer. It is faster than pointer.Escape for most names.
func token(name string) string {
	if strings.ContainsAny(name, "~/") {
		return pointer.Escape(name)
	}
	return name
}
