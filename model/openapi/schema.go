package openapi

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"sonde/model"
)

// schema returns the schema of the model for a schema of kin-openapi, nil for nil. A new result is still empty; drain
// fills it later. So schemas with cycles end, and long chains of references need no deep stack.
func (c *converter) schema(ref *openapi3.SchemaRef) *model.Schema {
	from, isPart := c.named(ref)
	if from == nil {
		return nil
	}
	if s := c.seen[from]; s != nil {
		return s
	}
	s := &model.Schema{}
	c.seen[from] = s
	c.queue = append(c.queue, pendingSchema{from: from, to: s, inPart: c.inPart || isPart})
	return s
}

// named returns the part to which a reference refers. If ref is not a reference to a part, named returns the schema in
// ref and isPart is false.
func (c *converter) named(ref *openapi3.SchemaRef) (schema *openapi3.Schema, isPart bool) {
	if ref == nil {
		return nil, false
	}
	if id, ok := strings.CutPrefix(ref.Ref, schemaPrefix); ok {
		if i, err := strconv.Atoi(id); err == nil && i < c.usedParts {
			return c.all[i].kin, true
		}
	}
	return ref.Value, false
}

func (c *converter) schemaOrAny(ref *openapi3.SchemaRef) *model.Schema {
	if s := c.schema(ref); s != nil {
		return s
	}
	return &model.Schema{}
}

// drain fills the queued schemas, including the schemas that are queued while it runs. It then removes the schemas
// that are not in parts from c.seen to save memory: each of them belongs to a single operation and is not needed
// again.
func (c *converter) drain() {
	for i := 0; i < len(c.queue); i++ {
		if i%4096 == 0 && c.ctx.Err() != nil {
			return
		}
		c.inPart = c.queue[i].inPart
		c.fill(c.queue[i].from, c.queue[i].to, maxHops)
	}
	c.inPart = false
	for _, p := range c.queue {
		if !p.inPart {
			delete(c.seen, p.from)
		}
	}
	clear(c.queue)
	c.queue = c.queue[:0]
}

// fill converts a schema. A reference with sibling members is converted to the schema to which it refers, except that
// the siblings replace members of this schema. hops is the number of such references that may still be followed.
func (c *converter) fill(from *openapi3.Schema, to *model.Schema, hops int) {
	to.Name = c.names[from]
	c.fillOwn(from, to)
	if from.Extensions[siblingsMark] != true || hops == 0 {
		return
	}
	var base model.Schema
	named, _ := c.named(from.AllOf[0])
	c.inPart = true
	c.fill(named, &base, hops-1)
	to.AllOf = nil
	overlay(to, &base, from.Required)
}

func (c *converter) fillOwn(from *openapi3.Schema, to *model.Schema) {
	to.Type, to.Nullable = typeOf(from)
	to.Format, to.Title, to.Description = formatOf(from), from.Title, from.Description
	to.ContentMedia = from.ContentMediaType
	to.ReadOnly, to.WriteOnly = from.ReadOnly, from.WriteOnly
	to.Enum, to.Const, to.Default = from.Enum, from.Const, from.Default
	to.Examples = from.Examples
	if from.Example != nil {
		to.Examples = append([]any{from.Example}, from.Examples...)
	}
	c.limits(from, to)
	to.Items = c.schema(from.Items)
	if to.Properties == nil { // the properties of a form are set already
		to.Properties = c.properties(from, c.order(from))
	}
	to.Required = missingProperties(from)
	to.Additional = c.schema(from.AdditionalProperties.Schema)
	to.AllOf, to.OneOf, to.AnyOf = c.schemas(from.AllOf), c.schemas(from.OneOf), c.schemas(from.AnyOf)
	to.Not = c.schema(from.Not)
	to.Discriminator, to.XML = c.discriminator(from.Discriminator), xmlOf(from.XML)
	to.Closed = from.AdditionalProperties.Has != nil && !*from.AdditionalProperties.Has
	addTypes(from, to)
}

// addTypes represents the types of a schema that has several: it sets AnyOf to one schema for each type. If AnyOf is
// already set, addTypes instead adds to AllOf a schema whose AnyOf has the types.
func addTypes(from *openapi3.Schema, to *model.Schema) {
	var alternatives []*model.Schema
	for _, t := range typesOf(from) {
		alternatives = append(alternatives, &model.Schema{Type: t})
	}
	switch {
	case len(alternatives) < 2:
	case len(to.AnyOf) == 0:
		to.AnyOf = alternatives
	default:
		to.AllOf = append(to.AllOf, &model.Schema{AnyOf: alternatives})
	}
}

// typesOf returns the types of a schema, each once. It leaves out "null". If there is "number", it also leaves out
// "integer".
func typesOf(s *openapi3.Schema) []string {
	var all []string
	for _, t := range s.Type.Slice() {
		whole := t == openapi3.TypeInteger && slices.Contains(s.Type.Slice(), openapi3.TypeNumber)
		if t != openapi3.TypeNull && !whole && !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

// formatOf returns the format of a schema. OpenAPI 3.1 states the encoding and the media type of the content instead;
// for these, formatOf returns the formats "byte" and "binary" of OpenAPI 3.0.
func formatOf(s *openapi3.Schema) string {
	media := s.ContentMediaType
	switch {
	case s.Format != "":
		return s.Format
	case s.ContentEncoding == "base64":
		return "byte"
	case s.ContentEncoding == "" && media != "" && !strings.HasPrefix(media, "text/") && !strings.HasSuffix(media, "json"):
		return "binary"
	}
	return ""
}

// overlay completes a schema with the fields of the schema base: it copies each field that is zero in the first schema,
// and adds the properties that only base has. Properties whose names are in required become required.
func overlay(to, base *model.Schema, required []string) {
	own := reflect.ValueOf(to).Elem()
	other := reflect.ValueOf(base).Elem()
	for i := range own.NumField() {
		if own.Field(i).IsZero() {
			own.Field(i).Set(other.Field(i))
		}
	}
	properties := slices.Clone(to.Properties)
	for _, p := range base.Properties {
		if to.Property(p.Name) == nil {
			properties = append(properties, p)
		}
	}
	for i := range properties {
		properties[i].Required = properties[i].Required || slices.Contains(required, properties[i].Name)
	}
	to.Properties = properties
	to.Required = slices.DeleteFunc(slices.Clone(to.Required), func(name string) bool { return to.Property(name) != nil })
	if len(to.Required) == 0 {
		to.Required = nil
	}
}

func (c *converter) schemas(refs openapi3.SchemaRefs) []*model.Schema {
	var all []*model.Schema
	for _, ref := range refs {
		all = append(all, c.schemaOrAny(ref))
	}
	return all
}

// typeOf returns the type of a schema, "" if it has none or several. nullable reports whether null is also valid.
func typeOf(s *openapi3.Schema) (name string, nullable bool) {
	if types := typesOf(s); len(types) == 1 {
		name = types[0]
	}
	return name, s.Nullable || slices.Contains(s.Type.Slice(), openapi3.TypeNull)
}

// order returns the names of a schema's properties in the order of the file.
func (c *converter) order(s *openapi3.Schema) []string {
	i, ok := s.Extensions[indexMark].(float64)
	if !ok {
		return nil
	}
	return c.marks[int(i)].get("properties").names()
}

func (c *converter) properties(s *openapi3.Schema, order []string) []model.Property {
	required := make(map[string]bool, len(s.Required))
	for _, name := range s.Required {
		required[name] = true
	}
	var all []model.Property
	for _, name := range order {
		if ref, ok := s.Properties[name]; ok {
			all = append(all, model.Property{Name: name, Required: required[name], Schema: c.schemaOrAny(ref)})
		}
	}
	return all
}

// missingProperties returns the required names that are not names of properties, each once.
func missingProperties(s *openapi3.Schema) []string {
	var all []string
	for _, name := range s.Required {
		if s.Properties[name] == nil && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

func (c *converter) limits(from *openapi3.Schema, to *model.Schema) {
	to.Min, to.ExclusiveMin = bound(from.Min, from.ExclusiveMin, func(x, y float64) bool { return x >= y })
	to.Max, to.ExclusiveMax = bound(from.Max, from.ExclusiveMax, func(x, y float64) bool { return x <= y })
	to.MultipleOf = from.MultipleOf
	to.MinLength, to.MaxLength = int(from.MinLength), size(from.MaxLength)
	to.Pattern = from.Pattern
	to.MinItems, to.MaxItems = int(from.MinItems), size(from.MaxItems)
	to.Unique = from.UniqueItems
	to.MinProps, to.MaxProps = int(from.MinProps), size(from.MaxProps)
}

// bound combines a limit with an exclusive limit, which is a flag in OpenAPI 3.0 and a number in 3.1. It returns the
// tighter of the two limits, and whether this limit is exclusive.
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
