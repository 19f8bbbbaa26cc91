package probe

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/instrument/probedata"

	"golang.org/x/tools/go/packages"
)

// This file finds documents for which a service declares no type, such as forms and CSV.

// rootOf returns the name of the root element of XML that is decoded into a type. It returns "" if the element
// may have any name.
func rootOf(t types.Type) string {
	s, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if s.Field(i).Name() == "XMLName" {
			name, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("xml"), ",")
			return name[strings.LastIndex(name, " ")+1:]
		}
	}
	return ""
}

// addForms adds a document with the names that a package reads from form values. It ignores the form values of
// requests to the service. It adds nothing if the package does not parse form values.
func (all documentSet) addForms(p *packages.Package) {
	parses := func(f *ast.File) bool { return calls(p.TypesInfo, f, "net/url.ParseQuery") }
	if !slices.ContainsFunc(p.Syntax, parses) {
		return
	}
	var names []string
	eachFunc(p, func(fn *types.Func, body *ast.BlockStmt) {
		written := map[ast.Node]bool{}
		ast.Inspect(body, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN {
				for _, left := range a.Lhs {
					written[ast.Unparen(left)] = true
				}
			}
			values, name := formValue(p.TypesInfo, n)
			isNew := name != "" && !written[n] && !slices.Contains(names, name)
			if isNew && !originOf(p.TypesInfo, fn, body, values, requestValues).request {
				names = append(names, name)
			}
			return true
		})
	})
	all.add(probedata.Document{Format: model.Format{Encoding: model.FormEncoding}, Shape: textFields(names)})
}

// formValue returns the form values that a node reads, and the constant name of the value that it reads. It
// returns nil and "" for nodes that do not read form values.
func formValue(info *types.Info, n ast.Node) (values ast.Expr, name string) {
	switch n := n.(type) {
	case *ast.CallExpr:
		if s, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && len(n.Args) == 1 && (s.Sel.Name == "Get" || s.Sel.Name == "Has") {
			values, name = s.X, textOf(info, n.Args[0])
		}
	case *ast.IndexExpr:
		values, name = n.X, textOf(info, n.Index)
	}
	if values == nil || info.TypeOf(values) == nil || !isNamed(info.TypeOf(values), "net/url", "Values") {
		return nil, ""
	}
	return values, name
}

// textFields returns the shape of an object whose fields are strings.
func textFields(names []string) probedata.Shape {
	s := probedata.Shape{Type: "object"}
	for _, name := range names {
		s.Fields = append(s.Fields, probedata.ShapeField{Name: name, Shape: probedata.Shape{Type: "string"}})
	}
	return s
}

// calls reports whether a file calls a function.
func calls(info *types.Info, f *ast.File, fullName string) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && !found {
			fn, ok := info.Uses[calleeName(c)].(*types.Func)
			found = ok && fn.FullName() == fullName
		}
		return !found
	})
	return found
}

// maxColumns is the maximum number of columns of a table without names.
const maxColumns = 40

// addTables adds a document for each file of a package that reads CSV. If the file reads constant keys from
// maps, they are the names of the columns. Otherwise the columns have no names, and their number follows from
// the highest constant index with which the file reads a slice of strings.
func (all documentSet) addTables(p *packages.Package) {
	for _, f := range p.Syntax {
		if !calls(p.TypesInfo, f, "encoding/csv.NewReader") {
			continue
		}
		d := probedata.Document{Format: model.Format{Encoding: model.CSVEncoding}}
		var names []string
		columns := 0
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IndexExpr:
				if name := columnName(p.TypesInfo, n); name != "" && !slices.Contains(names, name) {
					names = append(names, name)
				}
				columns = max(columns, columnIndex(p.TypesInfo, n)+1)
			case *ast.AssignStmt:
				d.Comma = assignedComma(p.TypesInfo, n, d.Comma)
			}
			return true
		})
		if d.Headless = len(names) == 0; d.Headless {
			for i := range min(max(columns, 1), maxColumns) {
				names = append(names, strconv.Itoa(i+1))
			}
		}
		row := textFields(names)
		d.Shape = probedata.Shape{Type: "array", Items: &row}
		all.add(d)
	}
}

// columnName returns the constant key with which an expression indexes a map, "" for other expressions and for maps of
// headers and form values.
func columnName(info *types.Info, e *ast.IndexExpr) string {
	if t := info.TypeOf(e.X); t == nil || isHeader(t) || isNamed(t, "net/url", "Values") {
		return ""
	} else if _, ok := t.Underlying().(*types.Map); !ok {
		return ""
	}
	return textOf(info, e.Index)
}

// columnIndex returns the constant with which an expression indexes a slice of strings, -1 for other expressions.
func columnIndex(info *types.Info, e *ast.IndexExpr) int {
	t := info.TypeOf(e.X)
	if t == nil || !types.Identical(t.Underlying(), types.NewSlice(types.Typ[types.String])) {
		return -1
	}
	return smallInt(info, e.Index)
}

// smallInt returns the value of a constant from 0 to maxLength, -1 for other expressions.
func smallInt(info *types.Info, e ast.Expr) int {
	if e == nil || info.Types[e].Value == nil {
		return -1
	}
	n, exact := constant.Int64Val(constant.ToInt(info.Types[e].Value))
	if !exact || n < 0 || n > maxLength {
		return -1
	}
	return int(n)
}

// assignedComma returns the constant that a statement assigns to the field Comma of a csv.Reader. It returns
// comma if the statement assigns none.
func assignedComma(info *types.Info, a *ast.AssignStmt, comma string) string {
	for i, left := range a.Lhs {
		s, ok := ast.Unparen(left).(*ast.SelectorExpr)
		if !ok || s.Sel.Name != "Comma" || i >= len(a.Rhs) {
			continue
		}
		t := pointee(info.TypeOf(s.X))
		if n := smallInt(info, a.Rhs[i]); t != nil && isNamed(t, "encoding/csv", "Reader") && n > 0 {
			return string(rune(n))
		}
	}
	return comma
}
