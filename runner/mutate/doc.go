// Package mutate makes mutants of a Go service, one small change each, and finds out
// which of them the service's exported tests notice, and by which oracle. Mutants
// are built by an overlay: no file of the service changes.
//
// It is for services in Go that Sonde can build, and for tests that start the
// service's binary themselves. It makes no tests.
package mutate

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// Operator is a kind of change.
type Operator string

// The operators. The names are those of issue and paper: the standard ones, those of
// calls, which LittleDarwin lacks (RICK, section 5.4), and the extreme one.
const (
	Arithmetic Operator = "arithmetic" // a + b becomes a - b
	Relational Operator = "relational" // a < b becomes a <= b
	Boolean    Operator = "boolean"    // a && b becomes a || b, a condition its contrary
	Return     Operator = "return"     // another value is returned
	Removed    Operator = "removed"    // a call is not made
	Doubled    Operator = "doubled"    // a call is made twice
	Swapped    Operator = "swapped"    // two calls are made in the other order
	Constant   Operator = "constant"   // a number, a text or a truth is another one
	Extreme    Operator = "extreme"    // a function does nothing and returns nothing
)

// Operators are all of them.
var Operators = []Operator{Arithmetic, Relational, Boolean, Return, Removed, Doubled, Swapped, Constant, Extreme}

// Mutant is a service with one change.
type Mutant struct {
	// ID is the same as long as the function's change is, whatever is added around it.
	ID       string   `json:"id"`
	Operator Operator `json:"operator"`
	// File is the path from the module on, where there is one.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Func is the function in which the change is, "" outside of all.
	Func   string `json:"func,omitempty"`
	Before string `json:"before"`
	After  string `json:"after"`
	// Outward tells that the change is one of calls alone, of calls by which the
	// service turns to the outside.
	Outward bool `json:"outward,omitempty"`

	source string // the file's path
	edits  []edit
	at     []path // it is run through where one of these is
}

// path is a place and what that is part of, the innermost first.
type path []place

// place is a place in a file, as coverage has it.
type place struct {
	file         string // import path and base name
	line, column int
}

// Place is where a mutant is.
func (m Mutant) Place() string { return fmt.Sprintf("%s:%d:%d", m.File, m.Line, m.Column) }

// name gives a mutant its ID: nth tells apart those that look the same.
func (m *Mutant) name(nth int) {
	h := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s\x00%s\x00%d", m.File, m.Func, m.Operator, m.Before, m.After, nth))
	m.ID = fmt.Sprintf("%x", h[:5])
}

// edit puts a text in the place of some bytes of a file.
type edit struct {
	from, upTo int
	text       string
}

// apply makes edits, which come in order and do not overlap.
func apply(src []byte, edits []edit) []byte {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.Write(src[at:e.from])
		b.WriteString(e.text)
		at = e.upTo
	}
	b.Write(src[at:])
	return []byte(b.String())
}
