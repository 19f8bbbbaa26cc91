// Package match decides which values are the same: what an operation takes and
// emits, by name, and which part of an answer a later call needs.
package match

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// Reading is a way to read the values that a schema names. What an object
// gives is where the readings differ.
type Reading string

// The readings.
const (
	// Paper reads the distiller paper by its letter: arrays are taken apart,
	// "object types are not supported yet" (footnote 6).
	Paper Reading = "paper"
	// Shallow takes objects apart as well, one level deep.
	Shallow Reading = "shallow"
)

// ParseReading returns the reading called name.
func ParseReading(name string) (Reading, error) {
	switch r := Reading(name); r {
	case Paper, Shallow:
		return r, nil
	default:
		return "", fmt.Errorf("%q is no way to read values; give %s or %s", name, Paper, Shallow)
	}
}

// Values are what an operation takes and emits: the paper's ivals and ovals.
// Each name stands once, in order of first appearance.
type Values struct{ In, Out []model.Value }

// Read returns the values of an operation.
//
// It takes its parameters, the fields of a form, and of another body the
// values that its schema names, or the body as a whole where it names none. It
// emits what the schemas of its 2xx answers name, or of its default answer
// where it declares no 2xx.
func Read(op *model.Operation, r Reading) Values {
	return Values{In: taken(op, r), Out: emitted(op, r)}
}

func taken(op *model.Operation, r Reading) []model.Value {
	var in valueList
	for _, p := range op.Params {
		in.add(model.Value{Name: p.Name, Required: p.Required || p.In == model.InPath, Type: p.Schema.Type, In: p.In})
	}
	if op.Body != nil {
		for _, v := range bodyValues(op.Body, r) {
			in.add(v)
		}
	}
	return in.values
}

// bodyValues are required if the body and the value both are.
func bodyValues(b *model.Body, r Reading) []model.Value {
	if b.Form() {
		r = Shallow // the fields are parameters of their own
	}
	var in valueList
	if len(b.Contents) > 0 {
		in.read(b.Contents[0].Schema, r, model.InBody)
	}
	if len(in.values) == 0 && !b.Form() {
		whole := model.Value{Name: b.Name, Required: true, In: model.InBody}
		if len(b.Contents) > 0 && b.Contents[0].Schema != nil {
			whole.Type = b.Contents[0].Schema.Type
		}
		in.add(whole)
	}
	for i := range in.values {
		in.values[i].Required = in.values[i].Required && b.Required
	}
	return in.values
}

func emitted(op *model.Operation, r Reading) []model.Value {
	var out, otherwise valueList
	success := false
	for _, resp := range op.Responses {
		list := &otherwise
		switch {
		case resp.Success():
			list, success = &out, true
		case resp.Status != "default":
			continue
		}
		for _, c := range resp.Contents {
			list.read(c.Schema, r, model.InResponse)
		}
	}
	if success {
		return out.values
	}
	return otherwise.values
}

// valueList holds each name once; it is required if any of that name is.
type valueList struct {
	values []model.Value
	byName map[string]int
}

func (l *valueList) add(v model.Value) {
	if i, ok := l.byName[v.Name]; ok {
		l.values[i].Required = l.values[i].Required || v.Required
		return
	}
	if l.byName == nil {
		l.byName = map[string]int{}
	}
	l.byName[v.Name] = len(l.values)
	l.values = append(l.values, v)
}

// read adds the values that a schema names.
func (l *valueList) read(s *model.Schema, r Reading, in model.Place) {
	w := walk{list: l, in: in, seen: map[visit]bool{}}
	w.schema(s, "", r == Shallow)
}

// walk goes through a schema. A second visit would add nothing, so cycles end.
type walk struct {
	list *valueList
	in   model.Place
	seen map[visit]bool
}

type visit struct {
	schema *model.Schema
	open   bool
}

// schema adds the values of s, which stands at a pointer. An object gives its
// properties if open; what an array holds is always open.
func (w *walk) schema(s *model.Schema, pointer string, open bool) {
	if s == nil || w.seen[visit{s, open}] {
		return
	}
	w.seen[visit{s, open}] = true
	if s.Type == "array" || s.Items != nil {
		w.schema(s.Items, pointer+"/0", true)
		return
	}
	for _, part := range s.AllOf {
		w.schema(part, pointer, open)
	}
	if !open {
		return
	}
	for _, p := range s.Properties {
		w.list.add(model.Value{
			Name: p.Name, Required: p.Required, Type: p.Schema.Type,
			In: w.in, Pointer: pointer + "/" + token(p.Name),
		})
	}
}

// token writes a name into a JSON pointer.
func token(name string) string {
	if strings.ContainsAny(name, "~/") {
		return pointer.Escape(name)
	}
	return name
}
