package unittests

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// keptCode is what stays of a file with tests when it is generated again: declarations that people wrote or changed.
type keptCode struct {
	decls   []string
	names   map[string]bool
	imports map[string]string // local names by path, those that kept declarations use
}

// marker matches the line that marks a generated declaration. It has a digest of the rest of the declaration.
var marker = regexp.MustCompile(`(?m)^//sonde:unit ([0-9a-f]{12})\n`)

// marked returns a formatted declaration with its marker, the last line of its comment.
func marked(text string) (string, error) {
	formatted, err := format.Source([]byte("package p\n\n" + text))
	if err != nil {
		return "", err
	}
	text = strings.TrimPrefix(string(formatted), "package p\n\n")
	at := 0
	for strings.HasPrefix(text[at:], "//") {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	return text[:at] + "//\n//sonde:unit " + digestOf(text) + "\n" + text[at:], nil
}

// digestOf returns the digest of a declaration without its marker and without blank space.
func digestOf(text string) string {
	text = strings.Join(strings.Fields(text), "")
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:12]
}

// readKept reads the file with earlier tests. Declarations that are as they were generated are not kept.
func readKept(file string) (*keptCode, error) {
	k := &keptCode{names: map[string]bool{}, imports: map[string]string{}}
	src, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, file, src, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("%q cannot be read, so it is not replaced: %w", file, err)
	}
	used := map[string]bool{}
	generated := map[string]bool{} // types of mocks that are generated again, with their methods
	for _, d := range syntax.Decls {
		if g, is := d.(*ast.GenDecl); is && g.Tok == token.IMPORT {
			continue
		}
		text := source(fset, src, d)
		if m := marker.FindStringSubmatch(text); m != nil && unchanged(fset, src, syntax, d, m[1], generated) {
			continue
		}
		if recv := receiverName(d); recv != "" && generated[recv] {
			continue
		}
		k.decls = append(k.decls, text)
		for _, name := range declaredNames(d) {
			k.names[name] = true
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if s, is := n.(*ast.SelectorExpr); is {
				if id, is := s.X.(*ast.Ident); is {
					used[id.Name] = true
				}
			}
			return true
		})
	}
	for _, spec := range syntax.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if used[name] {
			k.imports[p] = name
		}
	}
	return k, nil
}

// unchanged reports whether a declaration has the digest of its marker. The digest of a type includes its methods, which
// follow it.
func unchanged(fset *token.FileSet, src []byte, f *ast.File, d ast.Decl, digest string, generated map[string]bool) bool {
	text := source(fset, src, d)
	names := declaredNames(d)
	g, isType := d.(*ast.GenDecl)
	if isType && g.Tok == token.TYPE && len(names) == 1 {
		for _, other := range f.Decls {
			if receiverName(other) == names[0] {
				text += source(fset, src, other)
			}
		}
	}
	text = strings.Replace(marker.ReplaceAllString(text, ""), "//\nfunc", "func", 1)
	text = strings.Replace(text, "//\ntype", "type", 1)
	same := digestOf(text) == digest
	if same && isType && len(names) == 1 {
		generated[names[0]] = true
	}
	return same
}

// receiverName returns the name of the type whose method a declaration is.
func receiverName(d ast.Decl) string {
	f, is := d.(*ast.FuncDecl)
	if !is || f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	t := f.Recv.List[0].Type
	if star, is := t.(*ast.StarExpr); is {
		t = star.X
	}
	if id, is := t.(*ast.Ident); is {
		return id.Name
	}
	return ""
}

// source returns the source of a declaration with its comment.
func source(fset *token.FileSet, src []byte, d ast.Decl) string {
	from := d.Pos()
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc != nil {
			from = d.Doc.Pos()
		}
	case *ast.GenDecl:
		if d.Doc != nil {
			from = d.Doc.Pos()
		}
	}
	return string(src[fset.Position(from).Offset:fset.Position(d.End()).Offset])
}
