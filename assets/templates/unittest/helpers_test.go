package unittest

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"
	"unsafe"
)

// unitCalls are the calls that the mocks of a test expect. The mocks share it, so that their order is checked, too.
type unitCalls struct {
	t     *testing.T
	mu    sync.Mutex
	want  []*unitCall
	next  int            // the first call of want that may still be made in its place
	over  bool           // the calls were checked
	mocks map[string]any // those that unitMock has made, by name
}

// unitCall is a call that a mock expects, and what it answers.
type unitCall struct {
	name      string // such as "store.Find"
	args      []any
	results   []any
	effect    func(args []any)
	panicking bool
	unordered bool
	done      bool
}

// unitAny is an argument that is not checked.
type unitAny struct{}

// expect adds a call of a mock.
func (c *unitCalls) expect(name string, args ...any) *unitCall {
	w := &unitCall{name: name, args: args}
	c.want = append(c.want, w)
	return w
}

// returns sets the results of an expected call.
func (w *unitCall) returns(results ...any) *unitCall {
	w.results = results
	return w
}

// writes sets what an expected call writes into its arguments.
func (w *unitCall) writes(effect func(args []any)) *unitCall {
	w.effect = effect
	return w
}

// panics makes an expected call panic.
func (w *unitCall) panics() *unitCall {
	w.panicking = true
	return w
}

// inAnyOrder allows an expected call at any time: another goroutine makes it, or it is deferred.
func (w *unitCall) inAnyOrder() *unitCall {
	w.unordered = true
	return w
}

// call checks a call of a mock, and returns what it answers.
func (c *unitCalls) call(name string, args ...any) *unitCall {
	c.t.Helper()
	w := c.take(name, args)
	if w.effect != nil {
		w.effect(args)
	}
	if w.panicking {
		panic(name + " panics, as it was recorded")
	}
	return w
}

// take returns the expected call that a call is, and checks its place and its arguments.
func (c *unitCalls) take(name string, args []any) *unitCall {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		runtime.Goexit() // a goroutine that outlives the tested function: its later calls were not recorded
	}
	at := c.find(name, args)
	if at < 0 {
		c.t.Errorf("[calls] unexpected call %s%v", name, args)
		return &unitCall{}
	}
	w := c.want[at]
	w.done = true
	for c.next < at && (c.want[c.next].done || c.want[c.next].unordered) {
		c.next++
	}
	if !w.unordered && c.next < at {
		c.t.Errorf("[calls] call %d is %s, want %s", at+1, name, c.want[c.next].name)
	}
	for i, want := range w.args {
		if _, skip := want.(unitAny); !skip {
			unitEqual(c.t, fmt.Sprintf("call %d, argument %d of %s", at+1, i+1, name), args[i], want)
		}
	}
	return w
}

// find returns the index of the first expected call with the same arguments or, if there is none, of the first one of the
// same name. It returns -1 if there is none.
func (c *unitCalls) find(name string, args []any) int {
	named := -1
	for i, w := range c.want {
		if w.done || w.name != name {
			continue
		}
		if named < 0 {
			named = i
		}
		same := true
		for j, want := range w.args {
			_, skip := want.(unitAny)
			same = same && (skip || unitSame(args[j], want))
		}
		if same {
			return i
		}
	}
	return named
}

// unitMock returns the mock of a name. It creates it when it is needed first, because an object has one mock.
func unitMock[T any](c *unitCalls, name string, create func() T) T {
	if m, is := c.mocks[name].(T); is {
		return m
	}
	if c.mocks == nil {
		c.mocks = map[string]any{}
	}
	m := create()
	c.mocks[name] = m
	return m
}

// check reports the expected calls that were not made.
func (c *unitCalls) check() {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	for i, w := range c.want {
		if !w.done {
			c.t.Errorf("[calls] call %d, %s%v, was not made", i+1, w.name, w.args)
		}
	}
}

// unitResult returns a result of a call, the zero value if the call was not expected.
func unitResult[T any](c *unitCall, i int) (x T) {
	if i < len(c.results) && c.results[i] != nil {
		x = c.results[i].(T)
	}
	return x
}

// unitEqual checks a value.
func unitEqual(t *testing.T, what string, got, want any) {
	t.Helper()
	if !unitSame(got, want) {
		t.Errorf("[%s] got %#v, want %#v", what, got, want)
	}
}

// unitError checks an error by its text, and by the errors that it wraps.
func unitError(t *testing.T, what string, got error, text string, wrapped ...error) {
	t.Helper()
	if got == nil || got.Error() != text {
		t.Errorf("[%s] got error %v, want %q", what, got, text)
	}
	for _, w := range wrapped {
		if !errors.Is(got, w) {
			t.Errorf("[%s] %v does not wrap %v", what, got, w)
		}
	}
}

// unitPanics calls a function and returns what it panics with, nil if it does not panic.
func unitPanics(f func()) (with any) {
	defer func() { with = recover() }()
	f()
	return nil
}

// unitVar returns a pointer to a new variable.
func unitVar[T any](x T) *T { return &x }

// unitSame reports whether two values are deeply equal. Times are equal if they are the same instant, and functions if
// both are nil or neither is.
func unitSame(a, b any) bool {
	return reflect.DeepEqual(a, b) || unitSameValues(unitAddressable(a), unitAddressable(b), 0)
}

// unitAddressable returns a copy of a value whose fields have addresses, so that hidden ones can be read, too.
func unitAddressable(x any) reflect.Value {
	if x == nil {
		return reflect.Value{}
	}
	v := reflect.New(reflect.TypeOf(x)).Elem()
	v.Set(reflect.ValueOf(x))
	return v
}

func unitSameValues(a, b reflect.Value, depth int) bool {
	if !a.IsValid() || !b.IsValid() {
		return a.IsValid() == b.IsValid()
	}
	if a.Type() != b.Type() || depth > 50 {
		return false
	}
	switch a.Kind() {
	case reflect.Interface, reflect.Pointer:
		if a.IsNil() || b.IsNil() || a.Kind() == reflect.Pointer && a.Pointer() == b.Pointer() {
			return a.IsNil() == b.IsNil()
		}
		if a.Kind() == reflect.Interface {
			return a.Elem().Type() == b.Elem().Type() && unitSameValues(unitReadable(a.Elem()), unitReadable(b.Elem()), depth+1)
		}
		return unitSameValues(a.Elem(), b.Elem(), depth+1)
	case reflect.Struct:
		if a.Type() == reflect.TypeFor[time.Time]() {
			x, y := unitReadable(a).Interface().(time.Time), unitReadable(b).Interface().(time.Time)
			return x.Equal(y)
		}
		for i := 0; i < a.NumField(); i++ { // the language of a module may be older than range over integers
			if !unitSameValues(unitReadable(a.Field(i)), unitReadable(b.Field(i)), depth+1) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		if a.Kind() == reflect.Slice && a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		for i := 0; i < a.Len(); i++ {
			if !unitSameValues(a.Index(i), b.Index(i), depth+1) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		for _, k := range a.MapKeys() {
			x, y := a.MapIndex(k), b.MapIndex(k)
			if !y.IsValid() || !unitSameValues(unitReadable(x), unitReadable(y), depth+1) {
				return false
			}
		}
		return true
	case reflect.Func:
		return a.IsNil() == b.IsNil()
	case reflect.Chan, reflect.UnsafePointer:
		return a.Pointer() == b.Pointer()
	}
	return a.Equal(b)
}

// unitReadable returns a value without the mark that it comes from a hidden field.
func unitReadable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	if v.CanInterface() {
		return unitAddressable(v.Interface())
	}
	return v
}

// unitDone returns a context that is cancelled.
func unitDone(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx
}

// unitFromText returns a value that its type reads from text.
func unitFromText[T any](text string) (x T) {
	if err := any(&x).(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
		panic(err)
	}
	return x
}

// unitFile returns the content of a file of testdata/units_sonde.
func unitFile(name string) string {
	data, err := os.ReadFile(filepath.Join("testdata", "units_sonde", name))
	if err != nil {
		panic(err)
	}
	return string(data)
}
