package probe

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
)

// typedKeysOf returns the constant keys that a package reads from maps, by the type of the map. It
// leaves out maps whose values have an interface type, and keys that the package only writes.
func typedKeysOf(p *packages.Package) map[string][]string {
	all, written := map[string][]string{}, map[ast.Node]bool{}
	for _, f := range p.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					written[ast.Unparen(e)] = true
				}
			case *ast.IndexExpr:
				if m, key := typedKey(p.TypesInfo, n); key != "" && !written[n] && !slices.Contains(all[m], key) {
					all[m] = append(all[m], key)
				}
			}
			return true
		})
	}
	return all
}

// typedKey returns the type of the map that an expression indexes, and the constant key. If the key is not a
// constant, or the values have an interface type, both results are "".
func typedKey(info *types.Info, e *ast.IndexExpr) (of, key string) {
	t := info.TypeOf(e.X)
	if t == nil {
		return "", ""
	}
	m, ok := t.Underlying().(*types.Map)
	v := info.Types[e.Index].Value
	if !ok || types.IsInterface(m.Elem()) || v == nil || v.Kind() != constant.String {
		return "", ""
	}
	return m.String(), constant.StringVal(v)
}
