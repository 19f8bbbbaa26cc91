package mutate

import (
	"go/ast"
	"go/constant"
	"slices"
)

// maxConstantText is the maximum length of a text in Mutant.Constants.
const maxConstantText = 200

// constantsNear returns the numbers and texts in a node, and in the conditions and the cases of the statements around
// it, without duplicates. It leaves out those that are longer than maxConstantText.
func (f *finder) constantsNear(n ast.Node) (all []string) {
	nodes := []ast.Node{n}
	for _, outer := range slices.Backward(f.stack) {
		switch outer := outer.(type) {
		case *ast.IfStmt:
			nodes = append(nodes, outer.Cond)
		case *ast.ForStmt:
			if outer.Cond != nil {
				nodes = append(nodes, outer.Cond)
			}
		case *ast.CaseClause:
			for _, e := range outer.List {
				nodes = append(nodes, e)
			}
		}
	}
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			v := f.code.info.Types[e].Value
			if v == nil {
				return true
			}
			text := v.ExactString()
			if v.Kind() == constant.String {
				text = constant.StringVal(v)
			}
			if v.Kind() != constant.Bool && len(text) <= maxConstantText && !slices.Contains(all, text) {
				all = append(all, text)
			}
			return false
		})
	}
	return all
}
