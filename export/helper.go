package export

import (
	"embed"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"strconv"
	"sync"

	"sonde/assets/templates"
	"sonde/assets/wire"
)

// library is a set of helpers. An exported file gets the helpers that it uses.
type library struct {
	decls   []decl
	imports []string
}

// decl is one declaration of the library, with its comment.
type decl struct {
	name string
	recv string // the type of a method, "" for other declarations
	text string
	uses uses
}

// uses has the identifiers in Go code: those on their own, those before a dot and those after a dot.
type uses struct{ plain, before, after map[string]bool }

func newUses() uses {
	return uses{plain: map[string]bool{}, before: map[string]bool{}, after: map[string]bool{}}
}

// needs reports whether code that uses these identifiers needs a declaration. If the code uses a type, it needs all
// exported methods of the type, because they may implement interfaces of other packages.
func (u uses) needs(d decl) bool {
	if d.recv == "" {
		return u.plain[d.name]
	}
	return u.plain[d.recv] && (u.after[d.name] || ast.IsExported(d.name))
}

// add adds the identifiers of other code.
func (u uses) add(other uses) {
	maps.Copy(u.plain, other.plain)
	maps.Copy(u.before, other.before)
	maps.Copy(u.after, other.after)
}

// The libraries of helpers: for suites without hosts around the service, with a virtual network, and with
// hosts on loopback; for table-driven tests; and for suites with tests of recorded exchanges.
var (
	plainHelpers     = sync.OnceValues(func() (library, error) { return helpers() })
	netHelpers       = sync.OnceValues(func() (library, error) { return helpers(templates.GoHosts, templates.GoNetwork, wire.Source) })
	localHelpers     = sync.OnceValues(func() (library, error) { return helpers(templates.GoHosts, templates.GoLocal, wire.Source) })
	tableHelpers     = sync.OnceValues(func() (library, error) { return helpers(templates.GoTable) })
	plainMockHelpers = sync.OnceValues(func() (library, error) { return helpers(templates.GoMimics) })
	netMockHelpers   = sync.OnceValues(func() (library, error) {
		return helpers(templates.GoHosts, templates.GoNetwork, templates.GoMimics, templates.GoOracles, wire.Source)
	})
	localMockHelpers = sync.OnceValues(func() (library, error) {
		return helpers(templates.GoHosts, templates.GoLocal, templates.GoMimics, templates.GoOracles, wire.Source)
	})
)

// helpers reads a library from the common templates and the given ones.
func helpers(further ...embed.FS) (lib library, err error) {
	for _, text := range []string{
		templates.GoCalls, templates.GoUsers, templates.GoService, templates.GoDriver, templates.GoCommands, templates.GoSnapshots,
		templates.GoExpectations, templates.GoRows,
	} {
		err = errors.Join(err, lib.read(text))
	}
	for _, files := range further {
		err = errors.Join(err, lib.readAll(files))
	}
	return lib, err
}

// readAll adds the declarations of the files of a folder.
func (lib *library) readAll(files embed.FS) error {
	return fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		return lib.read(string(text))
	})
}

// read adds the declarations and imports of a Go file, which is given as text.
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
		if name, recv, doc := declared(d); name != "" {
			start := d.Pos()
			if doc != nil {
				start = doc.Pos()
			}
			source := text[fset.Position(start).Offset:fset.Position(d.End()).Offset]
			lib.decls = append(lib.decls, decl{name: name, recv: recv, text: source, uses: mentioned(d)})
		}
	}
	return nil
}

// declared returns the name and comment of a declaration, and the type of a method. The name of an import
// declaration is "".
func declared(d ast.Decl) (name, recv string, doc *ast.CommentGroup) {
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

// mentioned returns the identifiers in code, without the names of fields.
func mentioned(n ast.Node) uses {
	u := newUses()
	var look func(n ast.Node) bool
	look = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			u.after[n.Sel.Name] = true
			if x, ok := n.X.(*ast.Ident); ok {
				u.before[x.Name] = true
			}
			ast.Inspect(n.X, look)
			return false
		case *ast.KeyValueExpr:
			if _, ok := n.Key.(*ast.Ident); ok {
				ast.Inspect(n.Value, look)
				return false
			}
		case *ast.StructType:
			for _, f := range n.Fields.List {
				ast.Inspect(f.Type, look)
			}
			return false
		case *ast.Ident:
			u.plain[n.Name] = true
		}
		return true
	}
	ast.Inspect(n, look)
	return u
}

// needed returns the declarations that code needs, directly or indirectly, in the order of the library.
func (lib library) needed(code uses) (decls []decl) {
	all := newUses()
	all.add(code)
	seen := map[int]bool{}
	for more := true; more; {
		more = false
		for i, d := range lib.decls {
			if !seen[i] && all.needs(d) {
				seen[i], more = true, true
				all.add(d.uses)
			}
		}
	}
	for i, d := range lib.decls {
		if seen[i] {
			decls = append(decls, d)
		}
	}
	return decls
}

// names returns the names that the library's files declare or import.
func (lib library) names() []string {
	var all []string
	for _, i := range lib.imports {
		all = append(all, path.Base(i))
	}
	for _, d := range lib.decls {
		if d.recv == "" {
			all = append(all, d.name)
		}
	}
	return all
}
