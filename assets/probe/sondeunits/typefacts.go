package sondeunits

import (
	"io"
	"reflect"
	"strings"
	"sync"
)

// typeFacts is what is known about a type. It is worked out once, because values are read while requests wait.
type typeFacts struct {
	name     string // with full import paths
	foreign  bool   // it belongs to another module, and its hidden fields are not read
	hidden   bool   // it is a struct with fields that are not exported, or an array
	marshals bool   // it is an encoding.TextMarshaler
	responds bool   // it is a http.ResponseWriter
	fields   []reflect.StructField
	mutexes  []mutexField
}

// mutexField is a field of a struct that is a mutex, or a pointer to one.
type mutexField struct {
	offset  uintptr
	pointer bool
	reads   bool // it is a sync.RWMutex
}

// writer is the type of io.Writer.
var writer = reflect.TypeFor[io.Writer]()

var knownTypes sync.Map // *typeFacts by reflect.Type

// factsOf returns what is known about a type.
func factsOf(t reflect.Type) *typeFacts {
	if known, ok := knownTypes.Load(t); ok {
		return known.(*typeFacts)
	}
	f := &typeFacts{name: newTypeName(t), hidden: t.Kind() == reflect.Array, marshals: t.Implements(textMarshaler)}
	if header, ok := t.MethodByName("Header"); ok && header.Type.NumOut() == 1 && t.Implements(writer) {
		_, writes := t.MethodByName("WriteHeader")
		f.responds = writes && header.Type.Out(0).String() == "http.Header"
	}
	path := t.PkgPath()
	f.foreign = path != "" && path != "main" && path != Module && !strings.HasPrefix(path, Module+"/") && path != "sync/atomic" &&
		!readable[f.name]
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			field := t.Field(i)
			f.fields = append(f.fields, field)
			f.hidden = f.hidden || !field.IsExported()
			f.addMutex(field)
		}
	}
	knownTypes.Store(t, f)
	return f
}

// field returns the field of a struct with a name, nil if there is none.
func (f *typeFacts) field(name string) *reflect.StructField {
	for i := range f.fields {
		if f.fields[i].Name == name {
			return &f.fields[i]
		}
	}
	return nil
}

// addMutex notes a field that is a mutex.
func (f *typeFacts) addMutex(field reflect.StructField) {
	m, t := mutexField{offset: field.Offset}, field.Type
	if t.Kind() == reflect.Pointer {
		m.pointer, t = true, t.Elem()
	}
	switch t {
	case reflect.TypeFor[sync.Mutex]():
	case reflect.TypeFor[sync.RWMutex]():
		m.reads = true
	default:
		return
	}
	f.mutexes = append(f.mutexes, m)
}

// typeName returns the name of a type with full import paths.
func typeName(t reflect.Type) string { return factsOf(t).name }
