package probe

import (
	"go/ast"
	"go/constant"
	"go/token"
	"slices"
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
	before, into := x.near, false
	other, none := -1, [][]Term{}
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		terms, no, sure := x.cases(clause, s.Tag == nil, near)
		none = append(none, no...)
		if kept := x.clause(Case, clause, before, terms, sure, into); kept && clause.List == nil {
			other = len(x.targets) - 1
		}
		into = fallsThrough(clause)
	}
	if other >= 0 {
		x.otherwise(other, none)
	}
}

// mostConditions is how many conditions a default is measured by: the way through
// each is half of what is left.
const mostConditions = 16

// otherwise lets the default of a switch follow from its conditions: one after the
// other does not hold.
func (x *prober) otherwise(target int, none [][]Term) {
	if len(none) == 0 || len(none) > mostConditions || slices.ContainsFunc(none, func(no []Term) bool { return no == nil }) {
		return
	}
	way := none[len(none)-1]
	for _, no := range slices.Backward(none[:len(none)-1]) {
		way = through(no, way)
	}
	x.targets[target].Terms, x.targets[target].Near = way, 0
}

// fallsThrough reports whether the body of a case goes on with the next one's.
func fallsThrough(c *ast.CaseClause) bool {
	if len(c.Body) == 0 {
		return false
	}
	b, ok := c.Body[len(c.Body)-1].(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

// cases probes the expressions of a case, and returns how near they are, and
// conditions to be false. It is sure where they tell all that there is to tell.
func (x *prober) cases(c *ast.CaseClause, conditions bool, near map[ast.Expr]Term) (terms []Term, none [][]Term, sure bool) {
	sure = len(c.List) > 0
	for _, e := range c.List {
		if conditions {
			d := x.branch(e)
			terms, sure = append(terms, d.yes...), sure && d.yes != nil
			none = append(none, d.no)
			continue
		}
		x.expr(e)
		t, known := near[e]
		sure = sure && known
		if known {
			terms = append(terms, t)
		}
	}
	return terms, none, sure
}

// clause probes the body of a case. That it was reached tells that the case came, too,
// but where that is sure already and the case before goes on into it. It reports whether
// that is a target.
func (x *prober) clause(kind Kind, c *ast.CaseClause, near int, terms []Term, sure, into bool) bool {
	t := x.target(kind, c.Case, string(x.src[x.offset(c.Case):x.offset(c.Colon)]))
	t.Terms = terms
	hit := x.list(c.Body, c.Colon+1, c.Colon+1, c.End(), false)
	switch {
	case !sure:
		t.Hit = hit
	case !into && hit == 0: // nothing is done
		t.Hit = x.hit()
		x.before(c.Colon+1, "%s.S(%d);", name, t.Hit)
	case !into:
		t.Hit = hit
	}
	if terms == nil {
		t.Near = near
	}
	if t.Hit == 0 && !sure {
		return false
	}
	x.keep(t)
	return true
}

func (x *prober) typeChoice(s *ast.TypeSwitchStmt) {
	x.simple(s.Init)
	for _, e := range partsOf(s.Assign) {
		x.expr(e)
	}
	near := x.near
	for _, c := range s.Body.List {
		x.clause(TypeCase, c.(*ast.CaseClause), near, nil, false, false)
	}
}

func (x *prober) selection(s *ast.SelectStmt) {
	near := x.near
	for _, c := range s.Body.List {
		clause := c.(*ast.CommClause)
		t := x.target(SelectCase, clause.Case, string(x.src[x.offset(clause.Case):x.offset(clause.Colon)]))
		x.simple(clause.Comm)
		t.Near = near
		t.Hit = x.list(clause.Body, clause.Colon+1, clause.Colon+1, clause.End(), false)
		if t.Hit != 0 {
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
