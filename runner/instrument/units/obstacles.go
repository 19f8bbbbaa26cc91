package units

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
)

// obstacles returns the reasons why the inputs of a function cannot be written as Go values or mocks, one for each input.
func (f *finder) obstacles(fn *ast.FuncDecl) (all []string) {
	w := writer{own: f.pkg.Types, seen: map[types.Type]bool{}}
	note := func(name string, t types.Type) {
		if why := w.why(t); why != "" {
			all = append(all, fmt.Sprintf("%s is %s", name, why))
		}
	}
	for _, v := range inputsOf(f.pkg.TypesInfo, fn) {
		structure, is := structOf(v.Type())
		if !is || !w.isOwn(v.Type()) {
			note(v.Name(), v.Type())
			continue
		}
		used := f.reads.of(v, fn)
		for field := range structure.Fields() {
			if used.all || used.fields[field.Origin()] {
				note(v.Name()+"."+field.Name(), field.Type())
			}
		}
	}
	return all
}

// inputsOf returns the receiver and the parameters of a function. It leaves out those without a name, which the function
// cannot use.
func inputsOf(info *types.Info, fn *ast.FuncDecl) (all []*types.Var) {
	if recv := receiverOf(info, fn); recv != nil {
		all = append(all, recv)
	}
	for _, field := range fn.Type.Params.List {
		for _, name := range field.Names {
			if v, is := info.Defs[name].(*types.Var); is && v.Name() != "_" {
				all = append(all, v)
			}
		}
	}
	return all
}

// writer decides which types have values that can be written in a test of a package.
type writer struct {
	own  *types.Package
	seen map[types.Type]bool // types in progress, and types without an obstacle
}

// isOwn reports whether a test can write the fields of a type, because the type is declared in the package or has no name.
func (w writer) isOwn(t types.Type) bool {
	if p, is := t.Underlying().(*types.Pointer); is {
		t = p.Elem()
	}
	named, is := types.Unalias(t).(*types.Named)
	return !is || named.Obj().Pkg() == w.own
}

// why returns the reason why values of a type cannot be written, "" if they can. Interfaces and function values become
// mocks, unless the value that a run shows can be written.
func (w writer) why(t types.Type) string {
	if w.seen[t] {
		return ""
	}
	w.seen[t] = true
	why := w.obstacle(t)
	if why != "" {
		delete(w.seen, t)
	}
	return why
}

func (w writer) obstacle(t types.Type) string {
	if _, is := types.Unalias(t).(*types.TypeParam); is {
		return "of a type parameter"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			return "an unsafe pointer"
		}
	case *types.Chan:
		return "a channel"
	case *types.Pointer:
		return w.why(u.Elem())
	case *types.Slice:
		return w.why(u.Elem())
	case *types.Array:
		return w.why(u.Elem())
	case *types.Map:
		if why := w.why(u.Key()); why != "" {
			return why
		}
		return w.why(u.Elem())
	case *types.Struct:
		return w.structObstacle(t, u)
	}
	return ""
}

func (w writer) structObstacle(t types.Type, s *types.Struct) string {
	if !w.isOwn(t) {
		if hasKnownForm(t) {
			return ""
		}
		for field := range s.Fields() {
			if !field.Exported() {
				return "a " + typeName(t) + ", whose fields are hidden"
			}
		}
	}
	for field := range s.Fields() {
		if why := w.why(field.Type()); why != "" {
			return why
		}
	}
	return ""
}

// knownTypes are types with hidden fields whose values can be written all the same, by a function of their package or
// because their zero value is usable.
var knownTypes = []string{
	"time.Time", "time.Location", "sync.Mutex", "sync.RWMutex", "sync.Once", "sync.WaitGroup", "sync.Map", "sync.Pool",
	"net/url.URL", "net/url.Userinfo", "net/http.Request", "net/http.Client", "net/http.Response", "net/http.Cookie",
	"bytes.Buffer", "bytes.Reader", "strings.Builder", "strings.Reader", "bufio.Reader", "bufio.Writer",
	"log.Logger", "log/slog.Logger", "regexp.Regexp", "text/template.Template", "html/template.Template",
	"database/sql.NullString", "math/rand.Rand",
}

// hasKnownForm reports whether a type of another package is one of knownTypes, an atomic value, or can be written as text
// or as bytes that its own methods read.
func hasKnownForm(t types.Type) bool {
	named, is := types.Unalias(t).(*types.Named)
	if !is || named.Obj().Pkg() == nil {
		return false
	}
	pkg := named.Obj().Pkg().Path()
	return pkg == "sync/atomic" || slices.Contains(knownTypes, pkg+"."+named.Obj().Name()) ||
		hasMethods(t, "MarshalText", "UnmarshalText") || hasMethods(t, "MarshalJSON", "UnmarshalJSON") ||
		hasMethods(t, "MarshalBinary", "UnmarshalBinary")
}

// hasMethods reports whether a pointer to a type has methods.
func hasMethods(t types.Type, names ...string) bool {
	set := types.NewMethodSet(types.NewPointer(t))
	return !slices.ContainsFunc(names, func(name string) bool { return set.Lookup(nil, name) == nil })
}
