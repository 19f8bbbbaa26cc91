package probe

import (
	"go/ast"
	"go/token"
	"slices"
)

// decision is a branch whose outcomes are targets: how near it is to be true and to
// be false, and the number of the target for the first, behind which is the other;
// none is 0.
type decision struct {
	yes, no []Term
	target  int
}

// branch probes a Boolean expression and makes its outcomes targets. Nothing is done
// for && || ! while the service runs: what is evaluated first fixes what comes after,
// so each operand says in a fixed way how near the whole is.
func (x *prober) branch(e ast.Expr) (d decision) {
	var operands []operand
	yes, no := x.outcomes(e, &operands)
	if yes == nil {
		return decision{}
	}
	if len(operands) > 1 {
		for _, o := range operands {
			x.pair(o.expr, o.at, ConditionTrue, ConditionFalse, outcome(o.pred, 0), outcome(o.pred, 1))
		}
	}
	x.decided(e, place(e), yes, no)
	return decision{yes: yes, no: no, target: len(x.targets) - 1}
}

// shows makes the hit of a block tell of an outcome, too: 0 is true, 1 is false. The
// hit does so always, the predicate as long as it is looked at.
func (x *prober) shows(d decision, outcome, hit int) {
	if d.target > 0 {
		x.targets[d.target-1+outcome].Hit = hit
	}
}

// operand is a predicate inside a condition.
type operand struct {
	expr ast.Expr
	at   token.Pos
	pred int
}

// outcome is a predicate's outcome by itself: 0 is true, 1 is false.
func outcome(p, n int) []Term { return []Term{{Pred: p, Outcome: n, Scale: 1}} }

// decided makes the two outcomes of a branch targets.
func (x *prober) decided(e ast.Expr, at token.Pos, yes, no []Term) {
	x.pair(e, at, True, False, yes, no)
}

func (x *prober) pair(e ast.Expr, at token.Pos, yesKind, noKind Kind, yes, no []Term) {
	t := x.target(yesKind, at, x.text(e))
	t.Terms = yes
	x.keep(t)
	t.Kind, t.Terms = noKind, no
	x.keep(t)
}

// place is where a branch is said to be: at its operator, which belongs to no
// other branch.
func place(e ast.Expr) token.Pos {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return e.OpPos
	case *ast.CallExpr:
		return e.Lparen
	default:
		return e.Pos()
	}
}

// outcomes probes the operands of a Boolean expression and returns how near
// each outcome of it is, nil where that is not known.
func (x *prober) outcomes(e ast.Expr, all *[]operand) (yes, no []Term) {
	if x.fixed(e) {
		return nil, nil
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return x.outcomes(e.X, all)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			yes, no = x.outcomes(e.X, all)
			return no, yes
		}
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			return x.both(e, all)
		}
	}
	if !x.isBool(e) {
		x.children(e) // a type of the service's own, which no probe can return
		return nil, nil
	}
	p := x.predicate(e)
	*all = append(*all, operand{expr: e, at: place(e), pred: p})
	return outcome(p, 0), outcome(p, 1)
}

// both are the outcomes of && and ||. An operand of which nothing is known is
// left out.
func (x *prober) both(e *ast.BinaryExpr, all *[]operand) (yes, no []Term) {
	yes1, no1 := x.outcomes(e.X, all)
	yes2, no2 := x.outcomes(e.Y, all)
	switch {
	case yes1 == nil:
		return yes2, no2
	case yes2 == nil:
		return yes1, no1
	case e.Op == token.LAND:
		return through(yes1, yes2), slices.Concat(no1, no2)
	}
	return slices.Concat(yes1, yes2), through(no1, no2)
}

// predicate probes what is no && || ! and returns its number.
func (x *prober) predicate(e ast.Expr) int {
	p := x.pred(2)
	x.learning(func() { x.learn(e, p) })
	return p
}

func (x *prober) learn(e ast.Expr, p int) {
	if b, ok := e.(*ast.BinaryExpr); ok && isComparison(b) && (x.sought(b, p) || x.comparison(b, p)) {
		return
	}
	if c, ok := e.(*ast.CallExpr); ok && x.call(c, p) {
		return
	}
	if i, ok := e.(*ast.IndexExpr); ok && x.truth(i, p) {
		return
	}
	x.before(e.Pos(), "%s.T(%d,", name, p)
	x.children(e)
	x.behind(e.End(), ")")
}
