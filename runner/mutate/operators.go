package mutate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
)

// otherwise are the operators that take the place of one.
var otherwise = map[token.Token][]token.Token{
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.AND}, token.AND_NOT: {token.AND}, token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR}, token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
}

// assigning are the operators that assign, too, by what they do before.
var assigning = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM,
	token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR, token.AND_NOT_ASSIGN: token.AND_NOT,
	token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR,
}

func operatorOf(t token.Token) Operator {
	switch t {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
		return Relational
	case token.LAND, token.LOR:
		return Boolean
	}
	return Arithmetic
}

// binary has another operator between two operands. Texts are only put together.
func (x *finder) binary(n *ast.BinaryExpr) {
	o := operatorOf(n.Op)
	if o == Arithmetic && !isNumber(x.info.Types[n.X].Type) {
		return
	}
	for _, other := range otherwise[n.Op] {
		x.token(o, n, n.OpPos, n.Op, other)
	}
}

// token adds a mutant with another operator in a node.
func (x *finder) token(o Operator, n ast.Node, at token.Pos, was, then token.Token) {
	from := x.offset(at)
	e := edit{from: from, upTo: from + len(was.String()), text: then.String()}
	start := x.offset(n.Pos())
	after := string(apply([]byte(x.text(n)), []edit{{from: e.from - start, upTo: e.upTo - start, text: e.text}}))
	x.addEdits(o, n, x.text(n), after, []edit{e})
}

// negation takes a "not" away, or a sign.
func (x *finder) negation(n *ast.UnaryExpr) {
	switch n.Op {
	case token.NOT:
		x.add(Boolean, n, x.text(n.X))
	case token.SUB:
		if x.info.Types[n.X].Value == nil {
			x.add(Arithmetic, n, x.text(n.X))
		}
	}
}

// condition turns a condition into its contrary, where no other operator does.
func (x *finder) condition(e ast.Expr) {
	switch c := ast.Unparen(e).(type) {
	case nil:
		return
	case *ast.BinaryExpr:
		if operatorOf(c.Op) == Relational {
			return
		}
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			return // without "not" it is the contrary
		}
	}
	x.add(Boolean, e, "!("+x.text(e)+")")
}

func (x *finder) counting(n *ast.IncDecStmt) {
	then := token.INC
	if n.Tok == token.INC {
		then = token.DEC
	}
	x.token(Arithmetic, n, n.TokPos, n.Tok, then)
}

// assignment has another operator in an assignment, and changes its calls.
func (x *finder) assignment(n *ast.AssignStmt) {
	if op, ok := assigning[n.Tok]; ok && isNumber(x.info.Types[n.Lhs[0]].Type) {
		for then, does := range assigning {
			if does == otherwise[op][0] {
				x.token(Arithmetic, n, n.TokPos, n.Tok, then)
			}
		}
	}
	if len(n.Rhs) == 1 {
		x.valued(n.Rhs[0])
	}
}

// constants changes the constants of a package: they are where they are used.
func (x *finder) constants(d *ast.GenDecl) {
	for _, s := range d.Specs {
		s := s.(*ast.ValueSpec)
		for i, v := range s.Values {
			before := len(x.mutants)
			x.walk(v)
			for j := range x.mutants[before:] {
				x.mutants[before+j].at = x.uses[objectName(x.info.Defs[s.Names[i]])]
			}
		}
	}
}

// literal changes a number or a text.
func (x *finder) literal(n *ast.BasicLit) {
	tv := x.info.Types[n]
	switch {
	case n.Kind == token.STRING && tv.Value != nil && constant.StringVal(tv.Value) == "":
		x.add(Constant, n, `"sonde"`)
	case n.Kind == token.STRING && tv.Value != nil:
		x.add(Constant, n, `""`)
	case n.Kind == token.INT:
		if v, err := strconv.ParseInt(n.Value, 0, 64); err == nil && v < 1<<62 {
			x.add(Constant, n, strconv.FormatInt(v+1, 10))
		}
	case n.Kind == token.FLOAT:
		x.add(Constant, n, "("+n.Value+" + 1)")
	}
}

// truth changes true and false.
func (x *finder) truth(n *ast.Ident) {
	switch x.info.Uses[n] {
	case types.Universe.Lookup("true"):
		x.add(Constant, n, "false")
	case types.Universe.Lookup("false"):
		x.add(Constant, n, "true")
	}
}

func isNumber(t types.Type) bool {
	b, ok := under(t).(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

func under(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}
