package probe

import (
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"
)

// longestLength is the longest that is worth to be told: nobody says more than that.
const longestLength = 1 << 20

// lengthsOf are the constant lengths of texts by which packages decide, sorted.
func lengthsOf(pkgs []*packages.Package) []int {
	found := map[int]bool{}
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				if b, ok := n.(*ast.BinaryExpr); ok && isComparison(b) {
					length(p.TypesInfo, found, b.X, b.Y)
					length(p.TypesInfo, found, b.Y, b.X)
				}
				return true
			})
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// length keeps what the length of a text is compared with, where that is constant.
func length(info *types.Info, found map[int]bool, what, with ast.Expr) {
	c, ok := ast.Unparen(what).(*ast.CallExpr)
	v := info.Types[with].Value
	if !ok || v == nil || !info.Types[c.Fun].IsBuiltin() || len(c.Args) != 1 || !isWritten(info.TypeOf(c.Args[0])) {
		return
	}
	if n, exact := constant.Int64Val(constant.ToInt(v)); exact && n > 0 && n < longestLength {
		found[int(n)] = true
	}
}

// isWritten reports whether values of a type are texts: strings, or slices of bytes or runes.
func isWritten(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && (b.Kind() == types.Byte || b.Kind() == types.Rune)
	}
	return false
}
