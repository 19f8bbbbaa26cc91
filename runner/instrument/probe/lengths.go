package probe

import (
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"
)

// maxLength is the limit of the lengths in a manifest, because a search does not send longer strings.
const maxLength = 1 << 20

// lengthsOf returns the sorted constants with which packages compare the lengths of strings, or of
// slices of bytes or runes.
func lengthsOf(pkgs []*packages.Package) []int {
	found := map[int]bool{}
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				if b, ok := n.(*ast.BinaryExpr); ok && isComparison(b) {
					addLength(p.TypesInfo, found, b.X, b.Y)
					addLength(p.TypesInfo, found, b.Y, b.X)
				}
				return true
			})
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// addLength adds to found a number with which a length is compared. x is the length of a string or of a slice of bytes
// or runes. y is the number: a positive constant below maxLength. addLength does nothing for other operands.
func addLength(info *types.Info, found map[int]bool, x, y ast.Expr) {
	c, ok := ast.Unparen(x).(*ast.CallExpr)
	v := info.Types[y].Value
	if !ok || v == nil || !info.Types[c.Fun].IsBuiltin() || len(c.Args) != 1 || !isStringLike(info.TypeOf(c.Args[0])) {
		return
	}
	if n, exact := constant.Int64Val(constant.ToInt(v)); exact && n > 0 && n < maxLength {
		found[int(n)] = true
	}
}

// isStringLike reports whether a type is a string, or a slice of bytes or runes.
func isStringLike(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && (b.Kind() == types.Byte || b.Kind() == types.Rune)
	}
	return false
}
