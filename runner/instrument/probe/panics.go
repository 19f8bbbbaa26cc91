package probe

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"sonde/assets/probe/sondeprobe"
	"sonde/runner/instrument/probedata"
)

// panicProber adds probes to operations that panic for some operands: an index or a bound of a slice that is out of
// range, a division by zero, the use of a nil pointer or map, and the assertion of another type. The outcomes of such an
// operation, that it panics and that it does not, are targets.
//
// A probe comes before the operation and leaves it as it is, so that the service prints the same error. There are three
// forms of probes:
//
//   - A term that is always 0, which is added to an integer operand. The operand itself is evaluated where it was
//     before. The compiler removes the addition.
//   - A call that takes an operand and returns it.
//   - A condition that is always false, before a comparison. This form is for operations in a comparison whose operands
//     the probe of the comparison evaluates, too; see exprProber.comparison.
//
// The first and the third form read operands earlier than the operation does, and the second form moves one. order
// reports where this makes no difference. Operations elsewhere have no probe.
type panicProber struct {
	types   *typeInfo
	order   *order
	nils    map[types.Object]bool       // functions of the service that return nil
	sources map[types.Object][]ast.Expr // the expressions that are assigned to a local variable
}

// newPanicProber returns the panicProber of a file. nils has the functions of the service that return nil, from
// functionsReturningNil.
func newPanicProber(info *typeInfo, f *ast.File, nils map[types.Object]bool) *panicProber {
	p := &panicProber{types: info, order: newOrder(info, f), nils: nils, sources: map[types.Object][]ast.Expr{}}
	ast.Inspect(f, func(n ast.Node) bool {
		p.noteSources(n)
		return true
	})
	return p
}

// panicProbe is the probe of an operation.
type panicProbe struct {
	at token.Pos // the position of the targets
	// term is the source of a term that is always 0 or, if isCondition is set, of a condition that is always false.
	// It has %d for the number of the predicate. It is "" if the probe only exists as a call. operand is the
	// expression to which the term is added.
	term        string
	isCondition bool
	operand     ast.Expr
	// open and shut are the source before and after an expression (moved) that becomes an argument of a call. open has
	// %d for the number of the predicate. open is "" if the probe only exists as a term.
	open, shut string
	moved      ast.Expr
}

// probesOf returns the probes of an operation, in the order of its operands. It returns nil for other expressions.
func (p *panicProber) probesOf(e ast.Expr) []panicProbe {
	if p.types.isFixed(e) || p.isNotEvaluated(e) {
		return nil
	}
	switch e := e.(type) {
	case *ast.IndexExpr:
		if probe, ok := p.mapWrite(e); ok {
			return []panicProbe{probe}
		}
		return p.element(e)
	case *ast.SliceExpr:
		return p.bounds(e)
	case *ast.BinaryExpr:
		if e.Op == token.QUO || e.Op == token.REM {
			return p.division(e.OpPos, e.Y)
		}
	case *ast.StarExpr:
		return p.pointer(e.Star, e.X)
	case *ast.SelectorExpr:
		if s := p.types.Selections[e]; s != nil && followsPointer(s) {
			return p.pointer(e.Sel.Pos(), e.X)
		}
	case *ast.TypeAssertExpr:
		return p.assertion(e)
	}
	return nil
}

// isNotEvaluated reports whether an expression is in the range of a loop over an array, which is not evaluated if the
// loop needs only the length.
func (p *panicProber) isNotEvaluated(e ast.Expr) bool {
	for n := ast.Node(e); ; n = p.order.parents[n] {
		switch whole := p.order.parents[n].(type) {
		case nil, *ast.BlockStmt:
			return false
		case *ast.RangeStmt:
			return n == whole.X && arrayLength(p.types.Types[whole.X].Type) >= 0
		}
	}
}

// followsPointer reports whether a selector dereferences a pointer: it selects a field, or a method whose receiver is a
// copy of the value.
func followsPointer(s *types.Selection) bool {
	if !isPointer(s.Recv()) {
		return false
	}
	switch s.Kind() {
	case types.FieldVal:
		return true
	case types.MethodVal:
		return !isPointer(s.Obj().(*types.Func).Signature().Recv().Type()) && len(s.Index()) == 1
	}
	return false
}

// list describes the type of a value that can be indexed or sliced.
type list struct {
	length int64 // length of an array, or of the array to which a pointer points; -1 for other types
	isText bool
}

// listOf returns the list that describes a type. It returns false for a type that cannot be indexed or sliced. A type
// parameter is a list if all of its types are slices, or all are strings.
func listOf(t types.Type) (list, bool) {
	if t == nil {
		return list{}, false
	}
	if isTypeParam(t) {
		return list{length: -1, isText: everyType(t, isText)}, everyType(t, isText) || everyType(t, isSlice)
	}
	if n := arrayLength(t); n >= 0 {
		return list{length: n}, true
	}
	return list{length: -1, isText: isText(t)}, isText(t) || isSlice(t)
}

func isSlice(t types.Type) bool {
	_, is := t.Underlying().(*types.Slice)
	return is
}

// arrayLength returns the length of an array, or of the array to which a pointer points. It returns -1 for other types.
func arrayLength(t types.Type) int64 {
	if t == nil {
		return -1
	}
	u := t.Underlying()
	if at, ok := u.(*types.Pointer); ok {
		u = at.Elem().Underlying()
	}
	if a, ok := u.(*types.Array); ok {
		return a.Len()
	}
	return -1
}

// element returns the probe of an index expression. It returns nil if the index is certainly in range, or if there is
// no such probe.
func (p *panicProber) element(e *ast.IndexExpr) []panicProbe {
	l, ok := listOf(p.types.Types[e.X].Type)
	if !ok || p.isInRange(e, l) {
		return nil
	}
	limit, ok := p.limit(e.X, l, true)
	if !ok {
		return p.moved(e.Lbrack, e.X, l, e.Index, 0)
	}
	return p.index(e.Lbrack, e.Index, limit, l.isText)
}

// limit returns the source of an expression for the length of the list x. If byLength is not set and x is a slice, the
// expression is for the capacity. limit returns false if a probe may not evaluate x.
func (p *panicProber) limit(x ast.Expr, l list, byLength bool) (string, bool) {
	switch {
	case l.length >= 0:
		return fmt.Sprint(l.length), true
	case !p.order.mayCopy(x):
		return "", false
	case l.isText:
		return runtimeName + ".Length(" + p.types.file.sourceOf(x) + ")", true
	case byLength:
		return runtimeName + ".Len(" + p.types.file.sourceOf(x) + ")", true
	}
	return runtimeName + ".Cap(" + p.types.file.sourceOf(x) + ")", true
}

// index returns the probe of an index that must be less than a limit. limit is the source of the limit. index returns
// nil if there is no such probe.
func (p *panicProber) index(at token.Pos, index ast.Expr, limit string, isText bool) []panicProbe {
	t := p.types.Types[index].Type
	isFixed, isInt := p.types.Types[index].Value != nil, types.Identical(t, types.Typ[types.Int])
	call, end := "At", ")"
	switch {
	case isFixed && !isInt || !isIntegerType(t) || p.types.hasUntypedShift(index):
		return nil
	case !p.order.mayCopy(index):
		if !p.order.mayMove(index) {
			return nil
		}
		return []panicProbe{{at: at, open: runtimeName + ".InRange(%d,", shut: "," + limit + ")", moved: index}}
	case isFixed:
		call, end = "AtFixed", fmt.Sprintf(",%t)", isText)
	case !isInt:
		call = "AtN"
	}
	term := fmt.Sprintf("%s.%s(%%d,%s,%s%s", runtimeName, call, escaped(p.types.file.sourceOf(index)), escaped(limit), end)
	return []panicProbe{{at: at, term: term, operand: index}}
}

// escaped returns a format that prints s.
func escaped(s string) string { return strings.ReplaceAll(s, "%", "%%") }

func isIntegerType(t types.Type) bool {
	if t == nil {
		return false
	}
	if isTypeParam(t) {
		return everyType(t, isInteger)
	}
	return isInteger(t)
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && b.Info()&types.IsUntyped == 0
}

// moved returns the probe of an index of the list x. It is for a list that must not be evaluated twice: x becomes an
// argument of the probe, which returns it. form has the flags of the probe, except the flag for a constant index.
func (p *panicProber) moved(at token.Pos, x ast.Expr, l list, index ast.Expr, form int) []panicProbe {
	v := p.types.Types[index]
	isInt := isIntegerType(v.Type) && !isTypeParam(v.Type)
	if !isInt || isTypeParam(p.types.Types[x].Type) || !p.types.keepsType(x) || !p.types.isPure(index) || p.order.mayFail(index) ||
		!p.order.mayMove(x) {
		return nil
	}
	call := "Elem"
	if l.isText {
		call = "Char"
	}
	if v.Value != nil {
		form |= sondeprobe.Fixed
	}
	shut := fmt.Sprintf(",%s.Int(%s),%d)", runtimeName, p.types.file.sourceOf(index), form)
	return []panicProbe{{at: at, open: runtimeName + "." + call + "(%d,", shut: shut, moved: x}}
}

// bounds returns the probes of the bounds of a slice expression. An expression with three bounds has none.
func (p *panicProber) bounds(e *ast.SliceExpr) (all []panicProbe) {
	x := p.types.Types[e.X]
	l, ok := listOf(x.Type)
	if !ok || e.Slice3 || x.Value != nil || isTypeParam(x.Type) {
		return nil
	}
	if _, ok := p.limit(e.X, l, true); !ok {
		switch {
		case e.High == nil && e.Low != nil:
			return p.moved(e.Lbrack, e.X, l, e.Low, sondeprobe.Bound)
		case e.High != nil && (e.Low == nil || p.types.Types[e.Low].Value != nil && p.types.Types[e.High].Value != nil):
			return p.moved(e.High.Pos(), e.X, l, e.High, sondeprobe.Bound|sondeprobe.ToCapacity)
		}
		return nil
	}
	if e.Low != nil && !p.areFixed(e.Low, e.High) && !p.isSum(e.High, e.Low) {
		limit, ok := p.lowLimit(e, l)
		if ok {
			all = p.index(e.Lbrack, e.Low, limit+"+1", l.isText)
		}
	}
	if e.High != nil && !(l.length >= 0 && p.areFixed(e.High)) {
		limit, _ := p.limit(e.X, l, false)
		all = append(all, p.index(e.High.Pos(), e.High, limit+"+1", l.isText)...)
	}
	return all
}

// areFixed reports whether expressions are constants. A nil expression is not a constant.
func (p *panicProber) areFixed(all ...ast.Expr) bool {
	for _, e := range all {
		if e == nil || p.types.Types[e].Value == nil {
			return false
		}
	}
	return true
}

// isSum reports whether e is a sum whose first operand is the expression in of. For example, the upper bound of
// s[i:i+n] is a sum whose first operand is the lower bound.
func (p *panicProber) isSum(e, of ast.Expr) bool {
	b, ok := e.(*ast.BinaryExpr)
	return ok && b.Op == token.ADD && p.types.file.sourceOf(b.X) == p.types.file.sourceOf(of)
}

// lowLimit returns the source of the greatest value that the lower bound of a slice expression may have. This is the
// upper bound or, if there is none, the length of the list. lowLimit returns false if a probe may not evaluate this
// value, or if the compiler has checked the bound.
func (p *panicProber) lowLimit(e *ast.SliceExpr, l list) (string, bool) {
	switch {
	case e.High == nil && l.length >= 0 && p.areFixed(e.Low):
		return "", false
	case e.High == nil:
		return p.limit(e.X, l, true)
	}
	t := p.types.Types[e.High].Type
	if !isIntegerType(t) || !p.order.mayCopy(e.High) {
		return "", false
	}
	return runtimeName + ".Int(" + p.types.file.sourceOf(e.High) + ")", true
}

// division returns the probe of the divisor of an integer division.
func (p *panicProber) division(at token.Pos, by ast.Expr) []panicProbe {
	v := p.types.Types[by]
	if v.Value != nil || !isIntegerType(v.Type) || p.types.hasUntypedShift(by) {
		return nil
	}
	if p.order.mayCopy(by) {
		term := runtimeName + ".Divisor(%d," + escaped(p.types.file.sourceOf(by)) + ")"
		return []panicProbe{{at: at, term: term, operand: by}}
	}
	if p.order.mayMove(by) && p.types.keepsType(by) {
		return []panicProbe{{at: at, open: runtimeName + ".DividedBy(%d,", shut: ")", moved: by}}
	}
	return nil
}

// pointer returns the probe of a pointer that may be nil.
func (p *panicProber) pointer(at token.Pos, x ast.Expr) []panicProbe {
	if !isPointer(p.types.Types[x].Type) || !p.mayBeNil(x) {
		return nil
	}
	probe := panicProbe{at: at}
	if p.order.mayCopy(x) {
		probe.term, probe.isCondition = runtimeName+".NotNil(%d,"+escaped(p.types.file.sourceOf(x))+")", true
	}
	if p.order.mayMove(x) {
		probe.open, probe.shut, probe.moved = runtimeName+".Pointer(%d,", ")", x
	}
	return []panicProbe{probe}
}

// mapWrite returns the probe of a map that an assignment writes to. It returns false for other expressions.
func (p *panicProber) mapWrite(e *ast.IndexExpr) (panicProbe, bool) {
	t := p.types.Types[e.X].Type
	if t == nil || isTypeParam(t) {
		return panicProbe{}, false
	}
	if _, isMap := t.Underlying().(*types.Map); !isMap || !p.isWritten(e) || !p.mayBeNil(e.X) || !p.order.mayMove(e.X) {
		return panicProbe{}, false
	}
	return panicProbe{at: e.Lbrack, open: runtimeName + ".Map(%d,", shut: ")", moved: e.X}, true
}

func (p *panicProber) isWritten(e ast.Expr) bool {
	switch s := p.order.parents[e].(type) {
	case *ast.AssignStmt:
		return isAssigned(s, e)
	case *ast.IncDecStmt:
		return true
	}
	return false
}

// assertion returns the probe of a type assertion that panics if it does not hold.
func (p *panicProber) assertion(e *ast.TypeAssertExpr) []panicProbe {
	_, commaOK := p.types.Types[e].Type.(*types.Tuple)
	if e.Type == nil || commaOK || !p.types.keepsType(e.X) || !p.order.mayMove(e.X) {
		return nil
	}
	name := p.types.file.sourceOf(e.Type)
	if strings.ContainsAny(name, "\n") {
		return nil
	}
	return []panicProbe{{at: e.Lparen, open: runtimeName + ".As[" + escaped(name) + "](%d,", shut: ")", moved: e.X}}
}

// isInRange reports whether an index is in the range of a list for reasons that are easy to see. Probes of such
// indexes would only cost time.
func (p *panicProber) isInRange(e *ast.IndexExpr, l list) bool {
	if l.length >= 0 || p.types.Types[e.X].Value != nil {
		n := l.length
		if v := p.types.Types[e.X].Value; v != nil {
			n = int64(len(constant.StringVal(v)))
		}
		if n > p.greatest(e.Index) {
			return true
		}
	}
	id, ok := ast.Unparen(e.Index).(*ast.Ident)
	if !ok {
		return false
	}
	v, x := p.types.Uses[id], p.types.file.sourceOf(e.X)
	for n := p.order.parents[e]; n != nil; n = p.order.parents[n] {
		switch n := n.(type) {
		case *ast.RangeStmt:
			key, ok := n.Key.(*ast.Ident)
			if ok && v != nil && p.types.Defs[key] == v && p.types.file.sourceOf(n.X) == x {
				return true
			}
		case *ast.ForStmt:
			if n.Cond != nil && comparesWithLength(p.types.file.sourceOf(n.Cond), id.Name, x) {
				return true
			}
		case *ast.FuncDecl:
			return false
		}
	}
	return false
}

// comparesWithLength reports whether the source of a condition begins with name < len(x): the comparison of a variable
// with the length of a list.
func comparesWithLength(condition, name, x string) bool {
	return strings.HasPrefix(strings.ReplaceAll(condition, " ", ""), name+"<len("+strings.ReplaceAll(x, " ", "")+")")
}

// greatest returns the greatest value that an index can have, as far as it is easy to see.
func (p *panicProber) greatest(e ast.Expr) int64 {
	const unknown = 1<<63 - 1
	v := p.types.Types[e]
	if v.Value != nil {
		if n, exact := constant.Int64Val(constant.ToInt(v.Value)); exact {
			return n
		}
		return unknown
	}
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && b.Op == token.AND {
		if n := min(p.greatest(b.X), p.greatest(b.Y)); n < unknown {
			return n
		}
	}
	if v.Type != nil {
		if b, ok := v.Type.Underlying().(*types.Basic); ok && b.Kind() == types.Uint8 {
			return 255
		}
	}
	return unknown
}

// divisorOf returns the probes of an expression by which an assignment divides a variable: n in x /= n.
func (p *panicProber) divisorOf(e ast.Expr) []panicProbe {
	s, ok := p.order.parents[e].(*ast.AssignStmt)
	if !ok || s.Tok != token.QUO_ASSIGN && s.Tok != token.REM_ASSIGN || s.Rhs[0] != e {
		return nil
	}
	return p.division(s.TokPos, e)
}

// withPanics adds the given probes to an operation. It calls the function parts, which probes the operands of the
// operation.
func (x *exprProber) withPanics(e ast.Expr, probes []panicProbe, parts func()) {
	if len(probes) == 0 {
		parts()
		return
	}
	x.edit.record(inFull, func() {
		var after []func()
		for _, probe := range probes {
			switch {
			case probe.open != "":
				p := x.addPanics(e, probe.at)
				x.edit.before(probe.moved.Pos(), probe.open, p)
				after = append(after, func() { x.edit.after(probe.moved.End(), "%s", probe.shut) })
			case probe.operand != nil:
				p := x.addPanics(e, probe.at)
				x.edit.before(probe.operand.Pos(), "(")
				after = append(after, func() { x.edit.after(probe.operand.End(), "+"+probe.term+")", p) })
			}
		}
		parts()
		for _, add := range after {
			add()
		}
	})
}

// conditions returns the source of the probes of the operations in a pure expression. Each probe is a condition that
// is always false, with "||" after it.
func (x *exprProber) conditions(e ast.Expr) string {
	if x.panics == nil || x.types.isFixed(e) {
		return ""
	}
	all := ""
	for _, part := range append(operands(e), indexAndArgs(e)...) {
		all += x.conditions(part)
	}
	for _, probe := range x.panics.probesOf(e) {
		switch {
		case probe.term == "":
		case probe.isCondition:
			all += fmt.Sprintf(probe.term+"||", x.addPanics(e, probe.at))
		default:
			all += fmt.Sprintf(probe.term+"!=0||", x.addPanics(e, probe.at))
		}
	}
	return all
}

// indexAndArgs returns those operands of a pure expression that the function operands leaves out.
func indexAndArgs(e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.IndexExpr:
		return []ast.Expr{e.X, e.Index}
	case *ast.CallExpr:
		return e.Args
	}
	return nil
}

// addPanics makes the outcomes of an operation targets, and returns the number of their predicate.
func (x *exprProber) addPanics(e ast.Expr, at token.Pos) int {
	p := x.targets.newPred(2)
	x.addOutcomes(e, at, probedata.NoPanic, probedata.Panics, outcome(p, 0), outcome(p, 1))
	return p
}
