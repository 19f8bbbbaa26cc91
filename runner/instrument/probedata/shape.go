package probedata

import "sonde/model"

// Document is a kind of document that the service decodes.
type Document struct {
	model.Format
	Root  string `json:"root,omitempty"` // of XML: the name of the root element, "" for any
	Shape Shape  `json:"shape"`
}

// Shape is the shape of a value in a document that the service decodes. Type is a type of JSON Schema,
// or "" for any value.
type Shape struct {
	Type string `json:"type,omitempty"`
	// Format is a format of JSON Schema or, for an integer of a fixed size, its type in Go.
	Format string       `json:"format,omitempty"`
	Count  int          `json:"count,omitempty"`  // of a binary array or string: its length, 0 for any
	Fields []ShapeField `json:"fields,omitempty"` // of an object: its members
	Items  *Shape       `json:"items,omitempty"`  // of an array: the shape of its items
	Values *Shape       `json:"values,omitempty"` // of a map: the shape of its values
	Enum   []int64      `json:"enum,omitempty"`   // of an integer that is an enum: its values
}

// ShapeField is a member of an object. In XML it may be an attribute, or the text of the object's element.
type ShapeField struct {
	Name      string `json:"name"`
	Attribute bool   `json:"attribute,omitempty"`
	Text      bool   `json:"text,omitempty"`
	Shape     Shape  `json:"shape"`
	// Number, Wire and Oneof are for messages of Protocol Buffers. At most one of the fields with the same Oneof is set.
	Number int        `json:"number,omitempty"`
	Wire   model.Wire `json:"wire,omitempty"` // of a number, or of the numbers in a list
	Oneof  string     `json:"oneof,omitempty"`
}

// GRPCMethod is a method of gRPC that the service can call.
type GRPCMethod struct {
	Path   string `json:"path"`             // such as "/stock.v1.Stock/Find"
	Stream bool   `json:"stream,omitempty"` // the host sends any number of messages
	Reply  Shape  `json:"reply"`            // of a message of the host
}

// QueryResult describes how the service reads the result of a query to a database.
type QueryResult struct {
	// Parts are the constant parts of the text of the query, with something unknown between two of them. It is nil if
	// nothing is known of the text.
	Parts   []string       `json:"parts,omitempty"`
	Tables  []string       `json:"tables,omitempty"`  // possible names of the table, if the columns are read into a struct
	ByName  bool           `json:"by_name,omitempty"` // the columns are read by their names, in any order
	Single  bool           `json:"single,omitempty"`  // one row is read
	Columns []ResultColumn `json:"columns,omitempty"`
	// Documents are the numbers of the parameters, from 1, that are sent as JSON.
	Documents []int `json:"documents,omitempty"`
}

// ResultColumn is a column of a result. The formats of its shape are those of JSON Schema, the names of integers in Go, "decimal"
// for numbers with decimal digits, "bytes" for binary data, and "json" for JSON documents.
type ResultColumn struct {
	Name     string `json:"name,omitempty"`
	Nullable bool   `json:"nullable,omitempty"`
	Shape    Shape  `json:"shape"`
}

// Separators are strings at which a service splits other strings, or which it searches for at the beginning or the end
// of other strings. All lists are sorted.
type Separators struct {
	Words    []string `json:"words,omitempty"` // split into any number of parts
	Parts    []string `json:"parts,omitempty"` // split into two parts
	Prefixes []string `json:"prefixes,omitempty"`
	Suffixes []string `json:"suffixes,omitempty"`
}
