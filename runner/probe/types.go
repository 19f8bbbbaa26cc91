package probe

import (
	"go/ast"
	"go/token"
	"go/types"
)

// isBool reports whether an expression is of type bool itself, which is what
// probes return.
func (x *prober) isBool(e ast.Expr) bool {
	t := x.info.Types[e].Type
	return t == types.Typ[types.Bool] || t == types.Typ[types.UntypedBool]
}

// keepsType reports whether an expression has the same type as the argument of a
// type parameter.
func (x *prober) keepsType(e ast.Expr) bool {
	tv := x.info.Types[e]
	if tv.Type == nil || tv.Value != nil || !tv.IsValue() {
		return false
	}
	switch t := tv.Type.(type) {
	case *types.Tuple:
		return false
	case *types.Basic:
		return t.Info()&types.IsUntyped == 0 && !x.shifts(e)
	}
	// An untyped result of a comparison takes its type from where it stands.
	return !isNamedBool(tv.Type) && !x.shifts(e)
}

func isNamedBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// shifts reports whether an expression has a shift of an untyped constant, which
// takes its type from where it stands.
func (x *prober) shifts(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if ok && (b.Op == token.SHL || b.Op == token.SHR) && x.info.Types[b].Value == nil && x.info.Types[b.X].Value != nil {
			found = true
		}
		return !found
	})
	return found
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

// letter is what the names of probes end with that are for integers, unsigned
// integers or strings; "" for other types.
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

// isList reports whether something has elements in memory.
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

// everyType reports whether all types of a type parameter are of a sort.
func everyType(t types.Type, is func(types.Type) bool) bool {
	set, ok := t.Underlying().(*types.Interface)
	return ok && everyTerm(set, is)
}

// everyTerm looks whether one of the embedded unions allows only types of a
// sort, for then all types of the set are.
func everyTerm(set *types.Interface, is func(types.Type) bool) bool {
	for i := range set.NumEmbeddeds() {
		if everyOf(set.EmbeddedType(i), is) {
			return true
		}
	}
	return false
}

func everyOf(t types.Type, is func(types.Type) bool) bool {
	u, ok := types.Unalias(t).(*types.Union)
	if !ok {
		if set, ok := t.Underlying().(*types.Interface); ok {
			return everyTerm(set, is)
		}
		return is(t)
	}
	for i := range u.Len() {
		if !everyOf(u.Term(i).Type(), is) {
			return false
		}
	}
	return u.Len() > 0
}

// isNamed reports whether a type is one of a package by its name.
func isNamed(t types.Type, path, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path && n.Obj().Name() == name
}

func isTime(t types.Type) bool { return isNamed(t, "time", "Time") }
