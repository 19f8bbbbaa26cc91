package explore

import (
	"slices"

	"sonde/model"
)

// part is a row of a schema that is shown as a tree: a property, or one of
// several alternatives.
type part struct {
	name     string
	required bool
	schema   *model.Schema
}

// inside returns the schema that a list is of, through lists of lists.
func inside(s *model.Schema) *model.Schema {
	for range 8 {
		if s == nil || s.Items == nil {
			break
		}
		s = s.Items
	}
	return s
}

// parts returns what a schema consists of, lists seen through; none for plain
// values.
func parts(s *model.Schema) []part {
	s = inside(s)
	if s == nil {
		return nil
	}
	out := properties(s, nil)
	for _, alt := range alternatives(s) {
		out = append(out, part{name: "or", schema: alt})
	}
	if s.Additional != nil {
		out = append(out, part{name: "*", schema: s.Additional})
	}
	return out
}

// properties merges a schema's own properties with those of its allOf parts. A
// property that stands twice is one. within are the schemas around this one.
func properties(s *model.Schema, within []*model.Schema) []part {
	if s == nil || slices.Contains(within, s) {
		return nil
	}
	var out []part
	add := func(p part) {
		i := slices.IndexFunc(out, func(o part) bool { return o.name == p.name })
		if i < 0 {
			out = append(out, p)
			return
		}
		out[i].required = out[i].required || p.required
	}
	for _, part := range s.AllOf {
		for _, p := range properties(part, append(within, s)) {
			add(p)
		}
	}
	for _, p := range s.Properties {
		add(part{p.Name, p.Required, p.Schema})
	}
	return out
}
