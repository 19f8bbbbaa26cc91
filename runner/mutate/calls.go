package mutate

import (
	"fmt"
	"go/ast"
	"go/types"
)

// statement removes and doubles a call whose results nobody reads: one that is made at
// once, in the end or beside.
func (x *finder) statement(n ast.Stmt, e ast.Expr) {
	call, ok := x.call(e)
	if !ok {
		return
	}
	x.removed(n, call)
	if x.inList(n) && x.changesAgain(x.info, call) {
		x.doubled(n, x.text(n)+"; "+x.text(n), call)
	}
}

// valued removes and doubles a call whose results are assigned or returned.
func (x *finder) valued(e ast.Expr) {
	call, ok := x.call(e)
	if !ok {
		return
	}
	results := resultsOf(x.info, call)
	types, ok := x.resultText(results)
	if !ok {
		return
	}
	zeros, ok := x.zeros(results)
	if _, returned := x.stack[len(x.stack)-1].(*ast.ReturnStmt); ok && (!returned || x.changes(x.info, call)) {
		after := fmt.Sprintf("func() %s { %s; return %s }()", types, x.used(x.parts(call)), zeros)
		m := x.addEdits(Removed, e, x.text(e), zeros, []edit{{from: x.offset(e.Pos()), upTo: x.offset(e.End()), text: after}})
		m.Outward = x.outward(x.info, call)
	}
	if x.changesAgain(x.info, call) {
		x.doubled(e, fmt.Sprintf("func() %s { %s; return %s }()", types, x.text(e), x.text(e)), call)
	}
}

// removed has a statement only evaluate what its call is given.
func (x *finder) removed(n ast.Stmt, call *ast.CallExpr) {
	m := x.addEdits(Removed, n, x.text(n), "", []edit{{from: x.offset(n.Pos()), upTo: x.offset(n.End()), text: x.used(x.parts(call))}})
	m.Outward = x.outward(x.info, call)
}

func (x *finder) doubled(n ast.Node, after string, call *ast.CallExpr) {
	m := x.addEdits(Doubled, n, x.text(n), x.text(n)+"; "+x.text(n), []edit{{from: x.offset(n.Pos()), upTo: x.offset(n.End()), text: after}})
	m.Outward = x.outward(x.info, call)
}

// call is an expression that calls a function: no conversion, and of what is built in
// only what changes something.
func (x *finder) call(e ast.Expr) (*ast.CallExpr, bool) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || x.info.Types[call.Fun].IsType() {
		return nil, false
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if _, builtin := x.info.Uses[id].(*types.Builtin); builtin {
			return call, id.Name == "delete" || id.Name == "clear" || id.Name == "copy" || id.Name == "close"
		}
	}
	return call, true
}

// parts are the expressions that a call is made of, but for the function's name.
func (x *finder) parts(call *ast.CallExpr) []ast.Expr {
	all := append([]ast.Expr{}, call.Args...)
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		if id, ok := f.X.(*ast.Ident); ok {
			if _, pkg := x.info.Uses[id].(*types.PkgName); pkg {
				return all
			}
		}
		return append([]ast.Expr{f.X}, all...)
	case *ast.Ident:
		if _, variable := x.info.Uses[f].(*types.Var); variable {
			return append([]ast.Expr{f}, all...)
		}
	case *ast.FuncLit, *ast.CallExpr:
		return append([]ast.Expr{f}, all...)
	}
	return all
}

// inList reports whether a statement stands in a list, so that others may stand beside
// it.
func (x *finder) inList(s ast.Stmt) bool {
	switch around := x.stack[len(x.stack)-2].(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	case *ast.CommClause:
		return around.Comm != s
	}
	return false
}

// resultsOf are the results of a call.
func resultsOf(info *types.Info, call *ast.CallExpr) *types.Tuple {
	switch t := info.Types[call].Type.(type) {
	case *types.Tuple:
		return t
	case nil:
		return types.NewTuple()
	default:
		return types.NewTuple(types.NewVar(0, nil, "", t))
	}
}
