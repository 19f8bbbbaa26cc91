package probe

import (
	"go/ast"
	"go/token"
)

func (x *prober) forLoop(s *ast.ForStmt, at token.Pos) {
	if s.Cond == nil || x.info.Types[s.Cond].Value != nil {
		x.header(s.Init, s.Cond)
		x.simple(s.Post)
		x.block(s.Body)
		return
	}
	near := x.near
	x.header(s.Init, s.Cond)
	x.simple(s.Post)
	x.looped(s, s.Body, at, near)
}

func (x *prober) rangeLoop(s *ast.RangeStmt, at token.Pos) {
	near := x.near
	x.value(nil, s.X, x.expr)
	x.exprs([]ast.Expr{s.Key, s.Value})
	x.looped(s, s.Body, at, near)
}

// looped probes the body of a loop that can be skipped, and whether it is. A
// variable beside the loop knows; goto must not jump over its declaration.
func (x *prober) looped(s ast.Stmt, body *ast.BlockStmt, at token.Pos, near int) {
	entered := x.target(Entered, s.Pos(), x.text(s))
	skip := entered
	skip.Kind = Skip
	entered.Near, skip.Near = near, near
	if !x.jumps {
		skip.Hit = x.hit()
		x.before(at, "%s%d:=false;", name, skip.Hit)
		x.before(body.Lbrace+1, "%s%d=true;", name, skip.Hit)
		x.keep(skip)
	}
	if entered.Hit = x.block(body); entered.Hit != 0 {
		x.keep(entered)
	}
	if !x.jumps {
		x.behind(s.End(), ";%s.L(%d,%s%d)", name, skip.Hit, name, skip.Hit)
	}
}
