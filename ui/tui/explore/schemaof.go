package explore

import (
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
)

// schemaOf returns the schema of a value, nil if the document declares none.
func schemaOf(op *model.Operation, u match.ValueUse) *model.Schema {
	switch {
	case u.Out:
		return emitted(op, u.Value)
	case u.In == model.InBody:
		return inBody(op.Body, u.Value)
	}
	return inParams(op.Params, u.Value)
}

// emitted returns the schema of a value in an answer or in a callback.
func emitted(op *model.Operation, v model.Value) *model.Schema {
	for _, c := range op.Callbacks {
		if s := inBody(c.Body, v); s != nil && v.In == model.InCallback {
			return s
		}
	}
	for _, r := range op.Responses {
		if s := inAnswer(r, v); s != nil && v.In != model.InCallback && (r.Success() || r.Status == "default") {
			return s
		}
	}
	return nil
}

func inAnswer(r model.Response, v model.Value) *model.Schema {
	if v.In == model.InHeader {
		return inParams(r.Headers, v)
	}
	for _, c := range r.Contents {
		if s := at(c.Schema, v.Pointer); s != nil {
			return s
		}
	}
	return nil
}

// inParams returns the schema of a parameter, or of a value inside a parameter.
func inParams(params []model.Parameter, v model.Value) *model.Schema {
	for _, p := range params {
		if p.In != v.In || v.Pointer == "" && p.Name != v.Name {
			continue
		}
		if s := at(p.Schema, v.Pointer); s != nil {
			return s
		}
	}
	return nil
}

func inBody(b *model.RequestBody, v model.Value) *model.Schema {
	if b == nil || len(b.Contents) == 0 {
		return nil
	}
	return at(b.Contents[0].Schema, v.Pointer)
}

// at returns the schema at a JSON pointer, nil if there is none. It also searches the elements of lists, allOf and
// alternatives.
func at(s *model.Schema, place string) *model.Schema {
	if place == "" {
		return s
	}
	for _, step := range strings.Split(place, "/")[1:] {
		s = property(s, pointer.Unescape(step), map[*model.Schema]bool{})
	}
	return s
}

// property returns the schema of a property or, for the name "0", of a list's elements. It skips the schemas in the set
// seen, because visiting them again finds nothing new.
func property(s *model.Schema, name string, seen map[*model.Schema]bool) *model.Schema {
	if s == nil || seen[s] {
		return nil
	}
	seen[s] = true
	if name == "0" && s.Items != nil {
		return s.Items
	}
	for _, p := range s.Properties {
		if p.Name == name {
			return p.Schema
		}
	}
	for _, parts := range [][]*model.Schema{s.AllOf, s.OneOf, s.AnyOf} {
		for _, part := range parts {
			if found := property(part, name, seen); found != nil {
				return found
			}
		}
	}
	return nil
}
