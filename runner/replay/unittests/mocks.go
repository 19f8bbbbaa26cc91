package unittests

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// mockTypes are the types of the mocks of a package, one for each interface.
type mockTypes struct {
	file    *fileBuilder
	types   map[string]*mockType // by the name of the interface
	project *projectMocks        // the mocks of the project, if tests use them
	own     map[string]string    // why interfaces have no mock of the project
}

// mockType is a type that implements an interface with the methods that tests expect.
type mockType struct {
	name    string
	of      types.Type
	methods map[string]*types.Signature
	project *projectMock // the type is of the project, and name is a function that creates it
}

// value returns an expression that creates a mock.
func (m *mockTypes) value(t types.Type, calls, name string) (string, error) {
	one, err := m.of(t)
	switch {
	case err != nil:
		return "", err
	case one.project != nil:
		return fmt.Sprintf("%s(%s, %q)", one.name, calls, name), nil
	}
	return fmt.Sprintf("&%s{calls: %s, name: %q}", one.name, calls, name), nil
}

// isUsed reports whether tests create mocks of a type.
func (m *mockTypes) isUsed(name, inTests string) bool {
	return strings.Contains(inTests, "&"+name+"{") || strings.Contains(inTests, name+"(calls, ")
}

func (m *mockTypes) of(t types.Type) (*mockType, error) {
	key := types.TypeString(t, nil)
	if m.types[key] != nil {
		return m.types[key], nil
	}
	if !m.file.types.visible(t) {
		return nil, fmt.Errorf("the interface %s is hidden", t)
	}
	base := "Interface"
	if named, is := types.Unalias(t).(*types.Named); is {
		base = named.Obj().Name()
		if p := named.Obj().Pkg(); base == "Interface" && p != nil {
			base = p.Name() // such as engine.Interface
		}
	}
	prefix := "mock"
	var project *projectMock
	if m.project != nil {
		var why string
		if project, why = m.project.mockOf(t, m.file.pkg.Path()); project != nil {
			prefix = "newMock"
		} else {
			m.own[key] = why
		}
	}
	name := m.file.free(prefix + upper(base))
	m.types[key] = &mockType{name: name, of: t, methods: map[string]*types.Signature{}, project: project}
	return m.types[key], nil
}

// expect adds a method to the mock type of an interface.
func (m *mockTypes) expect(t types.Type, method string) error {
	one, err := m.of(t)
	if err != nil {
		return err
	}
	obj, _, _ := types.LookupFieldOrMethod(t, false, m.file.pkg, method)
	f, is := obj.(*types.Func)
	if !is {
		return fmt.Errorf("%s has no method %s", t, method)
	}
	if !m.file.types.visible(f.Type()) {
		return fmt.Errorf("the method %s of %s has a hidden type", method, t)
	}
	one.methods[method] = f.Signature()
	return nil
}

// text returns the declarations of the mock types, by their names.
func (m *mockTypes) text() map[string]string {
	all := map[string]string{}
	for _, t := range m.types {
		if t.project != nil {
			all[t.name] = m.constructor(t)
		} else {
			all[t.name] = m.declaration(t)
		}
	}
	return all
}

func (m *mockTypes) declaration(t *mockType) string {
	var b strings.Builder
	name := m.file.imports.typeName(t.of)
	fmt.Fprintf(&b, "// %s implements %s with the answers that a test expects. Other methods panic.\n", t.name, name)
	fmt.Fprintf(&b, "type %s struct {\n\t%s\n\tcalls *unitCalls\n\tname string\n}\n", t.name, name)
	for _, method := range slices.Sorted(maps.Keys(t.methods)) {
		params, args, results, values := m.signature(t.methods[method])
		fmt.Fprintf(&b, "\nfunc (m *%s) %s(%s) %s {\n", t.name, method, params, results)
		b.WriteString(body(`m.name+".`+method+`"`, "m.calls", args, values))
		b.WriteString("}\n")
	}
	return b.String()
}

// body returns the statements of a mocked method or function.
func body(name, calls string, args, values []string) string {
	call := fmt.Sprintf("%s.call(%s)", calls, strings.Join(append([]string{name}, args...), ", "))
	switch len(values) {
	case 0:
		return call + "\n"
	case 1:
		return "return " + strings.ReplaceAll(values[0], "$", call) + "\n"
	}
	return "c := " + call + "\nreturn " + strings.ReplaceAll(strings.Join(values, ", "), "$", "c") + "\n"
}

// function returns a function literal that is a mock.
func (m *mockTypes) function(calls, name string, sig *types.Signature) string {
	params, args, results, values := m.signature(sig)
	return fmt.Sprintf("func(%s) %s {\n%s}", params, results, body(fmt.Sprintf("%q", name), calls, args, values))
}

// signature returns the parameters, their names, the results, and expressions for the results, in which "$" is the call. No
// parameter has a reserved name.
func (m *mockTypes) signature(sig *types.Signature, reserved ...string) (params string, args []string, results string, values []string) {
	var all, types []string
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		name := fmt.Sprintf("a%d", i+1)
		if !slices.Contains(append(reserved, "", "_", "m", "c", "calls"), v.Name()) && !m.file.imports.taken[v.Name()] {
			name = v.Name()
		}
		typeName := m.file.imports.typeName(v.Type())
		if sig.Variadic() && i == sig.Params().Len()-1 {
			typeName = "..." + strings.TrimPrefix(typeName, "[]")
		}
		all, args = append(all, name+" "+typeName), append(args, name)
	}
	for i := range sig.Results().Len() {
		name := m.file.imports.typeName(sig.Results().At(i).Type())
		types = append(types, name)
		values = append(values, fmt.Sprintf("unitResult[%s]($, %d)", name, i))
	}
	results = strings.Join(types, ", ")
	if len(types) > 1 {
		results = "(" + results + ")"
	}
	return strings.Join(all, ", "), args, results, values
}
