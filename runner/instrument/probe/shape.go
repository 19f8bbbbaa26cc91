package probe

import (
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	"sonde/runner/instrument/probedata"

	"golang.org/x/tools/go/packages"
)

// maxShape bounds the depth of a shape, because types may be recursive.
const maxShape = 5

// shaper returns the shapes of types.
type shaper struct {
	keys  []probedata.ShapeField // the constant keys with which a package indexes maps of interface values
	typed map[string][]string    // the keys that the package reads from other maps, by the type of the map
}

func (s shaper) shape(t types.Type, depth int) probedata.JSONShape {
	if depth == 0 {
		return probedata.JSONShape{}
	}
	if isTime(t) {
		return probedata.JSONShape{Type: "string", Format: "date-time"}
	}
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		return basic(u)
	case *types.Pointer:
		return s.shape(u.Elem(), depth)
	case *types.Slice:
		return s.list(u.Elem(), depth)
	case *types.Array:
		return s.list(u.Elem(), depth)
	case *types.Map:
		return s.table(u, depth)
	case *types.Struct:
		return probedata.JSONShape{Type: "object", Fields: s.fields(u, depth)}
	}
	return probedata.JSONShape{}
}

func basic(b *types.Basic) probedata.JSONShape {
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return probedata.JSONShape{Type: "boolean"}
	case info&types.IsInteger != 0:
		return probedata.JSONShape{Type: "integer"}
	case info&types.IsFloat != 0:
		return probedata.JSONShape{Type: "number"}
	case info&types.IsString != 0:
		return probedata.JSONShape{Type: "string"}
	}
	return probedata.JSONShape{}
}

// list returns the shape of a list. A list of bytes is a string, as in encoding/json.
func (s shaper) list(elem types.Type, depth int) probedata.JSONShape {
	if b, ok := elem.Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
		return probedata.JSONShape{Type: "string", Format: "byte"}
	}
	items := s.shape(elem, depth-1)
	return probedata.JSONShape{Type: "array", Items: &items}
}

// table returns the shape of a map. The fields of the shape are s.keys for a map of interface
// values, and the keys in s.typed for any other map.
func (s shaper) table(m *types.Map, depth int) probedata.JSONShape {
	if types.IsInterface(m.Elem()) {
		return probedata.JSONShape{Type: "object", Fields: s.keys}
	}
	values := s.shape(m.Elem(), depth-1)
	out := probedata.JSONShape{Type: "object", Values: &values}
	for _, key := range s.typed[m.String()] {
		out.Fields = append(out.Fields, probedata.ShapeField{Name: key, Shape: values})
	}
	return out
}

func (s shaper) fields(t *types.Struct, depth int) (all []probedata.ShapeField) {
	for i := range t.NumFields() {
		f := t.Field(i)
		name, _, _ := strings.Cut(reflect.StructTag(t.Tag(i)).Get("json"), ",")
		switch {
		case name == "-":
		case f.Embedded() && name == "":
			all = append(all, s.shape(f.Type(), depth).Fields...)
		case f.Exported():
			if name == "" {
				name = f.Name()
			}
			all = append(all, probedata.ShapeField{Name: name, Shape: s.shape(f.Type(), depth-1)})
		}
	}
	return all
}

// keysOf returns the constant keys with which a package indexes maps of interface values, with the
// shapes of the values that it expects, as far as they are known.
func keysOf(p *packages.Package) []probedata.ShapeField {
	all := map[string]probedata.JSONShape{}
	for _, f := range p.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IndexExpr:
				if key := keyOf(p.TypesInfo, n); key != "" {
					all[key] = firstKnown(all[key], probedata.JSONShape{})
				}
			case *ast.TypeAssertExpr:
				if key := keyOf(p.TypesInfo, n.X); key != "" && n.Type != nil {
					all[key] = firstKnown(all[key], shaper{}.shape(p.TypesInfo.TypeOf(n.Type), maxShape))
				}
			case *ast.BinaryExpr:
				addCompared(p.TypesInfo, all, n.X, n.Y)
				addCompared(p.TypesInfo, all, n.Y, n.X)
			}
			return true
		})
	}
	var fields []probedata.ShapeField
	for _, key := range slices.Sorted(maps.Keys(all)) {
		fields = append(fields, probedata.ShapeField{Name: key, Shape: all[key]})
	}
	return fields
}

// addCompared records the shape of x, if keyOf returns a key for x and y is a constant with which x is
// compared: x has the shape of the constant.
func addCompared(info *types.Info, all map[string]probedata.JSONShape, x, y ast.Expr) {
	if key := keyOf(info, x); key != "" && info.Types[y].Value != nil {
		all[key] = firstKnown(all[key], shaper{}.shape(info.TypeOf(y), maxShape))
	}
}

// keyOf returns the key with which an expression indexes a map of interface values, if that is a
// constant. It returns "" otherwise.
func keyOf(info *types.Info, e ast.Expr) string {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok || info.TypeOf(x.X) == nil {
		return ""
	}
	m, ok := info.TypeOf(x.X).Underlying().(*types.Map)
	if !ok || !types.IsInterface(m.Elem()) {
		return ""
	}
	if v := info.Types[x.Index].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return ""
}

// firstKnown returns a if its type is known, and b otherwise.
func firstKnown(a, b probedata.JSONShape) probedata.JSONShape {
	if a.Type == "" {
		return b
	}
	return a
}
