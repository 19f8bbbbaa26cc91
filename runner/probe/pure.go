package probe

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// pure reports whether an expression may be evaluated twice without anybody
// noticing, and whether its text is on one line.
func (x *prober) pure(e ast.Expr) bool {
	return !strings.ContainsAny(x.text(e), "\n") && x.harmless(e)
}

func (x *prober) harmless(e ast.Expr) bool {
	tv := x.info.Types[e]
	if tv.Value != nil || tv.IsNil() {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.ParenExpr:
		return x.harmless(e.X)
	case *ast.StarExpr:
		return x.harmless(e.X)
	case *ast.SelectorExpr:
		return x.harmlessField(e)
	case *ast.IndexExpr:
		return isList(x.info.Types[e.X].Type) && x.harmless(e.X) && x.harmless(e.Index)
	case *ast.BinaryExpr:
		return isArithmetic(e.Op) && isNumber(tv.Type) && x.harmless(e.X) && x.harmless(e.Y)
	case *ast.UnaryExpr:
		return (e.Op == token.SUB || e.Op == token.XOR) && x.harmless(e.X)
	case *ast.CallExpr:
		return x.harmlessCall(e, tv.Type)
	}
	return false
}

func (x *prober) harmlessField(e *ast.SelectorExpr) bool {
	if s := x.info.Selections[e]; s != nil {
		return s.Kind() == types.FieldVal && x.harmless(e.X)
	}
	id, ok := e.X.(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = x.info.Uses[id].(*types.PkgName)
	return ok
}

// harmlessCall is of len, cap, and conversions to numbers.
func (x *prober) harmlessCall(e *ast.CallExpr, t types.Type) bool {
	if len(e.Args) != 1 || !x.builtinOrConversion(e) || !x.harmless(e.Args[0]) {
		return false
	}
	if x.info.Types[e.Fun].IsType() {
		return t != nil && isNumber(t)
	}
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	return ok && (id.Name == "len" || id.Name == "cap")
}

func isArithmetic(op token.Token) bool {
	switch op {
	case token.ADD, token.SUB, token.MUL, token.QUO, token.REM, token.AND, token.OR, token.XOR:
		return true
	}
	return false
}
