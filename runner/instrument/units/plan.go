package units

import (
	"cmp"
	"slices"
)

// Plan lists the functions under test of some packages.
type Plan struct {
	Packages []Package `json:"packages"`
	// Skipped are the packages that cannot be read.
	Skipped []Skipped `json:"skipped,omitempty"`
}

// Skipped is a package that cannot be read, and why.
type Skipped struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Package has the functions under test of a package.
type Package struct {
	Path string `json:"path"`
	// Lines is the number of lines of its files, and Declared the number of its functions and methods. Tests and
	// generated files do not count.
	Lines    int        `json:"lines"`
	Declared int        `json:"declared"`
	Targets  []Function `json:"targets"`
}

// Function is a function under test.
type Function struct {
	Name  string `json:"name"` // such as "Pay" or "(*Service).Pay"
	File  string `json:"file"` // relative to the folder of the module
	Line  int    `json:"line"`
	Lines int    `json:"lines"`
	// Params is the number of parameters.
	Params int    `json:"params"`
	Calls  []Call `json:"calls"` // in the order of the source
	// Obstacles are the reasons why a test cannot be written, one for each input. There are none if it can be written,
	// unless an input has a value that only a run shows, such as an interface with a channel.
	Obstacles []string `json:"obstacles,omitempty"`
}

// Call is a mockable call.
type Call struct {
	Line int `json:"line"`
	// Target is what is mocked, such as "s.store" in s.store.Get(id), with "[]" for an element.
	Target string `json:"target"`
	// Method is the called method, "" if Target is a function value.
	Method string `json:"method,omitempty"`
	// Type is the type of Target, such as "shop.Store".
	Type string `json:"type"`
	// Injection says where Target comes from.
	Injection Injection `json:"injection"`
}

// Injection is the way in which an object that a function calls comes into the function.
type Injection string

// The ways of injection.
const (
	ByParameter      Injection = "parameter"
	ByReceiverField  Injection = "receiver field"
	ByParameterField Injection = "parameter field"
)

// CanWrite reports whether the inputs can be written as Go values or mocks.
func (f Function) CanWrite() bool { return len(f.Obstacles) == 0 }

// Counts are the figures of a plan: table 1 of the RICK paper, and how many functions can be tested.
type Counts struct {
	Lines    int `json:"lines"`
	Declared int `json:"declared"`
	Targets  int `json:"targets"`
	Calls    int `json:"calls"`
	CanWrite int `json:"canWrite"`
}

// Count returns the figures of all packages.
func (p Plan) Count() Counts {
	var c Counts
	for _, pkg := range p.Packages {
		c.Lines += pkg.Lines
		c.Declared += pkg.Declared
		c.Targets += len(pkg.Targets)
		for _, f := range pkg.Targets {
			c.Calls += len(f.Calls)
			if f.CanWrite() {
				c.CanWrite++
			}
		}
	}
	return c
}

// sort sorts packages by path and functions by place.
func (p Plan) sort() {
	slices.SortFunc(p.Packages, func(a, b Package) int { return cmp.Compare(a.Path, b.Path) })
	for _, pkg := range p.Packages {
		slices.SortFunc(pkg.Targets, func(a, b Function) int {
			return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
		})
	}
}
