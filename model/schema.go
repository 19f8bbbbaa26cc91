package model

import "reflect"

// Schema is a JSON schema with its references resolved. Schemas may form cycles: code that walks them must
// stop at a schema that it is already visiting.
type Schema struct {
	// Name is the name of the component, "" for an inline schema.
	Name string
	// Type is "string", "integer", "number", "boolean", "array" or "object". It is "" if the document gives no type
	// or several types. For several types, AnyOf has one schema for each type. But if the document itself
	// uses anyOf, AnyOf has the document's schemas. The schemas of the types are then in the AnyOf of an additional
	// schema in AllOf.
	Type   string
	Format string
	// ContentMedia is the media type of the content of a string, "" if the document has none.
	ContentMedia string
	Title        string
	Description  string
	Nullable     bool
	ReadOnly     bool
	WriteOnly    bool

	// Enum, Default, Const and Examples have the types to which encoding/json decodes values.
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
	// Required are the names that are required but are not in Properties. In a schema of an allOf, oneOf or anyOf,
	// they are often the names of properties of the enclosing schema.
	Required []string
	// Additional is the schema of additional properties, nil if the document has none.
	Additional *Schema
	// Closed reports whether additional properties are forbidden.
	Closed bool

	// MinProps and MaxProps limit the number of an object's properties.
	MinProps int
	MaxProps *int

	AllOf, OneOf, AnyOf []*Schema
	// Not is a schema that values must not match, nil for none.
	Not           *Schema
	Discriminator *Discriminator // nil if the document has none
	XML           *XML           // nil if the document has none
	Protobuf      *ProtobufField // nil if the value is not a field of Protocol Buffers
}

// Types returns the types of a schema. These are its Type or, if it has none, the types of the schemas in AnyOf. It
// returns nil if a schema in AnyOf has anything besides a type.
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

// Discriminator is a property of an object whose value selects the object's schema.
type Discriminator struct {
	Property string
	// Mapping is sorted by value. A schema that is not in Mapping has the name of its component as value.
	Mapping []DiscriminatorMapping
}

// DiscriminatorMapping is a value of a discriminator with its schema.
type DiscriminatorMapping struct {
	Value  string
	Schema *Schema // never nil
}

// XML says how a value is written in an XML document.
type XML struct {
	Name, Namespace, Prefix string // "" if the document does not say
	Attribute               bool   // written as an attribute instead of an element
	Text                    bool   // written as the text of the enclosing element
	Wrapped                 bool   // the elements of a list are inside an enclosing element
}

// ProtobufField says how a property is written as a field of a message of Protocol Buffers.
type ProtobufField struct {
	Number int  // 0 for a oneof: an object with the one field that is set; the message itself has that field
	Wire   Wire // the encoding of a number, or of the numbers in a list
}

// Wire is the encoding of a number in Protocol Buffers.
type Wire string

// The encodings of numbers. Fixed32 and Fixed64 also encode floating-point numbers.
const (
	Varint  Wire = "varint"
	Zigzag  Wire = "zigzag"
	Fixed32 Wire = "fixed32"
	Fixed64 Wire = "fixed64"
)

// Property is a property of an object.
type Property struct {
	Name     string
	Required bool
	Schema   *Schema // never nil
}

// Property returns the property in s.Properties with that name, or nil.
func (s *Schema) Property(name string) *Property {
	for i := range s.Properties {
		if s.Properties[i].Name == name {
			return &s.Properties[i]
		}
	}
	return nil
}
