package mutate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
)

// replacementTokens maps a Go operator to the operators that replace it in mutants.
var replacementTokens = map[token.Token][]token.Token{
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

// assignTokens maps an assignment operator to the operator in it, such as += to +.
var assignTokens = map[token.Token]token.Token{
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

// operatorOf returns the mutation operator that changes a Go operator.
func operatorOf(t token.Token) Operator {
	switch t {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
		return Relational
	case token.LAND, token.LOR:
		return Boolean
	}
	return Arithmetic
}

// binary replaces the operator between two operands. The + of strings is not replaced.
func (f *finder) binary(n *ast.BinaryExpr) {
	o := operatorOf(n.Op)
	if o == Arithmetic && !isNumber(f.code.info.Types[n.X].Type) {
		return
	}
	for _, other := range replacementTokens[n.Op] {
		f.replaceToken(o, n, n.OpPos, n.Op, other)
	}
}

// replaceToken adds a mutant in which one Go operator in the node n is replaced by another. old is the operator at the
// position at.
func (f *finder) replaceToken(o Operator, n ast.Node, at token.Pos, old, replacement token.Token) {
	from := f.code.offset(at)
	e := edit{from: from, to: from + len(old.String()), text: replacement.String()}
	start := f.code.offset(n.Pos())
	after := string(apply([]byte(f.code.text(n)), []edit{{from: e.from - start, to: e.to - start, text: e.text}}))
	f.addEdits(o, n, f.code.text(n), after, []edit{e})
}

// negation removes a !, or the minus sign before a value that is not constant.
func (f *finder) negation(n *ast.UnaryExpr) {
	switch n.Op {
	case token.NOT:
		f.add(Boolean, n, f.code.text(n.X))
	case token.SUB:
		if f.code.info.Types[n.X].Value == nil {
			f.add(Arithmetic, n, f.code.text(n.X))
		}
	}
}

// condition negates a condition, unless another mutant negates it.
func (f *finder) condition(e ast.Expr) {
	switch c := ast.Unparen(e).(type) {
	case nil:
		return
	case *ast.BinaryExpr:
		if operatorOf(c.Op) == Relational {
			return
		}
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			return // negation adds a mutant without the !
		}
	}
	f.add(Boolean, e, "!("+f.code.text(e)+")")
}

// incDec replaces ++ by -- and -- by ++.
func (f *finder) incDec(n *ast.IncDecStmt) {
	then := token.INC
	if n.Tok == token.INC {
		then = token.DEC
	}
	f.replaceToken(Arithmetic, n, n.TokPos, n.Tok, then)
}

// assignment replaces the operator of an assignment, such as +=, and changes a call whose results are assigned.
func (f *finder) assignment(n *ast.AssignStmt) {
	if op, ok := assignTokens[n.Tok]; ok && isNumber(f.code.info.Types[n.Lhs[0]].Type) {
		for then, does := range assignTokens {
			if does == replacementTokens[op][0] {
				f.replaceToken(Arithmetic, n, n.TokPos, n.Tok, then)
			}
		}
	}
	if len(n.Rhs) == 1 {
		f.callWithResults(n.Rhs[0])
	}
}

// packageConstants changes the constants in a declaration of a package. Such a mutant is reached where its
// constant is used.
func (f *finder) packageConstants(d *ast.GenDecl) {
	for _, s := range d.Specs {
		s := s.(*ast.ValueSpec)
		for i, v := range s.Values {
			before := len(f.mutants)
			f.walk(v)
			for j := range f.mutants[before:] {
				f.mutants[before+j].places = f.calls.constantUses[objectName(f.code.info.Defs[s.Names[i]])]
			}
		}
	}
}

// literal changes a number or a string.
func (f *finder) literal(n *ast.BasicLit) {
	tv := f.code.info.Types[n]
	switch {
	case n.Kind == token.STRING && tv.Value != nil && constant.StringVal(tv.Value) == "":
		f.add(Constant, n, `"sonde"`)
	case n.Kind == token.STRING && tv.Value != nil:
		f.add(Constant, n, `""`)
		f.renamePath(n)
	case n.Kind == token.INT:
		if v, err := strconv.ParseInt(n.Value, 0, 64); err == nil && v < 1<<62 {
			f.add(Constant, n, strconv.FormatInt(v+1, 10))
		}
	case n.Kind == token.FLOAT:
		f.add(Constant, n, "("+n.Value+" + 1)")
	}
}

// boolean replaces true by false and false by true.
func (f *finder) boolean(n *ast.Ident) {
	switch f.code.info.Uses[n] {
	case types.Universe.Lookup("true"):
		f.add(Constant, n, "false")
	case types.Universe.Lookup("false"):
		f.add(Constant, n, "true")
	}
}

// isNumber reports whether a type is numeric. t may be nil.
func isNumber(t types.Type) bool {
	b, ok := under(t).(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// under returns the underlying type of t, nil if t is nil.
func under(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}
