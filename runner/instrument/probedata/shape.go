package probedata

// Shape is the form of a JSON document that the service decodes. Type is that of a
// JSON schema, or "" for any value.
type Shape struct {
	Type   string  `json:"type,omitempty"`
	Format string  `json:"format,omitempty"`
	Fields []Field `json:"fields,omitempty"` // of an object
	Items  *Shape  `json:"items,omitempty"`  // of an array
	Values *Shape  `json:"values,omitempty"` // of a map
}

// Field is a member of an object.
type Field struct {
	Name  string `json:"name"`
	Shape Shape  `json:"shape"`
}

// Separators are the strings at which a service splits others, sorted.
type Separators struct {
	Words []string `json:"words,omitempty"` // those that split into any number of parts
	Parts []string `json:"parts,omitempty"` // those that split into two
}
