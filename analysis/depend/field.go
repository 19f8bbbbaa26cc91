package depend

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// field is a required part of a request that holds one value.
type field struct {
	in   model.Place // query or body
	name string      // the parameter's or the property's
	link string      // the name that a link gives it: a JSON pointer in a body
}

// required returns an operation's required query parameters and body fields.
// Fields stand in the body itself or in a list of objects that is the body or
// one of its required fields.
func required(op *model.Operation) []field {
	var list []field
	for _, p := range op.Params {
		if p.In == model.InQuery && p.Required && scalar(p.Schema) {
			list = append(list, field{model.InQuery, p.Name, p.Name})
		}
	}
	if op.Body == nil || len(op.Body.Contents) == 0 || !linkable(op.Body.Contents[0]) {
		return list
	}
	body := op.Body.Contents[0].Schema
	if body != nil && body.Type == "array" {
		return inList(list, "", body)
	}
	for _, p := range properties(body) {
		at := "/" + pointer.Escape(p.Name)
		if p.Schema.Type == "array" {
			list = inList(list, at, p.Schema)
		} else if scalar(p.Schema) {
			list = append(list, field{model.InBody, p.Name, at})
		}
	}
	return list
}

// inList adds the required fields of the objects in a list.
func inList(list []field, at string, array *model.Schema) []field {
	for _, p := range properties(array.Items) {
		if scalar(p.Schema) {
			list = append(list, field{model.InBody, p.Name, at + "/0/" + pointer.Escape(p.Name)})
		}
	}
	return list
}

// linkable tells whether a value of the body can be replaced by an earlier
// answer's: the body is JSON.
func linkable(c model.Content) bool {
	media, _, _ := strings.Cut(strings.ToLower(c.Media), ";")
	media = strings.TrimSpace(media)
	return media == "application/json" || strings.HasSuffix(media, "+json") || media == "*/*"
}

// properties returns the required properties of an object that a client sends,
// those of its allOf parts included.
func properties(s *model.Schema) []model.Property {
	var list []model.Property
	seen := map[*model.Schema]bool{}
	var walk func(*model.Schema)
	walk = func(s *model.Schema) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		for _, p := range s.Properties {
			known := slices.ContainsFunc(list, func(q model.Property) bool { return q.Name == p.Name })
			if p.Required && !p.Schema.ReadOnly && !known {
				list = append(list, p)
			}
		}
		for _, part := range s.AllOf {
			walk(part)
		}
	}
	walk(s)
	return list
}

// scalar tells whether a schema is of a value that can name a resource: text
// or a number that is free to choose.
func scalar(s *model.Schema) bool {
	switch s.Type {
	case "string", "integer", "number", "":
	default:
		return false
	}
	if s.Type == "" && (len(s.Properties) > 0 || len(s.AllOf)+len(s.OneOf)+len(s.AnyOf) > 0) {
		return false
	}
	dated := []string{"date", "date-time", "time", "email", "password", "byte", "binary"}
	return len(s.Enum) == 0 && s.Const == nil && !slices.Contains(dated, s.Format)
}
