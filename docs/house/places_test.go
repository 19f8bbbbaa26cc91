package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// place matches an entry in a table of docs/architecture.md: a link to a file of the repository, followed by names that
// the file declares. declaration matches one of these names.
var (
	place       = regexp.MustCompile("\\[([^]]+\\.go)\\]\\(\\.\\./([^)]+)\\) (`[A-Za-z.]+`(?:, `[A-Za-z.]+`)*)")
	declaration = regexp.MustCompile("[A-Za-z.]+")
)

func TestPlacesOfArchitecture(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	places := place.FindAllStringSubmatch(string(text), -1)
	if len(places) < 20 {
		t.Fatalf("docs/architecture.md names %d places, want at least 20", len(places))
	}
	for _, p := range places {
		shown, path := p[1], p[2]
		if shown != path {
			t.Errorf("the link %s leads to %s", shown, path)
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", path), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, name := range declaration.FindAllString(p[3], -1) {
			if !declares(f, name) {
				t.Errorf("%s does not declare %s", path, name)
			}
		}
	}
}

// declares reports whether a file declares a name. The name is that of a function, a type or a variable, or
// Type.method.
func declares(f *ast.File, name string) bool {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			declared := d.Name.Name
			if d.Recv != nil {
				declared = receiver(d.Recv.List[0].Type) + "." + declared
			}
			if declared == name {
				return true
			}
		case *ast.GenDecl:
			if slices.ContainsFunc(d.Specs, func(s ast.Spec) bool { return specifies(s, name) }) {
				return true
			}
		}
	}
	return false
}

// specifies reports whether a specification declares a type or a variable with a name.
func specifies(s ast.Spec, name string) bool {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return s.Name.Name == name
	case *ast.ValueSpec:
		return slices.ContainsFunc(s.Names, func(n *ast.Ident) bool { return n.Name == name })
	}
	return false
}
