package probe

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// order answers questions about the order in which a service evaluates the parts of a statement. The language
// specification fixes the order of calls, receive operations, && and ||. It doesn't fix when a variable is read, or
// when an index is checked, in relation to the calls in the same statement. A probe is a call. If it must not change
// what a service does, it may take an operand only if it does not matter when the operand is read.
type order struct {
	types   *typeInfo
	parents map[ast.Node]ast.Node
	shared  map[types.Object]bool // variables that a call may change, although they are local
}

// newOrder returns the order of a file's statements.
func newOrder(info *typeInfo, f *ast.File) *order {
	o := &order{types: info, parents: map[ast.Node]ast.Node{}, shared: map[types.Object]bool{}}
	var path []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if len(path) > 0 {
			o.parents[n] = path[len(path)-1]
		}
		path = append(path, n)
		o.noteShared(n)
		return true
	})
	return o
}

// noteShared adds two kinds of variables to o.shared: those whose address a node takes, and those that a function
// literal uses.
func (o *order) noteShared(n ast.Node) {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			o.share(n.X)
		}
	case *ast.SliceExpr:
		o.share(n.X) // X may be an array, whose elements the slice shares
	case *ast.SelectorExpr:
		if s := o.types.Selections[n]; s != nil && s.Kind() != types.FieldVal {
			o.share(n.X) // the method may have a pointer receiver
		}
	case *ast.FuncLit:
		ast.Inspect(n.Body, func(inner ast.Node) bool {
			if id, ok := inner.(*ast.Ident); ok {
				if v := o.types.Uses[id]; v != nil && (v.Pos() < n.Pos() || v.Pos() >= n.End()) {
					o.shared[v] = true
				}
			}
			return true
		})
	}
}

// share adds the variable that contains an operand to o.shared: s for the operand s.list[0].
func (o *order) share(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		o.shared[o.types.Uses[e]] = true
	case *ast.SelectorExpr:
		o.share(e.X)
	case *ast.IndexExpr:
		o.share(e.X)
	}
}

// mayCopy reports whether a probe may evaluate an operand a second time, before the operation.
func (o *order) mayCopy(operand ast.Expr) bool {
	return o.types.isPure(operand) && (!o.mayFail(operand) || o.isNext(operand))
}

// mayMove reports whether a probe may take an operand as its argument, and return it in its place.
func (o *order) mayMove(operand ast.Expr) bool {
	return o.isCall(operand) || o.isStable(operand) || o.isNext(operand)
}

// isCall reports whether an expression is a call or a receive operation, whose place in the order is fixed.
func (o *order) isCall(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ParenExpr:
		return o.isCall(n.X)
	case *ast.CallExpr:
		return !o.types.isBuiltinOrConversion(n)
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	}
	return false
}

// isStable reports whether no call can change an expression: a constant, or a local variable or a field of it. Its
// evaluation does not panic.
func (o *order) isStable(e ast.Expr) bool {
	if o.types.isFixed(e) {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := o.types.Uses[e].(*types.Var)
		return ok && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() && !o.shared[v]
	case *ast.SelectorExpr:
		return o.types.Selections[e] != nil && !isPointer(o.types.Types[e.X].Type) && !o.mayFail(e) && o.isStable(e.X)
	}
	return false
}

// isNext reports whether a probe may read an expression earlier than its statement does. It returns false in two
// cases: a call follows the expression in the statement, and may change it; or an operation before the expression may
// panic. Calls before the expression make no difference, because they also come before the probe. If the expression
// is in an argument of a call, or in an operand of && or ||, isNext examines only this argument or operand, because
// its place in the order is fixed.
func (o *order) isNext(e ast.Expr) bool {
	for part := ast.Node(e); ; {
		whole := o.parents[part]
		switch whole := whole.(type) {
		case nil, *ast.IfStmt, *ast.ForStmt, *ast.SwitchStmt, *ast.CaseClause, *ast.RangeStmt, *ast.File:
			return true
		case *ast.BinaryExpr:
			if whole.Op == token.LAND || whole.Op == token.LOR {
				return true
			}
		}
		if !o.isOnlyIn(whole, part) {
			return false
		}
		if _, ok := whole.(ast.Expr); !ok {
			_, isSelect := o.parents[whole].(*ast.CommClause)
			return !isSelect // the channels and values of all cases of a select are evaluated first
		}
		if o.isCall(whole) {
			return true
		}
		part = whole
	}
}

// isOnlyIn reports two things about the parts of a node, whole: no part after the given part is a call, and no part
// before it may panic.
func (o *order) isOnlyIn(whole, part ast.Node) bool {
	only := true
	ast.Inspect(whole, func(n ast.Node) bool {
		if n == part || !only {
			return false
		}
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if e, ok := n.(ast.Expr); ok && n != whole {
			only = !(e.Pos() >= part.End() && o.hasEffect(e)) && !(e.End() <= part.Pos() && o.panics(e) && !isAssigned(whole, e))
		}
		return only
	})
	return only
}

// isAssigned reports whether a statement assigns a value to an expression. Such an expression panics only after the
// operands of the statement have been evaluated.
func isAssigned(statement ast.Node, e ast.Expr) bool {
	a, ok := statement.(*ast.AssignStmt)
	return ok && (a.Tok == token.ASSIGN || a.Tok == token.DEFINE) && slices.Contains(a.Lhs, e)
}

// hasEffect reports whether an expression itself, not counting its operands, may change a variable. Builtin functions
// such as copy and append count.
func (o *order) hasEffect(e ast.Expr) bool {
	if c, ok := e.(*ast.CallExpr); ok {
		return !o.types.isFixed(c) && !o.types.Types[c.Fun].IsType() && !o.isLength(c)
	}
	return o.isCall(e)
}

func (o *order) isLength(c *ast.CallExpr) bool {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	return ok && o.types.Types[c.Fun].IsBuiltin() && (id.Name == "len" || id.Name == "cap")
}

// mayFail reports whether evaluating a pure expression may panic.
func (o *order) mayFail(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		inner, ok := n.(ast.Expr)
		found = found || ok && o.panics(inner)
		return !found
	})
	return found
}

// panics reports whether an expression itself, not counting its operands, may panic. Builtin functions except len and
// cap, and conversions to types other than numbers, count. Other calls do not, because they keep their place before a
// probe.
func (o *order) panics(e ast.Expr) bool {
	if o.types.isFixed(e) {
		return false
	}
	switch e := e.(type) {
	case *ast.StarExpr, *ast.SliceExpr, *ast.TypeAssertExpr:
		return true
	case *ast.IndexExpr:
		return true
	case *ast.SelectorExpr:
		s := o.types.Selections[e]
		return s != nil && (s.Indirect() || isPointer(o.types.Types[e.X].Type) || types.IsInterface(s.Recv()))
	case *ast.BinaryExpr:
		switch e.Op {
		case token.QUO, token.REM:
			return o.types.Types[e.Y].Value == nil
		case token.SHL, token.SHR, token.EQL, token.NEQ:
			return true // a negative count, or interface values with types that cannot be compared
		}
	case *ast.CallExpr:
		return o.types.isBuiltinOrConversion(e) && !o.isLength(e) && !isNumberType(o.types.Types[e].Type)
	}
	return false
}

func isNumberType(t types.Type) bool { return t != nil && isNumber(t) }
