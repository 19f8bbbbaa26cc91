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
	calls *callGraph
	code  *codeFile
	wants map[Operator]bool

	stack   []ast.Node // the nodes around the current one, the outermost first
	mutants []Mutant
}

// FindMutants returns the mutants of a service that the given operators make, in the order of the source. It leaves out
// files that a generator or cgo wrote.
func FindMutants(b *probe.VariantBuilder, operators []Operator) ([]Mutant, error) {
	return findMutants(b, newCallGraph(b.Sources, b.Fset), operators)
}

// findMutants is FindMutants with the call graph of the service.
func findMutants(b *probe.VariantBuilder, known *callGraph, operators []Operator) ([]Mutant, error) {
	wants := map[Operator]bool{}
	for _, o := range operators {
		wants[o] = true
	}
	var all []Mutant
	for _, s := range b.Sources {
		for _, file := range s.Files {
			code, err := newCodeFile(b, s, file, known.packageUses)
			if err != nil {
				return nil, err
			}
			if code.isHandWritten() {
				f := &finder{calls: known, code: code, wants: wants}
				all = append(all, f.find()...)
			}
		}
	}
	return all, nil
}

// find returns the mutants of the file, with IDs.
func (f *finder) find() []Mutant {
	for _, d := range f.code.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			f.walk(d)
		case *ast.GenDecl:
			if d.Tok == token.CONST {
				f.packageConstants(d)
			}
		}
	}
	slices.SortStableFunc(f.mutants, func(a, b Mutant) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	type change struct {
		operator                Operator
		function, before, after string
	}
	count := map[change]int{}
	for i := range f.mutants {
		m := &f.mutants[i]
		key := change{operator: m.Operator, function: m.Func, before: m.Before, after: m.After}
		m.setID(count[key])
		count[key]++
	}
	return f.mutants
}

// walk finds the mutants in a node. It leaves out types: the length of an array and the tag of a
// field are not executed.
func (f *finder) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			f.stack = f.stack[:len(f.stack)-1]
			return true
		}
		if e, ok := n.(ast.Expr); ok && f.code.info.Types[e].IsType() {
			return false
		}
		f.stack = append(f.stack, n)
		f.visit(n)
		return true
	})
}

// visit adds the mutants that change a node itself.
func (f *finder) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		f.extreme(n)
	case *ast.FuncLit:
		f.extremeLit(n)
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.UnaryExpr:
		f.negation(n)
	case *ast.IfStmt:
		f.condition(n.Cond)
		f.invertBranches(n)
	case *ast.ForStmt:
		f.condition(n.Cond)
	case *ast.IncDecStmt:
		f.incDec(n)
	case *ast.AssignStmt:
		f.assignment(n)
	case *ast.ReturnStmt:
		f.returnStmt(n)
	case *ast.ExprStmt:
		f.statementCall(n, n.X)
	case *ast.DeferStmt:
		f.statementCall(n, n.Call)
	case *ast.GoStmt:
		f.statementCall(n, n.Call)
	case *ast.BlockStmt:
		f.swapper().swapNeighbours(n.List)
	case *ast.CaseClause:
		f.swapper().swapNeighbours(n.Body)
	case *ast.CommClause:
		f.swapper().swapNeighbours(n.Body)
	case *ast.BasicLit:
		f.literal(n)
	case *ast.Ident:
		f.boolean(n)
	}
}

// swapper returns a swapper that adds its mutants to f.
func (f *finder) swapper() *swapper { return &swapper{code: f.code, calls: f.calls, add: f.addEdits} }

// add adds a mutant that replaces a node by a text.
func (f *finder) add(o Operator, n ast.Node, after string) *Mutant {
	return f.addEdits(o, n, f.code.text(n), after, f.code.replacement(n, after))
}

// addEdits adds a mutant that consists of edits. before and after show the change to the user. If the operator is not
// wanted or the edits change nothing, addEdits adds nothing and returns an empty mutant.
func (f *finder) addEdits(o Operator, n ast.Node, before, after string, edits []edit) *Mutant {
	if !f.wants[o] || f.code.changesNothing(edits) {
		return &Mutant{}
	}
	at := f.code.fset.PositionFor(n.Pos(), false)
	m := Mutant{
		Operator: o, File: f.code.name, Line: at.Line, Column: at.Column,
		Func: f.function(), Before: shortened(before), After: shortened(after),
		source: f.code.path, edits: f.code.withBlankImports(edits), places: []path{around(f.stack, n, f.code.place)},
		Constants: f.constantsNear(n),
	}
	f.mutants = append(f.mutants, m)
	return &f.mutants[len(f.mutants)-1]
}

// function returns the name of the function around the current node, "" outside of functions.
func (f *finder) function() string {
	for _, n := range f.stack {
		decl, ok := n.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if decl.Recv == nil {
			return decl.Name.Name
		}
		return "(" + f.code.text(decl.Recv.List[0].Type) + ")." + decl.Name.Name
	}
	return ""
}

// around returns the path of a node: the position of the node, and the positions of the nodes around it, up to the
// body of the function.
func around(stack []ast.Node, n ast.Node, where func(token.Pos) place) path {
	all := path{where(n.Pos())}
	if _, ok := n.(*ast.BlockStmt); ok { // coverage profiles count the statements after the brace
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

// shortened returns a text on one line, with at most 100 characters.
func shortened(text string) string {
	const most = 100
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > most {
		return string(line[:most-1]) + "…"
	}
	return string(line)
}
