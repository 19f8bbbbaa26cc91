package gene

import (
	"slices"

	"sonde/model"
)

// pin is the key of builder.pins: a schema, and a discriminator whose value the objects of the schema must have.
type pin struct {
	by *model.Discriminator
	of *model.Schema
}

// discriminated returns m with the constraints of its discriminator. Schema m is s after its allOf was merged. If the
// discriminator of s maps to other schemas, the result is a choice between these. Otherwise, the discriminator's
// property must name s itself, as in {"kind": "Cat"}. A schema with oneOf or anyOf is returned unchanged; the method
// alternative handles its discriminator.
func (b *builder) discriminated(s, m *model.Schema) *model.Schema {
	by := m.Discriminator
	if by == nil || len(m.OneOf)+len(m.AnyOf) > 0 {
		return m
	}
	if kinds := kindsOf(s); len(kinds) > 0 {
		return &model.Schema{OneOf: kinds, Discriminator: by}
	}
	pinned := b.pin(by, s)
	if pinned == nil || typeOf(m) != "object" {
		return m
	}
	out := *m
	out.Properties = slices.Clone(m.Properties)
	b.addProperties(&out, pinned.Properties)
	return &out
}

// kindsOf returns the other schemas that a schema's own discriminator maps to.
func kindsOf(s *model.Schema) []*model.Schema {
	if s.Discriminator == nil {
		return nil
	}
	var kinds []*model.Schema
	for _, m := range s.Discriminator.Mapping {
		if m.Schema != s && !slices.Contains(kinds, m.Schema) {
			kinds = append(kinds, m.Schema)
		}
	}
	return kinds
}

// pin returns a schema that allows only objects with the discriminator value of s. It returns nil if no such value is
// known.
func (b *builder) pin(by *model.Discriminator, s *model.Schema) *model.Schema {
	if by == nil || s == nil {
		return nil
	}
	key := pin{by, s}
	if p, known := b.pins[key]; known {
		return p
	}
	if values := valuesOf(by, s, deepest); len(values) > 0 {
		b.pins[key] = &model.Schema{Properties: []model.Property{
			{Name: by.Property, Required: true, Schema: &model.Schema{Type: "string", Enum: values}},
		}}
	} else {
		b.pins[key] = nil
	}
	return b.pins[key]
}

// valuesOf returns the discriminator values of a schema: the values that are mapped to it, or else its name,
// or else the values of its parts.
func valuesOf(by *model.Discriminator, s *model.Schema, depth int) []any {
	var values []any
	for _, m := range by.Mapping {
		if m.Schema == s {
			values = append(values, m.Value)
		}
	}
	if len(values) == 0 && s.Name != "" {
		return []any{s.Name}
	}
	for _, part := range s.AllOf {
		if len(values) == 0 && part != nil && depth > 0 {
			values = valuesOf(by, part, depth-1)
		}
	}
	return values
}
