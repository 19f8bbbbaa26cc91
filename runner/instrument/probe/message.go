package probe

import (
	"cmp"
	"go/constant"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/instrument/probedata"
)

// This file has the shapes of messages of Protocol Buffers, which follow from the tags of generated structs.

// maxMessageFields is the maximum number of fields in the shape of a message. The fields of messages within the
// message count, too.
const maxMessageFields = 400

// messageShaper returns the shapes of generated types.
type messageShaper struct {
	fields int // the number of fields that it may still return
}

func newMessageShaper() *messageShaper { return &messageShaper{fields: maxMessageFields} }

// protobufTag is a tag of a field of a generated struct, such as "varint,2,opt,name=state,proto3,enum=carrier.v2.State".
type protobufTag struct {
	wire    string
	number  int
	options []string
}

// parseProtobufTag returns the tag with a key. Its number is 0 if there is no such tag, or if the field is a
// group, which Sonde does not send.
func parseProtobufTag(tag, key string) (t protobufTag) {
	parts := strings.Split(reflect.StructTag(tag).Get(key), ",")
	if len(parts) < 3 || parts[0] == "group" {
		return t
	}
	t.wire, t.options = parts[0], parts[2:]
	t.number, _ = strconv.Atoi(parts[1]) // 0 if it is no number
	return t
}

func (t protobufTag) has(option string) bool { return slices.Contains(t.options, option) }

// value returns the value of an option, "" if it is missing.
func (t protobufTag) value(option string) string {
	for _, o := range t.options {
		if value, ok := strings.CutPrefix(o, option+"="); ok {
			return value
		}
	}
	return ""
}

// message returns the shape of a message. t is the struct that was generated for the message.
func (m *messageShaper) message(t types.Type, depth int) probedata.Shape {
	out := probedata.Shape{Type: "object"}
	if isNamed(t, "google.golang.org/protobuf/types/known/timestamppb", "Timestamp") {
		return probedata.Shape{Type: "string", Format: "date-time"}
	}
	s, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && depth > 0 && i < s.NumFields(); i++ {
		tag := parseProtobufTag(s.Tag(i), "protobuf")
		oneof := reflect.StructTag(s.Tag(i)).Get("protobuf_oneof")
		switch {
		case m.fields <= 0:
			return out
		case oneof != "":
			out.Fields = append(out.Fields, m.oneof(oneof, s.Field(i), depth)...)
		case tag.number > 0:
			out.Fields = append(out.Fields, m.field(tag, s.Tag(i), s.Field(i), depth))
		}
	}
	return out
}

// field returns a field of a message. v is the field of the generated struct, tag is its protobuf tag, and
// whole is the text of all its tags.
func (m *messageShaper) field(tag protobufTag, whole string, v *types.Var, depth int) probedata.ShapeField {
	m.fields--
	f := probedata.ShapeField{Name: cmp.Or(tag.value("name"), v.Name()), Number: tag.number, Wire: wireOf(tag)}
	t := v.Type()
	if p := pointee(t); p != nil { // the field is optional, or is a list in the opaque API
		t = p
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		entry := probedata.Shape{Type: "object"}
		for i, part := range []struct {
			name string
			of   types.Type
		}{{"key", u.Key()}, {"value", u.Elem()}} {
			tag := parseProtobufTag(whole, "protobuf_"+part.name[:min(3, len(part.name))])
			field := probedata.ShapeField{Name: part.name, Number: i + 1, Wire: wireOf(tag), Shape: m.value(tag, part.of, depth-1)}
			entry.Fields = append(entry.Fields, field)
		}
		f.Shape = probedata.Shape{Type: "array", Items: &entry}
	case *types.Slice:
		if tag.has("rep") {
			items := m.value(tag, u.Elem(), depth-1)
			f.Shape = probedata.Shape{Type: "array", Items: &items}
			return f
		}
		f.Shape = m.value(tag, t, depth-1)
	default:
		f.Shape = m.value(tag, t, depth-1)
	}
	return f
}

// wireOf returns the encoding of a field that has numbers, and "" for other fields.
func wireOf(tag protobufTag) model.Wire {
	switch tag.wire {
	case "varint", "fixed32", "fixed64":
		return model.Wire(tag.wire)
	case "zigzag32", "zigzag64":
		return model.Zigzag
	}
	return ""
}

// value returns the shape of a value that is not a list.
func (m *messageShaper) value(tag protobufTag, t types.Type, depth int) probedata.Shape {
	if p := pointee(t); p != nil {
		t = p
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		s := shaper{encoding: model.ProtobufEncoding}.basic(u)
		if tag.value("enum") != "" {
			s.Enum = enumValues(t)
		}
		return s
	case *types.Slice:
		return probedata.Shape{Type: "string", Format: "byte"}
	case *types.Struct:
		if isTime(t) { // some generators use it for timestamps
			return probedata.Shape{Type: "string", Format: "date-time"}
		}
		return m.message(t, depth)
	}
	return probedata.Shape{}
}

// maxEnumValues is the maximum number of values of an enum.
const maxEnumValues = 200

// enumValues returns the values of the constants of a type, sorted.
func enumValues(t types.Type) (all []int64) {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return nil
	}
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !types.Identical(c.Type(), n) {
			continue
		}
		if value, exact := constant.Int64Val(c.Val()); exact && !slices.Contains(all, value) {
			all = append(all, value)
		}
	}
	slices.Sort(all)
	return all[:min(len(all), maxEnumValues)]
}

// oneof returns the fields of a oneof. The type of a oneof is an interface. For each field there is a struct
// that implements the interface and has only this field.
func (m *messageShaper) oneof(name string, v *types.Var, depth int) (all []probedata.ShapeField) {
	i, ok := v.Type().Underlying().(*types.Interface)
	if !ok || v.Pkg() == nil {
		return nil
	}
	for _, id := range v.Pkg().Scope().Names() {
		n, ok := v.Pkg().Scope().Lookup(id).(*types.TypeName)
		if !ok || !types.Implements(types.NewPointer(n.Type()), i) {
			continue
		}
		s, ok := n.Type().Underlying().(*types.Struct)
		if !ok || s.NumFields() != 1 {
			continue
		}
		if tag := parseProtobufTag(s.Tag(0), "protobuf"); tag.number > 0 {
			f := m.field(tag, s.Tag(0), s.Field(0), depth)
			f.Oneof = name
			all = append(all, f)
		}
	}
	return all
}

// isMessageDecoder reports whether a function is a generated method that decodes bytes into its receiver, which
// is a message.
func isMessageDecoder(fn *types.Func) bool {
	if fn == nil || fn.Name() != "UnmarshalVT" && fn.Name() != "Unmarshal" || fn.Signature().Recv() == nil {
		return false
	}
	params, t := fn.Signature().Params(), pointee(fn.Signature().Recv().Type())
	if t == nil || params.Len() != 1 || !isBytes(params.At(0).Type()) {
		return false
	}
	s, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if parseProtobufTag(s.Tag(i), "protobuf").number > 0 {
			return true
		}
	}
	return false
}
