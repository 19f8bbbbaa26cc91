package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

const (
	// manyMethods is the number of methods from which a type counts as large.
	manyMethods = 40
	// maxLargeTypes is the number of large types that the repository may have, and maxMethods is the number of methods
	// that a large type may have.
	maxLargeTypes = 3
	maxMethods    = 60
	// severalFields is the minimum number of values in a struct literal that needs keys.
	severalFields = 3
)

// largeTypes is the name of the figure of types with many methods.
var largeTypes = fmt.Sprintf("types with %d methods or more", manyMethods)

// survey collects properties of the syntax of all packages. It ignores tests.
type survey struct {
	methods  map[string]int // number of methods, by type
	literals int            // number of struct literals with severalFields values or more
	unkeyed  []string       // positions of struct literals with severalFields values or more, but without keys
	effects  []string       // positions of if and switch heads with side effects
	exported []string       // exported names of the package level, and of methods
	lines    int            // number of lines of all files
}

func codeFigures(pkgs []*packages.Package) []figure {
	s := survey{methods: map[string]int{}}
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			s.lines += p.Fset.File(f.Pos()).LineCount()
			s.file(p, f)
		}
	}
	return s.figures()
}

// file adds one file to the survey.
func (s *survey) file(p *packages.Package, f *ast.File) {
	at := func(n ast.Node) string {
		pos := p.Fset.Position(n.Pos())
		return fmt.Sprintf("%s:%d", relative(pos.Filename), pos.Line)
	}
	for _, d := range f.Decls {
		s.declaration(p, d)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			s.literal(p, n, at(n))
		case *ast.IfStmt:
			s.head(n.Init, at(n))
		case *ast.SwitchStmt:
			s.head(n.Init, at(n))
		}
		return true
	})
}

func (s *survey) declaration(p *packages.Package, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		s.name(d.Name)
		if d.Recv != nil {
			s.methods[strings.TrimPrefix(p.PkgPath, "sonde/")+"."+receiver(d.Recv.List[0].Type)]++
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.name(spec.Name)
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					s.name(n)
				}
			}
		}
	}
}

func (s *survey) name(n *ast.Ident) {
	if n.IsExported() {
		s.exported = append(s.exported, n.Name)
	}
}

// receiver returns the name of a receiver's type, "?" for any other expression.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

func (s *survey) literal(p *packages.Package, l *ast.CompositeLit, at string) {
	t := p.TypesInfo.TypeOf(l)
	if t == nil || len(l.Elts) < severalFields {
		return
	}
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if _, isStruct := t.Underlying().(*types.Struct); !isStruct {
		return
	}
	s.literals++
	if _, keyed := l.Elts[0].(*ast.KeyValueExpr); !keyed {
		s.unkeyed = append(s.unkeyed, at)
	}
}

// head adds a position to effects if the init statement of an if or switch is anything but a short variable
// declaration.
func (s *survey) head(init ast.Stmt, at string) {
	if a, ok := init.(*ast.AssignStmt); init != nil && !(ok && a.Tok == token.DEFINE) {
		s.effects = append(s.effects, at)
	}
}

func (s *survey) figures() []figure {
	var large []string
	for t, n := range s.methods {
		if n >= manyMethods {
			large = append(large, fmt.Sprintf("%d %s", n, t))
		}
	}
	slices.SortFunc(large, func(a, b string) int { return cmp.Compare(number(b), number(a)) })
	slices.SortFunc(s.exported, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	return []figure{
		{
			name:   largeTypes,
			value:  fmt.Sprint(len(large)),
			goal:   fmt.Sprintf("%d or fewer, none over %d", maxLargeTypes, maxMethods),
			misses: large,
		},
		{
			name:   fmt.Sprintf("struct literals of %d fields or more without keys", severalFields),
			goal:   "under 5%",
			value:  fmt.Sprintf("%.1f%% (%d of %d)", 100*float64(len(s.unkeyed))/float64(max(1, s.literals)), len(s.unkeyed), s.literals),
			misses: s.unkeyed,
		},
		{
			name: "if and switch heads that change something, by 10,000 lines", goal: "5 or fewer",
			value: fmt.Sprintf("%.1f (%d)", 1e4*float64(len(s.effects))/float64(max(1, s.lines)), len(s.effects)), misses: s.effects,
		},
		{name: "median length of exported names", value: fmt.Sprint(len(s.exported[len(s.exported)/2])), goal: "7 or more"},
	}
}

// reachesLargeTypesGoal reports whether the figure named largeTypes reaches its goal.
func reachesLargeTypesGoal(f figure) bool {
	tooLarge := func(miss string) bool { return number(miss) > maxMethods }
	return len(f.misses) <= maxLargeTypes && !slices.ContainsFunc(f.misses, tooLarge)
}

// number returns the number at the start of a text, or 0.
func number(text string) int {
	n := 0
	fmt.Sscan(text, &n)
	return n
}
