package unittests

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// layout is how the tests of a package are written in the end: long texts are in files, repeated values in functions, and
// tests of the same shape in tables.
type layout struct {
	file  *fileBuilder
	tests []GeneratedTest
	decls []string // with markers
	data  dataFiles
	// long are the reasons why tests are left out, by their names.
	long map[string]string
}

// bestLayout returns the layout of the tests without those that are too long.
func (g *packageGenerator) bestLayout(ctx context.Context) (*layout, error) {
	left := slices.Clone(g.tests)
	long := map[string]string{}
	for {
		l, err := g.layOut(ctx, left)
		if err != nil {
			return nil, err
		}
		if len(l.long) == 0 {
			l.long = long
			return l, nil
		}
		maps.Copy(long, l.long) // what only they share must not be written
		left = slices.DeleteFunc(left, func(t *unitTest) bool { return long[t.Name] != "" })
	}
}

// layOut returns the layout of some tests.
func (g *packageGenerator) layOut(ctx context.Context, tests []*unitTest) (*layout, error) {
	l := &layout{file: g.file, data: dataFiles{}, long: map[string]string{}}
	var decls []string
	for _, t := range tests {
		text, err := l.data.move(t.Name, t.declaration())
		if err != nil {
			return nil, err
		}
		decls = append(decls, text)
	}
	decls, functions, err := shareValues(decls, l.file.freeName())
	if err != nil {
		return nil, err
	}
	typed, err := g.typed(ctx, tests, append(decls, functions...))
	if err != nil {
		return nil, err
	}
	for _, table := range tabulate(typed) {
		text, err := marked(table.declaration(l.typeName, l.file.imports.std("fmt")))
		if err != nil {
			return nil, fmt.Errorf("%s cannot be written: %w", table.tests[0].test.Name, err)
		}
		one := table.merged()
		one.Lines = strings.Count(text[strings.Index(text, "\nfunc ")+1:], "\n")
		if one.Lines > maxTestLines && one.Cases < 2 {
			l.long[one.Name] = tooLong(one.Lines)
			continue
		}
		l.tests, l.decls = append(l.tests, one), append(l.decls, text)
	}
	for _, text := range functions {
		text, err := marked(text)
		if err != nil {
			return nil, err
		}
		l.decls = append(l.decls, text)
	}
	return l, nil
}

func tooLong(lines int) string { return fmt.Sprintf("the test has %d lines", lines) }

// typeName returns a type as the file writes it. The type may be of another load of the package.
func (l *layout) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == l.file.pkg.Path() {
			return ""
		}
		return l.file.imports.use(p.Path(), p.Name())
	})
}

// typed type-checks declarations, and returns the tests among them.
func (g *packageGenerator) typed(ctx context.Context, tests []*unitTest, decls []string) (all []*typedTest, err error) {
	text, err := g.file.text(decls)
	if err != nil {
		return nil, err
	}
	helpers, err := g.file.helperText()
	if err != nil {
		return nil, err
	}
	c := g.config(ctx)
	c.Tests = true
	c.Overlay = map[string][]byte{g.file.path(): text, filepath.Join(g.file.dir, helpersFile): helpers}
	loaded, err := packages.Load(c, g.path)
	if err != nil {
		return nil, err
	}
	byName := map[string]*unitTest{}
	for _, t := range tests {
		byName[t.Name] = t
	}
	for _, p := range loaded {
		for _, f := range p.Syntax {
			if p.Fset.Position(f.Package).Filename != g.file.path() {
				continue
			}
			if len(p.Errors) > 0 {
				return nil, p.Errors[0]
			}
			for _, d := range f.Decls {
				fn, is := d.(*ast.FuncDecl)
				if !is || fn.Recv != nil || byName[fn.Name.Name] == nil {
					continue
				}
				all = append(all, &typedTest{
					test: byName[fn.Name.Name], decl: fn, text: source(p.Fset, text, fn), base: fn.Doc.Pos(), info: p.TypesInfo,
				})
			}
			return all, nil
		}
	}
	return nil, errors.New("the written tests were not found")
}

// plainLayout returns the layout in which the tests were tried: one function for each.
func (g *packageGenerator) plainLayout() (*layout, error) {
	l := &layout{file: g.file, data: dataFiles{}, long: map[string]string{}}
	for _, t := range g.tests {
		if t.Lines > maxTestLines {
			l.long[t.Name] = tooLong(t.Lines)
			continue
		}
		text, err := marked(t.declaration())
		if err != nil {
			return nil, fmt.Errorf("%s cannot be written: %w", t.Name, err)
		}
		l.tests, l.decls = append(l.tests, t.GeneratedTest), append(l.decls, text)
	}
	return l, nil
}

// write writes the files of a layout.
func (l *layout) write() error {
	text, err := l.file.text(l.decls)
	if err != nil {
		return err
	}
	if err := l.data.write(l.file.dir, l.file.kept.decls); err != nil {
		return err
	}
	return l.file.write(text)
}
