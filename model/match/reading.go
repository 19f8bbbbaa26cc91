// Package match decides which values are the same: what an operation takes and
// emits, under which identity everybody knows it, and which part of an answer a
// later call needs.
package match

import (
	"cmp"
	"fmt"
	"strings"

	"sonde/model"
)

// Reading is a way to read the values that a schema names. What an object
// gives is where the readings differ.
type Reading string

// The readings.
const (
	// PaperReading reads the distiller paper by its letter: arrays are taken apart,
	// "object types are not supported yet" (footnote 6).
	PaperReading Reading = "paper"
	// ShallowReading takes objects apart as well, one level deep.
	ShallowReading Reading = "shallow"
	// DeepReading takes everything apart: objects inside objects, arrays at any depth,
	// all of oneOf and anyOf. It also reads the headers of answers, links and
	// callbacks. What holds named values is no value itself, as an array is
	// none in the other readings.
	DeepReading Reading = "deep"
)

// ParseReading returns the reading called name.
func ParseReading(name string) (Reading, error) {
	switch r := Reading(name); r {
	case PaperReading, ShallowReading, DeepReading:
		return r, nil
	default:
		return "", fmt.Errorf("%q is no way to read values; give %s, %s or %s", name, PaperReading, ShallowReading, DeepReading)
	}
}

// ValueUse is a value at one place where an operation takes or emits it.
type ValueUse struct {
	model.Value
	Out bool // the operation emits it
	// ID is the identity under which the value is known to all operations: uses
	// with the same ID are the same value.
	ID string
	// Why is the evidence for the identity, in a few words.
	Why string
	// IsReference tells that the value says which thing is meant, or lets somebody in,
	// so that there must be one; known of qualified values alone.
	IsReference bool
	// Mandatory tells that its message is never without it, even where the
	// message itself is optional and the value therefore not required.
	Mandatory bool

	schema *model.Schema // nil where the document gives none
	owner  string        // the component whose property it is, "" for none
	holder string        // the property that holds the object it is in, "" for none
	thing  *entity       // what a qualified value is an attribute of
}

// read returns the uses of an operation's values, as they stand in the
// document, each with its own name for an ID.
//
// It takes its parameters, the fields of a form, and of another body the
// values that its schema names, or the body as a whole where it names none. It
// emits what the schemas of its 2xx answers name, or of its default answer
// where it declares no 2xx.
//
// Element is how the paths call one of what the operation's place holds, such
// as "productId" for /products; "" where they don't. At most so many are read.
func read(op *model.Operation, r Reading, element string, most int) []ValueUse {
	w := walk{reading: r, element: element, most: most}
	w.params(op.Params)
	if op.Body != nil {
		w.body(op.Body)
	}
	w.answers(op.Responses)
	if r == DeepReading {
		for _, c := range op.Callbacks {
			w.message(c.Body, model.InCallback)
		}
	}
	for i, u := range w.uses {
		w.uses[i].ID = cmp.Or(u.ID, u.Name)
	}
	return w.uses
}

// params are values by themselves; in the deep reading an object among them
// gives its properties.
func (w *walk) params(params []model.Parameter) {
	w.out = false
	for _, p := range params {
		required := p.Required || p.In == model.InPath
		before := len(w.uses)
		if w.reading == DeepReading {
			w.begin(p.In, false)
			w.schema(p.Schema, spot{required: required, holder: p.Name}, true)
		}
		if len(w.uses) == before {
			w.use(ValueUse{Value: model.Value{Name: p.Name, Required: required, Type: p.Schema.Type, In: p.In}, schema: p.Schema})
		}
	}
}

// body reads what an operation takes in its message.
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

// message reads the first schema of a body. Its values are required if the body
// and the value both are.
func (w *walk) message(b *model.RequestBody, in model.Location) {
	if b == nil || len(b.Contents) == 0 {
		return
	}
	w.begin(in, in == model.InCallback)
	// The fields of a form are parameters of their own.
	w.optional = !b.Required
	w.schema(b.Contents[0].Schema, spot{required: true}, w.reading != PaperReading || b.IsForm())
}

func (w *walk) answers(all []model.Response) {
	for _, resp := range answers(all) {
		for _, c := range resp.Contents {
			w.begin(model.InResponse, true)
			if !w.schema(c.Schema, spot{required: true}, w.reading != PaperReading) && w.reading == DeepReading {
				w.ids(c.Schema)
			}
		}
		if w.reading == DeepReading {
			w.headers(resp.Headers)
		}
	}
}

// answers returns the answers that tell what an operation emits: those for a
// 2xx, or where there are none the default.
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

// ids takes an answer that is nothing but text or numbers for the ids of what
// the place holds.
func (w *walk) ids(s *model.Schema) {
	at := ""
	for depth := 0; s != nil && s.Items != nil && depth < mostDepth; depth++ {
		s, at = s.Items, at+"/0"
	}
	if s != nil && w.element != "" && (s.Type == "string" || s.Type == "integer") {
		w.use(ValueUse{
			Value:  model.Value{Name: w.element, Required: true, Type: s.Type, In: model.InResponse, Pointer: at},
			schema: s,
			holder: w.element,
		})
	}
}

// headers are values by themselves. Location names what was created.
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
