// Package mutate does mutation analysis of a Go service: it makes mutants, each with one small
// change, and finds out which of them the service's exported tests notice, and by which oracle (RICK
// paper, section 5.4). Mutants are built with an overlay, so that no file of the service changes.
//
// Sonde must be able to build the service, and the tests must start the binary that SONDE_BINARY
// names. The package makes no tests.
package mutate

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// Operator is a kind of change.
type Operator string

// The mutation operators: the standard operators, operators for calls, which the mutation tool
// LittleDarwin lacks (RICK paper, section 5.4), and extreme mutation.
const (
	Arithmetic Operator = "arithmetic" // a + b becomes a - b
	Relational Operator = "relational" // a < b becomes a <= b
	Boolean    Operator = "boolean"    // a && b becomes a || b, a condition is negated
	Return     Operator = "return"     // another value is returned
	Removed    Operator = "removed"    // a call is not made
	Doubled    Operator = "doubled"    // a call is made twice
	Swapped    Operator = "swapped"    // two calls are made in the other order
	Constant   Operator = "constant"   // a number, string or Boolean has another value
	Extreme    Operator = "extreme"    // a function returns zero values at once
)

// Operators lists all operators.
var Operators = []Operator{Arithmetic, Relational, Boolean, Return, Removed, Doubled, Swapped, Constant, Extreme}

// Mutant is a service with one change.
type Mutant struct {
	// ID depends only on the file's name, the function and the change, not on the code around the
	// function.
	ID       string   `json:"id"`
	Operator Operator `json:"operator"`
	// File is the path of the file in the module, or the whole path if the file is outside of the
	// module.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Func is the function with the change, "" outside of functions.
	Func   string `json:"func,omitempty"`
	Before string `json:"before"`
	After  string `json:"after"`
	// Outward is true if the mutant changes calls by which the service calls other hosts.
	Outward bool `json:"outward,omitempty"`
	// Constants are the numbers and texts in the changed code, and in the conditions and the cases around it.
	Constants []string `json:"-"`

	source string // path of the file
	edits  []edit
	places []path // the mutant is reached if one of these is reached
}

// path is a position in a function, and the positions of the statements around it, the innermost
// first.
type path []place

// place is a position in a file, as in coverage profiles.
type place struct {
	file         string // import path and base name
	line, column int
}

// Position returns FILE:LINE:COLUMN of the change.
func (m Mutant) Position() string { return fmt.Sprintf("%s:%d:%d", m.File, m.Line, m.Column) }

// setID sets the ID. nth distinguishes mutants of a function with equal operators and texts.
func (m *Mutant) setID(nth int) {
	h := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s\x00%s\x00%d", m.File, m.Func, m.Operator, m.Before, m.After, nth))
	m.ID = fmt.Sprintf("%x", h[:5])
}

// edit replaces the bytes of a file between two offsets.
type edit struct {
	from, to int
	text     string
}

// apply returns the source with the edits, which must be in order and must not overlap.
func apply(src []byte, edits []edit) []byte {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.Write(src[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.Write(src[at:])
	return []byte(b.String())
}
