package model

import "reflect"

// Schema is a JSON schema with its references resolved. Schemas that refer to
// each other in a cycle are a cycle of pointers: whoever walks one must stop
// at a schema it is already inside.
type Schema struct {
	// Name is the component's name, "" for a schema written in place.
	Name string
	// Type is "string", "integer", "number", "boolean", "array", "object", or
	// "" where the document does not say or names several: then AnyOf, or that of
	// a part of AllOf, holds a schema for each.
	Type        string
	Format      string
	Title       string
	Description string
	Nullable    bool
	ReadOnly    bool
	WriteOnly   bool

	// Enum, Default, Const and Examples are values as encoding/json decodes them.
	Enum     []any
	Const    any
	Default  any
	Examples []any

	Min, Max                   *float64
	ExclusiveMin, ExclusiveMax bool // Min or Max itself is not allowed
	MultipleOf                 *float64

	MinLength int
	MaxLength *int
	Pattern   string

	Items    *Schema
	MinItems int
	MaxItems *int
	Unique   bool

	Properties []Property // in the order of the document
	// Required names what must be there and is none of Properties: often one of
	// the schema around, in a part of its allOf, oneOf or anyOf.
	Required []string
	// Additional is the schema of further properties; nil where the document
	// names none.
	Additional *Schema
	// Closed tells that there may be no further properties.
	Closed bool

	// MinProps and MaxProps bound the number of an object's properties.
	MinProps int
	MaxProps *int

	AllOf, OneOf, AnyOf []*Schema
	// Not is what a value must not be; nil where the document says nothing.
	Not           *Schema
	Discriminator *Discriminator // nil where the document names none
	XML           *XML           // nil where the document says nothing
}

// Types returns the types that a schema names: one, or those of its AnyOf where
// that says nothing else.
func (s *Schema) Types() []string {
	if s.Type != "" {
		return []string{s.Type}
	}
	var all []string
	for _, a := range s.AnyOf {
		if a == nil || a.Type == "" || !reflect.DeepEqual(*a, Schema{Type: a.Type}) {
			return nil
		}
		all = append(all, a.Type)
	}
	return all
}

// Discriminator is the property of an object whose value tells which schema
// the object keeps.
type Discriminator struct {
	Property string
	// Mapping is sorted by value. A schema that is not in it goes by the name
	// of its component.
	Mapping []DiscriminatorMapping
}

// DiscriminatorMapping is a schema with the discriminator's value that stands for it.
type DiscriminatorMapping struct {
	Value  string
	Schema *Schema // never nil
}

// XML says how a value stands in an XML document.
type XML struct {
	Name, Namespace, Prefix string // "" where the document does not say
	Attribute               bool   // of the element around, instead of an element
	Wrapped                 bool   // a list has an element of its own around it
}

// Property is a named part of an object.
type Property struct {
	Name     string
	Required bool
	Schema   *Schema // never nil
}

// Property returns the object's own property called name, or nil.
func (s *Schema) Property(name string) *Property {
	for i := range s.Properties {
		if s.Properties[i].Name == name {
			return &s.Properties[i]
		}
	}
	return nil
}
