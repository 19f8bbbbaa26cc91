package probe

import (
	"cmp"
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"sonde/model"
	"sonde/runner/instrument/probedata"
)

// columnsOfPointers returns the columns that are read into pointers.
func columnsOfPointers(info *types.Info, pointers []ast.Expr) (all []probedata.ResultColumn) {
	for _, e := range pointers {
		c := columnOf(pointedType(info, e))
		c.Name = snakeCase(lastName(e))
		all = append(all, c)
	}
	return all
}

// pointedType returns the type of the value into which a column is read, or nil if it is not known. e is a
// pointer to this value, such as &x. The pointer may be converted, or passed to a function: pq.Array(&x).
func pointedType(info *types.Info, e ast.Expr) types.Type {
	e = ast.Unparen(e)
	if c, ok := e.(*ast.CallExpr); ok && len(c.Args) == 1 {
		if inner := pointedType(info, c.Args[0]); inner != nil {
			return inner
		}
	}
	return pointee(info.TypeOf(e))
}

// lastName returns the last name in an expression, "" if there is none.
func lastName(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.UnaryExpr:
		return lastName(e.X)
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			return lastName(e.Args[0])
		}
	}
	return ""
}

// snakeCase returns a name in lower case, with underscores between its words.
func snakeCase(name string) string {
	var b strings.Builder
	letters := []rune(name)
	for i, c := range letters {
		if unicode.IsUpper(c) && i > 0 && (unicode.IsLower(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// structColumns returns a struct with the columns of its fields. t is a pointer to the struct or to a list of
// such structs. structColumns returns nil for other types, and for structs that are one value, such as a time.
func structColumns(t types.Type) (elem types.Type, all []probedata.ResultColumn) {
	elem = pointee(t)
	if elem == nil {
		return nil, nil
	}
	if list, ok := elem.Underlying().(*types.Slice); ok {
		elem = types.Unalias(list.Elem())
	}
	if p := pointee(elem); p != nil {
		elem = p
	}
	s, ok := elem.Underlying().(*types.Struct)
	if !ok || isValue(elem) || hasMethod(elem, "Scan") {
		return nil, nil
	}
	return elem, fieldColumns(s, maxShape)
}

// columnTags are the keys of tags with the names of columns, in order.
var columnTags = []string{"db", "sql", "bun"}

// fieldColumns returns the columns of the fields of a struct.
func fieldColumns(s *types.Struct, depth int) (all []probedata.ResultColumn) {
	for i := range s.NumFields() {
		f, tag := s.Field(i), reflect.StructTag(s.Tag(i))
		name := ""
		for _, key := range columnTags {
			name = cmp.Or(name, firstOption(tag.Get(key)))
		}
		if column, ok := gormColumn(tag.Get("gorm")); ok {
			name = column
		}
		inner, isStruct := f.Type().Underlying().(*types.Struct)
		switch {
		case name == "-":
		case f.Embedded() && isStruct && name == "" && depth > 0 && !isValue(f.Type()):
			all = append(all, fieldColumns(inner, depth-1)...)
		case f.Exported():
			c := columnOf(f.Type())
			c.Name = cmp.Or(name, snakeCase(f.Name()))
			all = append(all, c)
		}
	}
	return all
}

func firstOption(tag string) string {
	name, _, _ := strings.Cut(tag, ",")
	return name
}

// gormColumn returns the name of the column in a tag of gorm, or "-" if the field has no column. ok is false if
// the tag says neither.
func gormColumn(tag string) (name string, ok bool) {
	for option := range strings.SplitSeq(tag, ";") {
		if key, value, found := strings.Cut(option, ":"); found && strings.EqualFold(key, "column") {
			return value, true
		}
	}
	return tag, tag == "-"
}

// columnOf returns the column that is read into a value of a type. A nil type means any type.
func columnOf(t types.Type) probedata.ResultColumn { return columnWithin(t, maxShape) }

// columnWithin is like columnOf, for a type within other types. depth is the number of nested types that it may still
// follow, because types may be recursive.
func columnWithin(t types.Type, depth int) probedata.ResultColumn {
	if t == nil || depth == 0 {
		return probedata.ResultColumn{}
	}
	t = types.Unalias(t)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		c := columnWithin(p.Elem(), depth-1)
		c.Nullable = true
		return c
	}
	if c := valueShape(t, depth); c != nil {
		return *c
	}
	var s probedata.Shape
	switch u := t.Underlying().(type) {
	case *types.Basic:
		s = shaper{encoding: model.GobEncoding}.basic(u)
	case *types.Slice:
		if isBytes(t) {
			s = probedata.Shape{Type: "string", Format: "bytes"}
			break
		}
		item := columnWithin(u.Elem(), depth-1).Shape
		if item.Type != "" && item.Type != "object" && item.Type != "array" && item.Format != "json" {
			s = probedata.Shape{Type: "array", Items: &item}
			break
		}
		s = jsonShape(t)
	case *types.Array:
		if isBytes(t) && u.Len() == 16 {
			s = probedata.Shape{Type: "string", Format: "uuid"}
		}
	case *types.Struct, *types.Map:
		s = jsonShape(t)
	}
	return probedata.ResultColumn{Shape: s}
}

// jsonShape returns the shape of a type whose values are JSON documents.
func jsonShape(t types.Type) probedata.Shape {
	s := shaper{encoding: model.JSONEncoding, tag: "json"}.shape(t, maxShape)
	s.Format = "json"
	return s
}

// isBytes reports whether a type is a list of bytes.
func isBytes(t types.Type) bool {
	var elem types.Type
	switch u := t.Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Array:
		elem = u.Elem()
	default:
		return false
	}
	b, ok := elem.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Byte
}

// valueTypes are the shapes of types of libraries, by the name of the type without the prefix Null.
var valueTypes = map[string]probedata.Shape{
	"Time":        {Type: "string", Format: "date-time"},
	"Timestamptz": {Type: "string", Format: "date-time"},
	"Timestamp":   {Type: "string", Format: "date-time"},
	"Date":        {Type: "string", Format: "date"},
	"Text":        {Type: "string"},
	"Varchar":     {Type: "string"},
	"String":      {Type: "string"},
	"Bool":        {Type: "boolean"},
	"Int2":        {Type: "integer", Format: "int16"},
	"Int4":        {Type: "integer", Format: "int32"},
	"Int8":        {Type: "integer", Format: "int64"},
	"Int16":       {Type: "integer", Format: "int16"},
	"Int32":       {Type: "integer", Format: "int32"},
	"Int64":       {Type: "integer", Format: "int64"},
	"Int":         {Type: "integer", Format: "int64"},
	"Byte":        {Type: "integer", Format: "int16"},
	"Float4":      {Type: "number", Format: "float"},
	"Float8":      {Type: "number"},
	"Float64":     {Type: "number"},
	"Float":       {Type: "number"},
	"Numeric":     {Type: "number", Format: "decimal"},
	"Decimal":     {Type: "number", Format: "decimal"},
	"UUID":        {Type: "string", Format: "uuid"},
	"RawMessage":  {Format: "json"},
	"JSON":        {Format: "json"},
	"JSONB":       {Format: "json"},
	"Bytea":       {Type: "string", Format: "bytes"},
	"StringArray": {Type: "array", Items: &probedata.Shape{Type: "string"}},
	"Int64Array":  {Type: "array", Items: &probedata.Shape{Type: "integer", Format: "int64"}},
}

// valuePackages are the paths of packages, or their beginnings, whose types are in valueTypes.
var valuePackages = []string{
	"time", "database/sql", "encoding/json",
	"github.com/jackc/pgx", "github.com/jackc/pgtype", "github.com/lib/pq",
	"github.com/google/uuid", "github.com/gofrs/uuid", "github.com/satori/go.uuid", "github.com/shopspring/decimal",
	"gopkg.in/guregu/null", "github.com/guregu/null", "github.com/volatiletech/null", "gorm.io/datatypes",
}

// isValue reports whether values of a library's type are single values, such as times, and not several columns.
func isValue(t types.Type) bool { return valueShape(t, maxShape) != nil }

// valueShape returns the column for a library's type of single values. It returns nil for other types. Types whose
// names begin with Null may be null, and so may the types of pgtype and guregu/null. depth is that of columnWithin.
func valueShape(t types.Type, depth int) *probedata.ResultColumn {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return nil
	}
	path, name := n.Obj().Pkg().Path(), n.Obj().Name()
	if !slices.ContainsFunc(valuePackages, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") }) {
		return wrappedValue(n, depth)
	}
	bare, isNull := strings.CutPrefix(name, "Null")
	nullable := isNull || strings.HasSuffix(path, "pgtype") || strings.Contains(path, "guregu/null")
	if bare == "" && n.TypeArgs() != nil && n.TypeArgs().Len() == 1 {
		c := columnWithin(n.TypeArgs().At(0), depth-1)
		c.Nullable = true
		return &c
	}
	s, known := valueTypes[bare]
	if !known {
		return nil
	}
	return &probedata.ResultColumn{Nullable: nullable, Shape: s}
}

// wrappedValue returns the column of a struct that has a method Scan and embeds a value of a library. It
// returns nil for other types.
func wrappedValue(n *types.Named, depth int) *probedata.ResultColumn {
	s, ok := n.Underlying().(*types.Struct)
	if !ok || !hasMethod(n, "Scan") {
		return nil
	}
	for i := range s.NumFields() {
		if s.Field(i).Embedded() {
			return valueShape(s.Field(i).Type(), depth)
		}
	}
	return nil
}

// hasMethod reports whether a type, or a pointer to it, has a method.
func hasMethod(t types.Type, name string) bool {
	found, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, nil, name)
	_, ok := found.(*types.Func)
	return ok
}

// isDocument reports whether a driver sends values of a type as JSON.
func isDocument(t types.Type) bool {
	if t == nil {
		return false
	}
	if p := pointee(t); p != nil {
		t = p
	}
	if isValue(t) || hasMethod(t, "Value") {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Struct, *types.Map:
		return true
	case *types.Slice:
		_, isStruct := u.Elem().Underlying().(*types.Struct)
		return isStruct && !isValue(u.Elem())
	}
	return false
}
