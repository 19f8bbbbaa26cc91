package mutate

import (
	"fmt"
	"go/ast"
	"go/types"
)

// statementCall adds a mutant that removes a call whose results are not used. If a second call may have side effects,
// and a statement can be inserted, it also adds a mutant that makes the call twice. e is the call, and n is the
// statement with the call: an expression, a defer or a go statement.
func (f *finder) statementCall(n ast.Stmt, e ast.Expr) {
	call, ok := f.code.call(e)
	if !ok {
		return
	}
	f.removeCall(n, call)
	if f.inList(n) && f.calls.hasEffectsAgain(f.code.info, call) {
		f.doubleCall(n, f.code.text(n)+"; "+f.code.text(n), call)
	}
}

// callWithResults adds mutants for a call whose results are assigned or returned: one that removes the call, one that
// makes it twice, and a refactoring; see repeatRead. A returned call is removed only if it may have side effects, and a
// call is made twice only if the second call may have side effects.
func (f *finder) callWithResults(e ast.Expr) {
	call, ok := f.code.call(e)
	if !ok {
		return
	}
	results := resultsOf(f.code.info, call)
	types, ok := f.code.resultText(results)
	if !ok {
		return
	}
	zeros, ok := f.code.zeros(results)
	if _, returned := f.stack[len(f.stack)-1].(*ast.ReturnStmt); ok && (!returned || f.calls.hasEffects(f.code.info, call)) {
		after := fmt.Sprintf("func() %s { %s; return %s }()", types, f.code.evaluation(f.code.operands(call)), zeros)
		m := f.addEdits(Removed, e, f.code.text(e), zeros, f.code.replacement(e, after))
		m.Outward = f.calls.callsHosts(f.code.info, call)
	}
	f.repeatRead(e, call, types)
	if f.calls.hasEffectsAgain(f.code.info, call) {
		f.doubleCall(e, fmt.Sprintf("func() %s { %s; return %s }()", types, f.code.text(e), f.code.text(e)), call)
	}
}

// removeCall adds a mutant that evaluates the operands of a call, but does not make the call.
func (f *finder) removeCall(n ast.Stmt, call *ast.CallExpr) {
	m := f.addEdits(Removed, n, f.code.text(n), "", f.code.replacement(n, f.code.evaluation(f.code.operands(call))))
	m.Outward = f.calls.callsHosts(f.code.info, call)
}

// doubleCall adds a mutant that makes a call twice. n is the node with the call, and after is the text that replaces n.
func (f *finder) doubleCall(n ast.Node, after string, call *ast.CallExpr) {
	m := f.addEdits(
		Doubled, n, f.code.text(n), f.code.text(n)+"; "+f.code.text(n),
		f.code.replacement(n, after),
	)
	m.Outward = f.calls.callsHosts(f.code.info, call)
}

// inList reports whether a statement is in a list of statements, so that another statement can be inserted.
func (f *finder) inList(s ast.Stmt) bool {
	switch around := f.stack[len(f.stack)-2].(type) {
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
