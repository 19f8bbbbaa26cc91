package probe

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/instrument/probedata"

	"golang.org/x/tools/go/packages"
)

// maxShape is the maximum depth of a shape. It is limited because types may be recursive.
const maxShape = 5

// shaper returns the shapes that types have in the documents of an encoding.
type shaper struct {
	encoding model.Encoding
	tag      string                 // the key of the tags with the names of fields
	keys     []probedata.ShapeField // the constant keys with which a package indexes maps of interface values
	typed    map[string][]string    // the keys that the package reads from other maps, by the type of the map
}

func (s shaper) shape(t types.Type, depth int) probedata.Shape {
	if depth == 0 {
		return probedata.Shape{}
	}
	if isTime(t) {
		return probedata.Shape{Type: "string", Format: "date-time"}
	}
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		return s.basic(u)
	case *types.Pointer:
		if isPointer(u.Elem()) { // a type may be a pointer to itself
			depth--
		}
		return s.shape(u.Elem(), depth)
	case *types.Slice:
		return s.list(u.Elem(), 0, depth)
	case *types.Array:
		return s.list(u.Elem(), int(min(u.Len(), maxLength)), depth)
	case *types.Map:
		return s.table(u, depth)
	case *types.Struct:
		return probedata.Shape{Type: "object", Fields: s.fields(u, depth)}
	}
	return probedata.Shape{}
}

// basic returns the shape of a basic type. Integers have a format, except in JSON: decoders of other encodings
// refuse an integer of another size, which is an error that services do not handle.
func (s shaper) basic(b *types.Basic) probedata.Shape {
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return probedata.Shape{Type: "boolean"}
	case info&types.IsInteger != 0 && s.isJSON():
		return probedata.Shape{Type: "integer"}
	case info&types.IsInteger != 0:
		return probedata.Shape{Type: "integer", Format: types.Typ[b.Kind()].Name()}
	case info&types.IsFloat != 0 && s.encoding.IsBinary():
		return probedata.Shape{Type: "number", Format: b.Name()}
	case info&types.IsFloat != 0:
		return probedata.Shape{Type: "number"}
	case info&types.IsString != 0:
		return probedata.Shape{Type: "string"}
	}
	return probedata.Shape{}
}

func (s shaper) isJSON() bool { return cmp.Or(s.encoding, model.JSONEncoding) == model.JSONEncoding }

// list returns the shape of a list. n is its length if it is a binary array. A list of bytes is a string: in
// JSON and gob with the format "byte", and otherwise of plain bytes.
func (s shaper) list(elem types.Type, n, depth int) probedata.Shape {
	if !s.encoding.IsBinary() {
		n = 0
	}
	if b, ok := elem.Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
		if s.isJSON() || s.encoding == model.GobEncoding {
			return probedata.Shape{Type: "string", Format: "byte"}
		}
		return probedata.Shape{Type: "string", Count: n}
	}
	items := s.shape(elem, depth-1)
	return probedata.Shape{Type: "array", Count: n, Items: &items}
}

// table returns the shape of a map. The fields of the shape are s.keys for a map of interface
// values, and the keys in s.typed for any other map.
func (s shaper) table(m *types.Map, depth int) probedata.Shape {
	if types.IsInterface(m.Elem()) {
		return probedata.Shape{Type: "object", Fields: s.keys}
	}
	values := s.shape(m.Elem(), depth-1)
	out := probedata.Shape{Type: "object", Values: &values}
	for _, key := range s.typed[m.String()] {
		out.Fields = append(out.Fields, probedata.ShapeField{Name: key, Shape: values})
	}
	return out
}

func (s shaper) fields(t *types.Struct, depth int) (all []probedata.ShapeField) {
	for i := range t.NumFields() {
		f := t.Field(i)
		name, options, _ := strings.Cut(reflect.StructTag(t.Tag(i)).Get(s.tag), ",")
		has := func(option string) bool { return slices.Contains(strings.Split(options, ","), option) }
		switch {
		case name == "-" || f.Name() == "XMLName" && s.encoding == model.XMLEncoding:
		case s.encoding.IsBinary():
			all = append(all, probedata.ShapeField{Name: f.Name(), Shape: s.shape(f.Type(), depth-1)})
		case f.Embedded() && name == "" || has("inline"):
			inner := depth
			if isPointer(f.Type()) { // a struct may embed a pointer to itself
				inner--
			}
			all = append(all, s.shape(f.Type(), inner).Fields...)
		case has("any"), has("innerxml"), has("comment"):
		case f.Exported():
			field := probedata.ShapeField{
				Name:      cmp.Or(name, s.defaultName(f.Name())),
				Attribute: has("attr"),
				Text:      has("chardata") || has("cdata"),
				Shape:     s.shape(f.Type(), depth-1),
			}
			all = s.join(all, field)
		}
	}
	return all
}

// defaultName returns the name of a field without a name in its tag.
func (s shaper) defaultName(name string) string {
	if s.encoding == model.YAMLEncoding {
		return strings.ToLower(name)
	}
	return name
}

// join adds a field to other fields. In XML, the name a>b means a field b of the element a, and a namespace may
// precede a name.
func (s shaper) join(all []probedata.ShapeField, f probedata.ShapeField) []probedata.ShapeField {
	if s.encoding != model.XMLEncoding {
		return append(all, f)
	}
	outer, inner, nested := strings.Cut(f.Name, ">")
	outer = outer[strings.LastIndex(outer, " ")+1:]
	f.Name = outer
	if !nested {
		return append(all, f)
	}
	i := slices.IndexFunc(all, func(x probedata.ShapeField) bool { return x.Name == outer && x.Shape.Type == "object" })
	if i < 0 {
		i, all = len(all), append(all, probedata.ShapeField{Name: outer, Shape: probedata.Shape{Type: "object"}})
	}
	f.Name = inner
	all[i].Shape.Fields = s.join(all[i].Shape.Fields, f)
	return all
}

// keysOf returns the constant keys with which a package indexes maps of interface values, with the
// shapes of the values that it expects, as far as they are known.
func keysOf(p *packages.Package) []probedata.ShapeField {
	all := map[string]probedata.Shape{}
	for _, f := range p.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IndexExpr:
				if key := keyOf(p.TypesInfo, n); key != "" {
					all[key] = firstKnown(all[key], probedata.Shape{})
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

// addCompared records that the value of a map has the type of a constant with which it is compared. x is the value, and
// y is the constant. addCompared does nothing if keyOf returns no key for x, or if y is not a constant.
func addCompared(info *types.Info, all map[string]probedata.Shape, x, y ast.Expr) {
	if key := keyOf(info, x); key != "" && info.Types[y].Value != nil {
		all[key] = firstKnown(all[key], shaper{}.shape(info.TypeOf(y), maxShape))
	}
}

// keyOf returns the constant key with which an expression indexes a map of interface values. It returns "" for
// other expressions.
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
func firstKnown(a, b probedata.Shape) probedata.Shape {
	if a.Type == "" {
		return b
	}
	return a
}

func isPointer(t types.Type) bool {
	_, is := t.Underlying().(*types.Pointer)
	return is
}
