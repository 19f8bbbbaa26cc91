// Package match finds the values that operations share. It reads which values an operation takes and emits, gives the
// uses of one value in different operations the same identity, and finds the part of an answer that a later call
// needs.
package match

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
)

// Reading is a way to read the values of a schema. The readings differ in which values they read in objects and
// arrays.
type Reading string

// The readings.
const (
	// PaperReading is the reading of the distiller paper: it reads the elements of arrays, and "object types
	// are not supported yet" (footnote 6).
	PaperReading Reading = "paper"
	// ShallowReading also reads the properties of objects, one level deep.
	ShallowReading Reading = "shallow"
	// DeepReading reads everything: nested objects, arrays at any depth, all schemas of oneOf and anyOf, the headers
	// of answers, and callbacks. A property whose schema has properties, directly or in the elements of an array, is
	// not a value itself.
	DeepReading Reading = "deep"
)

// ParseReading returns the reading called name.
func ParseReading(name string) (Reading, error) {
	switch r := Reading(name); r {
	case PaperReading, ShallowReading, DeepReading:
		return r, nil
	default:
		return "", fmt.Errorf("%q is not a reading of values; use %s, %s or %s", name, PaperReading, ShallowReading, DeepReading)
	}
}

// ValueUse is one place where an operation takes or emits a value.
type ValueUse struct {
	model.Value
	// ID is the identity of the value. Uses with the same ID, by any operations, are uses of the same value.
	ID string
	// Why is the evidence for the identity, in a few words. Evidence is its grade.
	Why      string
	Evidence Evidence
	// Kind is the kind of the value. It is only set for qualified values.
	Kind Kind
	Out  bool // the operation emits the value; otherwise the operation takes the value
	// IsReference reports whether the client cannot make up the value, because the value identifies an element of an
	// entity or is a credential. It is only set for qualified values.
	IsReference bool
	// Mandatory reports whether each message must have the value if the message is sent at all. A value in an optional
	// body may be Mandatory, but is not Required.
	Mandatory bool
	// InURL reports whether the value is a part of the URL at Pointer. IsKey reports whether the value is the key of
	// a member of an object that is a map. The last token of Pointer is then "*".
	InURL, IsKey bool
	// isCorrected reports whether a correction determined the identity or the kind of the value.
	isCorrected bool

	schema   *model.Schema // nil if the document has none
	object   *object       // the object that contains the value, nil for none
	attr     *attribute    // the attribute of a qualified value, nil for none
	spelling *spelling     // spelling of the value's name; it is only set while values are qualified
}

// IsPart reports whether the value is only a part of the data at Pointer: a part of a URL, or the key of a member.
func (u *ValueUse) IsPart() bool { return u.InURL || u.IsKey }

// Schema returns the schema of the value, nil if the document has none.
func (u *ValueUse) Schema() *model.Schema { return u.schema }

// Example returns a value from the document: the const, the first example, the default, or the first value of the
// enum. It returns nil if there is none.
func (u *ValueUse) Example() any {
	s := u.schema
	switch {
	case s == nil:
		return nil
	case s.Const != nil:
		return s.Const
	case len(s.Examples) > 0:
		return s.Examples[0]
	case s.Default != nil:
		return s.Default
	case len(s.Enum) > 0:
		return s.Enum[0]
	}
	return nil
}

// isWord reports whether the example in the document is a word, or a list that begins with a word, such as the default
// "deploy" of a task. Most identifiers that services generate are not words.
func (u *ValueUse) isWord() bool {
	example := u.Example()
	if list, ok := example.([]any); ok && len(list) > 0 {
		example = list[0]
	}
	text, ok := example.(string)
	return ok && text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz_-") == ""
}

// object is an object in a message.
type object struct {
	owner  string // the component that describes the object, "" for none
	holder string // the name of the property whose value the object is, "" for none
	// typeName is the type that the object declares, as typeNameOf returns it.
	typeName string
	linkage  bool // the object identifies an element of a relationship of JSON:API
}

// owner returns the component of which the value is a property, "" for none.
func (u *ValueUse) owner() string {
	if u.object == nil {
		return ""
	}
	return u.object.owner
}

// holder returns the name of the property whose object contains the value, "" for none.
func (u *ValueUse) holder() string {
	if u.object == nil {
		return ""
	}
	return u.object.holder
}

// typeName returns the type that the value's object declares, "" for none.
func (u *ValueUse) typeName() string {
	if u.object == nil {
		return ""
	}
	return u.object.typeName
}

// KindWhy returns the evidence for the kind, in a few words; "" for an attribute.
func (u *ValueUse) KindWhy() string {
	switch {
	case !u.Kind.Links():
		return ""
	case u.isCorrected:
		return u.Why
	case u.Kind == KindCursor && kindOfName(u.Name) == "":
		return "a header Link leads to the next page by it"
	case u.Kind == KindCursor || u.Kind == KindCredential:
		return "its name is that of a " + string(u.Kind)
	}
	return u.attr.identifies
}

// reader reads the values of one operation after the other, and reuses its memory.
type reader struct {
	reading Reading
	maxUses int  // the maximum number of uses that are read of one operation
	walk    walk // contains the uses of the operation that was read last
	deeper  walk // reads the same operation again, to a greater depth
}

// newReader returns a reader that reads at most maxUses uses of each operation.
func newReader(r Reading, maxUses int) *reader {
	shared := &pointers{known: map[string]string{}}
	return &reader{
		reading: r, maxUses: maxUses, walk: walk{reading: r, pointers: shared}, deeper: walk{reading: r, pointers: shared},
	}
}

// read returns the uses of values by an operation, in the order of the document. The ID of a use is its name. The
// exception is the header Location, whose ID is element: the name of the path parameter below the operation's resource,
// such as "productId" for /products. If element is "", its ID is its name, too.
//
// An operation takes its parameters, the fields of a form, and the values in the schema of another body. If that schema
// names no values, the whole body is one value. An operation emits the values in the schemas of its 2xx answers. If it
// declares no 2xx answer, it emits those of its default answer. In the deep reading, it also emits the headers of these
// answers, and the values in the requests of its callbacks.
//
// If an operation has more than softMaxUses values, the deep reading leaves out the deepest.
func (r *reader) read(op *model.Operation, element string) []ValueUse {
	if r.reading != DeepReading {
		return slices.Clone(r.walk.read(op, element, maxDepth, r.maxUses))
	}
	uses := r.walk.read(op, element, depths[0], r.maxUses)
	for _, depth := range depths[1:] {
		if !r.walk.cut {
			break
		}
		deeper := r.deeper.read(op, element, depth, softMaxUses+1)
		if len(deeper) > softMaxUses {
			break
		}
		uses = deeper
		r.walk, r.deeper = r.deeper, r.walk
	}
	return slices.Clone(uses)
}

// read returns at most maxUses uses of values by an operation, down to a depth. The result is valid until the next
// call. See [reader.read].
func (w *walk) read(op *model.Operation, element string, depth, maxUses int) []ValueUse {
	w.element, w.depth, w.cut, w.maxUses, w.uses = element, depth, false, maxUses, w.uses[:0]
	w.begin("", false)
	w.params(op.Params)
	if op.Body != nil {
		w.body(op.Body)
	}
	w.answers(op.Responses)
	if w.reading == DeepReading {
		for _, c := range op.Callbacks {
			w.message(c.Body, model.InCallback)
		}
	}
	for i := range w.uses {
		u := &w.uses[i]
		u.ID, u.Evidence = cmp.Or(u.ID, u.Name), EvidenceName
	}
	return w.uses
}

// params reads parameters. Each parameter is a value. In the deep reading, the properties of a parameter that is an
// object are values instead.
func (w *walk) params(params []model.Parameter) {
	w.out = false
	for _, p := range params {
		required := p.Required || p.In == model.InPath
		before := len(w.uses)
		if w.reading == DeepReading {
			w.begin(p.In, false)
			w.schema(p.Schema, schemaPosition{required: required, holder: p.Name}, true)
		}
		if len(w.uses) == before {
			w.use(ValueUse{Value: model.Value{Name: p.Name, Required: required, Type: p.Schema.Type, In: p.In}, schema: p.Schema})
		}
	}
}

// body reads the request body.
func (w *walk) body(b *model.RequestBody) {
	before := len(w.uses)
	w.message(b, model.InBody)
	if len(w.uses) > before || b.IsForm() {
		return
	}
	whole := ValueUse{Value: model.Value{Name: b.Name, Required: b.Required, In: model.InBody}}
	if len(b.Contents) > 0 && b.Contents[0].Schema != nil {
		whole.schema = b.Contents[0].Schema
		whole.Type = whole.schema.Type
	}
	w.use(whole)
}

// message reads the first schema of a body. A value is required if both the schema and the body are required.
func (w *walk) message(b *model.RequestBody, in model.Location) {
	if b == nil || len(b.Contents) == 0 {
		return
	}
	w.begin(in, in == model.InCallback)
	w.optional = !b.Required
	// The fields of a form are parameters of their own.
	w.schema(b.Contents[0].Schema, schemaPosition{required: true}, w.reading != PaperReading || b.IsForm())
}

// answers reads the answers of an operation. It reads a schema once, even if several media types have it.
func (w *walk) answers(all []model.Response) {
	for _, resp := range answers(all) {
		for i, c := range resp.Contents {
			if slices.ContainsFunc(resp.Contents[:i], func(o model.Content) bool { return o.Schema == c.Schema }) {
				continue
			}
			w.begin(model.InResponse, true)
			if !w.schema(c.Schema, schemaPosition{required: true}, w.reading != PaperReading) && w.reading == DeepReading {
				w.ids(c.Schema)
			}
		}
		if w.reading == DeepReading {
			w.headers(resp.Headers)
		}
	}
}

// answers returns the answers whose values an operation emits: the 2xx answers or, if there are none, the default
// answer.
func answers(all []model.Response) []model.Response {
	var good, otherwise []model.Response
	for _, resp := range all {
		switch {
		case resp.Success():
			good = append(good, resp)
		case resp.Status == "default":
			otherwise = append(otherwise, resp)
		}
	}
	if len(good) > 0 {
		return good
	}
	return otherwise
}

// ids reads an answer that consists only of texts or integers. Each of them is taken for the id of an element of the
// resource. ids reads nothing if no path parameter has this id.
func (w *walk) ids(s *model.Schema) {
	at := ""
	for depth := 0; s != nil && s.Items != nil && depth < maxDepth; depth++ {
		s, at = s.Items, at+"/0"
	}
	if s != nil && w.element != "" && (s.Type == "string" || s.Type == "integer") {
		w.use(ValueUse{
			Value:  model.Value{Name: w.element, Required: true, Type: s.Type, In: model.InResponse, Pointer: at},
			schema: s,
			object: &object{holder: w.element},
		})
	}
}

// headers reads headers. Each header is a value. The value of the header Location is the id of the created resource.
func (w *walk) headers(all []model.Parameter) {
	w.begin(model.InHeader, true)
	for _, h := range all {
		id := ""
		if strings.EqualFold(h.Name, "Location") {
			id = w.element
		}
		w.use(ValueUse{
			ID:     id,
			Value:  model.Value{Name: h.Name, Required: h.Required, Type: h.Schema.Type, In: model.InHeader},
			schema: h.Schema,
		})
	}
}
