package probe

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// typeInfo answers questions about the expressions of a file.
type typeInfo struct {
	*types.Info
	file *sourceFile
	// generic means that the file's language version has type parameters. passesGenerics means
	// that the language also infers the type arguments of a generic function that is an argument.
	generic, passesGenerics bool
}

// isFixed reports whether an expression is a constant or a type, which cannot be
// probed.
func (x *typeInfo) isFixed(e ast.Expr) bool {
	tv, ok := x.Types[e]
	return ok && (tv.Value != nil || tv.IsType())
}

// isBool reports whether the type of an expression is bool itself, which probes return, and not a
// named Boolean type.
func (x *typeInfo) isBool(e ast.Expr) bool {
	t := x.Types[e].Type
	return t == types.Typ[types.Bool] || t == types.Typ[types.UntypedBool]
}

// isPredicate reports whether a Boolean expression counts as a branch wherever it occurs, not only as a condition.
func (x *typeInfo) isPredicate(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	case *ast.BinaryExpr:
		return e.Op == token.LAND || e.Op == token.LOR || isComparison(e)
	case *ast.CallExpr:
		return x.knownCall(e) != ""
	}
	return false
}

// keepsType reports whether an expression has the same type when it is the argument of
// a function with a type parameter.
func (x *typeInfo) keepsType(e ast.Expr) bool {
	tv := x.Types[e]
	if tv.Type == nil || tv.Value != nil || !tv.IsValue() {
		return false
	}
	switch t := tv.Type.(type) {
	case *types.Tuple:
		return false
	case *types.Basic:
		return t.Info()&types.IsUntyped == 0 && !x.hasUntypedShift(e)
	}
	// An untyped result of a comparison takes its type from the context.
	return !isNamedBool(tv.Type) && !x.hasUntypedShift(e)
}

// hasUntypedShift reports whether an expression contains a shift of an untyped
// constant, which takes its type from the context.
func (x *typeInfo) hasUntypedShift(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if ok && (b.Op == token.SHL || b.Op == token.SHR) && x.Types[b].Value == nil && x.Types[b.X].Value != nil {
			found = true
		}
		return !found
	})
	return found
}

// literalInt returns the value of an integer literal, which may be negative. It returns false for a
// named constant: a probe would remove it, and the import of its package may then be unused.
func (x *typeInfo) literalInt(e ast.Expr) (int64, bool) {
	inner := e
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.SUB {
		inner = u.X
	}
	v := x.Types[e].Value
	if _, ok := inner.(*ast.BasicLit); !ok || v == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(v))
}

// keyLetter returns the letter for the keys of the map that is indexed, such as "S" for strings; see letter. It
// returns "" if no map is indexed, or if the keys have no letter.
func (x *typeInfo) keyLetter(e *ast.IndexExpr) string {
	m, ok := x.Types[e.X].Type.Underlying().(*types.Map)
	if !ok || isTypeParam(m.Key()) {
		return ""
	}
	return letter(m.Key())
}

// keyProbe returns the name of the probe of the key in v, ok := m[key]. It returns "" if there is none.
func (x *typeInfo) keyProbe(e *ast.IndexExpr) string {
	tv := x.Types[e]
	if _, commaOK := tv.Type.(*types.Tuple); !commaOK || !x.generic || !x.isPure(e.X) || x.hasUntypedShift(e.Index) {
		return ""
	}
	if l := x.keyLetter(e); l != "" {
		return "Key" + l
	}
	return ""
}

// switchProbe returns the probe of the tag of a switch, "" if there is none.
func (x *typeInfo) switchProbe(tag ast.Expr) string {
	t := x.Types[tag].Type
	if !x.generic || !x.keepsType(tag) || isTypeParam(t) {
		return ""
	}
	if l := letter(t); l != "" {
		return "Sw" + l
	}
	return ""
}

// constantCases returns the expressions in the cases of a switch that are constants.
func (x *typeInfo) constantCases(body *ast.BlockStmt) []ast.Expr {
	var all []ast.Expr
	for _, c := range body.List {
		for _, e := range c.(*ast.CaseClause).List {
			if v := x.Types[e].Value; v != nil && v.Kind() != constant.Unknown {
				all = append(all, e)
			}
		}
	}
	return all
}

func isNamedBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsFloat) != 0
}

func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isOrdered(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsOrdered != 0
}

// letter returns the suffix of the probes for a type: "I" for signed integers, "U" for unsigned
// ones, "S" for strings, and "" for other types.
func letter(t types.Type) string {
	b, _ := t.Underlying().(*types.Basic)
	switch {
	case b == nil:
		return ""
	case b.Info()&types.IsUnsigned != 0:
		return "U"
	case b.Info()&types.IsInteger != 0:
		return "I"
	case b.Info()&types.IsString != 0:
		return "S"
	}
	return ""
}

// isList reports whether a type that can be indexed is a slice, an array, a pointer to an array, or
// a string.
func isList(t types.Type) bool {
	if t == nil {
		return false
	}
	u := t.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		u = p.Elem().Underlying()
	}
	switch u.(type) {
	case *types.Slice, *types.Array, *types.Basic:
		return true
	}
	return false
}

// everyType reports whether a condition holds for all types that a type parameter may have.
func everyType(t types.Type, condition func(types.Type) bool) bool {
	set, ok := t.Underlying().(*types.Interface)
	return ok && everyTerm(set, condition)
}

// everyTerm reports whether set embeds a union or interface all of whose types meet a condition. Then all types that
// implement set meet the condition.
func everyTerm(set *types.Interface, condition func(types.Type) bool) bool {
	for i := range set.NumEmbeddeds() {
		if everyOf(set.EmbeddedType(i), condition) {
			return true
		}
	}
	return false
}

func everyOf(t types.Type, condition func(types.Type) bool) bool {
	u, ok := types.Unalias(t).(*types.Union)
	if !ok {
		if set, ok := t.Underlying().(*types.Interface); ok {
			return everyTerm(set, condition)
		}
		return condition(t)
	}
	for i := range u.Len() {
		if !everyOf(u.Term(i).Type(), condition) {
			return false
		}
	}
	return u.Len() > 0
}

// isNamed reports whether a type has the given package path and name.
func isNamed(t types.Type, path, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path && n.Obj().Name() == name
}

func isTime(t types.Type) bool { return isNamed(t, "time", "Time") }
