package mutate

import (
	"bytes"
	"os"

	"sonde/runner/instrument/probe"
)

// CodeSize describes the source of a service, as Tables 1 and 2 of the RICK paper do.
type CodeSize struct {
	Lines     int `json:"lines"` // of all files, with comments and blank lines
	Functions int `json:"functions"`
	// Candidates are the functions that themselves call other hosts, and Invoked those of them that the tests' calls
	// run.
	Candidates int `json:"candidates"`
	Invoked    int `json:"invoked"`
}

// newCodeSize measures a source. reached says which functions run.
func newCodeSize(b *probe.VariantBuilder, g *callGraph, reached reach) (size CodeSize, err error) {
	for _, s := range b.Sources {
		for _, file := range s.Files {
			text, err := os.ReadFile(b.Fset.PositionFor(file.Package, false).Filename)
			if err != nil {
				return size, err
			}
			size.Lines += bytes.Count(text, []byte{'\n'})
		}
	}
	size.Functions = len(g.bodies)
	for name := range g.callsHostItself {
		size.Candidates++
		if reached.alongPath(path{g.bodies[name].start}) == byCalls {
			size.Invoked++
		}
	}
	return size, nil
}
