package probe

import (
	"go/ast"
	"go/token"

	"sonde/runner/instrument/probedata"
)

// loop is a loop that is being probed.
type loop struct {
	stmt  ast.Stmt
	body  *ast.BlockStmt
	at    token.Pos // where statements may be inserted before the loop
	preds int       // the number of the first predicate in the loop
	mark  int       // the index of the first edit in the loop
}

func (x *prober) newLoop(s ast.Stmt, body *ast.BlockStmt, at token.Pos) loop {
	return loop{stmt: s, body: body, at: at, preds: x.targets.preds, mark: x.edit.mark()}
}

func (x *prober) forLoop(s *ast.ForStmt, at token.Pos) {
	near, l := x.near, x.newLoop(s, s.Body, at)
	d := x.header(s.Init, s.Cond)
	x.simple(s.Post)
	if s.Cond != nil && x.types.Types[s.Cond].Value == nil {
		x.exprs.show(d, 0, x.skippableLoop(l, near))
		return
	}
	x.block(s.Body)
	x.chooseCopy(l, x.lightLoop(l))
}

func (x *prober) rangeLoop(s *ast.RangeStmt, at token.Pos) {
	near, l := x.near, x.newLoop(s, s.Body, at)
	x.value(nil, s.X, x.exprs.probe)
	x.exprs.probeAll([]ast.Expr{s.Key, s.Value})
	x.skippableLoop(l, near)
}

// skippableLoop probes the body of a loop and returns the hit of the body. near is the hit that is set when the
// loop is reached. skippableLoop adds two targets: the loop was entered, and the loop was skipped. A variable
// that is declared before the loop records whether the body was entered. In a function with goto there is no
// such variable, because goto must not jump over a declaration; the loop then has no target for being skipped.
func (x *prober) skippableLoop(l loop, near int) int {
	entered := x.file.newTarget(probedata.LoopEntered, l.stmt.Pos(), x.file.sourceOf(l.stmt))
	skipped := entered
	skipped.Kind = probedata.LoopSkipped
	entered.Near, skipped.Near = near, near
	if !x.jumps {
		skipped.Hit = x.targets.newHit()
		x.edit.before(l.body.Lbrace+1, "%s%d=true;", runtimeName, skipped.Hit)
		x.keep(skipped)
	}
	entered.Hit = x.block(l.body)
	if entered.Hit != 0 {
		x.keep(entered)
	}
	light := x.lightLoop(l)
	if !x.jumps {
		x.edit.before(l.at, "%s%d:=false;", runtimeName, skipped.Hit)
	}
	x.chooseCopy(l, light)
	if !x.jumps {
		x.edit.after(l.stmt.End(), ";%s.L(%d,%s%d)", runtimeName, skipped.Hit, runtimeName, skipped.Hit)
	}
	return entered.Hit
}
