package export

import (
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Go writes a suite as one Go file that needs only the standard library of Go
// 1.18 or later. Calls that the run did not reach are left out, and so is a
// test without any other. Equal suites are equal bytes.
//
// The error is ErrEmpty, or says which test does not fit together.
func Go(s Suite) ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	s, err := s.unbound().replaced()
	if err != nil {
		return nil, err
	}
	lib, err := s.helpers()
	if err != nil {
		return nil, err
	}
	body := s.settings() + s.functions(reserved(lib))
	file, err := parser.ParseFile(token.NewFileSet(), FileName, "package apitest\n"+body, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("the suite does not fit into Go code: %w", err)
	}
	decls, imports := lib.needed(mentioned(file))
	var b strings.Builder
	b.WriteString(s.constraint() + s.packageComment() + importClause(imports) + body)
	for _, d := range decls {
		b.WriteString("\n" + d.text + "\n")
	}
	return format.Source([]byte(b.String()))
}

// helpers are those that the tests may call.
func (s Suite) helpers() (library, error) {
	switch {
	case s.virtual():
		return netHelpers()
	case s.local():
		return localHelpers()
	}
	return plainHelpers()
}

// reserved returns the names that a variable in a test may not have.
func reserved(lib library) names {
	taken := names{"t": true, "reset": true, "users": true, "service": true, "defaultURL": true, "begin": true, "network": true}
	for _, name := range slices.Concat(lib.names(), types.Universe.Names()) {
		taken[name] = true
	}
	return taken
}

func importClause(imports []string) string {
	return "import (\n\t\"" + strings.Join(imports, "\"\n\t\"") + "\"\n)\n"
}

func (s Suite) functions(reserved names) string {
	var b strings.Builder
	used := names{}
	for _, t := range s.Tests {
		if last(t) < 0 {
			continue
		}
		f := function{test: t, stubs: stubLines(t.Stubs), covers: s.codeComment(t.ID), reserved: reserved, locals: maps.Clone(reserved)}
		f.shots, f.sources = bind(t)
		for i, shot := range f.shots {
			if shot != nil {
				shot.proof = s.proof(t.Calls[i].User)
			}
		}
		f.write(used.test(t), s.first())
		b.WriteString("\n" + f.String())
	}
	return b.String()
}
