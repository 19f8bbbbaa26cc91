package export

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"sync"

	"sonde/assets/templates"
)

// library is the helpers of which an exported file holds those that it uses.
type library struct {
	decls   []decl
	imports []string
}

// decl is one declaration of the library, with its comment.
type decl struct {
	name   string
	method bool
	text   string
	uses   uses
}

// uses are the names that Go code mentions, on their own and behind a dot.
type uses struct{ plain, dotted map[string]bool }

func (u uses) decl(d decl) bool { return d.method && u.dotted[d.name] || !d.method && u.plain[d.name] }

// helpers reads the library from its template.
var helpers = sync.OnceValues(func() (library, error) { return readLibrary(templates.GoTest) })

func readLibrary(text string) (library, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return library{}, err
	}
	var lib library
	for _, i := range file.Imports {
		name, _ := strconv.Unquote(i.Path.Value)
		lib.imports = append(lib.imports, name)
	}
	for _, d := range file.Decls {
		if name, method, doc := declared(d); name != "" {
			start := d.Pos()
			if doc != nil {
				start = doc.Pos()
			}
			source := text[fset.Position(start).Offset:fset.Position(d.End()).Offset]
			lib.decls = append(lib.decls, decl{name, method, source, mentioned(d)})
		}
	}
	return lib, nil
}

// declared returns what a declaration declares; an import declares nothing.
func declared(d ast.Decl) (name string, method bool, doc *ast.CommentGroup) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Name.Name, d.Recv != nil, d.Doc
	case *ast.GenDecl:
		switch s := d.Specs[0].(type) {
		case *ast.TypeSpec:
			return s.Name.Name, false, d.Doc
		case *ast.ValueSpec:
			return s.Names[0].Name, false, d.Doc
		}
	}
	return "", false, nil
}

func mentioned(n ast.Node) uses {
	u := uses{map[string]bool{}, map[string]bool{}}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			u.dotted[n.Sel.Name] = true
		case *ast.Ident:
			u.plain[n.Name] = true
		}
		return true
	})
	return u
}

// needed returns the declarations that code needs, directly or through one
// another, in the library's order; and the imports of it all.
func (l library) needed(code uses) (decls []decl, imports []string) {
	seen := map[string]bool{}
	var follow func(u uses)
	follow = func(u uses) {
		for _, i := range l.imports {
			if u.plain[path.Base(i)] {
				imports = append(imports, i)
			}
		}
		for _, d := range l.decls {
			if u.decl(d) && !seen[d.text] {
				seen[d.text] = true
				follow(d.uses)
			}
		}
	}
	follow(code)
	decls = slices.DeleteFunc(slices.Clone(l.decls), func(d decl) bool { return !seen[d.text] })
	slices.Sort(imports)
	return decls, slices.Compact(imports)
}

// names returns what the library calls its own.
func (l library) names() []string {
	var all []string
	for _, i := range l.imports {
		all = append(all, path.Base(i))
	}
	for _, d := range l.decls {
		if !d.method {
			all = append(all, d.name)
		}
	}
	return all
}
