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

func newUses() uses {
	return uses{plain: map[string]bool{}, before: map[string]bool{}, behind: map[string]bool{}}
}

// decl reports whether a declaration is used. Exported methods are there for
// interfaces of others.
func (u uses) decl(d decl) bool {
	if d.of == "" {
		return u.plain[d.name]
	}
	return u.plain[d.of] && (u.behind[d.name] || ast.IsExported(d.name))
}

// add adds what other code mentions.
func (u uses) add(other uses) {
	maps.Copy(u.plain, other.plain)
	maps.Copy(u.before, other.before)
	maps.Copy(u.behind, other.behind)
}

// The libraries: of suites without hosts around the service, with a virtual network,
// and with hosts on loopback; of tests in a table; and of those the
// ones with tests that mimic what was recorded.
var (
	plainHelpers      = sync.OnceValues(func() (library, error) { return helpers() })
	netHelpers        = sync.OnceValues(func() (library, error) { return helpers(templates.GoHosts, templates.GoNetwork) })
	localHelpers      = sync.OnceValues(func() (library, error) { return helpers(templates.GoHosts, templates.GoLocal) })
	tableHelpers      = sync.OnceValues(func() (library, error) { return helpers(templates.GoTable) })
	plainMimicHelpers = sync.OnceValues(func() (library, error) { return helpers(templates.GoMimics) })
	netMimicHelpers   = sync.OnceValues(func() (library, error) {
		return helpers(templates.GoHosts, templates.GoNetwork, templates.GoMimics, templates.GoOracles)
	})
	localMimicHelpers = sync.OnceValues(func() (library, error) {
		return helpers(templates.GoHosts, templates.GoLocal, templates.GoMimics, templates.GoOracles)
	})
)

// helpers reads a library from its templates.
func helpers(further ...embed.FS) (lib library, err error) {
	for _, text := range []string{
		templates.GoCalls, templates.GoUsers, templates.GoService, templates.GoCommands, templates.GoExpectations,
	} {
		err = errors.Join(err, lib.read(text))
	}
	for _, files := range further {
		err = errors.Join(err, lib.readAll(files))
	}
	return lib, err
}

// readAll adds what the files of a folder declare.
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
			lib.decls = append(lib.decls, decl{name: name, of: of, text: source, uses: mentioned(d)})
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

// mentioned returns what code mentions. Names of fields are none of that.
func mentioned(n ast.Node) uses {
	u := newUses()
	var look func(n ast.Node) bool
	look = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			u.behind[n.Sel.Name] = true
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

// needed returns the declarations that code needs, directly or through one
// another, in the library's order.
func (l library) needed(code uses) (decls []decl) {
	all := newUses()
	all.add(code)
	seen := map[int]bool{}
	for more := true; more; {
		more = false
		for i, d := range l.decls {
			if !seen[i] && all.decl(d) {
				seen[i], more = true, true
				all.add(d.uses)
			}
		}
	}
	for i, d := range l.decls {
		if seen[i] {
			decls = append(decls, d)
		}
	}
	return decls
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
