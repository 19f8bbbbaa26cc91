package probe

import (
	"go/ast"
	"go/types"
)

// exprProber adds probes to expressions.
type exprProber struct {
	file    *sourceFile
	types   *typeInfo
	edit    *editor
	targets *targetTable
	helpers helpers
	sql     bool                 // whether queries of database/sql are probed
	panics  *panicProber         // nil if operations that may panic are not probed
	body    func(*ast.BlockStmt) // probes the body of a function literal
}

// probe adds probes to an expression: for its branches, for its calls that query a database or that cut or parse a
// string, and, if panics is set, for its operations that may panic. It also probes the bodies of function literals.
func (x *exprProber) probe(e ast.Expr) {
	if e == nil || x.types.isFixed(e) {
		return
	}
	if x.types.isPredicate(e) {
		x.branch(e)
		return
	}
	if x.panics != nil {
		if probes := x.panics.divisorOf(e); probes != nil {
			x.withPanics(e, probes, func() { x.operation(e) })
			return
		}
	}
	x.operation(e)
}

// operation probes an expression that is no branch.
func (x *exprProber) operation(e ast.Expr) {
	if c, ok := e.(*ast.CallExpr); !ok || !x.query(c) && !x.cut(c) && !x.parse(c) {
		x.children(e)
	}
}

func (x *exprProber) probeAll(all []ast.Expr) {
	for _, e := range all {
		x.probe(e)
	}
}

// children probes the operands of an expression and, if operations that may panic are probed, whether the expression
// panics.
func (x *exprProber) children(e ast.Expr) {
	if x.panics == nil {
		x.parts(e)
		return
	}
	x.withPanics(e, x.panics.probesOf(e), func() { x.parts(e) })
}

// parts probes the operands of an expression, but not the expression itself.
func (x *exprProber) parts(e ast.Expr) {
	switch e := e.(type) {
	case *ast.FuncLit:
		x.body(e.Body)
	case *ast.CallExpr:
		if x.helpers.has(x.types, e) {
			x.edit.add(edit{offset: x.file.offset(calleeName(e).Pos()), opens: true, in: inLight, text: runtimeName})
		}
		x.probe(e.Fun)
		x.probeAll(e.Args)
	case *ast.IndexExpr:
		x.index(e)
	case *ast.CompositeLit:
		x.composite(e)
	default:
		x.probeAll(operands(e))
	}
}

// operands returns the operands of an expression, if it is not of a kind that parts treats specially.
func operands(e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return []ast.Expr{e.X}
	case *ast.UnaryExpr:
		return []ast.Expr{e.X}
	case *ast.BinaryExpr:
		return []ast.Expr{e.X, e.Y}
	case *ast.SelectorExpr:
		return []ast.Expr{e.X}
	case *ast.IndexListExpr:
		return []ast.Expr{e.X}
	case *ast.SliceExpr:
		return []ast.Expr{e.X, e.Low, e.High, e.Max}
	case *ast.StarExpr:
		return []ast.Expr{e.X}
	case *ast.TypeAssertExpr:
		return []ast.Expr{e.X}
	}
	return nil
}

// composite probes the values of a composite literal, and the keys of a map.
func (x *exprProber) composite(c *ast.CompositeLit) {
	keys := hasKeyExprs(x.types.Types[c].Type)
	for _, e := range c.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			x.probe(e)
			continue
		}
		if keys {
			x.probe(kv.Key)
		}
		x.probe(kv.Value)
	}
}

// hasKeyExprs reports whether the keys of a composite literal are expressions: it is true for maps.
func hasKeyExprs(t types.Type) bool {
	if t == nil {
		return false
	}
	u := t.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		u = p.Elem().Underlying()
	}
	_, isMap := u.(*types.Map)
	return isMap
}

// index probes an index expression. In v, ok := m[key], the expression is a branch. Its distance is that of key
// from the nearest key in the map.
func (x *exprProber) index(e *ast.IndexExpr) {
	x.probe(e.X)
	probe := x.types.keyProbe(e)
	if probe == "" {
		x.probe(e.Index)
		return
	}
	p := x.targets.newPred(2)
	x.edit.record(inFull, func() {
		x.edit.before(e.Index.Pos(), "%s.%s(%d,%s,", runtimeName, probe, p, x.file.sourceOf(e.X))
		x.probe(e.Index)
		x.edit.after(e.Index.End(), ")")
	})
	x.addBranch(e, e.Lbrack, outcome(p, 0), outcome(p, 1))
}

// mapValue probes a condition that is a value of a map. The distance is that of the key from the nearest key
// whose value is true. mapValue returns false if there is no such probe.
func (x *exprProber) mapValue(e *ast.IndexExpr, p int) bool {
	if !x.types.generic || x.types.hasUntypedShift(e.Index) {
		return false
	}
	l := x.types.keyLetter(e)
	if l == "" {
		return false
	}
	x.edit.before(e.Pos(), "%s.True%s(%d,", runtimeName, l, p)
	x.probe(e.X)
	x.edit.replace(e.Lbrack, e.Lbrack+1, ",")
	x.probe(e.Index)
	x.edit.replace(e.Rbrack, e.Rbrack+1, ")")
	return true
}
