package mutate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
)

// replacements are the operators that replace an operator.
var replacements = map[token.Token][]token.Token{
	token.ADD:     {token.SUB},
	token.SUB:     {token.ADD},
	token.MUL:     {token.QUO},
	token.QUO:     {token.MUL},
	token.REM:     {token.MUL},
	token.AND:     {token.OR},
	token.OR:      {token.AND},
	token.XOR:     {token.AND},
	token.AND_NOT: {token.AND},
	token.SHL:     {token.SHR},
	token.SHR:     {token.SHL},
	token.LSS:     {token.LEQ, token.GEQ},
	token.LEQ:     {token.LSS, token.GTR},
	token.GTR:     {token.GEQ, token.LEQ},
	token.GEQ:     {token.GTR, token.LSS},
	token.EQL:     {token.NEQ},
	token.NEQ:     {token.EQL},
	token.LAND:    {token.LOR},
	token.LOR:     {token.LAND},
}

// assignments maps assignment operators to the operator in them.
var assignments = map[token.Token]token.Token{
	token.ADD_ASSIGN:     token.ADD,
	token.SUB_ASSIGN:     token.SUB,
	token.MUL_ASSIGN:     token.MUL,
	token.QUO_ASSIGN:     token.QUO,
	token.REM_ASSIGN:     token.REM,
	token.AND_ASSIGN:     token.AND,
	token.OR_ASSIGN:      token.OR,
	token.XOR_ASSIGN:     token.XOR,
	token.AND_NOT_ASSIGN: token.AND_NOT,
	token.SHL_ASSIGN:     token.SHL,
	token.SHR_ASSIGN:     token.SHR,
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

// binary replaces the operator between two operands. Strings have no other than +.
func (x *finder) binary(n *ast.BinaryExpr) {
	o := operatorOf(n.Op)
	if o == Arithmetic && !isNumber(x.code.info.Types[n.X].Type) {
		return
	}
	for _, other := range replacements[n.Op] {
		x.replaceToken(o, n, n.OpPos, n.Op, other)
	}
}

// replaceToken adds a mutant with another operator in a node.
func (x *finder) replaceToken(o Operator, n ast.Node, at token.Pos, was, then token.Token) {
	from := x.code.offset(at)
	e := edit{from: from, upTo: from + len(was.String()), text: then.String()}
	start := x.code.offset(n.Pos())
	after := string(apply([]byte(x.code.text(n)), []edit{{from: e.from - start, upTo: e.upTo - start, text: e.text}}))
	x.addEdits(o, n, x.code.text(n), after, []edit{e})
}

// negation removes a ! or a sign.
func (x *finder) negation(n *ast.UnaryExpr) {
	switch n.Op {
	case token.NOT:
		x.add(Boolean, n, x.code.text(n.X))
	case token.SUB:
		if x.code.info.Types[n.X].Value == nil {
			x.add(Arithmetic, n, x.code.text(n.X))
		}
	}
}

// condition negates a condition, unless another operator does.
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
			return // negation removes it
		}
	}
	x.add(Boolean, e, "!("+x.code.text(e)+")")
}

func (x *finder) counting(n *ast.IncDecStmt) {
	then := token.INC
	if n.Tok == token.INC {
		then = token.DEC
	}
	x.replaceToken(Arithmetic, n, n.TokPos, n.Tok, then)
}

// assignment replaces the operator of an assignment, and changes its calls.
func (x *finder) assignment(n *ast.AssignStmt) {
	if op, ok := assignments[n.Tok]; ok && isNumber(x.code.info.Types[n.Lhs[0]].Type) {
		for then, does := range assignments {
			if does == replacements[op][0] {
				x.replaceToken(Arithmetic, n, n.TokPos, n.Tok, then)
			}
		}
	}
	if len(n.Rhs) == 1 {
		x.valued(n.Rhs[0])
	}
}

// constants changes the constants of a package. Such a mutant is reached where the
// constant is used.
func (x *finder) constants(d *ast.GenDecl) {
	for _, s := range d.Specs {
		s := s.(*ast.ValueSpec)
		for i, v := range s.Values {
			before := len(x.mutants)
			x.walk(v)
			for j := range x.mutants[before:] {
				x.mutants[before+j].at = x.known.uses[objectName(x.code.info.Defs[s.Names[i]])]
			}
		}
	}
}

// literal changes a number or a string.
func (x *finder) literal(n *ast.BasicLit) {
	tv := x.code.info.Types[n]
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

// boolean changes true and false.
func (x *finder) boolean(n *ast.Ident) {
	switch x.code.info.Uses[n] {
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
