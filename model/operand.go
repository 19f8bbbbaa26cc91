package model

import "time"

// ComparedOperands is what a predicate of the service's source compared while a test ran,
// and did not come to what it is asked for.
type ComparedOperands struct {
	Slot int // of the outcome that did not come: a number of its own
	Op   Relation
	A, B Operand
}

// Relation is what a predicate asks of its operands.
type Relation string

// The relations: those of numbers, texts and times, and of texts alone.
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

// Operand is one of the two: a text, a whole number, another number or a time.
type Operand struct {
	Kind OperandKind
	Text string
	Cut  bool // the text goes on
	Int  int64
	Real float64
	Time time.Time
}

// OperandKind is what an operand is.
type OperandKind int

// The kinds of operands.
const (
	TextOperand OperandKind = iota
	IntOperand
	RealOperand
	TimeOperand
)
