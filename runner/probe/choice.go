package probe

import (
	"go/ast"
	"go/constant"
)

// choice probes a switch: how far its tag is from the constants of its cases,
// or, without a tag, the conditions that its cases are.
func (x *prober) choice(s *ast.SwitchStmt) {
	var near map[ast.Expr]Term
	if s.Tag != nil {
		x.value(s.Init, s.Tag, func(tag ast.Expr) { near = x.tag(tag, s.Body) })
	} else {
		x.simple(s.Init)
	}
	before := x.near
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		terms, sure := x.cases(clause, s.Tag == nil, near)
		x.clause(Case, clause, before, terms, sure)
	}
}

// cases probes the expressions of a case, and returns how near they are. It is
// sure where they tell all that there is to tell.
func (x *prober) cases(c *ast.CaseClause, conditions bool, near map[ast.Expr]Term) (terms []Term, sure bool) {
	sure = len(c.List) > 0
	for _, e := range c.List {
		if conditions {
			yes := x.branch(e)
			terms, sure = append(terms, yes...), sure && yes != nil
			continue
		}
		x.expr(e)
		t, known := near[e]
		if sure = sure && known; known {
			terms = append(terms, t)
		}
	}
	return terms, sure
}

// clause probes the body of a case. Where the terms are not sure, that the body
// was reached tells that the case was, too.
func (x *prober) clause(kind Kind, c *ast.CaseClause, near int, terms []Term, sure bool) {
	t := x.target(kind, c.Case, string(x.src[x.offset(c.Case):x.offset(c.Colon)]))
	t.Terms = terms
	hit := x.list(c.Body, c.Colon+1, c.Colon+1, c.End(), false)
	if !sure {
		t.Hit = hit
	}
	if terms == nil {
		t.Near = near
	}
	if t.Hit != 0 || sure {
		x.keep(t)
	}
}

func (x *prober) typeChoice(s *ast.TypeSwitchStmt) {
	x.simple(s.Init)
	for _, e := range partsOf(s.Assign) {
		x.expr(e)
	}
	near := x.near
	for _, c := range s.Body.List {
		x.clause(TypeCase, c.(*ast.CaseClause), near, nil, false)
	}
}

func (x *prober) selection(s *ast.SelectStmt) {
	near := x.near
	for _, c := range s.Body.List {
		clause := c.(*ast.CommClause)
		t := x.target(SelectCase, clause.Case, string(x.src[x.offset(clause.Case):x.offset(clause.Colon)]))
		x.simple(clause.Comm)
		t.Near = near
		if t.Hit = x.list(clause.Body, clause.Colon+1, clause.Colon+1, clause.End(), false); t.Hit != 0 {
			x.keep(t)
		}
	}
}

// tag probes the tag of a switch with constant cases of integers or strings, and
// returns the slot of each.
func (x *prober) tag(tag ast.Expr, body *ast.BlockStmt) map[ast.Expr]Term {
	fn := x.switcher(tag)
	constants := x.constants(body)
	if fn == "" || len(constants) == 0 {
		x.expr(tag)
		return nil
	}
	p := x.pred(len(constants))
	near := map[ast.Expr]Term{}
	var values []constant.Value
	for k, e := range constants {
		v := x.info.Types[e].Value
		near[e] = Term{Pred: p, Outcome: k, Scale: 1, Case: caseText(v)}
		values = append(values, v)
	}
	x.learning(func() {
		x.before(tag.Pos(), "%s.%s(%d,%d,", name, fn, p, x.table(fn, values))
		x.expr(tag)
		x.behind(tag.End(), ")")
	})
	return near
}

// caseText is the constant of a case as text.
func caseText(v constant.Value) string {
	if v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return v.ExactString()
}

// switcher is the probe for a tag, "" where there is none.
func (x *prober) switcher(tag ast.Expr) string {
	t := x.info.Types[tag].Type
	if !x.generic || !x.keepsType(tag) || isTypeParam(t) {
		return ""
	}
	if l := letter(t); l != "" {
		return "Sw" + l
	}
	return ""
}

// constants are the cases of a switch that are constants.
func (x *prober) constants(body *ast.BlockStmt) []ast.Expr {
	var all []ast.Expr
	for _, c := range body.List {
		for _, e := range c.(*ast.CaseClause).List {
			if v := x.info.Types[e].Value; v != nil && v.Kind() != constant.Unknown {
				all = append(all, e)
			}
		}
	}
	return all
}
