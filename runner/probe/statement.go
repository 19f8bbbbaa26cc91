package probe

import (
	"go/ast"
	"go/token"
)

// statement probes a statement of a list, so that others may be put before and
// behind it.
func (x *prober) statement(s ast.Stmt) { x.labelled(s, s.Pos()) }

// labelled probes a statement before which others are put at a place of their
// own: before its label.
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
		x.giveBack(s)
	case *ast.GoStmt:
		x.children(s.Call)
	case *ast.DeferStmt:
		x.children(s.Call)
	default:
		x.completed(s)
	}
}

// completed probes a statement without others inside: whether it came to its end,
// if it calls something that may panic.
func (x *prober) completed(s ast.Stmt) {
	parts := partsOf(s)
	if !x.calls(parts...) || x.leaves(s) {
		x.exprs(parts)
		return
	}
	hit := x.called(s)
	x.exprs(parts)
	x.behind(s.End(), ";%s.S(%d)", name, hit)
	x.near = hit
}

// called makes the target that something which calls is completed. It was tried
// when what stands before it was reached.
func (x *prober) called(n ast.Node) int {
	t := x.target(Call, n.Pos(), x.text(n))
	t.Hit, t.Near = x.hit(), x.near
	x.keep(t)
	return t.Hit
}

// simple probes the inside of a statement that stands where no other may.
func (x *prober) simple(s ast.Stmt) { x.exprs(partsOf(s)) }

func (x *prober) exprs(all []ast.Expr) {
	for _, e := range all {
		x.expr(e)
	}
}

// partsOf are the expressions of a simple statement or a declaration of
// variables.
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

// ifElse probes an if. An else if becomes a block of its own, as go build -cover
// has it.
func (x *prober) ifElse(s *ast.IfStmt) {
	d := x.header(s.Init, s.Cond)
	x.shows(d, 0, x.block(s.Body))
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		x.shows(d, 1, x.block(e))
	case *ast.IfStmt:
		x.before(e.Pos(), "{")
		x.shows(d, 1, x.reached(e.Pos(), e.Pos(), e.End(), 1))
		x.statement(e)
		x.behind(e.End(), "}")
	}
}

// header probes the condition of an if or for, and what stands before it.
func (x *prober) header(init ast.Stmt, cond ast.Expr) (d decision) {
	x.simple(init)
	if cond == nil {
		return decision{}
	}
	if !x.isBool(cond) || !x.calls(append(partsOf(init), cond)...) {
		return x.branch(cond)
	}
	hit := x.called(cond)
	x.before(cond.Pos(), "%s.RB(%d,", name, hit)
	d = x.branch(cond)
	x.behind(cond.End(), ")")
	x.near = hit
	return d
}

// value probes an expression on which a statement depends, and that it was
// evaluated if it or what stands before it calls. The language must have type
// parameters for it.
func (x *prober) value(init ast.Stmt, e ast.Expr, probe func(ast.Expr)) {
	x.simple(init)
	if !x.generic || !x.keepsType(e) || !x.calls(append(partsOf(init), e)...) {
		probe(e)
		return
	}
	hit := x.called(e)
	x.before(e.Pos(), "%s.R(%d,", name, hit)
	probe(e)
	x.behind(e.End(), ")")
	x.near = hit
}
