package probe

import (
	"go/ast"
	"go/token"
	"go/types"
)

// expr probes what is worth it in an expression: branches, and function bodies.
func (x *prober) expr(e ast.Expr) {
	if e == nil || x.fixed(e) {
		return
	}
	if x.isPredicate(e) {
		x.branch(e)
		return
	}
	if c, ok := e.(*ast.CallExpr); !ok || !x.query(c) && !x.cutting(c) && !x.parsing(c) {
		x.children(e)
	}
}

// fixed reports whether an expression is a constant or a type: neither can be
// touched.
func (x *prober) fixed(e ast.Expr) bool {
	tv, ok := x.info.Types[e]
	return ok && (tv.Value != nil || tv.IsType())
}

// isPredicate reports whether an expression is a branch wherever it stands.
func (x *prober) isPredicate(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	case *ast.BinaryExpr:
		return e.Op == token.LAND || e.Op == token.LOR || isComparison(e)
	case *ast.CallExpr:
		return x.knownCall(e) != ""
	}
	return false
}

// children probes the parts of an expression.
func (x *prober) children(e ast.Expr) {
	switch e := e.(type) {
	case *ast.FuncLit:
		x.body(e.Body)
	case *ast.CallExpr:
		x.helped(e)
		x.expr(e.Fun)
		x.exprs(e.Args)
	case *ast.IndexExpr:
		x.index(e)
	case *ast.CompositeLit:
		x.composite(e)
	default:
		x.exprs(operands(e))
	}
}

// operands are the parts of the expressions of which nothing else is to be known.
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

// composite probes the values of a literal; the names of fields are none.
func (x *prober) composite(c *ast.CompositeLit) {
	keys := hasKeys(x.info.Types[c].Type)
	for _, e := range c.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			x.expr(e)
			continue
		}
		if keys {
			x.expr(kv.Key)
		}
		x.expr(kv.Value)
	}
}

// hasKeys reports whether the keys of a literal are expressions.
func hasKeys(t types.Type) bool {
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

// index probes an index; where a map is asked whether it has a key, how far that
// is from the nearest.
func (x *prober) index(e *ast.IndexExpr) {
	x.expr(e.X)
	fn := x.keyProbe(e)
	if fn == "" {
		x.expr(e.Index)
		return
	}
	p := x.pred(2)
	x.learning(func() {
		x.before(e.Index.Pos(), "%s.%s(%d,%s,", name, fn, p, x.text(e.X))
		x.expr(e.Index)
		x.behind(e.Index.End(), ")")
	})
	x.decided(e, e.Lbrack, outcome(p, 0), outcome(p, 1))
}

// keyProbe is the probe for the key of a map, "" where there is none.
func (x *prober) keyProbe(e *ast.IndexExpr) string {
	tv := x.info.Types[e]
	if _, commaOK := tv.Type.(*types.Tuple); !commaOK || !x.generic || !x.pure(e.X) || x.shifts(e.Index) {
		return ""
	}
	if l := x.keyed(e); l != "" {
		return "Key" + l
	}
	return ""
}

// keyed is the letter of a map's keys.
func (x *prober) keyed(e *ast.IndexExpr) string {
	m, ok := x.info.Types[e.X].Type.Underlying().(*types.Map)
	if !ok || isTypeParam(m.Key()) {
		return ""
	}
	return letter(m.Key())
}

// truth probes a condition that is a map's value: how far the key is from the
// nearest that is true.
func (x *prober) truth(e *ast.IndexExpr, p int) bool {
	if !x.generic || x.shifts(e.Index) {
		return false
	}
	l := x.keyed(e)
	if l == "" {
		return false
	}
	x.before(e.Pos(), "%s.True%s(%d,", name, l, p)
	x.expr(e.X)
	x.replace(e.Lbrack, e.Lbrack+1, ",")
	x.expr(e.Index)
	x.replace(e.Rbrack, e.Rbrack+1, ")")
	return true
}
