package mutate

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	gopath "path"
	"path/filepath"
	"slices"
	"strings"

	"sonde/runner/probe"
)

// finder finds the mutants of one file.
type finder struct {
	*callees
	fset  *token.FileSet
	src   []byte
	file  *ast.File
	info  *types.Info
	pkg   *types.Package
	path  string // of the file
	name  string // of the file, from the module on
	count string // of the file, as coverage has it
	wants map[Operator]bool

	stack   []ast.Node // what is around, the outermost first
	mutants []Mutant
}

// Find finds the mutants of a service by some operators, in the order of the source.
func Find(b *probe.Bare, operators []Operator) ([]Mutant, error) {
	wants := map[Operator]bool{}
	for _, o := range operators {
		wants[o] = true
	}
	known := newCallees(b.Sources, b.Fset)
	var all []Mutant
	for _, s := range b.Sources {
		for _, f := range s.Files {
			x := &finder{callees: known, fset: b.Fset, file: f, info: s.Info, pkg: s.Package, path: b.Fset.PositionFor(f.Package, false).Filename, wants: wants}
			if !x.written() {
				continue
			}
			var err error
			x.src, err = os.ReadFile(x.path)
			if err != nil {
				return nil, err
			}
			x.name, x.count = nameOf(b.Module, x.path), gopath.Join(s.Path, filepath.Base(x.path))
			all = append(all, x.find()...)
		}
	}
	return all, nil
}

// written reports whether somebody wrote the file: no program did, nor cgo.
func (x *finder) written() bool { return strings.HasSuffix(x.path, ".go") && !ast.IsGenerated(x.file) }

// nameOf is a file's path from the module on.
func nameOf(module, file string) string {
	if from, err := filepath.Rel(module, file); err == nil && module != "" && !strings.HasPrefix(from, "..") {
		return filepath.ToSlash(from)
	}
	return file
}

// find walks the file.
func (x *finder) find() []Mutant {
	for _, d := range x.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			x.walk(d)
		case *ast.GenDecl:
			if d.Tok == token.CONST {
				x.constants(d)
			}
		}
	}
	slices.SortStableFunc(x.mutants, func(a, b Mutant) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	type look struct {
		of            Operator
		in, was, then string
	}
	seen := map[look]int{}
	for i := range x.mutants {
		m := &x.mutants[i]
		key := look{of: m.Operator, in: m.Func, was: m.Before, then: m.After}
		m.name(seen[key])
		seen[key]++
	}
	return x.mutants
}

// walk finds the mutants in a node. Types have none: the lengths of arrays and the
// tags of fields are no code that runs.
func (x *finder) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			x.stack = x.stack[:len(x.stack)-1]
			return true
		}
		if e, ok := n.(ast.Expr); ok && x.info.Types[e].IsType() {
			return false
		}
		x.stack = append(x.stack, n)
		x.visit(n)
		return true
	})
}

func (x *finder) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		x.extreme(n)
	case *ast.FuncLit:
		x.extremeLit(n)
	case *ast.BinaryExpr:
		x.binary(n)
	case *ast.UnaryExpr:
		x.negation(n)
	case *ast.IfStmt:
		x.condition(n.Cond)
	case *ast.ForStmt:
		x.condition(n.Cond)
	case *ast.IncDecStmt:
		x.counting(n)
	case *ast.AssignStmt:
		x.assignment(n)
	case *ast.ReturnStmt:
		x.giveBack(n)
	case *ast.ExprStmt:
		x.statement(n, n.X)
	case *ast.DeferStmt:
		x.statement(n, n.Call)
	case *ast.GoStmt:
		x.statement(n, n.Call)
	case *ast.BlockStmt:
		x.neighbours(n.List)
	case *ast.CaseClause:
		x.neighbours(n.Body)
	case *ast.CommClause:
		x.neighbours(n.Body)
	case *ast.BasicLit:
		x.literal(n)
	case *ast.Ident:
		x.truth(n)
	}
}

// add adds a mutant with another text for a node.
func (x *finder) add(o Operator, n ast.Node, after string) *Mutant {
	return x.addEdits(o, n, x.text(n), after, []edit{{from: x.offset(n.Pos()), upTo: x.offset(n.End()), text: after}})
}

// addEdits adds a mutant by edits, which is shown as one text in the place of another.
func (x *finder) addEdits(o Operator, n ast.Node, before, after string, edits []edit) *Mutant {
	if !x.wants[o] || x.isText(edits) {
		return &Mutant{} // nobody asked for it
	}
	at := x.fset.PositionFor(n.Pos(), false)
	m := Mutant{
		Operator: o, File: x.name, Line: at.Line, Column: at.Column, Func: x.function(), Before: short(before), After: short(after),
		source: x.path, edits: x.withImports(edits), at: []path{around(x.stack, n, x.place)},
	}
	x.mutants = append(x.mutants, m)
	return &x.mutants[len(x.mutants)-1]
}

// isText reports whether edits change nothing.
func (x *finder) isText(edits []edit) bool { return bytes.Equal(apply(x.src, edits), x.src) }

// function is the name of the function around.
func (x *finder) function() string {
	for _, n := range x.stack {
		f, ok := n.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if f.Recv == nil {
			return f.Name.Name
		}
		return "(" + x.text(f.Recv.List[0].Type) + ")." + f.Name.Name
	}
	return ""
}

// around is where a node is and what that is part of, up to the function's body.
func around(stack []ast.Node, n ast.Node, where func(token.Pos) place) path {
	all := path{where(n.Pos())}
	if _, ok := n.(*ast.BlockStmt); ok { // coverage counts what is in it
		all[0] = where(n.Pos() + 1)
	}
	for _, outer := range slices.Backward(stack) {
		switch outer := outer.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return all
		case ast.Stmt:
			all = append(all, where(outer.Pos()))
		}
	}
	return all
}

func (x *finder) place(p token.Pos) place {
	at := x.fset.PositionFor(p, false)
	return place{file: x.count, line: at.Line, column: at.Column}
}

func (x *finder) offset(p token.Pos) int { return x.fset.PositionFor(p, false).Offset }

func (x *finder) text(n ast.Node) string { return string(x.src[x.offset(n.Pos()):x.offset(n.End())]) }

// short is a text on one line, cut where it is long.
func short(text string) string {
	const most = 100
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > most {
		return string(line[:most-1]) + "…"
	}
	return string(line)
}
