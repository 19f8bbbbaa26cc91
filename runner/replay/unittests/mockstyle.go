package unittests

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// MockStyle is a library whose mocks tests can use.
type MockStyle string

// The styles of mocks. OwnMocks are types that the generated tests declare.
const (
	OwnMocks    MockStyle = ""
	GoMock      MockStyle = "gomock"
	TestifyMock MockStyle = "testify"
	Moq         MockStyle = "moq"
)

// MockStyles are the styles of libraries.
var MockStyles = []MockStyle{GoMock, TestifyMock, Moq}

const testifyPath = "github.com/stretchr/testify/mock"

// libraries are the modules of which one is required by mocks of a style. Mocks of moq need none.
var libraries = map[MockStyle][]string{
	GoMock: {"go.uber.org/mock", "github.com/golang/mock"}, TestifyMock: {"github.com/stretchr/testify"},
}

// OwnMock is an interface for which the project has no mock of the chosen style that tests can use.
type OwnMock struct {
	Package   string `json:"package"`
	Interface string `json:"interface"`
	Why       string `json:"why"`
}

// projectMock is a mock type of the module.
type projectMock struct {
	style    MockStyle
	pkg      *packages.Package
	name     string
	methods  map[string]string // keys of signatures by the names of methods
	funcs    map[string]bool   // methods with a field for their function (moq)
	called   map[string]bool   // methods that pass all their arguments to Called (testify)
	controls string            // the import path of gomock
}

// projectMocks are the mock types of a module.
type projectMocks struct {
	style   MockStyle
	all     []*projectMock
	imports map[string][]string // by the paths of the packages of the module
}

// findMocks finds the mock types of a module. It returns an error if there is none of the chosen style.
func findMocks(ctx context.Context, o Options) (*projectMocks, error) {
	g := packageGenerator{options: o}
	c := g.config(ctx)
	c.Tests = true
	loaded, err := packages.Load(c, "./...")
	if err != nil {
		return nil, fmt.Errorf("the mocks of the project cannot be read: %w", err)
	}
	found := &projectMocks{style: o.Mocks, imports: map[string][]string{}}
	others := map[MockStyle]bool{}
	for _, p := range loaded {
		if p.Types == nil || p.Name == "main" && strings.HasSuffix(p.ID, ".test") {
			continue
		}
		if !strings.HasSuffix(p.ID, "]") { // what the tests of a package import is no cycle
			for _, imported := range p.Imports {
				found.imports[p.PkgPath] = append(found.imports[p.PkgPath], imported.PkgPath)
			}
		}
		for _, m := range mocksOf(p) {
			others[m.style] = true
			if m.style == o.Mocks {
				found.all = append(found.all, m)
			}
		}
	}
	if len(found.all) == 0 {
		return nil, noMocks(o.Mocks, loaded, others)
	}
	slices.SortStableFunc(found.all, func(a, b *projectMock) int {
		return strings.Compare(a.pkg.PkgPath+"."+a.name, b.pkg.PkgPath+"."+b.name)
	})
	return found, nil
}

// noMocks says that a module has no mocks of a style, and what it has.
func noMocks(style MockStyle, loaded []*packages.Package, others map[MockStyle]bool) error {
	has := "no mocks of another style"
	if len(others) > 0 {
		var names []string
		for s := range maps.Keys(others) {
			names = append(names, string(s))
		}
		slices.Sort(names)
		has = "mocks of " + strings.Join(names, " and ")
	}
	module := "the module"
	if i := slices.IndexFunc(loaded, func(p *packages.Package) bool { return p.Module != nil }); i >= 0 {
		m := loaded[i].Module
		module += " " + m.Path
		goMod, err := os.ReadFile(m.GoMod)
		required := func(library string) bool { return strings.Contains(string(goMod), library+" ") }
		if l := libraries[style]; err == nil && len(l) > 0 && !slices.ContainsFunc(l, required) {
			return fmt.Errorf("--mocks %s: go.mod of %s does not require %s; it has %s: leave --mocks out, or name that style",
				style, module, strings.Join(l, " or "), has)
		}
	}
	return fmt.Errorf("--mocks %s: %s has no mocks of this style, and %s: leave --mocks out, or name that style", style, module, has)
}

// mocksOf returns the mock types that a package declares.
func mocksOf(p *packages.Package) (all []*projectMock) {
	called := calledMethods(p)
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		obj, is := scope.Lookup(name).(*types.TypeName)
		if !is || obj.IsAlias() {
			continue
		}
		named, is := obj.Type().(*types.Named)
		if !is || named.TypeParams().Len() > 0 {
			continue
		}
		structure, is := named.Underlying().(*types.Struct)
		if !is {
			continue
		}
		m := &projectMock{pkg: p, name: name, methods: map[string]string{}, funcs: map[string]bool{}, called: called[name]}
		for method := range types.NewMethodSet(types.NewPointer(named)).Methods() {
			m.methods[method.Obj().Name()] = typeKey(method.Type())
		}
		m.setStyle(structure, scope)
		if m.style != OwnMocks {
			all = append(all, m)
		}
	}
	return all
}

// setStyle sets the style of a type, OwnMocks if it is no mock.
func (m *projectMock) setStyle(structure *types.Struct, scope *types.Scope) {
	for field := range structure.Fields() {
		method, is := strings.CutSuffix(field.Name(), "Func")
		if is && m.methods[method] != "" && m.methods[method] == typeKey(field.Type()) {
			m.style, m.funcs[method] = Moq, true
		}
		if field.Embedded() && types.TypeString(field.Type(), nil) == testifyPath+".Mock" {
			m.style = TestifyMock
			return
		}
	}
	create, is := scope.Lookup("New" + m.name).(*types.Func)
	if !is || m.methods["EXPECT"] == "" || create.Signature().Params().Len() != 1 {
		return
	}
	control := types.TypeString(create.Signature().Params().At(0).Type(), nil)
	if of, is := strings.CutSuffix(strings.TrimPrefix(control, "*"), ".Controller"); is && path.Base(of) == "gomock" {
		m.style, m.controls = GoMock, of
	}
}

// calledMethods returns, by type, the methods that pass all their parameters to a method Called.
func calledMethods(p *packages.Package) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || f.Body == nil || !passesAll(f) {
				continue
			}
			recv := receiverName(f)
			if all[recv] == nil {
				all[recv] = map[string]bool{}
			}
			all[recv][f.Name.Name] = true
		}
	}
	return all
}

// passesAll reports whether a function calls a method Called with its parameters.
func passesAll(f *ast.FuncDecl) (passes bool) {
	var params []string
	for _, field := range f.Type.Params.List {
		for _, name := range field.Names {
			params = append(params, name.Name)
		}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is {
			return true
		}
		if s, is := call.Fun.(*ast.SelectorExpr); is && s.Sel.Name == "Called" {
			var args []string
			for _, arg := range call.Args {
				if id, is := arg.(*ast.Ident); is {
					args = append(args, id.Name)
				}
			}
			passes = passes || len(args) == len(call.Args) && slices.Equal(args, params)
		}
		return true
	})
	return passes
}

// typeKey returns a text that is equal for identical types, also of packages that were loaded twice.
func typeKey(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Signature:
		return "func" + tupleKey(t.Params()) + tupleKey(t.Results()) + fmt.Sprint(t.Variadic())
	case *types.Pointer:
		return "*" + typeKey(t.Elem())
	case *types.Slice:
		return "[]" + typeKey(t.Elem())
	case *types.Map:
		return "map[" + typeKey(t.Key()) + "]" + typeKey(t.Elem())
	default:
		return types.TypeString(t, nil)
	}
}

func tupleKey(t *types.Tuple) string {
	var all []string
	for v := range t.Variables() {
		all = append(all, typeKey(v.Type()))
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// mockOf returns the mock type for an interface that tests in a package can use. If there is none, it says why.
func (m *projectMocks) mockOf(t types.Type, own string) (found *projectMock, why string) {
	i, is := t.Underlying().(*types.Interface)
	if !is || i.NumMethods() == 0 {
		return nil, "it has no methods"
	}
	why = fmt.Sprintf("the project has no mock of it for %s", m.style)
	for _, mock := range m.all {
		if !mock.implements(i) {
			continue
		}
		switch unusable := m.unusable(mock, i, own); {
		case unusable != "":
			why = unusable
		case found == nil, mock.pkg.PkgPath == own && found.pkg.PkgPath != own:
			found = mock
		}
	}
	return found, why
}

func (m *projectMock) implements(i *types.Interface) bool {
	for method := range i.Methods() {
		if m.methods[method.Name()] != typeKey(method.Signature()) || m.style == Moq && !m.funcs[method.Name()] {
			return false
		}
	}
	return true
}

// unusable returns why tests in a package cannot use a mock.
func (m *projectMocks) unusable(mock *projectMock, i *types.Interface, own string) string {
	at := mock.pkg.PkgPath
	if at != own {
		parent, _, isInternal := strings.Cut("/"+at+"/", "/internal/")
		switch {
		case m.reaches(at, own, map[string]bool{}):
			return fmt.Sprintf("the package of the mock, %s, imports the tested package", at)
		case !ast.IsExported(mock.name), mock.pkg.Name == "main", strings.Contains(mock.pkg.ID, " ["),
			isInternal && !strings.HasPrefix("/"+own+"/", parent+"/"):
			return fmt.Sprintf("the tested package cannot import the mock of %s", at)
		}
	} else if strings.HasSuffix(mock.pkg.Name, "_test") {
		return "its mock is in an external test"
	}
	for method := range i.Methods() {
		switch {
		case at != own && !method.Exported():
			return "it has methods that are not exported"
		case m.style != Moq && method.Signature().Variadic():
			return fmt.Sprintf("its method %s is variadic", method.Name())
		case m.style == TestifyMock && !mock.called[method.Name()]:
			return fmt.Sprintf("the mock %s does not pass the arguments of %s to Called", mock.name, method.Name())
		}
	}
	return ""
}

// reaches reports whether a package imports another one, directly or indirectly.
func (m *projectMocks) reaches(from, to string, seen map[string]bool) bool {
	seen[from] = true
	return slices.ContainsFunc(m.imports[from], func(p string) bool {
		return p == to || !seen[p] && m.reaches(p, to, seen)
	})
}

// constructor returns the declaration of a function that creates a mock of the project for a test.
func (m *mockTypes) constructor(t *mockType) string {
	typeName, prefix := t.project.name, ""
	if p := t.project.pkg; p.PkgPath != m.file.pkg.Path() {
		prefix = m.file.imports.use(p.PkgPath, p.Name) + "."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// %s returns a %s%s with the answers that a test expects.\n", t.name, prefix, typeName)
	fmt.Fprintf(&b, "func %s(calls *unitCalls, name string) *%s%s {\n", t.name, prefix, typeName)
	fmt.Fprintf(&b, "return unitMock(calls, name, func() *%s%s {\n", prefix, typeName)
	if t.project.style == GoMock {
		gomock := m.file.imports.use(t.project.controls, "gomock")
		fmt.Fprintf(&b, "m := %sNew%s(%s.NewController(calls.t))\n", prefix, typeName, gomock)
	} else {
		fmt.Fprintf(&b, "m := &%s%s{}\n", prefix, typeName)
	}
	for _, method := range slices.Sorted(maps.Keys(t.methods)) {
		b.WriteString(m.expected(t, method))
	}
	b.WriteString("return m\n})\n}\n")
	return b.String()
}

// expected returns the statements that let a mock of the project answer calls of a method.
func (m *mockTypes) expected(t *mockType, method string) string {
	params, args, results, values := m.signature(t.methods[method], "name")
	name := `name+".` + method + `"`
	function := fmt.Sprintf("func(%s) %s {\n%s}", params, results, body(name, "calls", args, values))
	anything := func(of string) string { return strings.Join(slices.Repeat([]string{of}, len(args)), ", ") }
	switch t.project.style {
	case GoMock:
		gomock := m.file.imports.use(t.project.controls, "gomock")
		return fmt.Sprintf("m.EXPECT().%s(%s).DoAndReturn(%s).AnyTimes()\n", method, anything(gomock+".Any()"), function)
	case TestifyMock:
		mock := m.file.imports.use(testifyPath, "mock")
		on := "on" + upper(method)
		matchers := fmt.Sprintf("%q", method) + strings.Repeat(", "+mock+".Anything", len(args))
		call := fmt.Sprintf("calls.call(%s, args...)", name)
		if len(values) > 0 {
			call = fmt.Sprintf("c := %s\n%s.ReturnArguments = %s.Arguments{%s}", call, on, mock,
				strings.ReplaceAll(strings.Join(values, ", "), "$", "c"))
		}
		return fmt.Sprintf("%s := m.On(%s).Maybe()\n%s.Run(func(args %s.Arguments) {\n%s\n})\n", on, matchers, on, mock, call)
	default:
		return fmt.Sprintf("m.%sFunc = %s\n", method, function)
	}
}
