package probe

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// Limits of the constants in a manifest.
const (
	maxConstants    = 2000
	maxConstantSize = 256 // maximum length of a constant as text, in bytes
)

// constants is the set of constants with which the source compares values.
type constants map[model.Constant]bool

// collect adds the constants of a file that are compared with values. The comparison is an operator, a switch,
// a function of package strings, bytes or slices, or a map literal that has the constants as keys. tables are
// the results of mapLiterals for the package of the file.
func (all constants) collect(info *types.Info, f *ast.File, tables map[types.Object][]ast.Expr) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if isComparison(n) {
				all.add(info, n.X, n.Y)
				all.add(info, n.Y, n.X)
			}
		case *ast.SwitchStmt:
			all.cases(info, n)
		case *ast.CallExpr:
			if comparing(info, n) {
				all.add(info, n.Args[0], n.Args[1])
				all.add(info, n.Args[1], n.Args[0])
			}
		case *ast.IndexExpr:
			for _, key := range tables[objectOf(info, n.X)] {
				all.add(info, n.Index, key)
			}
		}
		return true
	})
}

// objectOf returns the variable or field that an expression names, or nil.
func objectOf(info *types.Info, e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return info.ObjectOf(e)
	case *ast.SelectorExpr:
		return info.ObjectOf(e.Sel)
	}
	return nil
}

// mapLiterals returns the keys of the map literals that files assign to variables and fields. The result maps
// each variable or field to the keys.
func mapLiterals(info *types.Info, files []*ast.File) map[types.Object][]ast.Expr {
	all := map[types.Object][]ast.Expr{}
	note := func(name ast.Expr, value ast.Expr) {
		literal, ok := ast.Unparen(value).(*ast.CompositeLit)
		of := objectOf(info, name)
		if !ok || of == nil || of.Name() == "_" {
			return
		}
		if _, ok := info.TypeOf(literal).Underlying().(*types.Map); !ok {
			return
		}
		for _, e := range literal.Elts {
			all[of] = append(all[of], e.(*ast.KeyValueExpr).Key)
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, value := range n.Values {
					note(n.Names[min(i, len(n.Names)-1)], value)
				}
			case *ast.AssignStmt:
				for i, value := range n.Rhs {
					note(n.Lhs[i], value)
				}
			case *ast.KeyValueExpr:
				note(n.Key, n.Value)
			}
			return true
		})
	}
	return all
}

func (all constants) cases(info *types.Info, s *ast.SwitchStmt) {
	if s.Tag == nil {
		return
	}
	for _, c := range s.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			all.add(info, s.Tag, e)
		}
	}
}

// comparing reports whether a call has two arguments and calls a function of package strings, bytes or slices
// whose name says that it compares them.
func comparing(info *types.Info, c *ast.CallExpr) bool {
	s, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok || len(c.Args) != 2 {
		return false
	}
	fn, ok := info.Uses[s.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "strings", "bytes", "slices":
		for _, begin := range []string{"Has", "Contains", "Equal", "Index", "LastIndex", "Trim", "Cut", "Compare"} {
			if strings.HasPrefix(fn.Name(), begin) {
				return true
			}
		}
	}
	return false
}

// add adds a constant with which a value is compared. y is the constant, or a list of constants. x is the value; it
// must be neither a constant nor a length. add leaves out constants that are Boolean, empty or too long.
func (all constants) add(info *types.Info, x, y ast.Expr) {
	if list, ok := ast.Unparen(y).(*ast.CompositeLit); ok {
		for _, e := range list.Elts {
			all.add(info, x, e)
		}
		return
	}
	value := info.Types[y].Value
	if value == nil || info.Types[x].Value != nil || isLength(info, x) {
		return
	}
	c := model.Constant{Name: nameOf(info, x)}
	switch value.Kind() {
	case constant.String:
		c.Text = constant.StringVal(value)
	case constant.Int, constant.Float:
		c.Number = true
		c.Text = digits(value)
	}
	if c.Text != "" && len(c.Text) <= maxConstantSize {
		all[c] = true
	}
}

// isLength reports whether an expression calls a builtin function, which is usually len. A constant
// that is compared with a length is not a value that a search should send.
func isLength(info *types.Info, e ast.Expr) bool {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && info.Types[c.Fun].IsBuiltin()
}

func digits(v constant.Value) string {
	if n, exact := constant.Int64Val(constant.ToInt(v)); exact {
		return strconv.FormatInt(n, 10)
	}
	f, _ := constant.Float64Val(v)
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// nameOf returns a name for the value of an expression. If the key of an index, or the last argument of a call, is a
// constant string, the name is this string. Otherwise, it is the name of the variable or field, of the indexed or
// sliced value, or of the last argument. A call without arguments has the name of the function. nameOf returns "" for
// other expressions.
func nameOf(info *types.Info, e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.StarExpr:
		return nameOf(info, e.X)
	case *ast.UnaryExpr:
		return nameOf(info, e.X)
	case *ast.SliceExpr:
		return nameOf(info, e.X)
	case *ast.IndexExpr:
		return cmp.Or(textOf(info, e.Index), nameOf(info, e.X))
	case *ast.CallExpr:
		if len(e.Args) == 0 {
			return nameOf(info, e.Fun)
		}
		last := e.Args[len(e.Args)-1]
		return cmp.Or(textOf(info, last), nameOf(info, last))
	}
	return ""
}

// textOf returns the value of a constant string, "" for other expressions.
func textOf(info *types.Info, e ast.Expr) string {
	if v := info.Types[e].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return ""
}

// sorted returns the constants, at most maxConstants, sorted by name and text.
func (all constants) sorted() []model.Constant {
	list := slices.SortedFunc(maps.Keys(all), func(a, b model.Constant) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Text, b.Text))
	})
	return list[:min(len(list), maxConstants)]
}
