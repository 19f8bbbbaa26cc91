package model

// Value is a value that an operation takes or emits: a parameter, or a property of a body or of an answer.
type Value struct {
	Name     string
	Required bool
	Type     string
	In       Location
	// Pointer is the JSON pointer of the value in the body. It is "" for the whole body and for a value
	// outside the body.
	Pointer string
}

// ValueGroup is a value-sharing group: operations that exchange values with each other and with no other operations.
// Values are the names of all values that the operations take or emit. Both lists are in order of first appearance.
type ValueGroup struct {
	Operations []OpID
	Values     []string
}

// Seq is an ordered list of operations to call.
type Seq []OpID
