package probe

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"
)

// headersOf returns the sorted names of the HTTP headers and of the gRPC metadata that packages read, both in
// requests and in responses.
func headersOf(pkgs []*packages.Package) []string {
	found := map[string]bool{}
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				if name := headerOf(p.TypesInfo, n); name != "" {
					found[name] = true
				}
				return true
			})
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// headerOf returns the constant name with which a node calls Get or Values of a header, or
// indexes one. It returns "" for other nodes.
func headerOf(info *types.Info, n ast.Node) string {
	switch n := n.(type) {
	case *ast.CallExpr:
		s, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
		if ok && len(n.Args) == 1 && (s.Sel.Name == "Get" || s.Sel.Name == "Values") && isHeader(info.TypeOf(s.X)) {
			return textOf(info, n.Args[0])
		}
	case *ast.IndexExpr:
		if isHeader(info.TypeOf(n.X)) {
			return textOf(info, n.Index)
		}
	}
	return ""
}

// isHeader reports whether a type is the type of HTTP headers or of gRPC metadata.
func isHeader(t types.Type) bool {
	return isNamed(t, "net/http", "Header") || isNamed(t, grpcPath+"/metadata", "MD")
}
