package probe

import (
	"go/ast"
	"go/token"
	"go/types"

	"sonde/assets/probe/sondeprobe"
)

// operators maps comparison operators to their numbers in sondeprobe.
var operators = map[token.Token]int{
	token.EQL: sondeprobe.Eq, token.NEQ: sondeprobe.Ne, token.LSS: sondeprobe.Lt,
	token.LEQ: sondeprobe.Le, token.GTR: sondeprobe.Gt, token.GEQ: sondeprobe.Ge,
}

func isComparison(e *ast.BinaryExpr) bool {
	_, ok := operators[e.Op]
	return ok
}

// comparer is the probe of a comparison. open and shut are source text that is inserted before and after each
// operand to convert the operand.
type comparer struct{ probe, open, shut string }

// comparison probes a comparison of numbers or strings. It returns false for other comparisons. If the operands
// can be evaluated twice, the comparison of the service remains next to the probe. While the predicate is not
// watched, only this comparison runs.
func (x *exprProber) comparison(e *ast.BinaryExpr, p int) bool {
	c, ok := x.types.comparer(e)
	if !ok {
		return false
	}
	op := operators[e.Op]
	if x.types.isPure(e.X) && x.types.isPure(e.Y) {
		a, b := c.open+x.file.sourceOf(e.X)+c.shut, c.open+x.file.sourceOf(e.Y)+c.shut
		first := x.conditions(e.X) + x.conditions(e.Y)
		x.edit.before(e.Pos(), "(%s%s.O(%d)&&%s.%s(%d,%d,%s,%s)||", first, runtimeName, p, runtimeName, c.probe, p, op, a, b)
		x.edit.after(e.End(), ")")
		return true
	}
	x.edit.before(e.Pos(), "%s.%s(%d,%d,%s", runtimeName, c.probe, p, op, c.open)
	x.probe(e.X)
	x.edit.replace(e.OpPos, e.OpPos+token.Pos(len(e.Op.String())), c.shut+","+c.open)
	x.probe(e.Y)
	x.edit.after(e.End(), "%s)", c.shut)
	return true
}

// comparer returns the probe of a comparison whose operands have the same type. It returns false if
// there is none.
func (x *typeInfo) comparer(e *ast.BinaryExpr) (comparer, bool) {
	a, b := x.Types[e.X].Type, x.Types[e.Y].Type
	if a == nil || b == nil || !types.Identical(a, b) || x.hasUntypedShift(e.X) || x.hasUntypedShift(e.Y) {
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
		return comparer{probe: "U", open: runtimeName + ".Uint64(", shut: ")"}, true
	case info&types.IsInteger != 0:
		return comparer{probe: "I", open: runtimeName + ".Int64(", shut: ")"}, true
	case b.Kind() == types.Float32: // converted to float32 first, so that a constant is rounded as in the service
		return comparer{probe: "F", open: runtimeName + ".Float64(" + runtimeName + ".Float32(", shut: "))"}, true
	case info&types.IsFloat != 0:
		return comparer{probe: "F", open: runtimeName + ".Float64(", shut: ")"}, true
	case info&types.IsString != 0:
		return comparer{probe: "Text", open: runtimeName + ".String(", shut: ")"}, true
	}
	return comparer{}, false
}

func comparerOfParam(t types.Type) (comparer, bool) {
	switch {
	case everyType(t, isNumber):
		return comparer{probe: "N"}, true
	case everyType(t, isText):
		return comparer{probe: "Text", open: runtimeName + ".String(", shut: ")"}, true
	case everyType(t, isOrdered):
		return comparer{probe: "Ordered"}, true
	}
	return comparer{}, false
}
