package mutate

import (
	"go/token"

	"sonde/runner/instrument/probe"
)

// CodeSize describes the source of a service, as Tables 1 and 2 of the RICK paper do.
type CodeSize struct {
	Lines     int `json:"lines"` // of all files, with comments and blank lines
	Functions int `json:"functions"`
	// Candidates is the number of functions that call other hosts themselves. Invoked is the number of these
	// functions that the calls of the tests run.
	Candidates int `json:"candidates"`
	Invoked    int `json:"invoked"`
	// Operations has, for each operation, the number of lines of the functions that the calls of its tests run.
	Operations map[string]int `json:"operations,omitempty"`
}

// newCodeSize measures a source. reached says which code all tests reach, and operations says which code the tests of
// each operation reach.
func newCodeSize(b *probe.VariantBuilder, g *callGraph, reached reach, operations map[string]reach) (size CodeSize, err error) {
	var files []string
	for _, s := range b.Sources {
		for _, file := range s.Files {
			files = append(files, b.Fset.PositionFor(file.Package, false).Filename)
		}
	}
	size.Lines, err = probe.CountLines(files)
	if err != nil {
		return size, err
	}
	size.Functions = len(g.bodies)
	for name := range g.callsHostItself {
		size.Candidates++
		if reached.alongPath(path{g.bodies[name].start}) == byCalls {
			size.Invoked++
		}
	}
	for name, of := range operations {
		if size.Operations == nil {
			size.Operations = map[string]int{}
		}
		size.Operations[name] = g.linesRun(b.Fset, of)
	}
	return size, nil
}

// linesRun returns the number of lines of those functions that calls of the tests run.
func (g *callGraph) linesRun(fset *token.FileSet, reached reach) (lines int) {
	for _, f := range g.bodies {
		if reached.alongPath(path{f.start}) == byCalls {
			from, to := fset.PositionFor(f.decl.Pos(), false), fset.PositionFor(f.decl.End(), false)
			lines += to.Line - from.Line + 1
		}
	}
	return lines
}
