package mutate

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"sonde/runner/instrument/probe"
)

// finder finds the mutants of a file.
type finder struct {
	known *callees
	code  *sourceCode
	wants map[Operator]bool

	stack   []ast.Node // the nodes around the current one, the outermost first
	mutants []Mutant
}

// FindMutants returns the mutants of a service by some operators, in the order of the source.
func FindMutants(b *probe.VariantBuilder, operators []Operator) ([]Mutant, error) {
	wants := map[Operator]bool{}
	for _, o := range operators {
		wants[o] = true
	}
	known := newCallees(b.Sources, b.Fset)
	var all []Mutant
	for _, s := range b.Sources {
		for _, f := range s.Files {
			code, err := newSourceCode(b, s, f, known.named)
			if err != nil {
				return nil, err
			}
			if code.isWritten() {
				x := &finder{known: known, code: code, wants: wants}
				all = append(all, x.find()...)
			}
		}
	}
	return all, nil
}

// find returns the mutants of the file.
func (x *finder) find() []Mutant {
	for _, d := range x.code.file.Decls {
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
		m.setID(seen[key])
		seen[key]++
	}
	return x.mutants
}

// walk finds the mutants in a node. Types have none: the length of an array and the tag
// of a field do not run.
func (x *finder) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			x.stack = x.stack[:len(x.stack)-1]
			return true
		}
		if e, ok := n.(ast.Expr); ok && x.code.info.Types[e].IsType() {
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
		x.returned(n)
	case *ast.ExprStmt:
		x.statement(n, n.X)
	case *ast.DeferStmt:
		x.statement(n, n.Call)
	case *ast.GoStmt:
		x.statement(n, n.Call)
	case *ast.BlockStmt:
		x.swapper().neighbours(n.List)
	case *ast.CaseClause:
		x.swapper().neighbours(n.Body)
	case *ast.CommClause:
		x.swapper().neighbours(n.Body)
	case *ast.BasicLit:
		x.literal(n)
	case *ast.Ident:
		x.boolean(n)
	}
}

func (x *finder) swapper() *swapper { return &swapper{code: x.code, known: x.known, add: x.addEdits} }

// add adds a mutant with another text for a node.
func (x *finder) add(o Operator, n ast.Node, after string) *Mutant {
	return x.addEdits(o, n, x.code.text(n), after, x.code.replaced(n, after))
}

// addEdits adds a mutant that is made by edits and shown by two texts.
func (x *finder) addEdits(o Operator, n ast.Node, before, after string, edits []edit) *Mutant {
	if !x.wants[o] || x.code.changesNothing(edits) {
		return &Mutant{} // not wanted
	}
	at := x.code.fset.PositionFor(n.Pos(), false)
	m := Mutant{
		Operator: o, File: x.code.name, Line: at.Line, Column: at.Column, Func: x.function(), Before: short(before), After: short(after),
		source: x.code.path, edits: x.code.withImports(edits), at: []path{around(x.stack, n, x.code.place)},
	}
	x.mutants = append(x.mutants, m)
	return &x.mutants[len(x.mutants)-1]
}

// function returns the name of the function around the current node.
func (x *finder) function() string {
	for _, n := range x.stack {
		f, ok := n.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if f.Recv == nil {
			return f.Name.Name
		}
		return "(" + x.code.text(f.Recv.List[0].Type) + ")." + f.Name.Name
	}
	return ""
}

// around returns the path of a node, up to the function's body.
func around(stack []ast.Node, n ast.Node, where func(token.Pos) place) path {
	all := path{where(n.Pos())}
	if _, ok := n.(*ast.BlockStmt); ok { // coverage counts its content
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

// short returns a text on one line, cut to 100 characters.
func short(text string) string {
	const most = 100
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > most {
		return string(line[:most-1]) + "…"
	}
	return string(line)
}
