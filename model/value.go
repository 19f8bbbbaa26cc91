package model

// Value is something that an operation takes or emits, known by its name.
type Value struct {
	Name     string
	Required bool
	Type     string
	In       Location
	// Pointer is the JSON pointer of the value in its message's body, "" for a
	// value outside a body or the body as a whole.
	Pointer string
}

// ValueGroup is a value-sharing group: the operations that exchange values with
// each other and with no other, and the names of all values that they take or
// emit. Both are in the order of first appearance.
type ValueGroup struct {
	Operations []OpID
	Values     []string
}

// Seq is an ordered list of operations.
type Seq []OpID
