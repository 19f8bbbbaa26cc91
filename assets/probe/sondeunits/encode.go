package sondeunits

import (
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"sonde/assets/probe/sondevalue"
)

// The limits of an invocation.
const (
	maxNesting  = 24        // values within each other
	maxElements = 2000      // elements of a list or a map
	maxBytes    = 256 << 10 // of all values
)

// encoder reads the values of an invocation. It numbers the variables to which values refer, and the objects that are
// called.
type encoder struct {
	variables map[variable]int
	instances map[any]int
	objects   map[int]sondevalue.Value // where the variables are stored
	only      *Function                // the function whose receiver is read, for its struct only
	bytes     int
	nesting   int
	bodies    map[*copiedBody]int // the bytes that were read of bodies before they were first seen
	why       string              // why the invocation cannot be used
}

// variable identifies a variable. Its pointer keeps the memory, so that no other variable gets its address.
type variable struct {
	at  unsafe.Pointer
	as  reflect.Type
	len int // of a slice
}

func (e *encoder) init() {
	e.variables, e.instances = map[variable]int{}, map[any]int{}
}

// into sets where variables are stored.
func (e *encoder) into(objects map[int]sondevalue.Value) { e.objects = objects }

// fail notes why the invocation cannot be used.
func (e *encoder) fail(why string) {
	if e.why == "" {
		e.why = why
	}
}

func (e *encoder) unread(why string) sondevalue.Value {
	return sondevalue.Value{Kind: sondevalue.Unread, Text: why}
}

// limit notes that a limit was reached.
func (e *encoder) limit(why string) sondevalue.Value {
	e.fail(why)
	return e.unread(why)
}

// receiver reads the receiver of a function, with the fields that the function uses.
func (e *encoder) receiver(x any, of *Function) sondevalue.Value {
	e.only = of
	defer func() { e.only = nil }()
	return e.input(x, "")
}

// input reads a value whose static type is the given interface, or its dynamic type if as is "".
func (e *encoder) input(x any, as string) sondevalue.Value {
	if x == nil {
		return sondevalue.Value{}
	}
	if as != "" {
		return e.inInterface(x, as)
	}
	t := reflect.TypeOf(x)
	v := e.boxed(x, t)
	v.Type = typeName(t)
	return v
}

// typed reads a value with its static type.
func (e *encoder) typed(x any, as reflect.Type) sondevalue.Value {
	name := ""
	if as.Kind() == reflect.Interface {
		name = typeName(as)
	}
	return e.input(x, name)
}

// boxed reads a value in an interface.
func (e *encoder) boxed(x any, t reflect.Type) sondevalue.Value {
	p := reflect.New(t)
	p.Elem().Set(reflect.ValueOf(x))
	return e.value(t, p.UnsafePointer())
}

// instance returns the number of an object that is called.
func (e *encoder) instance(x any) int {
	if x == nil {
		return 0
	}
	key := x
	v := reflect.ValueOf(x)
	switch {
	case v.Kind() == reflect.Func:
		key = variable{at: v.UnsafePointer(), as: v.Type()}
		if p := closureOf(x); p != nil {
			key = variable{at: p, as: v.Type()}
		}
	case !v.Comparable():
		key = variable{as: v.Type()} // a struct with a slice, for example
	}
	if e.instances[key] == 0 {
		e.instances[key] = len(e.instances) + 1
	}
	return e.instances[key]
}

// closureOf returns the address of a closure.
func closureOf(fn any) unsafe.Pointer {
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&fn))[1]
}

// value reads the value of a type at an address.
//
//go:norace
func (e *encoder) value(t reflect.Type, p unsafe.Pointer) (v sondevalue.Value) {
	if e.nesting == maxNesting {
		return e.limit("values are nested too deeply")
	}
	e.nesting++
	defer func() { e.nesting-- }()
	if e.bytes++; e.bytes > maxBytes {
		return e.limit("its values are too large")
	}
	if v, ok := e.special(t, p); ok {
		return v
	}
	switch t.Kind() {
	case reflect.String:
		return e.text(*(*string)(p))
	case reflect.Pointer:
		return e.pointer(t, *(*unsafe.Pointer)(p))
	case reflect.Slice:
		return e.slice(t, p)
	case reflect.Array:
		return e.list(t, p, t.Len())
	case reflect.Map:
		return e.mapRef(t, p)
	case reflect.Struct:
		return e.structure(t, p)
	case reflect.Interface:
		x := interfaceAt(t, p)
		if x == nil {
			return sondevalue.Value{}
		}
		return e.inInterface(x, typeName(t))
	case reflect.Func:
		return e.function(t, p)
	case reflect.Chan, reflect.UnsafePointer:
		if *(*unsafe.Pointer)(p) == nil {
			return sondevalue.Value{}
		}
		return e.unread("a " + t.Kind().String())
	}
	return scalar(t.Kind(), p)
}

// interfaceAt returns what is in an interface.
//
//go:norace
func interfaceAt(t reflect.Type, p unsafe.Pointer) any {
	if t.NumMethod() == 0 {
		return *(*any)(p)
	}
	return *(*interface{ M() })(p)
}

//go:norace
func scalar(k reflect.Kind, p unsafe.Pointer) sondevalue.Value {
	text := ""
	switch k {
	case reflect.Bool:
		if *(*bool)(p) {
			text = "true"
		}
	case reflect.Int:
		text = strconv.Itoa(*(*int)(p))
	case reflect.Int8:
		text = strconv.Itoa(int(*(*int8)(p)))
	case reflect.Int16:
		text = strconv.Itoa(int(*(*int16)(p)))
	case reflect.Int32:
		text = strconv.Itoa(int(*(*int32)(p)))
	case reflect.Int64:
		text = strconv.FormatInt(*(*int64)(p), 10)
	case reflect.Uint:
		text = strconv.FormatUint(uint64(*(*uint)(p)), 10)
	case reflect.Uint8:
		text = strconv.Itoa(int(*(*uint8)(p)))
	case reflect.Uint16:
		text = strconv.Itoa(int(*(*uint16)(p)))
	case reflect.Uint32:
		text = strconv.FormatUint(uint64(*(*uint32)(p)), 10)
	case reflect.Uint64:
		text = strconv.FormatUint(*(*uint64)(p), 10)
	case reflect.Uintptr:
		text = strconv.FormatUint(uint64(*(*uintptr)(p)), 10)
	case reflect.Float32:
		text = strconv.FormatFloat(float64(*(*float32)(p)), 'g', -1, 32)
	case reflect.Float64:
		text = strconv.FormatFloat(*(*float64)(p), 'g', -1, 64)
	case reflect.Complex64:
		text = strconv.FormatComplex(complex128(*(*complex64)(p)), 'g', -1, 64)
	case reflect.Complex128:
		text = strconv.FormatComplex(*(*complex128)(p), 'g', -1, 128)
	}
	if text == "" || text == "0" || text == "(0+0i)" {
		return sondevalue.Value{}
	}
	return sondevalue.Value{Kind: sondevalue.Scalar, Text: text}
}

func (e *encoder) text(s string) sondevalue.Value {
	if e.bytes += len(s); e.bytes > maxBytes {
		return e.limit("its values are too large")
	}
	switch {
	case s == "":
		return sondevalue.Value{}
	case utf8.ValidString(s):
		return sondevalue.Value{Kind: sondevalue.String, Text: strings.Clone(s)}
	}
	return sondevalue.Value{Kind: sondevalue.String, Bytes: []byte(s)}
}

// refer returns a value that refers to a variable, and stores the variable's own value, which read reads.
func (e *encoder) refer(k sondevalue.Kind, v variable, read func() sondevalue.Value) sondevalue.Value {
	n := e.variables[v]
	if n == 0 {
		n = len(e.variables) + 1
		e.variables[v] = n
	}
	if _, known := e.objects[n]; !known {
		e.objects[n] = sondevalue.Value{} // ends cycles
		e.objects[n] = read()
	}
	return sondevalue.Value{Kind: k, Ref: n}
}

func (e *encoder) pointer(t reflect.Type, p unsafe.Pointer) sondevalue.Value {
	if p == nil {
		return sondevalue.Value{}
	}
	return e.refer(sondevalue.Pointer, variable{p, t, 0}, func() sondevalue.Value { return e.value(t.Elem(), p) })
}

// sliceHeader is the memory of a slice.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

//go:norace
func (e *encoder) slice(t reflect.Type, p unsafe.Pointer) sondevalue.Value {
	s := *(*sliceHeader)(p)
	if s.data == nil {
		return sondevalue.Value{}
	}
	return e.refer(sondevalue.Slice, variable{s.data, t, s.len}, func() sondevalue.Value { return e.list(t, s.data, s.len) })
}

// list reads the elements of a slice or of an array.
//
//go:norace
func (e *encoder) list(t reflect.Type, p unsafe.Pointer, n int) sondevalue.Value {
	of := t.Elem()
	if of.Kind() == reflect.Uint8 {
		if e.bytes += n; e.bytes > maxBytes {
			return e.limit("its values are too large")
		}
		return sondevalue.Value{Kind: sondevalue.Bytes, Bytes: append([]byte{}, unsafe.Slice((*byte)(p), n)...)}
	}
	if n > maxElements {
		return e.limit("a list has more than 2000 elements")
	}
	v := sondevalue.Value{Kind: sondevalue.List}
	for i := range n {
		v.Elems = append(v.Elems, e.value(of, unsafe.Add(p, uintptr(i)*of.Size())))
	}
	return v
}

//go:norace
func (e *encoder) mapRef(t reflect.Type, p unsafe.Pointer) sondevalue.Value {
	at := *(*unsafe.Pointer)(p)
	if at == nil {
		return sondevalue.Value{}
	}
	return e.refer(sondevalue.MapRef, variable{at, t, 0}, func() sondevalue.Value { return e.entries(t, p) })
}

func (e *encoder) entries(t reflect.Type, p unsafe.Pointer) sondevalue.Value {
	m := reflect.NewAt(t, p).Elem()
	v := sondevalue.Value{Kind: sondevalue.Map}
	if m.Len() > maxElements {
		return e.limit("a map has more than 2000 entries")
	}
	key, value := reflect.New(t.Key()), reflect.New(t.Elem())
	for i := m.MapRange(); i.Next(); {
		key.Elem().SetIterKey(i)
		value.Elem().SetIterValue(i)
		v.Entries = append(v.Entries, sondevalue.Entry{
			Key: e.value(t.Key(), key.UnsafePointer()), Value: e.value(t.Elem(), value.UnsafePointer()),
		})
	}
	return v
}

func (e *encoder) structure(t reflect.Type, p unsafe.Pointer) sondevalue.Value {
	only := e.only
	e.only = nil // it is for the receiver itself
	unlock, ok := tryLock(t, p)
	if !ok {
		return e.limit("a mutex is locked")
	}
	defer unlock()
	v := sondevalue.Value{Kind: sondevalue.Struct}
	facts := factsOf(t)
	for i := range facts.fields {
		f := &facts.fields[i]
		at := unsafe.Add(p, f.Offset)
		switch {
		case only != nil && !only.reads(f.Name), f.Name == "_":
			continue
		case facts.foreign && !f.IsExported():
			if !isZero(at, f.Type.Size()) {
				v.Text = "without hidden fields"
			}
			continue
		}
		if value := e.value(f.Type, at); value.Kind != sondevalue.Zero {
			v.Fields = append(v.Fields, sondevalue.Field{Name: f.Name, Value: value})
		}
	}
	return v
}

// isZero reports whether memory has only zeros.
//
//go:norace
func isZero(p unsafe.Pointer, size uintptr) bool {
	for i := range size {
		if *(*byte)(unsafe.Add(p, i)) != 0 {
			return false
		}
	}
	return true
}

//go:norace
func (e *encoder) function(t reflect.Type, p unsafe.Pointer) sondevalue.Value {
	closure := *(*unsafe.Pointer)(p)
	if closure == nil {
		return sondevalue.Value{}
	}
	v := sondevalue.Value{Kind: sondevalue.Func, Instance: e.instance(reflect.NewAt(t, p).Elem().Interface())}
	if f := runtime.FuncForPC(*(*uintptr)(closure)); f != nil {
		v.Text = f.Name()
	}
	return v
}

// inInterface reads what is in an interface.
func (e *encoder) inInterface(x any, as string) sondevalue.Value {
	t := reflect.TypeOf(x)
	v, ok := e.known(x, as)
	switch {
	case ok:
	case mocked[as]:
		v = sondevalue.Value{Kind: sondevalue.Mock, Instance: e.instance(x)}
		if factsOf(t).responds {
			v.Elems = []sondevalue.Value{responseOf(x)}
		}
	default:
		v = e.boxed(x, t)
		v.Instance = e.instance(x)
	}
	v.Type = typeName(t)
	return v
}

// changes removes the objects from after that are the same in before.
func (e *encoder) changes(before, after map[int]sondevalue.Value) {
	for n, v := range after {
		if old, ok := before[n]; ok && reflect.DeepEqual(old, v) {
			delete(after, n)
		}
	}
}

// newTypeName returns the name of a type for typeName.
func newTypeName(t reflect.Type) string {
	if t.Name() != "" {
		if t.PkgPath() == "" {
			return t.Name()
		}
		return t.PkgPath() + "." + t.Name()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + typeName(t.Elem())
	case reflect.Slice:
		return "[]" + typeName(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + typeName(t.Elem())
	case reflect.Map:
		return "map[" + typeName(t.Key()) + "]" + typeName(t.Elem())
	}
	return t.String()
}
