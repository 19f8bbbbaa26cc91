package probe

import (
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Shape is what JSON a piece of the service's source reads. Type is that of a JSON
// schema, "" of what may be anything.
type Shape struct {
	Type   string  `json:"type,omitempty"`
	Format string  `json:"format,omitempty"`
	Fields []Field `json:"fields,omitempty"` // of an object
	Items  *Shape  `json:"items,omitempty"`  // of an array
	Values *Shape  `json:"values,omitempty"` // of a map
}

// Field is a member of an object.
type Field struct {
	Name  string `json:"name"`
	Shape Shape  `json:"shape"`
}

// maxShape is how deep a shape goes: types may be inside themselves.
const maxShape = 5

// shaper makes shapes of types.
type shaper struct {
	keys  []Field             // by which maps of anything are read
	typed map[string][]string // those by which maps of a type are read
}

func (s shaper) shape(t types.Type, depth int) Shape {
	if depth == 0 {
		return Shape{}
	}
	if isTime(t) {
		return Shape{Type: "string", Format: "date-time"}
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
		return Shape{Type: "object", Fields: s.fields(u, depth)}
	}
	return Shape{}
}

func basic(b *types.Basic) Shape {
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return Shape{Type: "boolean"}
	case info&types.IsInteger != 0:
		return Shape{Type: "integer"}
	case info&types.IsFloat != 0:
		return Shape{Type: "number"}
	case info&types.IsString != 0:
		return Shape{Type: "string"}
	}
	return Shape{}
}

// list is an array; encoding/json reads bytes from a text.
func (s shaper) list(elem types.Type, depth int) Shape {
	if b, ok := elem.Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
		return Shape{Type: "string", Format: "byte"}
	}
	items := s.shape(elem, depth-1)
	return Shape{Type: "array", Items: &items}
}

// table is a map: of anything, the keys tell that the source reads.
func (s shaper) table(m *types.Map, depth int) Shape {
	if types.IsInterface(m.Elem()) {
		return Shape{Type: "object", Fields: s.keys}
	}
	values := s.shape(m.Elem(), depth-1)
	out := Shape{Type: "object", Values: &values}
	for _, key := range s.typed[m.String()] {
		out.Fields = append(out.Fields, Field{key, values})
	}
	return out
}

func (s shaper) fields(t *types.Struct, depth int) (all []Field) {
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
			all = append(all, Field{name, s.shape(f.Type(), depth-1)})
		}
	}
	return all
}

// keysOf are the keys by which a package reads maps of anything, with what it takes
// their values for.
func keysOf(p *packages.Package) []Field {
	all := map[string]Shape{}
	for _, f := range p.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IndexExpr:
				if key := keyOf(p.TypesInfo, n); key != "" {
					all[key] = all[key].or(Shape{})
				}
			case *ast.TypeAssertExpr:
				if key := keyOf(p.TypesInfo, n.X); key != "" && n.Type != nil {
					all[key] = all[key].or(shaper{}.shape(p.TypesInfo.TypeOf(n.Type), maxShape))
				}
			case *ast.BinaryExpr:
				against(p.TypesInfo, all, n.X, n.Y)
				against(p.TypesInfo, all, n.Y, n.X)
			}
			return true
		})
	}
	var fields []Field
	for _, key := range slices.Sorted(maps.Keys(all)) {
		fields = append(fields, Field{key, all[key]})
	}
	return fields
}

// against notes what a value of a map is compared with.
func against(info *types.Info, all map[string]Shape, what, with ast.Expr) {
	if key := keyOf(info, what); key != "" && info.Types[with].Value != nil {
		all[key] = all[key].or(shaper{}.shape(info.TypeOf(with), maxShape))
	}
}

// keyOf is the constant key of an index into a map of anything, "" of all else.
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

// or is a shape, or where nothing is known of it another.
func (s Shape) or(other Shape) Shape {
	if s.Type == "" {
		return other
	}
	return s
}
