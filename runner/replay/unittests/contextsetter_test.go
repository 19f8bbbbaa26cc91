package unittests

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"sonde/assets/probe/sondevalue"
)

const usersSource = `package users

import "context"

type User struct{ Name string }

type Plan struct{ Name string }

type Quota int

type key struct{}

type planKey struct{}

func NewContext(ctx context.Context, u User) context.Context { return context.WithValue(ctx, key{}, u) }

func newContext(ctx context.Context, u User) context.Context { return ctx }

func FromContext(ctx context.Context) User { return ctx.Value(key{}).(User) }

func WithPlan(ctx context.Context, p Plan) context.Context { return context.WithValue(ctx, planKey{}, p) }

func WithDefaultPlan(ctx context.Context, p Plan) context.Context { return context.WithValue(ctx, planKey{}, p) }
`

// A value with a hidden key is set by the one function of the key's package that takes a value of its type.
func TestContextSetters(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "users.go", usersSource, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	users, err := c.Check("example.com/users", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := literalBuilder(t)
	f.types.add(users)
	entry := func(key, value string) sondevalue.Entry {
		name := sondevalue.Field{Name: "Name", Value: text("ann")}
		return sondevalue.Entry{
			Key:   sondevalue.Value{Kind: sondevalue.Struct, Type: "example.com/users." + key},
			Value: sondevalue.Value{Kind: sondevalue.Struct, Type: "example.com/users." + value, Fields: []sondevalue.Field{name}},
		}
	}
	for name, c := range map[string]struct {
		entry sondevalue.Entry
		want  string
	}{
		"one setter":  {entry("key", "User"), `users.NewContext(context.Background(), users.User{Name: "ann"})`},
		"two setters": {entry("planKey", "Plan"), "context.Background()"},
		"no setter":   {entry("key", "Quota"), "context.Background()"},
		"other key":   {sondevalue.Entry{Key: in(ref(sondevalue.Pointer, 7), "*example.com/none.key")}, "context.Background()"},
	} {
		v := sondevalue.Value{Kind: sondevalue.Context, Entries: []sondevalue.Entry{c.entry}}
		if got, err := newLiterals(f).context(v, nil); err != nil || got != c.want {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, c.want)
		}
	}
}

// A function that returns a request with a value sets it, too.
func TestRequestSetters(t *testing.T) {
	http := types.NewPackage("net/http", "http")
	named := types.NewNamed(types.NewTypeName(token.NoPos, http, "Request", nil), types.NewStruct(nil, nil), nil)
	request := types.NewVar(token.NoPos, nil, "r", types.NewPointer(named))
	user := types.NewVar(token.NoPos, nil, "user", types.Typ[types.String])
	sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(request, user), types.NewTuple(request), false)
	if !sets(sig, requestType, types.Typ[types.String]) {
		t.Error("a setter is not found")
	}
	if sets(sig, contextType, types.Typ[types.String]) || sets(sig, requestType, types.Typ[types.Int]) {
		t.Error("a function of other types is a setter")
	}
}
