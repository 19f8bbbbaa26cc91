package unittests

import (
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"sonde/assets/probe/sondevalue"
	"sonde/runner/instrument/unitdata"
)

// unitTest is a generated test.
type unitTest struct {
	GeneratedTest
	doc        string
	lines      []string
	invocation *sondevalue.Invocation
	// mocksFunction reports whether the test mocks a function value that is called.
	mocksFunction bool
	inputs        []string // the names of guarded inputs, the outer ones first
}

// GeneratedTest describes a generated test.
type GeneratedTest struct {
	Name     string `json:"name"`
	Function string `json:"function"` // such as "(*Shop).Pay"
	Package  string `json:"package"`
	// Cases is the number of invocations, if the test has a table of them.
	Cases  int `json:"cases,omitempty"`
	Params int `json:"params"`
	Mocks  int `json:"mocks"` // number of mocked objects
	Stubs  int `json:"stubs"` // number of calls that mocks answer
	Lines  int `json:"lines"`
	// Output, Parameters and Calls are the numbers of what the three oracles check.
	Output     int `json:"output"`
	Parameters int `json:"parameters"`
	Calls      int `json:"calls"`
	// Loosened are the checks that the test does not make, because their values differ from run to run.
	Loosened []string `json:"loosened,omitempty"`
	// Mimics reports whether the test passed in each run.
	Mimics bool `json:"mimics"`
}

// testBuilder builds the test of one invocation.
type testBuilder struct {
	file     *fileBuilder
	manifest *unitdata.Manifest
	function unitdata.Function
	sig      *types.Signature
	inv      *sondevalue.Invocation
	loosened map[string]bool // checks that are left out
	optional optionalInputs

	lits   *literals
	test   *unitTest
	before memory
	after  memory
	names  map[string]bool // local variables
	// requests are the variables of requests within other values, by the reference of their URL.
	requests map[int]string
	// recorders are the variables of response writers within other values, by instance.
	recorders map[int]string
	setup     []string
	checks    []string
	args      []string
}

// build returns the test.
func (b *testBuilder) build() (*unitTest, error) {
	b.lits = newLiterals(b.file)
	b.before = memory{b.inv.Before.Objects}
	b.after = memory{b.inv.After.Objects, b.inv.Before.Objects}
	b.names, b.requests = map[string]bool{"t": true, "calls": true}, map[int]string{}
	b.recorders = map[int]string{}
	b.lits.request, b.lits.made, b.lits.recorder = b.inner, b.made, b.recorder
	b.test = &unitTest{GeneratedTest: GeneratedTest{
		Function: b.function.Name, Package: b.function.Package, Params: len(b.function.Params),
	}}
	for _, c := range b.inv.Calls {
		b.lits.called[c.Instance] = true
	}
	receiver, err := b.inputs()
	if err != nil {
		return nil, err
	}
	inputs := len(b.setup)
	b.lits.refers = false
	calls, err := b.expectedCalls()
	if err != nil {
		return nil, err
	}
	if b.lits.refers { // the calls use variables of the inputs
		b.setup, calls = append(b.setup, calls...), nil
	} else {
		b.setup, calls = b.setup[:inputs], slices.Concat(b.setup[inputs:], calls)
	}
	call, err := b.call(receiver)
	if err != nil {
		return nil, err
	}
	if b.test.Output+b.test.Parameters+b.test.Calls == 0 {
		return nil, errors.New("there is nothing to check")
	}
	b.assemble(calls, call)
	return b.test, nil
}

func (b *testBuilder) assemble(calls []string, call string) {
	lines := []string{}
	if len(calls) > 0 || b.test.Calls > 0 || len(b.lits.mocks) > 0 {
		lines = append(append(lines, b.lits.calls+" := &unitCalls{t: t}"), calls...)
		b.checks = append(b.checks, b.lits.calls+".check()")
	}
	if b.optional.guarded {
		lines = append(lines, "defer unitRecover(t)")
		b.test.inputs = b.optional.names
	}
	lines = append(lines, b.setup...)
	lines = append(lines, call)
	b.test.lines = slices.Concat(lines, b.checks)
}

// variable returns a new name for a local variable.
func (b *testBuilder) variable(name string) string {
	if name == "" || name == "_" {
		name = "arg"
	}
	free := name
	for i := 2; b.names[free] || b.file.imports.taken[free]; i++ {
		free = name + strconv.Itoa(i)
	}
	b.names[free] = true
	return free
}

// inputs writes the receiver and the arguments. It returns the expression of the receiver, "" for a function.
func (b *testBuilder) inputs() (receiver string, err error) {
	if err := b.shared(); err != nil {
		return "", err
	}
	if b.inv.Before.Receiver != nil {
		v := b.sig.Recv()
		receiver = b.variable(v.Name())
		b.lits.inputs, b.lits.path = &b.optional, receiver
		text, err := b.lits.as(receiver, func() (string, error) { return b.lits.typed(*b.inv.Before.Receiver, v.Type(), b.before) })
		b.lits.inputs = nil
		if err != nil {
			return "", err
		}
		b.setup = append(b.setup, receiver+" := "+text)
		b.declare(*b.inv.Before.Receiver, receiver)
	}
	for i, v := range b.inv.Before.Args {
		text, err := b.argument(i, v)
		if err != nil {
			return "", err
		}
		b.args = append(b.args, text)
	}
	return receiver, nil
}

// declare notes that a variable has a pointer.
func (b *testBuilder) declare(v sondevalue.Value, name string) {
	if v.Kind == sondevalue.Pointer {
		b.lits.variables[v.Ref] = name
	}
}

// shared declares variables for what several pointers point to.
func (b *testBuilder) shared() error {
	c := refCounter{memory: b.before, counts: map[int]int{}, types: map[int]types.Type{}}
	if b.inv.Before.Receiver != nil {
		c.count(*b.inv.Before.Receiver, b.sig.Recv().Type())
	}
	for i, v := range b.inv.Before.Args {
		c.count(v, b.sig.Params().At(i).Type())
	}
	for _, ref := range c.order {
		if c.counts[ref] < 2 {
			continue
		}
		name := b.variable("shared")
		text, err := b.lits.expr(sondevalue.Value{Kind: sondevalue.Pointer, Ref: ref}, c.types[ref], b.before)
		if err != nil {
			return err
		}
		b.setup = append(b.setup, name+" := "+text)
		b.lits.variables[ref] = name
	}
	return nil
}

// refCounter counts how many values point to each variable.
type refCounter struct {
	memory memory
	counts map[int]int
	types  map[int]types.Type
	order  []int // the innermost first
}

func (c *refCounter) count(v sondevalue.Value, t types.Type) {
	if v.Ref != 0 && (v.Kind == sondevalue.Pointer || v.Kind == sondevalue.Slice || v.Kind == sondevalue.MapRef) {
		if v.Kind == sondevalue.Pointer {
			c.counts[v.Ref]++
			if c.counts[v.Ref] > 1 {
				return
			}
			c.types[v.Ref] = t
		}
		content, ok := c.memory.at(v.Ref)
		if !ok {
			return
		}
		inner := t
		if p, is := t.Underlying().(*types.Pointer); is {
			inner = p.Elem()
		}
		c.count(content, inner)
		if v.Kind == sondevalue.Pointer {
			c.order = append(c.order, v.Ref)
		}
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			for _, value := range v.Fields {
				if value.Name == f.Name() {
					c.count(value.Value, f.Type())
				}
			}
		}
	case *types.Slice:
		for _, e := range v.Elems {
			c.count(e, u.Elem())
		}
	case *types.Map:
		for _, e := range v.Entries {
			c.count(e.Value, u.Elem())
		}
	}
}

// argument returns the expression of an argument. It declares a variable if the argument is long, or checked afterwards.
func (b *testBuilder) argument(i int, v sondevalue.Value) (string, error) {
	param := b.sig.Params().At(i)
	switch v.Kind {
	case sondevalue.Response:
		return b.responseWriter(i, param)
	case sondevalue.Request:
		return b.request(i, param, v)
	}
	text, err := b.lits.as(orName(param.Name()), func() (string, error) { return b.lits.expr(v, param.Type(), b.before) })
	if err != nil {
		return "", err
	}
	changed := b.changed(v, b.inv.After.Args[i])
	if text == "nil" || len(text) <= 40 && !strings.Contains(text, "\n") && !changed || b.lits.variables[v.Ref] == text && text != "" {
		return text, nil
	}
	name := b.variable(orName(param.Name()))
	typed, err := b.lits.typed(v, param.Type(), b.before)
	if err != nil {
		return "", err
	}
	if _, is := param.Type().Underlying().(*types.Interface); is && v.Kind == sondevalue.Mock {
		b.setup = append(b.setup, name+" := "+text)
		return name, nil
	}
	b.setup = append(b.setup, name+" := "+typed)
	b.declare(v, name)
	if changed {
		b.changes(name, param.Type(), v, b.inv.After.Args[i])
	}
	return name, nil
}

func orName(name string) string {
	if name == "" || name == "_" {
		return "arg"
	}
	return name
}

// The labels of the checks of an answer, and the length of the longest body that is checked.
const (
	statusLabel = "status"
	bodyLabel   = "body"
	lengthLabel = "body length"
	maxBody     = 2000
)

// responseWriter declares a recorder for a http.ResponseWriter, and checks what was written.
func (b *testBuilder) responseWriter(i int, param *types.Var) (string, error) {
	if typeString := types.TypeString(param.Type(), nil); typeString != responseType {
		return "", fmt.Errorf("a %s writes a response", typeString)
	}
	name := b.variable(orName(param.Name()))
	b.setup = append(b.setup, name+" := "+b.file.imports.std("net/http/httptest")+".NewRecorder()")
	return name, b.answer(name, b.inv.Before.Args[i], b.inv.After.Args[i])
}

// check adds a check of the output oracle, unless it is loosened.
func (b *testBuilder) check(label string, n int, line string) {
	if b.loosened[label] {
		why := "it differs from run to run"
		switch label {
		case bodyLabel:
			why += ", or from what was recorded, in which secrets are masked"
		case statusLabel, lengthLabel:
			why += ", or a function that is mocked here wrote the answer"
		}
		b.checks = append(b.checks, "// "+label+" is not checked: "+why+".")
		b.test.Loosened = append(b.test.Loosened, label)
		return
	}
	b.test.Output += n
	b.checks = append(b.checks, line)
}

// changed reports whether what a value refers to was changed by the function.
func (b *testBuilder) changed(before, after sondevalue.Value) bool {
	switch before.Kind {
	case sondevalue.Pointer, sondevalue.Slice, sondevalue.MapRef:
		return canonical(before, b.before) != canonical(after, b.after)
	}
	return false
}

// changes checks what the function changed in an argument.
func (b *testBuilder) changes(name string, t types.Type, before, after sondevalue.Value) {
	content, ok := b.after.at(after.Ref)
	p, is := t.Underlying().(*types.Pointer)
	if !ok || before.Ref != after.Ref {
		return
	}
	if !is {
		if text, ok := b.lits.whole(content, t, b.after); ok {
			b.check(name, 1, fmt.Sprintf("unitEqual(t, %q, %s, %s)", name, name, text))
		}
		return
	}
	b.fields(name, p.Elem(), before, content)
}

// fields checks the fields that differ in a struct, or the whole value of another type.
func (b *testBuilder) fields(name string, t types.Type, before, after sondevalue.Value) {
	old, _ := b.before.at(before.Ref)
	structure, is := t.Underlying().(*types.Struct)
	if !is {
		if text, ok := b.lits.whole(after, t, b.after); ok {
			b.check("*"+name, 1, fmt.Sprintf("unitEqual(t, %q, *%s, %s)", "*"+name, name, text))
		}
		return
	}
	for f := range structure.Fields() {
		was, is := fieldOf(old, f.Name()), fieldOf(after, f.Name())
		if canonical(was, b.before) == canonical(is, b.after) || !f.Exported() && f.Pkg() != b.file.pkg {
			continue
		}
		if text, ok := b.lits.whole(is, f.Type(), b.after); ok {
			label := name + "." + f.Name()
			b.check(label, 1, fmt.Sprintf("unitEqual(t, %q, %s, %s)", label, label, text))
		}
	}
}

func fieldOf(v sondevalue.Value, name string) sondevalue.Value {
	i := slices.IndexFunc(v.Fields, func(f sondevalue.Field) bool { return f.Name == name })
	if i < 0 {
		return sondevalue.Value{}
	}
	return v.Fields[i].Value
}

// call writes the call of the function under test and the checks of its results.
func (b *testBuilder) call(receiver string) (string, error) {
	args := slices.Clone(b.args)
	if b.sig.Variadic() {
		last := len(args) - 1
		if args[last] == "nil" {
			args = args[:last]
		} else {
			args[last] += "..."
		}
	}
	_, name, isMethod := strings.Cut(b.function.Name, ").")
	switch {
	case isMethod:
	case receiver != "":
		name = b.function.Name[strings.LastIndex(b.function.Name, ".")+1:]
	default:
		name = b.function.Name
	}
	if receiver != "" {
		name = receiver + "." + name
	}
	call := name + "(" + strings.Join(args, ", ") + ")"
	if b.inv.Panicked {
		b.test.Output++
		b.checks = append(b.checks, "if unitPanics(func() { "+call+" }) == nil {\nt.Error(\"[panic] it does not panic\")\n}")
		b.state(receiver)
		return "", nil
	}
	var names []string
	checked := false
	for i, v := range b.inv.Results {
		name, err := b.result(i, v)
		if err != nil {
			return "", err
		}
		names, checked = append(names, name), checked || name != "_"
	}
	b.state(receiver)
	switch {
	case checked:
		call = strings.Join(names, ", ") + " := " + call
	case len(names) > 0:
		call = strings.Join(names, ", ") + " = " + call
	}
	return call, nil
}

// result checks a result. It returns the name of the variable for it.
func (b *testBuilder) result(i int, v sondevalue.Value) (string, error) {
	t := b.sig.Results().At(i).Type()
	label := fmt.Sprintf("result %d", i+1)
	name := "got"
	isError := types.Identical(t, types.Universe.Lookup("error").Type())
	if isError {
		name = "err"
	}
	if v.Kind == sondevalue.Mock || v.Kind == sondevalue.Func || v.Kind == sondevalue.Response || v.Kind == sondevalue.Context ||
		v.Kind == sondevalue.Request || b.loosened[label] {
		if b.loosened[label] {
			b.check(label, 0, "")
		}
		return "_", nil
	}
	name = b.variable(name)
	var line string
	if isError && (v.Kind == sondevalue.Error || v.Type == "*errors.errorString" && v.Kind == sondevalue.Pointer) {
		line = b.errorCheck(label, name, v)
	} else {
		text, ok := b.lits.whole(v, t, b.after)
		if !ok {
			delete(b.names, name)
			return "_", nil // a result that cannot be written is not checked
		}
		line = fmt.Sprintf("unitEqual(t, %q, %s, %s)", label, name, text)
	}
	b.check(label, 1, line)
	return name, nil
}

// errorCheck returns the check of an error by its text and the package-level errors that it wraps.
func (b *testBuilder) errorCheck(label, name string, v sondevalue.Value) string {
	text := v.Text
	if v.Kind == sondevalue.Pointer {
		content, _ := b.after.at(v.Ref)
		text = fieldOf(content, "s").Text
	}
	args := []string{"t", strconv.Quote(label), name, quoted(text)}
	for all := v.Elems; len(all) > 0; all = all[0].Elems {
		if all[0].Kind == sondevalue.Global {
			if global, err := b.lits.global(all[0].Text); err == nil {
				args = append(args, global)
			}
			break
		}
	}
	return "unitError(" + strings.Join(args, ", ") + ")"
}

// state checks what the function changed in its receiver.
func (b *testBuilder) state(receiver string) {
	before, after := b.inv.Before.Receiver, b.inv.After.Receiver
	if before == nil || after == nil || before.Kind != sondevalue.Pointer || before.Ref != after.Ref {
		return
	}
	p, is := b.sig.Recv().Type().Underlying().(*types.Pointer)
	content, ok := b.after.at(after.Ref)
	if is && ok && canonical(*before, b.before) != canonical(*after, b.after) {
		b.fields(receiver, p.Elem(), *before, content)
	}
}
