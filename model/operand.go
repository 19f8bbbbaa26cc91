package model

import "time"

// ComparedOperands are the operands of a predicate in the service's source. The predicate was evaluated during a
// test, but did not have the outcome that the search tries to reach.
type ComparedOperands struct {
	Slot int // the number of the outcome that the search tries to reach
	Op   Relation
	A, B Operand
}

// Relation says how a predicate compares its operands.
type Relation string

// The relations. The first six are for texts, numbers and times, the others for texts only.
const (
	Equal          Relation = "=="
	Unequal        Relation = "!="
	Less           Relation = "<"
	LessOrEqual    Relation = "<="
	Greater        Relation = ">"
	GreaterOrEqual Relation = ">="
	HasPrefix      Relation = "begins"
	HasSuffix      Relation = "ends"
	ContainsText   Relation = "has"
	EqualFold      Relation = "== in any case"
	Matches        Relation = "matches" // a regular expression
)

// Operand is a value that was compared: a text, an integer, another number or a time.
type Operand struct {
	Kind OperandKind
	Text string
	Cut  bool // Text is truncated
	Int  int64
	Real float64
	Time time.Time
}

// OperandKind is the type of an operand.
type OperandKind int

// The kinds of operands.
const (
	TextOperand OperandKind = iota
	IntOperand
	RealOperand
	TimeOperand
)
