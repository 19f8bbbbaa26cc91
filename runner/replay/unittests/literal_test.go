package unittests

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"sonde/assets/probe/sondevalue"
)

const literalSource = `package p

import (
	"errors"
	"time"
)

type Status string

type Order struct {
	ID    string
	Lines []Line
	At    time.Time
	State Status
	Next  *Order
	Any   any
	Err   error
	Count map[string]*int
	Raw   [2]byte
	Tags  []byte
	Do    func(int) error
}

type Line struct{ Name string; Price float64 }

type Box[T any] struct{ Item T }

var ErrGone = errors.New("gone")

func Do(int) error { return nil }
`

// literalBuilder returns a builder for a package with literalSource.
func literalBuilder(t *testing.T) *fileBuilder {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", literalSource, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.ForCompiler(fset, "source", nil)}).Check("example.com/p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := &fileBuilder{pkg: pkg, types: newTypeFinder(pkg), taken: map[string]bool{}}
	f.reset()
	return f
}

func text(s string) sondevalue.Value { return sondevalue.Value{Kind: sondevalue.String, Text: s} }

func number(s string) sondevalue.Value { return sondevalue.Value{Kind: sondevalue.Scalar, Text: s} }

func ref(k sondevalue.Kind, n int) sondevalue.Value { return sondevalue.Value{Kind: k, Ref: n} }

// object returns a struct with one field.
func object(name string, v sondevalue.Value) sondevalue.Value {
	return sondevalue.Value{Kind: sondevalue.Struct, Fields: []sondevalue.Field{{Name: name, Value: v}}}
}

// in returns a value as it is recorded in an interface.
func in(v sondevalue.Value, t string) sondevalue.Value {
	v.Type = t
	return v
}

func TestLiterals(t *testing.T) {
	f := literalBuilder(t)
	objects := memory{{
		1: {Kind: sondevalue.Struct, Fields: []sondevalue.Field{{Name: "Name", Value: text("tea")}, {Name: "Price", Value: number("NaN")}}},
		2: {Kind: sondevalue.List, Elems: []sondevalue.Value{object("Name", text("x"))}},
		3: {Kind: sondevalue.Map, Entries: []sondevalue.Entry{{Key: text("b"), Value: ref(sondevalue.Pointer, 4)}, {Key: text("a")}}},
		4: number("5"),
		5: {Kind: sondevalue.Bytes, Bytes: []byte("ab\xff")},
		6: object("Next", ref(sondevalue.Pointer, 6)),
		7: object("s", text("no tea")),
		8: object("Item", number("3")),
	}}
	order := func(name string, v sondevalue.Value) sondevalue.Value {
		return in(object(name, v), "example.com/p.Order")
	}
	gone := sondevalue.Value{Kind: sondevalue.Global, Text: "example.com/p.ErrGone", Elems: []sondevalue.Value{text("gone")}}
	inner := in(gone, "*errors.errorString")
	wrapped := in(sondevalue.Value{Kind: sondevalue.Error, Text: "find 5%: gone", Elems: []sondevalue.Value{inner}}, "*fmt.wrapError")
	at := sondevalue.Value{Kind: sondevalue.Time, Text: "2026-01-02T03:04:05.000000006Z"}
	do := sondevalue.Value{Kind: sondevalue.Func, Text: "example.com/p.Do", Instance: 1}
	zeros := sondevalue.Value{Kind: sondevalue.Bytes, Bytes: []byte{0, 0}}
	raw := sondevalue.Value{Kind: sondevalue.Bytes, Bytes: []byte{1, 2}}
	anything := types.Universe.Lookup("any").Type()
	for want, v := range map[string]sondevalue.Value{
		`Order{ID: "a"}`:                                           order("ID", text("a")),
		"Order{ID: `say \"a\" \"b\"`}":                             order("ID", text(`say "a" "b"`)),
		"Order{ID: `{\"a\": \"b\"}` + \"\\n\"}":                    order("ID", text("{\"a\": \"b\"}\n")),
		`Order{State: "paid"}`:                                     order("State", text("paid")),
		`Order{Lines: []Line{{Name: "x"}}}`:                        order("Lines", ref(sondevalue.Slice, 2)),
		`Order{Count: map[string]*int{"a": nil, "b": unitVar(5)}}`: order("Count", ref(sondevalue.MapRef, 3)),
		`Order{Raw: [2]byte{1, 2}}`:                                order("Raw", raw),
		`Order{Tags: []byte("ab\xff")}`:                            order("Tags", ref(sondevalue.Slice, 5)),
		`Order{Any: &Line{Name: "tea", Price: math.NaN()}}`:        order("Any", in(ref(sondevalue.Pointer, 1), "*example.com/p.Line")),
		`Order{Any: int64(7)}`:                                     order("Any", in(number("7"), "int64")),
		`Order{Any: Status("new")}`:                                order("Any", in(text("new"), "example.com/p.Status")),
		`Order{Any: Box[int]{Item: 3}}`:                            order("Any", in(objects[0][8], "example.com/p.Box[int]")),
		`Order{Err: ErrGone}`:                                      order("Err", inner),
		`Order{Err: fmt.Errorf("find 5%%: %w", ErrGone)}`:          order("Err", wrapped),
		`Order{Err: errors.New("no tea")}`:                         order("Err", in(ref(sondevalue.Pointer, 7), "*errors.errorString")),
		`Order{At: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)}`:   order("At", at),
		`Order{Any: 5 * time.Minute}`:                              order("Any", in(number("300000000000"), "time.Duration")),
		`Order{Any: time.Hour}`:                                    order("Any", in(number("3600000000000"), "time.Duration")),
		`Order{Any: -20 * time.Millisecond}`:                       order("Any", in(number("-20000000"), "time.Duration")),
		`Order{Any: time.Duration(7)}`:                             order("Any", in(number("7"), "time.Duration")),
		`Order{Raw: [2]byte{}}`:                                    order("Raw", zeros),
		`Order{Do: Do}`:                                            order("Do", do),
	} {
		got, err := newLiterals(f).inInterface(v, anything, objects)
		if err != nil || got != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
	for why, v := range map[string]sondevalue.Value{
		"in a circle":         in(ref(sondevalue.Pointer, 6), "*example.com/p.Order"),
		"a value is no int":   in(number("5+f()"), "int"),
		"is not imported":     in(number("5"), "example.com/q.T"),
		"is hidden":           in(number("5"), "time.zone"),
		"a value is no int64": in(number("5+f()"), "time.Duration"),
		"has no field":        order("Other", text("a")),
		"a value is a file":   order("Next", sondevalue.Value{Kind: sondevalue.Unread, Text: "a file"}),
	} {
		got, err := newLiterals(f).inInterface(v, anything, objects)
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("got %s, %v, want an error with %q", got, err, why)
		}
	}
}
