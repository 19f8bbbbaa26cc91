package probe

import (
	"go/ast"
	"go/token"
	"slices"

	"sonde/runner/instrument/probedata"
)

// decision is a condition that was probed.
type decision struct {
	yes, no []probedata.ScoreTerm // the terms of the outcomes; nil if the outcomes are not targets
	target  int                   // index of the target for yes; the target for no follows
}

// operand is a predicate in a condition.
type operand struct {
	expr ast.Expr
	at   token.Pos
	pred int
}

// outcome returns the terms that compute the score of one outcome of the predicate p. n is 0 for the outcome true and 1
// for false.
func outcome(p, n int) []probedata.ScoreTerm {
	return []probedata.ScoreTerm{{Pred: p, Outcome: n, Scale: 1}}
}

// branch probes a Boolean expression and makes its outcomes targets. If the expression has several
// operands, their outcomes are targets, too. branch adds no probes for &&, || and !: the distance
// of the expression is computed from the distances of its operands, whose order of evaluation is
// known.
func (x *exprProber) branch(e ast.Expr) decision {
	var operands []operand
	yes, no := x.outcomes(e, &operands)
	if yes == nil {
		return decision{}
	}
	if len(operands) > 1 {
		for _, o := range operands {
			x.addOutcomes(o.expr, o.at, probedata.ConditionTrue, probedata.ConditionFalse, outcome(o.pred, 0), outcome(o.pred, 1))
		}
	}
	return decision{yes: yes, no: no, target: x.addBranch(e, branchPosition(e), yes, no)}
}

// show records that a block runs only after one outcome of a decision: if the block's hit is set, the outcome is
// covered. outcome is 0 for true and 1 for false. A hit is always recorded, but a predicate only while it is watched.
// show does nothing if the outcomes are not targets.
func (x *exprProber) show(d decision, outcome, hit int) {
	if d.yes != nil {
		x.targets.setHit(d.target+outcome, hit)
	}
}

// addBranch makes the two outcomes of a branch targets. It returns the index of the first target.
func (x *exprProber) addBranch(e ast.Expr, at token.Pos, yes, no []probedata.ScoreTerm) int {
	return x.addOutcomes(e, at, probedata.BranchTrue, probedata.BranchFalse, yes, no)
}

func (x *exprProber) addOutcomes(e ast.Expr, at token.Pos, yesKind, noKind probedata.TargetKind, yes, no []probedata.ScoreTerm) int {
	t := x.file.newTarget(yesKind, at, x.file.sourceOf(e))
	t.Terms = yes
	return x.targets.addPair(t, x.file.name, noKind, no)
}

// branchPosition returns the position of a branch's targets. The position of an operation is that of
// its operator, and the position of a call is that of its parenthesis, because these belong to no
// other branch. The position of any other expression is its beginning.
func branchPosition(e ast.Expr) token.Pos {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return e.OpPos
	case *ast.CallExpr:
		return e.Lparen
	default:
		return e.Pos()
	}
}

// outcomes probes the operands of a Boolean expression, and appends them to all. It returns the terms for the outcomes
// true and false of the expression, or nil if the terms are not known.
func (x *exprProber) outcomes(e ast.Expr, all *[]operand) (yes, no []probedata.ScoreTerm) {
	if x.types.isFixed(e) {
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
			return x.bothOutcomes(e, all)
		}
	}
	if !x.types.isBool(e) {
		x.children(e) // a named Boolean type, which no probe can return
		return nil, nil
	}
	p := x.predicate(e)
	*all = append(*all, operand{expr: e, at: branchPosition(e), pred: p})
	return outcome(p, 0), outcome(p, 1)
}

// bothOutcomes returns the terms for the outcomes of an expression with && or ||. It leaves out an operand whose terms
// are not known.
func (x *exprProber) bothOutcomes(e *ast.BinaryExpr, all *[]operand) (yes, no []probedata.ScoreTerm) {
	yes1, no1 := x.outcomes(e.X, all)
	yes2, no2 := x.outcomes(e.Y, all)
	switch {
	case yes1 == nil:
		return yes2, no2
	case yes2 == nil:
		return yes1, no1
	case e.Op == token.LAND:
		return probedata.Conjunction(yes1, yes2), slices.Concat(no1, no2)
	}
	return slices.Concat(yes1, yes2), probedata.Conjunction(no1, no2)
}

// predicate probes an operand of a condition as a new predicate, and returns the number of the predicate.
func (x *exprProber) predicate(e ast.Expr) int {
	p := x.targets.newPred(2)
	x.edit.record(inFull, func() { x.distance(e, p) })
	return p
}

// distance adds a probe that computes the distance of a predicate. If there is no such probe for the
// expression, distance adds outcomeProbe, which records only the outcome.
func (x *exprProber) distance(e ast.Expr, p int) {
	if b, ok := e.(*ast.BinaryExpr); ok && isComparison(b) && (x.searchResult(b, p) || x.comparison(b, p)) {
		return
	}
	if c, ok := e.(*ast.CallExpr); ok && x.call(c, p) {
		return
	}
	if i, ok := e.(*ast.IndexExpr); ok && x.mapValue(i, p) {
		return
	}
	x.edit.before(e.Pos(), "%s.%s(%d,", runtimeName, outcomeProbe, p)
	x.children(e)
	x.edit.after(e.End(), ")")
}
