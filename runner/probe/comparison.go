package probe

import (
	"go/ast"
	"go/token"
	"go/types"

	"sonde/assets/probe/sondeprobe"
)

var operators = map[token.Token]int{
	token.EQL: sondeprobe.Eq, token.NEQ: sondeprobe.Ne, token.LSS: sondeprobe.Lt,
	token.LEQ: sondeprobe.Le, token.GTR: sondeprobe.Gt, token.GEQ: sondeprobe.Ge,
}

func isComparison(e *ast.BinaryExpr) bool {
	_, ok := operators[e.Op]
	return ok
}

// comparer is a probe that compares, and what makes an operand of its type.
type comparer struct{ fn, open, shut string }

// comparison probes a comparison whose distance is known. Where its operands can
// be evaluated twice, the service's own comparison stays and is all that runs
// once nothing is to be learned of it.
func (x *prober) comparison(e *ast.BinaryExpr, p int) bool {
	c, ok := x.comparer(e)
	if !ok {
		return false
	}
	op := operators[e.Op]
	if x.pure(e.X) && x.pure(e.Y) {
		x.before(e.Pos(), "(%s.O(%d)&&%s.%s(%d,%d,%s%s%s,%s%s%s)||", name, p, name, c.fn, p, op, c.open, x.text(e.X), c.shut, c.open, x.text(e.Y), c.shut)
		x.behind(e.End(), ")")
		return true
	}
	x.before(e.Pos(), "%s.%s(%d,%d,%s", name, c.fn, p, op, c.open)
	x.expr(e.X)
	x.replace(e.OpPos, e.OpPos+token.Pos(len(e.Op.String())), c.shut+","+c.open)
	x.expr(e.Y)
	x.behind(e.End(), "%s)", c.shut)
	return true
}

// comparer returns the probe for a comparison of two operands of one type.
func (x *prober) comparer(e *ast.BinaryExpr) (comparer, bool) {
	a, b := x.info.Types[e.X].Type, x.info.Types[e.Y].Type
	if a == nil || b == nil || !types.Identical(a, b) || x.shifts(e.X) || x.shifts(e.Y) {
		return comparer{}, false
	}
	if isTypeParam(a) {
		return comparerOfParam(a)
	}
	basic, ok := a.Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsUntyped != 0 {
		return comparer{}, false
	}
	return comparerOf(basic)
}

func comparerOf(b *types.Basic) (comparer, bool) {
	switch info := b.Info(); {
	case info&types.IsUnsigned != 0:
		return comparer{fn: "U", open: name + ".Uint64(", shut: ")"}, true
	case info&types.IsInteger != 0:
		return comparer{fn: "I", open: name + ".Int64(", shut: ")"}, true
	case b.Kind() == types.Float32: // a constant is rounded as the service rounds it
		return comparer{fn: "F", open: name + ".Float64(" + name + ".Float32(", shut: "))"}, true
	case info&types.IsFloat != 0:
		return comparer{fn: "F", open: name + ".Float64(", shut: ")"}, true
	case info&types.IsString != 0:
		return comparer{fn: "Text", open: name + ".String(", shut: ")"}, true
	}
	return comparer{}, false
}

func comparerOfParam(t types.Type) (comparer, bool) {
	switch {
	case everyType(t, isNumber):
		return comparer{fn: "N"}, true
	case everyType(t, isText):
		return comparer{fn: "Text", open: name + ".String(", shut: ")"}, true
	case everyType(t, isOrdered):
		return comparer{fn: "Ordered"}, true
	}
	return comparer{}, false
}
