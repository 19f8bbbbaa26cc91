package probe

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/instrument/probedata"

	"golang.org/x/tools/go/packages"
)

// part is a number that a function reads at a constant offset of a slice of bytes.
type part struct {
	at, size int
	format   string
	name     string
	order    model.Encoding
}

// addLayouts adds binary documents: one for each slice or array of bytes from which a function of a package reads
// numbers at constant offsets, at least one of them by a byte order.
func (all documentSet) addLayouts(p *packages.Package) {
	eachFunc(p, func(_ *types.Func, body *ast.BlockStmt) {
		found := map[types.Object][]part{}
		names := namesOfValues(body)
		ordered := map[types.Object]bool{} // slices from which numbers of several bytes are read
		ast.Inspect(body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if v, one := orderedPart(p.TypesInfo, n); v != nil {
					one.name = names[n]
					found[v] = append(found[v], one)
					ordered[v] = true
				}
			case *ast.IndexExpr:
				if v := bytesVar(p.TypesInfo, n.X); v != nil && smallInt(p.TypesInfo, n.Index) >= 0 {
					found[v] = append(found[v], part{at: smallInt(p.TypesInfo, n.Index), size: 1, format: "uint8", name: names[n]})
				}
			}
			return true
		})
		for v := range ordered {
			all.add(layout(p, found[v], sizeOf(p.TypesInfo, body, v)))
		}
	})
}

// namesOfValues returns a name for the expressions that a block assigns to variables: the name of the variable.
// All parts of the assigned expression have that name, because a number may be converted or masked before it is
// assigned.
func namesOfValues(body *ast.BlockStmt) map[ast.Node]string {
	all := map[ast.Node]string{}
	ast.Inspect(body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, value := range a.Rhs {
			var name string
			switch left := a.Lhs[i].(type) {
			case *ast.Ident:
				name = left.Name
			case *ast.SelectorExpr:
				name = left.Sel.Name
			}
			ast.Inspect(value, func(n ast.Node) bool {
				if n != nil {
					all[n] = name
				}
				return true
			})
		}
		return true
	})
	return all
}

// orderedPart returns the part that a call reads by a method of a byte order, such as Uint32, and the variable
// of the slice. The variable is nil for other calls.
func orderedPart(info *types.Info, c *ast.CallExpr) (types.Object, part) {
	s, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok || len(c.Args) != 1 {
		return nil, part{}
	}
	bits, err := strconv.Atoi(strings.TrimPrefix(s.Sel.Name, "Uint"))
	fn, isFunc := info.Uses[s.Sel].(*types.Func)
	if err != nil || !isFunc || fn.Pkg() == nil || fn.Pkg().Path() != "encoding/binary" {
		return nil, part{}
	}
	one := part{size: bits / 8, format: "uint" + strconv.Itoa(bits), order: byteOrder(info, s.X, model.BigEndian)}
	from := ast.Unparen(c.Args[0])
	if slice, ok := from.(*ast.SliceExpr); ok {
		from = slice.X
		if slice.Low != nil {
			one.at = smallInt(info, slice.Low)
		}
	}
	if one.at < 0 {
		return nil, part{}
	}
	return bytesVar(info, from), one
}

// bytesVar returns the variable that an expression names, if it is a slice or an array of bytes. Otherwise it
// returns nil.
func bytesVar(info *types.Info, e ast.Expr) types.Object {
	var elem types.Type
	t := info.TypeOf(e)
	if t == nil {
		return nil
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Array:
		elem = u.Elem()
	default:
		return nil
	}
	b, ok := elem.Underlying().(*types.Basic)
	id, isName := ast.Unparen(e).(*ast.Ident)
	if !ok || b.Kind() != types.Byte || !isName {
		return nil
	}
	return info.Uses[id]
}

// sizeOf returns the constant length of the array v, or of the slice v that a block makes. It returns 0 if the
// length is not known.
func sizeOf(info *types.Info, body *ast.BlockStmt, v types.Object) int {
	if a, ok := v.Type().Underlying().(*types.Array); ok {
		return int(min(a.Len(), maxLength))
	}
	variable, ok := v.(*types.Var)
	if !ok {
		return 0
	}
	for _, value := range valuesOf(info, body, variable) {
		if c, ok := ast.Unparen(value).(*ast.CallExpr); ok && isMake(info, c) && len(c.Args) > 1 {
			return max(0, smallInt(info, c.Args[1]))
		}
	}
	return 0
}

func isMake(info *types.Info, c *ast.CallExpr) bool {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	return ok && id.Name == "make" && info.Types[c.Fun].IsBuiltin()
}

// layout returns a document for a slice of bytes with the given parts. size is the minimum length of the slice. Bytes
// that no part reads are text.
func layout(p *packages.Package, parts []part, size int) probedata.Document {
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.size, a.size)) })
	d := probedata.Document{Format: model.Format{Encoding: model.BigEndian}, Shape: probedata.Shape{Type: "object"}}
	end := 0
	gap := func(to int) {
		if n := min(to, maxLength) - end; n > 0 {
			name := "bytes" + strconv.Itoa(end)
			d.Shape.Fields = append(d.Shape.Fields, probedata.ShapeField{Name: name, Shape: probedata.Shape{Type: "string", Count: n}})
			end += n
		}
	}
	for _, one := range parts {
		if one.order != "" {
			d.Encoding = one.order
		}
		if one.at < end {
			continue // another part has these bytes
		}
		gap(one.at)
		field := probedata.ShapeField{
			Name: cmp.Or(one.name, "number"+strconv.Itoa(one.at)), Shape: probedata.Shape{Type: "integer", Format: one.format},
		}
		d.Shape.Fields = append(d.Shape.Fields, field)
		end += one.size
	}
	gap(size)
	d.Lengths = lengthFields(p, d.Shape)
	return d
}

// lengthFields returns the names of those integers in a binary shape that determine how many bytes a package
// reads. An integer counts if the package uses a field or variable of the same name as one of these:
//
//   - the size of a slice that it makes
//   - the upper bound of a slice
//   - the limit of a reader
func lengthFields(p *packages.Package, s probedata.Shape) (names []string) {
	used := map[string]bool{}
	note := func(e ast.Expr) {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				used[id.Name] = true
			}
			return true
		})
	}
	for _, f := range p.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SliceExpr:
				if n.High != nil {
					note(n.High)
				}
			case *ast.CallExpr:
				if len(n.Args) > 1 && (isMake(p.TypesInfo, n) || limitsReader(p.TypesInfo, n)) {
					note(n.Args[len(n.Args)-1])
				}
			}
			return true
		})
	}
	for _, f := range s.Fields {
		if f.Shape.Type == "integer" && used[f.Name] {
			names = append(names, f.Name)
		}
	}
	return names
}

func limitsReader(info *types.Info, c *ast.CallExpr) bool {
	fn, ok := info.Uses[calleeName(c)].(*types.Func)
	return ok && (fn.FullName() == "io.LimitReader" || fn.FullName() == "io.CopyN")
}
