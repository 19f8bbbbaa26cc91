package sondeunits

import (
	"context"
	"encoding"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"sonde/assets/probe/sondevalue"
)

// special reads values of types that a test writes in another form than by their fields.
//
//go:norace
func (e *encoder) special(t reflect.Type, p unsafe.Pointer) (v sondevalue.Value, ok bool) {
	facts := factsOf(t)
	switch facts.name {
	case "time.Time":
		if at := *(*time.Time)(p); !at.IsZero() {
			v = sondevalue.Value{Kind: sondevalue.Time, Text: at.Format(time.RFC3339Nano)}
		}
		return v, true
	case "sync.Mutex", "sync.RWMutex", "sync.Once", "sync.WaitGroup", "sync.Pool", "sync.Cond":
		return v, true
	case "*net/http.Request":
		if *(*unsafe.Pointer)(p) == nil {
			return v, true
		}
		return e.request(t, p), true
	case "*time.Location", "*time.Timer", "*time.Ticker", "*reflect.rtype", "*os.File", "*net/http.Server":
		if *(*unsafe.Pointer)(p) == nil {
			return v, true
		}
		return e.unread("a " + t.String()), true
	}
	if t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer && t.Name() != "" && facts.foreign && facts.hidden {
		return e.marshalled(t, p)
	}
	return v, false
}

var textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()

// marshalled reads a value of another module that returns itself as text.
func (e *encoder) marshalled(t reflect.Type, p unsafe.Pointer) (v sondevalue.Value, ok bool) {
	if !factsOf(t).marshals || t.Kind() == reflect.Map || t.Kind() == reflect.Slice {
		return v, false
	}
	if isZero(p, t.Size()) {
		return v, true
	}
	text, err := reflect.NewAt(t, p).Elem().Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		return v, false
	}
	e.bytes += len(text)
	return sondevalue.Value{Kind: sondevalue.Marshal, Text: string(text)}, true
}

// readable are the types of the standard library whose hidden fields are read all the same.
var readable = map[string]bool{
	"errors.errorString": true, "net/url.Userinfo": true, "bytes.Buffer": true, "bytes.Reader": true, "strings.Reader": true,
	"strings.Builder": true, "math/big.Int": true,
}

// known reads what is in an interface of a type that has a form of its own.
func (e *encoder) known(x any, as string) (v sondevalue.Value, ok bool) {
	if name := globalName(x); name != "" {
		v = sondevalue.Value{Kind: sondevalue.Global, Text: name}
		if err, is := x.(error); is {
			v.Elems = []sondevalue.Value{e.text(err.Error())}
		}
		return v, true
	}
	switch as {
	case "context.Context":
		return e.context(x), true
	case "net/http.ResponseWriter":
		v = responseOf(x)
		v.Instance = e.instance(x)
		return v, true
	}
	t := reflect.TypeOf(x)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if err, is := x.(error); is {
		if facts := factsOf(t); facts.foreign && facts.hidden {
			return e.foreignError(err), true
		}
	}
	return v, false
}

// foreignError reads an error of another module, with the errors that it wraps.
func (e *encoder) foreignError(err error) sondevalue.Value {
	v := e.text(err.Error())
	v.Kind = sondevalue.Error
	var wrapped []error
	if one, is := any(err).(interface{ Unwrap() error }); is {
		wrapped = append(wrapped, one.Unwrap())
	} else if several, is := any(err).(interface{ Unwrap() []error }); is {
		wrapped = several.Unwrap()
	}
	for _, w := range wrapped {
		if w != nil && e.nesting < maxNesting {
			e.nesting++
			v.Elems = append(v.Elems, e.inInterface(w, "error"))
			e.nesting--
		}
	}
	return v
}

// context reads a context: the values that were added, and whether it is done.
func (e *encoder) context(x any) sondevalue.Value {
	v := sondevalue.Value{Kind: sondevalue.Context}
	c, ok := x.(context.Context)
	if !ok {
		return v
	}
	if err := c.Err(); err != nil {
		v.Text = err.Error()
	}
	for range maxNesting {
		parent, key, value := unwrapContext(reflect.ValueOf(c))
		if key != nil && !ofServer(key) {
			v.Entries = append(v.Entries, sondevalue.Entry{Key: e.inInterface(key, ""), Value: e.contextValue(value)})
		}
		if parent == nil {
			return v
		}
		c = parent
	}
	return v
}

func (e *encoder) contextValue(x any) sondevalue.Value {
	if x == nil {
		return sondevalue.Value{}
	}
	return e.inInterface(x, "")
}

// ofServer reports whether the key of a context belongs to net/http.
func ofServer(key any) bool { return strings.HasPrefix(typeName(reflect.TypeOf(key)), "*net/http.") }

// unwrapContext returns the parent of a context of package context, and its key and value if it has one.
func unwrapContext(v reflect.Value) (parent context.Context, key, value any) {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct || v.Type().PkgPath() != "context" || !v.CanAddr() {
		return nil, nil, nil
	}
	base := v.Addr().UnsafePointer()
	fields := factsOf(v.Type()).fields
	for i := range fields {
		f := &fields[i]
		at := unsafe.Add(base, f.Offset)
		switch {
		case f.Name == "Context", f.Name == "c" && f.Type.Kind() == reflect.Interface:
			parent = *(*context.Context)(at)
		case f.Name == "key":
			key = *(*any)(at)
		case f.Name == "val":
			value = *(*any)(at)
		case f.Name == "cancelCtx":
			if f.Type.Kind() == reflect.Struct {
				parent, _, _ = unwrapContext(reflect.NewAt(f.Type, at).Elem())
			}
		}
	}
	return parent, key, value
}

// requestFields are the fields of a request that are read.
var requestFields = []string{"Method", "URL", "Header", "Host", "RemoteAddr", "Form", "PostForm", "Pattern", "matches", "otherValues"}

// request reads a *http.Request. What the service reads of the body is copied on the way.
func (e *encoder) request(t reflect.Type, p unsafe.Pointer) sondevalue.Value {
	of, at := factsOf(t.Elem()), *(*unsafe.Pointer)(p)
	v := sondevalue.Value{Kind: sondevalue.Request}
	for _, name := range requestFields {
		if f := of.field(name); f != nil {
			if value := e.value(f.Type, unsafe.Add(at, f.Offset)); value.Kind != sondevalue.Zero {
				v.Fields = append(v.Fields, sondevalue.Field{Name: name, Value: value})
			}
		}
	}
	if f := of.field("Body"); f != nil {
		v.Bytes = e.body((*io.ReadCloser)(unsafe.Add(at, f.Offset)))
	}
	if f := of.field("ctx"); f != nil {
		if c := *(*context.Context)(unsafe.Add(at, f.Offset)); c != nil {
			v.Elems = []sondevalue.Value{e.context(c)}
		}
	}
	return v
}

// body returns what was read of a body since it was first seen in this invocation.
func (e *encoder) body(at *io.ReadCloser) []byte {
	if *at == nil || typeName(reflect.TypeOf(*at)) == "net/http.noBody" {
		return nil
	}
	b, ok := (*at).(*copiedBody)
	if !ok {
		b = &copiedBody{ReadCloser: *at}
		*at = b
	}
	if e.bodies == nil {
		e.bodies = map[*copiedBody]int{}
	}
	from, seen := e.bodies[b]
	read, whole := b.since(from)
	if !seen {
		e.bodies[b] = from + len(read)
		return nil
	}
	if !whole {
		e.fail("the body of a request is too large")
	}
	return read
}

// copiedBody is the body of a request. It keeps what is read.
type copiedBody struct {
	io.ReadCloser
	mu   sync.Mutex
	read []byte
	more bool // more was read than is kept
}

const maxBody = 64 << 10

// Read reads from the body.
func (b *copiedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.read)+n > maxBody {
		b.more = true
	} else {
		b.read = append(b.read, p[:n]...)
	}
	return n, err
}

// since returns what was read after the first n bytes, and whether that is all.
func (b *copiedBody) since(n int) (read []byte, whole bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]byte{}, b.read[n:]...), !b.more
}

// responseOf reads what was written to a http.ResponseWriter: its status and the number of bytes. Writers within others are
// looked up by their fields.
func responseOf(x any) sondevalue.Value {
	v := reflect.ValueOf(x)
	for depth := range 8 {
		for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			break
		}
		if typeName(v.Type()) == "net/http.response" {
			written := v.FieldByName("written").Int()
			return responseState(v.FieldByName("status").Int(), written, unsent(v.FieldByName("w"), written), depth > 0)
		}
		if status, body, ok := bufferedResponse(v); ok {
			return responseState(status, int64(len(body)), body, depth > 0)
		}
		next := reflect.Value{}
		for i := range v.NumField() {
			if t := typeName(v.Field(i).Type()); t == "net/http.ResponseWriter" || v.Type().Field(i).Anonymous && !next.IsValid() {
				next = v.Field(i)
			}
		}
		if !next.IsValid() {
			break
		}
		v = next
	}
	return sondevalue.Value{Kind: sondevalue.Response, Text: "?", Ref: -1}
}

// responseState returns what was written. If the writer is within another one, which may keep or compress what is written,
// the number of bytes is not known, and no status means nothing. body is what is still in a buffer.
func responseState(status, written int64, body []byte, within bool) sondevalue.Value {
	r := sondevalue.Value{Kind: sondevalue.Response, Ref: int(written)}
	if len(body) <= maxAnswer {
		r.Bytes = append([]byte(nil), body...)
	}
	if status != 0 {
		r.Text = strconv.FormatInt(status, 10)
	}
	if within {
		r.Ref = -1
		if r.Text == "" {
			r.Text = "?"
		}
	}
	return r
}

// bufferedResponse returns what is in a writer that keeps an answer in a buffer, such as that of http.TimeoutHandler. It is
// recognized by a number for the status and a bytes.Buffer.
func bufferedResponse(v reflect.Value) (status int64, body []byte, ok bool) {
	var buffered, numbered bool
	for i := range v.NumField() {
		f, t := v.Field(i), v.Type().Field(i)
		if f.Kind() == reflect.Pointer && !f.IsNil() {
			f = f.Elem()
		}
		switch {
		case typeName(f.Type()) == "bytes.Buffer":
			buffered = true
			body = f.FieldByName("buf").Bytes()[f.FieldByName("off").Int():]
		case f.Kind() == reflect.Int && isStatusName(t.Name):
			numbered = true
			status = f.Int()
		}
	}
	return status, body, buffered && numbered
}

// maxAnswer is the length of the longest body of an answer that is read.
const maxAnswer = 16 << 10

// unsent returns the bytes in a *bufio.Writer if they are all that was written, and nil otherwise.
func unsent(w reflect.Value, written int64) []byte {
	if w.Kind() != reflect.Pointer || w.IsNil() || w.Elem().FieldByName("n").Int() != written {
		return nil
	}
	return w.Elem().FieldByName("buf").Bytes()[:written]
}

// isStatusName reports whether a field has the name of a status.
func isStatusName(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "status") || strings.Contains(name, "code")
}

// locker is a mutex that can be tried.
type locker interface {
	TryLock() bool
	Unlock()
}

// readLocker locks a sync.RWMutex for reading.
type readLocker struct{ *sync.RWMutex }

func (l readLocker) TryLock() bool { return l.TryRLock() }
func (l readLocker) Unlock()       { l.RUnlock() }

// tryLock locks the mutexes of a struct, unless one of them is locked. Another goroutine may change the fields then.
func tryLock(t reflect.Type, p unsafe.Pointer) (unlock func(), ok bool) {
	var locked []locker
	unlock = func() {
		for _, l := range locked {
			l.Unlock()
		}
	}
	for _, m := range factsOf(t).mutexes {
		at := unsafe.Add(p, m.offset)
		if m.pointer {
			if at = *(*unsafe.Pointer)(at); at == nil {
				continue
			}
		}
		var l locker = (*sync.Mutex)(at)
		if m.reads {
			l = readLocker{(*sync.RWMutex)(at)}
		}
		if !l.TryLock() {
			unlock()
			return nil, false
		}
		locked = append(locked, l)
	}
	return unlock, true
}

// globals are the package-level variables that were registered.
var globals struct {
	sync.Mutex
	all   []global
	names atomic.Pointer[map[any]string] // nil until the first use
}

type global struct {
	name  string
	value func() any
}

// Global registers a package-level variable, by its import path and its name, as in "io.EOF".
func Global(name string, value func() any) {
	globals.Lock()
	defer globals.Unlock()
	globals.all = append(globals.all, global{name, value})
	globals.names.Store(nil)
}

// globalName returns the name of a package-level variable that has the value of x, "" if there is none.
func globalName(x any) string {
	v := reflect.ValueOf(x)
	if v.Kind() != reflect.Pointer && !v.Comparable() || v.Kind() != reflect.Pointer && v.Kind() != reflect.Struct {
		return ""
	}
	names := globals.names.Load()
	if names == nil {
		names = globalNames()
	}
	return (*names)[x]
}

// hasIdentity reports whether no other variable is likely to have the same value.
func hasIdentity(x any) bool {
	if x == nil {
		return false
	}
	v := reflect.ValueOf(x)
	return v.Comparable() && (v.Kind() == reflect.Pointer && !v.IsNil() || v.Kind() == reflect.Struct && v.NumField() > 0)
}

func globalNames() *map[any]string {
	globals.Lock()
	defer globals.Unlock()
	names := map[any]string{}
	for _, g := range globals.all {
		x := g.value()
		if !hasIdentity(x) {
			continue
		}
		if _, known := names[x]; !known {
			names[x] = g.name
		}
	}
	globals.names.Store(&names)
	return &names
}
