package probe

import (
	"go/ast"
	"go/token"

	"sonde/runner/instrument/probedata"
)

// statement probes a statement of a list. Other statements can be inserted before and after it.
func (x *prober) statement(s ast.Stmt) { x.labelled(s, s.Pos()) }

// labelled probes a statement of a list that may have a label. at is a position before the label, where
// other statements can be inserted.
func (x *prober) labelled(s ast.Stmt, at token.Pos) {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		x.labelled(s.Stmt, at)
	case *ast.BlockStmt:
		x.block(s)
	case *ast.IfStmt:
		x.ifElse(s)
	case *ast.ForStmt:
		x.forLoop(s, at)
	case *ast.RangeStmt:
		x.rangeLoop(s, at)
	case *ast.SwitchStmt:
		x.choice(s)
	case *ast.TypeSwitchStmt:
		x.typeChoice(s)
	case *ast.SelectStmt:
		x.selection(s)
	case *ast.ReturnStmt:
		x.returned(s)
	case *ast.GoStmt:
		x.exprs.children(s.Call)
	case *ast.DeferStmt:
		x.exprs.children(s.Call)
	default:
		x.completed(s)
	}
}

// completed probes a statement that contains no other statements. If it calls a function that can return, its completion
// is a target.
func (x *prober) completed(s ast.Stmt) {
	parts := partsOf(s)
	if !x.types.mayPanic(parts...) || x.types.neverReturns(s) {
		x.exprs.probeAll(parts)
		return
	}
	hit := x.addCall(s)
	x.exprs.probeAll(parts)
	x.edit.after(s.End(), ";%s.S(%d)", runtimeName, hit)
	x.near = hit
}

// addCall adds a target for the completion of a node that calls a function, and returns the hit of the target. Before
// this target is covered, the hit x.near records whether the node was reached.
func (x *prober) addCall(n ast.Node) int {
	t := x.file.newTarget(probedata.CallCompleted, n.Pos(), x.file.sourceOf(n))
	t.Hit, t.Near = x.targets.newHit(), x.near
	x.keep(t)
	return t.Hit
}

// simple probes the expressions in a statement, such as the init statement of an if. No statement
// can be inserted before or after it. s may be nil.
func (x *prober) simple(s ast.Stmt) { x.exprs.probeAll(partsOf(s)) }

// partsOf returns the expressions in a simple statement or a declaration of variables.
func partsOf(s ast.Stmt) []ast.Expr {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return []ast.Expr{s.X}
	case *ast.AssignStmt:
		return append(append([]ast.Expr{}, s.Lhs...), s.Rhs...)
	case *ast.IncDecStmt:
		return []ast.Expr{s.X}
	case *ast.SendStmt:
		return []ast.Expr{s.Chan, s.Value}
	case *ast.DeclStmt:
		return declared(s)
	}
	return nil
}

func declared(s *ast.DeclStmt) []ast.Expr {
	var all []ast.Expr
	if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
		for _, spec := range d.Specs {
			all = append(all, spec.(*ast.ValueSpec).Values...)
		}
	}
	return all
}

// ifElse probes an if statement. An else if becomes a block of its own, as with go build -cover.
func (x *prober) ifElse(s *ast.IfStmt) {
	d := x.header(s.Init, s.Cond)
	x.exprs.show(d, 0, x.block(s.Body))
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		x.exprs.show(d, 1, x.block(e))
	case *ast.IfStmt:
		x.edit.before(e.Pos(), "{")
		x.exprs.show(d, 1, x.reached(e.Pos(), e.Pos(), e.End(), 1))
		x.statement(e)
		x.edit.after(e.End(), "}")
	}
}

// header probes the condition of an if or for statement, and the statement before the condition.
// Both may be nil. If either calls a function, and the condition is a bool, the evaluation of the
// condition is a target.
func (x *prober) header(init ast.Stmt, cond ast.Expr) (d decision) {
	x.simple(init)
	if cond == nil {
		return decision{}
	}
	if !x.types.isBool(cond) || !x.types.mayPanic(append(partsOf(init), cond)...) {
		return x.exprs.branch(cond)
	}
	hit := x.addCall(cond)
	x.edit.before(cond.Pos(), "%s.RB(%d,", runtimeName, hit)
	d = x.exprs.branch(cond)
	x.edit.after(cond.End(), ")")
	x.near = hit
	return d
}

// value probes the expression of a switch or range statement, and the statement before the expression, which may be
// nil. It calls the function probe for the expression. If either calls a function, the evaluation of the expression is
// a target. The target needs a language version with type parameters, and an expression for which keepsType is true.
func (x *prober) value(init ast.Stmt, e ast.Expr, probe func(ast.Expr)) {
	x.simple(init)
	if !x.types.generic || !x.types.keepsType(e) || !x.types.mayPanic(append(partsOf(init), e)...) {
		probe(e)
		return
	}
	hit := x.addCall(e)
	x.edit.before(e.Pos(), "%s.R(%d,", runtimeName, hit)
	probe(e)
	x.edit.after(e.End(), ")")
	x.near = hit
}
