package probe

import (
	"go/ast"
	"go/token"
)

func (x *prober) forLoop(s *ast.ForStmt, at token.Pos) {
	near, l := x.near, x.loop(s, s.Body, at)
	d := x.header(s.Init, s.Cond)
	x.simple(s.Post)
	if s.Cond != nil && x.info.Types[s.Cond].Value == nil {
		x.shows(d, 0, x.looped(l, near))
		return
	}
	x.block(s.Body)
	x.choose(l, x.light(l))
}

func (x *prober) rangeLoop(s *ast.RangeStmt, at token.Pos) {
	near, l := x.near, x.loop(s, s.Body, at)
	x.value(nil, s.X, x.expr)
	x.exprs([]ast.Expr{s.Key, s.Value})
	x.looped(l, near)
}

// loop is one that is being probed.
type loop struct {
	stmt  ast.Stmt
	body  *ast.BlockStmt
	at    token.Pos // where statements may be put before it
	preds int       // the first predicate inside it
	edits int       // the first edit inside it
}

func (x *prober) loop(s ast.Stmt, body *ast.BlockStmt, at token.Pos) loop {
	return loop{stmt: s, body: body, at: at, preds: x.preds, edits: len(x.edits)}
}

// looped probes the body of a loop that can be skipped, and whether it is; it returns
// the body's hit. A variable beside the loop knows; goto must not jump over its
// declaration.
func (x *prober) looped(l loop, near int) int {
	entered := x.target(Entered, l.stmt.Pos(), x.text(l.stmt))
	skip := entered
	skip.Kind = Skip
	entered.Near, skip.Near = near, near
	if !x.jumps {
		skip.Hit = x.hit()
		x.before(l.body.Lbrace+1, "%s%d=true;", name, skip.Hit)
		x.keep(skip)
	}
	entered.Hit = x.block(l.body)
	if entered.Hit != 0 {
		x.keep(entered)
	}
	light := x.light(l)
	if !x.jumps {
		x.before(l.at, "%s%d:=false;", name, skip.Hit)
	}
	x.choose(l, light)
	if !x.jumps {
		x.behind(l.stmt.End(), ";%s.L(%d,%s%d)", name, skip.Hit, name, skip.Hit)
	}
	return entered.Hit
}
