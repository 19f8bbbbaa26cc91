package model

import "fmt"

// InputClass says how a request relates to the spec and to the state of the service.
type InputClass string

// The classes of requests, ordered by the severity of their faults, the most severe first.
const (
	// InputValid is a request that conforms to the spec.
	InputValid InputClass = "valid"
	// InputUnknown is a request that conforms to the spec, but its path names a resource that does not exist.
	InputUnknown InputClass = "unknown resource"
	// InputInvalid is a request that violates the spec.
	InputInvalid InputClass = "invalid"
)

// InputClasses are all classes of requests, in the order of severity.
var InputClasses = []InputClass{InputValid, InputUnknown, InputInvalid}

// Input describes the request of a faulty call. Its classes are those by which section 6.3 of the EvoMaster paper
// distinguishes faults. The zero value means that the request is not known.
type Input struct {
	Class InputClass `json:"class"`
	// Constraint is the constraint that an invalid request violates: the name of a keyword of JSON Schema, such as
	// minimum, or one of the Constraint constants.
	Constraint string `json:"constraint,omitempty"`
	// Place is where the invalid value or the unknown resource is, such as "query limit" or "body /items/*/price".
	Place string `json:"place,omitempty"`
}

// The constraints that are no keywords of JSON Schema.
const (
	ConstraintSyntax      = "syntax"      // a query, a body or a path that cannot be decoded
	ConstraintMedia       = "media type"  // a body of a type that the spec does not declare
	ConstraintUndeclared  = "undeclared"  // an input that the spec does not declare
	ConstraintRepeated    = "repeated"    // a parameter for a single value that is sent several times
	ConstraintCredentials = "credentials" // a call without the credentials that the spec requires
)

// String describes the input, such as "invalid: minimum of query limit". It returns "" for the zero value.
func (i Input) String() string {
	switch {
	case i.Constraint != "" && i.Place != "":
		return fmt.Sprintf("%s: %s of %s", i.Class, i.Constraint, i.Place)
	case i.Constraint != "" || i.Place != "":
		return fmt.Sprintf("%s: %s%s", i.Class, i.Constraint, i.Place)
	}
	return string(i.Class)
}

// Rank returns the index of the input's class in InputClasses, or len(InputClasses) if the class is unknown.
func (i Input) Rank() int {
	for rank, c := range InputClasses {
		if c == i.Class {
			return rank
		}
	}
	return len(InputClasses)
}

// SeenValues are values in answers of a service that an input of an operation may take, such as ids.
type SeenValues struct {
	In      Location
	Name    string   // name of the parameter
	Pointer string   // place in the body, "" for a parameter
	Values  []string // the newest first, as they are written in a query
}
