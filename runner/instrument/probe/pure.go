package probe

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// isPure reports whether an expression can be evaluated a second time without an effect, and its
// source is one line.
func (x *typeInfo) isPure(e ast.Expr) bool {
	return !strings.ContainsAny(x.file.sourceOf(e), "\n") && x.isHarmless(e)
}

// isHarmless reports whether an expression can be evaluated a second time without an effect.
func (x *typeInfo) isHarmless(e ast.Expr) bool {
	tv := x.Types[e]
	if tv.Value != nil || tv.IsNil() {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.ParenExpr:
		return x.isHarmless(e.X)
	case *ast.StarExpr:
		return x.isHarmless(e.X)
	case *ast.SelectorExpr:
		return x.isHarmlessField(e)
	case *ast.IndexExpr:
		return isList(x.Types[e.X].Type) && x.isHarmless(e.X) && x.isHarmless(e.Index)
	case *ast.BinaryExpr:
		return isArithmetic(e.Op) && isNumber(tv.Type) && x.isHarmless(e.X) && x.isHarmless(e.Y)
	case *ast.UnaryExpr:
		return (e.Op == token.SUB || e.Op == token.XOR) && x.isHarmless(e.X)
	case *ast.CallExpr:
		return x.isHarmlessCall(e, tv.Type)
	}
	return false
}

func (x *typeInfo) isHarmlessField(e *ast.SelectorExpr) bool {
	if s := x.Selections[e]; s != nil {
		return s.Kind() == types.FieldVal && x.isHarmless(e.X)
	}
	id, ok := e.X.(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = x.Uses[id].(*types.PkgName)
	return ok
}

// isHarmlessCall reports whether a call is len, cap, or a conversion to a number, with a harmless
// argument.
func (x *typeInfo) isHarmlessCall(e *ast.CallExpr, t types.Type) bool {
	if len(e.Args) != 1 || !x.isBuiltinOrConversion(e) || !x.isHarmless(e.Args[0]) {
		return false
	}
	if x.Types[e.Fun].IsType() {
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
