package export

import (
	"errors"
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
	name string
	of   string // a method's type
	text string
	uses uses
}

// uses are the names that Go code mentions: on their own, and before and behind
// a dot.
type uses struct{ plain, before, behind map[string]bool }

// decl tells whether a declaration is used. Exported methods are there for
// interfaces of others.
func (u uses) decl(d decl) bool {
	if d.of == "" {
		return u.plain[d.name]
	}
	return u.behind[d.name] || u.plain[d.of] && ast.IsExported(d.name)
}

// helpers reads the library from its templates.
var helpers = sync.OnceValues(func() (lib library, err error) {
	for _, text := range []string{templates.GoCalls, templates.GoUsers, templates.GoService, templates.GoCommands} {
		err = errors.Join(err, lib.read(text))
	}
	return lib, err
})

// read adds what a file declares.
func (lib *library) read(text string) error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, i := range file.Imports {
		name, _ := strconv.Unquote(i.Path.Value)
		lib.imports = append(lib.imports, name)
	}
	for _, d := range file.Decls {
		if name, of, doc := declared(d); name != "" {
			start := d.Pos()
			if doc != nil {
				start = doc.Pos()
			}
			source := text[fset.Position(start).Offset:fset.Position(d.End()).Offset]
			lib.decls = append(lib.decls, decl{name, of, source, mentioned(d)})
		}
	}
	return nil
}

// declared returns what a declaration declares, and the type that a method is
// of; an import declares nothing.
func declared(d ast.Decl) (name, of string, doc *ast.CommentGroup) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Name.Name, receiver(d), d.Doc
	case *ast.GenDecl:
		switch s := d.Specs[0].(type) {
		case *ast.TypeSpec:
			return s.Name.Name, "", d.Doc
		case *ast.ValueSpec:
			return s.Names[0].Name, "", d.Doc
		}
	}
	return "", "", nil
}

func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	of := f.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	return of.(*ast.Ident).Name
}

func mentioned(n ast.Node) uses {
	u := uses{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			u.behind[n.Sel.Name] = true
			if x, ok := n.X.(*ast.Ident); ok {
				u.before[x.Name] = true
			}
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
			if u.before[path.Base(i)] {
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
		if d.of == "" {
			all = append(all, d.name)
		}
	}
	return all
}
