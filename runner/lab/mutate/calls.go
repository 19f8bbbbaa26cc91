package mutate

import (
	"fmt"
	"go/ast"
	"go/types"
)

// statement removes and doubles a call without results in use: in a statement of its
// own, a defer or a go.
func (x *finder) statement(n ast.Stmt, e ast.Expr) {
	call, ok := x.code.call(e)
	if !ok {
		return
	}
	x.removed(n, call)
	if x.inList(n) && x.known.changesAgain(x.code.info, call) {
		x.doubled(n, x.code.text(n)+"; "+x.code.text(n), call)
	}
}

// valued removes and doubles a call whose results are assigned or returned.
func (x *finder) valued(e ast.Expr) {
	call, ok := x.code.call(e)
	if !ok {
		return
	}
	results := resultsOf(x.code.info, call)
	types, ok := x.code.resultText(results)
	if !ok {
		return
	}
	zeros, ok := x.code.zeros(results)
	if _, returned := x.stack[len(x.stack)-1].(*ast.ReturnStmt); ok && (!returned || x.known.changes(x.code.info, call)) {
		after := fmt.Sprintf("func() %s { %s; return %s }()", types, x.code.used(x.code.parts(call)), zeros)
		m := x.addEdits(Removed, e, x.code.text(e), zeros, x.code.replaced(e, after))
		m.Outward = x.known.outward(x.code.info, call)
	}
	if x.known.changesAgain(x.code.info, call) {
		x.doubled(e, fmt.Sprintf("func() %s { %s; return %s }()", types, x.code.text(e), x.code.text(e)), call)
	}
}

// removed replaces a call by the evaluation of its arguments.
func (x *finder) removed(n ast.Stmt, call *ast.CallExpr) {
	m := x.addEdits(Removed, n, x.code.text(n), "", x.code.replaced(n, x.code.used(x.code.parts(call))))
	m.Outward = x.known.outward(x.code.info, call)
}

func (x *finder) doubled(n ast.Node, after string, call *ast.CallExpr) {
	m := x.addEdits(
		Doubled, n, x.code.text(n), x.code.text(n)+"; "+x.code.text(n),
		x.code.replaced(n, after),
	)
	m.Outward = x.known.outward(x.code.info, call)
}

// inList reports whether a statement is in a list, so that others can be inserted.
func (x *finder) inList(s ast.Stmt) bool {
	switch around := x.stack[len(x.stack)-2].(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	case *ast.CommClause:
		return around.Comm != s
	}
	return false
}

// resultsOf returns the results of a call.
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
