package probedata

// JSONShape is the shape of a JSON value that the service decodes. Type is a type of JSON Schema,
// or "" for any value.
type JSONShape struct {
	Type   string       `json:"type,omitempty"`
	Format string       `json:"format,omitempty"`
	Fields []ShapeField `json:"fields,omitempty"` // of an object: its members
	Items  *JSONShape   `json:"items,omitempty"`  // of an array: the shape of its items
	Values *JSONShape   `json:"values,omitempty"` // of a map: the shape of its values
}

// ShapeField is a member of an object.
type ShapeField struct {
	Name  string    `json:"name"`
	Shape JSONShape `json:"shape"`
}

// Separators are the strings at which a service splits other strings, sorted.
type Separators struct {
	Words []string `json:"words,omitempty"` // split into any number of parts
	Parts []string `json:"parts,omitempty"` // split into two parts
}
