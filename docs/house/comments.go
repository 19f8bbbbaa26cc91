package main

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// commentFigures finds doc comments that begin with a wrong name, and comments that mention names which do
// not exist.
func commentFigures(pkgs []*packages.Package) []figure {
	c := commentCheck{declared: declaredNames(pkgs)}
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			c.file(p, f)
		}
	}
	return []figure{
		{
			name:   "doc comments that begin with another name",
			value:  fmt.Sprint(len(c.misnamed)),
			goal:   "0",
			misses: c.misnamed,
		},
		{
			name:   "comments that name what does not exist",
			value:  fmt.Sprint(len(c.unknown)),
			goal:   "0",
			misses: c.unknown,
		},
	}
}

// declaredNames returns the names that may follow a dot in a comment, by the text before the dot. That text is
// the name of a package, or the path of a package and the name of a type ("sonde/model.Test"). The names for a
// package include the fields and methods of its types.
func declaredNames(pkgs []*packages.Package) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	add := func(owner, name string) {
		if all[owner] == nil {
			all[owner] = map[string]bool{}
		}
		all[owner][name] = true
	}
	for _, p := range pkgs {
		scope := p.Types.Scope()
		for _, name := range scope.Names() {
			add(p.Name, name)
			t, isType := scope.Lookup(name).(*types.TypeName)
			if !isType {
				continue
			}
			for _, member := range membersOf(t.Type()) {
				add(p.PkgPath+"."+name, member)
				add(p.Name, member) // such as client.PlayTest, a method of client.Client
			}
		}
	}
	return all
}

// membersOf returns the names of a type's fields and methods, including those of embedded types.
func membersOf(t types.Type) (names []string) {
	pointer := t
	if !types.IsInterface(t) {
		pointer = types.NewPointer(t)
	}
	methods := types.NewMethodSet(pointer)
	for i := range methods.Len() {
		names = append(names, methods.At(i).Obj().Name())
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		names = append(names, fieldsOf(s, map[*types.Struct]bool{})...)
	}
	return names
}

// fieldsOf returns the names of a struct's fields, including those of embedded structs. It skips structs in
// seen, and adds the structs that it visits to seen.
func fieldsOf(s *types.Struct, seen map[*types.Struct]bool) (names []string) {
	if seen[s] {
		return nil
	}
	seen[s] = true
	for i := range s.NumFields() {
		field := s.Field(i)
		names = append(names, field.Name())
		t := field.Type()
		if pointer, ok := t.(*types.Pointer); ok {
			t = pointer.Elem()
		}
		if inner, ok := t.Underlying().(*types.Struct); ok && field.Embedded() {
			names = append(names, fieldsOf(inner, seen)...)
		}
	}
	return names
}

// commentCheck compares comments with the names that they mention.
type commentCheck struct {
	declared map[string]map[string]bool // see declaredNames
	misnamed []string                   // doc comments that begin with a wrong name
	unknown  []string                   // comments that mention a name which is not declared
}

// file checks the comments of one file: those of declarations, and what all comments mention.
func (c *commentCheck) file(p *packages.Package, f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			c.doc(p, d.Doc, d.Name.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				c.spec(p, d, spec)
			}
		}
	}
	for _, group := range f.Comments {
		c.mentions(p, group)
	}
}

// spec checks the doc comment of one type, constant or variable. A comment on several constants or variables,
// or on declarations in parentheses, may begin with any word.
func (c *commentCheck) spec(p *packages.Package, d *ast.GenDecl, spec ast.Spec) {
	doc := d.Doc
	if d.Lparen.IsValid() {
		doc = nil
	}
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Doc != nil {
			doc = spec.Doc
		}
		c.doc(p, doc, spec.Name.Name)
	case *ast.ValueSpec:
		if spec.Doc != nil {
			doc = spec.Doc
		}
		if len(spec.Names) == 1 {
			c.doc(p, doc, spec.Names[0].Name)
		}
	}
}

// doc checks that a doc comment begins with the documented name. An article may precede the name.
func (c *commentCheck) doc(p *packages.Package, doc *ast.CommentGroup, name string) {
	if doc == nil || name == "_" {
		return
	}
	words := strings.Fields(doc.Text())
	if len(words) > 1 && slices.Contains([]string{"A", "An", "The"}, words[0]) {
		words = words[1:]
	}
	if len(words) > 0 && strings.TrimRight(strings.TrimSuffix(words[0], "'s"), ",:.") != name {
		c.misnamed = append(c.misnamed, fmt.Sprintf("%s: %s: %s", position(p, doc), name, words[0]))
	}
}

// mention matches a name after a package or type, such as model.Test or packages.Package.
var mention = regexp.MustCompile(`(?:^|[\s(*])([A-Za-z]\w*)\.([A-Za-z]\w+)\b`)

// extensions are file extensions in comments, which are not Go names.
var extensions = []string{"go", "har", "html", "json", "md", "ndjson", "out", "pem", "svg", "txt", "yaml"}

// mentions checks the names that a comment mentions in one of these forms:
//
//   - T.Name, where T is a type of the comment's own package
//   - p.Name, where p is a package of the module and Name is exported
func (c *commentCheck) mentions(p *packages.Package, group *ast.CommentGroup) {
	for _, m := range mention.FindAllStringSubmatch(group.Text(), -1) {
		owner, name := m[1], m[2]
		if slices.Contains(extensions, name) {
			continue
		}
		known := c.declared[p.PkgPath+"."+owner]
		if known == nil && ast.IsExported(name) && !isStandard(p, owner) {
			known = c.declared[owner]
		}
		if known != nil && !known[name] {
			c.unknown = append(c.unknown, fmt.Sprintf("%s: %s.%s", position(p, group), owner, name))
		}
	}
}

// isStandard reports whether p imports a package with this name from outside the module, such as one of the standard
// library.
func isStandard(p *packages.Package, name string) bool {
	for path, imported := range p.Imports {
		if imported.Name == name && !strings.HasPrefix(path, "sonde/") {
			return true
		}
	}
	return false
}

func position(p *packages.Package, n ast.Node) string {
	at := p.Fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d", relative(at.Filename), at.Line)
}
