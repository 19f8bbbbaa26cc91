package openapi

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"sonde/model"
)

// schema converts a schema. It is filled later, by drain, so that cycles end
// and long chains need no deep stack.
func (c *converter) schema(ref *openapi3.SchemaRef) *model.Schema {
	if ref == nil {
		return nil
	}
	if ref.Value == nil { // a reference that leads nowhere
		return &model.Schema{}
	}
	if s := c.seen[ref.Value]; s != nil {
		return s
	}
	s := &model.Schema{}
	c.seen[ref.Value] = s
	c.queue = append(c.queue, pair{ref.Value, s})
	return s
}

func (c *converter) schemaOrAny(ref *openapi3.SchemaRef) *model.Schema {
	if s := c.schema(ref); s != nil {
		return s
	}
	return &model.Schema{}
}

// drain fills the schemas that were met, and those met on the way.
func (c *converter) drain() {
	for i := 0; i < len(c.queue); i++ {
		c.fill(c.queue[i].from, c.queue[i].to)
	}
}

func (c *converter) fill(from *openapi3.Schema, to *model.Schema) {
	to.Name = c.names[from]
	to.Type, to.Nullable = typeOf(from)
	to.Format, to.Title, to.Description = from.Format, from.Title, from.Description
	to.ReadOnly, to.WriteOnly = from.ReadOnly, from.WriteOnly
	to.Enum, to.Const, to.Default = from.Enum, from.Const, from.Default
	to.Examples = from.Examples
	if from.Example != nil {
		to.Examples = append([]any{from.Example}, from.Examples...)
	}
	c.bounds(from, to)
	to.Items = c.schema(from.Items)
	if to.Properties == nil { // a form's are there already
		to.Properties = c.properties(from, c.order(from))
	}
	to.Additional = c.schema(from.AdditionalProperties.Schema)
	to.AllOf, to.OneOf, to.AnyOf = c.list(from.AllOf), c.list(from.OneOf), c.list(from.AnyOf)
}

func (c *converter) list(refs openapi3.SchemaRefs) []*model.Schema {
	var all []*model.Schema
	for _, ref := range refs {
		all = append(all, c.schemaOrAny(ref))
	}
	return all
}

// typeOf reads the type. Of several the first that is not null counts.
func typeOf(s *openapi3.Schema) (name string, nullable bool) {
	types := s.Type.Slice()
	nullable = s.Nullable || slices.Contains(types, openapi3.TypeNull)
	for _, t := range types {
		if t != openapi3.TypeNull {
			return t, nullable
		}
	}
	return "", nullable
}

func (c *converter) bounds(from *openapi3.Schema, to *model.Schema) {
	to.Min, to.ExclusiveMin = bound(from.Min, from.ExclusiveMin, func(x, y float64) bool { return x >= y })
	to.Max, to.ExclusiveMax = bound(from.Max, from.ExclusiveMax, func(x, y float64) bool { return x <= y })
	to.MultipleOf = from.MultipleOf
	to.MinLength, to.MaxLength = int(from.MinLength), size(from.MaxLength)
	to.Pattern = from.Pattern
	to.MinItems, to.MaxItems = int(from.MinItems), size(from.MaxItems)
	to.Unique = from.UniqueItems
}

// bound joins OpenAPI 3.0's flag and 3.1's number; the tighter bound counts.
func bound(limit *float64, exclusive openapi3.ExclusiveBound, tighter func(x, y float64) bool) (*float64, bool) {
	if exclusive.Value != nil && (limit == nil || tighter(*exclusive.Value, *limit)) {
		return exclusive.Value, true
	}
	return limit, limit != nil && exclusive.Bool != nil && *exclusive.Bool
}

func size(n *uint64) *int {
	if n == nil {
		return nil
	}
	i := int(*n)
	return &i
}

// order returns the names of a schema's properties as the file has them.
func (c *converter) order(s *openapi3.Schema) []string {
	var order []string
	if i, ok := s.Extensions[mark].(float64); ok {
		order = c.marks[int(i)].get("properties").keys
	}
	return order
}

// properties converts the properties in an order, and after them those that it
// does not name, which came from beside a reference.
func (c *converter) properties(s *openapi3.Schema, order []string) []model.Property {
	var all []model.Property
	add := func(name string, ref *openapi3.SchemaRef) {
		all = append(all, model.Property{Name: name, Required: slices.Contains(s.Required, name), Schema: c.schemaOrAny(ref)})
	}
	for _, name := range order {
		if ref, ok := s.Properties[name]; ok {
			add(name, ref)
		}
	}
	if len(all) == len(s.Properties) {
		return all
	}
	var rest []string
	for name := range s.Properties {
		if !slices.Contains(order, name) {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	for _, name := range rest {
		add(name, s.Properties[name])
	}
	return all
}
