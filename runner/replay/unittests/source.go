package unittests

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// parsedDeclaration is the syntax of a top-level declaration.
type parsedDeclaration struct {
	text string
	decl ast.Decl
	base token.Pos // the position of the first byte of text
}

const anyPackage = "package p\n"

func parseDeclaration(text string) (*parsedDeclaration, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", anyPackage+text, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("a generated declaration cannot be read: %w", err)
	}
	return &parsedDeclaration{text: text, decl: file.Decls[0], base: file.FileStart + token.Pos(len(anyPackage))}, nil
}

// span returns where a node is in the text.
func (p *parsedDeclaration) span(n ast.Node) (from, to int) {
	return int(n.Pos() - p.base), int(n.End() - p.base)
}

// source returns the text of a node.
func (p *parsedDeclaration) source(n ast.Node) string {
	from, to := p.span(n)
	return p.text[from:to]
}

// localNames returns the names that a declaration declares within functions.
func localNames(d ast.Node) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				break
			}
			for _, left := range n.Lhs {
				if id, is := left.(*ast.Ident); is {
					names[id.Name] = true
				}
			}
		case *ast.FuncType:
			for _, field := range n.Params.List {
				for _, id := range field.Names {
					names[id.Name] = true
				}
			}
		}
		return true
	})
	return names
}

// edit is a replacement of a part of a text.
type edit struct {
	from, to int
	text     string
}

// edited returns a text with replacements, which do not overlap.
func edited(text string, edits []edit) string {
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:e.from] + e.text)
		at = e.to
	}
	b.WriteString(text[at:])
	return b.String()
}
