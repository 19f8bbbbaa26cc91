package probe

import (
	"go/ast"
	"go/constant"
	"go/token"
	"slices"

	"sonde/runner/instrument/probedata"
)

// choice probes a switch. If the switch has a tag, the probe computes the distances of the tag
// from the constants of the cases. Otherwise the cases are probed as conditions.
func (x *prober) choice(s *ast.SwitchStmt) {
	var near map[ast.Expr]probedata.ScoreTerm
	if s.Tag != nil {
		x.value(s.Init, s.Tag, func(tag ast.Expr) { near = x.tag(tag, s.Body) })
	} else {
		x.simple(s.Init)
	}
	before, into := x.near, false
	other, none := -1, [][]probedata.ScoreTerm{}
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		terms, no, sure := x.cases(clause, s.Tag == nil, near)
		none = append(none, no...)
		target := x.clause(probedata.SwitchCase, clause, caseTerms{terms: terms, near: before, sure: sure, into: into})
		if clause.List == nil {
			other = target
		}
		into = fallsThrough(clause)
	}
	if other >= 0 {
		x.setDefaultTerms(other, none)
	}
}

// maxConditions is the maximum number of conditions in a switch without a tag for which the default has terms.
// Each condition halves the range of scores that is left for the conditions after it.
const maxConditions = 16

// setDefaultTerms sets the terms of the default of a switch. The default is reached when all conditions are false, one
// after the other. falseTerms has, for each condition, the terms for the outcome false. setDefaultTerms does nothing if
// there are no conditions, if there are more than maxConditions, or if the terms of a condition are not known.
func (x *prober) setDefaultTerms(target int, falseTerms [][]probedata.ScoreTerm) {
	unknown := func(terms []probedata.ScoreTerm) bool { return terms == nil }
	if len(falseTerms) == 0 || len(falseTerms) > maxConditions || slices.ContainsFunc(falseTerms, unknown) {
		return
	}
	last := len(falseTerms) - 1
	all := falseTerms[last]
	for _, terms := range slices.Backward(falseTerms[:last]) {
		all = probedata.Conjunction(terms, all)
	}
	x.targets.setTerms(target, all)
}

// fallsThrough reports whether the body of a case ends with fallthrough.
func fallsThrough(c *ast.CaseClause) bool {
	if len(c.Body) == 0 {
		return false
	}
	b, ok := c.Body[len(c.Body)-1].(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

// cases probes the expressions of a case. It returns the terms of the case. If the expressions are conditions, the
// result none has the terms for the outcome false of each of them. sure is true if the terms are known for all
// expressions; it is false for the default.
func (x *prober) cases(
	c *ast.CaseClause, conditions bool, near map[ast.Expr]probedata.ScoreTerm,
) (terms []probedata.ScoreTerm, none [][]probedata.ScoreTerm, sure bool) {
	sure = len(c.List) > 0
	for _, e := range c.List {
		if conditions {
			d := x.exprs.branch(e)
			terms, sure = append(terms, d.yes...), sure && d.yes != nil
			none = append(none, d.no)
			continue
		}
		x.exprs.probe(e)
		t, known := near[e]
		sure = sure && known
		if known {
			terms = append(terms, t)
		}
	}
	return terms, none, sure
}

// caseTerms has the facts about a case that are known before the body of the case is probed.
type caseTerms struct {
	terms []probedata.ScoreTerm
	near  int  // the hit that is set when the switch is reached
	sure  bool // the case is covered if and only if a term has score 1
	into  bool // the previous case falls through into this case
}

// clause probes the body of a case and adds its target. It returns the index of the target, or -1 if there is none.
// If the body was reached, the case is covered. There is one exception: if another case falls through into the body,
// and the terms are sure, only the terms cover the case.
func (x *prober) clause(kind probedata.TargetKind, c *ast.CaseClause, known caseTerms) int {
	t := x.file.newTarget(kind, c.Case, x.file.source(c.Case, c.Colon))
	t.Terms = known.terms
	hit := x.list(c.Body, c.Colon+1, c.Colon+1, c.End(), false)
	switch {
	case !known.sure:
		t.Hit = hit
	case !known.into && hit == 0: // the body is empty
		t.Hit = x.targets.newHit()
		x.edit.before(c.Colon+1, "%s", hitStatement(t.Hit))
	case !known.into:
		t.Hit = hit
	}
	if known.terms == nil {
		t.Near = known.near
	}
	if t.Hit == 0 && !known.sure {
		return -1
	}
	return x.keep(t)
}

func (x *prober) typeChoice(s *ast.TypeSwitchStmt) {
	x.simple(s.Init)
	x.exprs.probeAll(partsOf(s.Assign))
	near := x.near
	for _, c := range s.Body.List {
		x.clause(probedata.TypeCase, c.(*ast.CaseClause), caseTerms{near: near})
	}
}

func (x *prober) selection(s *ast.SelectStmt) {
	near := x.near
	for _, c := range s.Body.List {
		clause := c.(*ast.CommClause)
		t := x.file.newTarget(probedata.SelectCase, clause.Case, x.file.source(clause.Case, clause.Colon))
		x.simple(clause.Comm)
		t.Near = near
		t.Hit = x.list(clause.Body, clause.Colon+1, clause.Colon+1, clause.End(), false)
		if t.Hit != 0 {
			x.keep(t)
		}
	}
}

// tag probes the tag of a switch. It returns the term of each case that is a constant integer or
// string, nil if the tag has no probe or no case is constant.
func (x *prober) tag(tag ast.Expr, body *ast.BlockStmt) map[ast.Expr]probedata.ScoreTerm {
	probe, constants := x.types.switchProbe(tag), x.types.constantCases(body)
	if probe == "" || len(constants) == 0 {
		x.exprs.probe(tag)
		return nil
	}
	p := x.targets.newPred(len(constants))
	near := map[ast.Expr]probedata.ScoreTerm{}
	var values []constant.Value
	for k, e := range constants {
		v := x.types.Types[e].Value
		near[e] = probedata.ScoreTerm{Pred: p, Outcome: k, Scale: 1, Case: caseText(v)}
		values = append(values, v)
	}
	x.edit.record(inFull, func() {
		x.edit.before(tag.Pos(), "%s.%s(%d,%d,", runtimeName, probe, p, x.tables.add(probe, values))
		x.exprs.probe(tag)
		x.edit.after(tag.End(), ")")
	})
	return near
}

// caseText returns the constant of a case as text.
func caseText(v constant.Value) string {
	if v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return v.ExactString()
}
