package unittests

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"unicode"

	"sonde/assets/probe/sondevalue"
	"sonde/runner/instrument/unitdata"

	"golang.org/x/tools/go/packages"
)

// Options say how to generate tests.
type Options struct {
	Dir    string // a folder of the module
	Tags   string // build tags, separated by commas
	Vendor bool
	// Runs is the number of times that the tests are run to see which of them mimic; 0 means that they are not run.
	Runs int
	// Functions are the names of the functions to test; all if it is empty.
	Functions []string
	// Mocks is the style of the project's mocks that the tests use where the project has one.
	Mocks MockStyle
}

// Result are the generated tests.
type Result struct {
	// Files are the written files with tests.
	Files []string        `json:"files"`
	Tests []GeneratedTest `json:"tests"`
	// Omitted are invocations without a test, and tests that do not mimic.
	Omitted []OmittedInvocation `json:"omitted,omitempty"`
	// OwnMocks are the interfaces for which the project has no mock of the chosen style.
	OwnMocks []OwnMock `json:"own_mocks,omitempty"`
	// Invoked is the number of functions with invocations, and Invocations the number of these.
	Invoked     int `json:"invoked"`
	Invocations int `json:"invocations"`
	// Functions is the number of functions under test of the build.
	Functions int `json:"functions"`
	// Written is the number of tests that were written before they were tried.
	Written int `json:"written"`
}

// OmittedInvocation is an invocation without a test.
type OmittedInvocation struct {
	Package  string `json:"package"`
	Function string `json:"function"`
	// Invocation is the number of the invocation in its process.
	Invocation int    `json:"invocation"`
	Why        string `json:"why"`
}

// maxTestLines is the number of lines of the longest test, and maxPlainLines the one before repeated values are shared.
const (
	maxTestLines  = 120
	maxPlainLines = 600
)

// Generate writes tests of the recorded invocations into the packages of a module. It runs them, and leaves out those that
// do not pass each time.
func Generate(ctx context.Context, m *unitdata.Manifest, r unitdata.Recording, o Options) (*Result, error) {
	result := &Result{Functions: len(m.Functions), Invocations: len(r.Invocations)}
	byPackage := map[string][]*sondevalue.Invocation{}
	invoked := map[int]bool{}
	for i := range r.Invocations {
		inv := &r.Invocations[i]
		f := m.Functions[inv.Function]
		if len(o.Functions) > 0 && !slices.Contains(o.Functions, f.Name) {
			continue
		}
		invoked[inv.Function] = true
		byPackage[f.Package] = append(byPackage[f.Package], inv)
	}
	result.Invoked = len(invoked)
	var paths []string
	for path := range byPackage {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	var mocks *projectMocks
	if o.Mocks != OwnMocks {
		var err error
		if mocks, err = findMocks(ctx, o); err != nil {
			return result, err
		}
	}
	for _, path := range paths {
		g := packageGenerator{
			options: o, manifest: m, result: result, path: path, mocks: mocks,
			loosened: map[*sondevalue.Invocation]map[string]bool{}, dropped: map[*sondevalue.Invocation]string{},
			needless: map[*sondevalue.Invocation]map[string]bool{},
		}
		if err := g.generate(ctx, byPackage[path]); err != nil {
			return result, err
		}
	}
	return result, nil
}

// packageGenerator generates the tests of a package.
type packageGenerator struct {
	options  Options
	manifest *unitdata.Manifest
	result   *Result
	path     string
	pkg      *packages.Package
	mocks    *projectMocks // nil if tests have mocks of their own
	file     *fileBuilder
	tests    []*unitTest
	omitted  []OmittedInvocation
	loosened map[*sondevalue.Invocation]map[string]bool // labels of checks
	dropped  map[*sondevalue.Invocation]string          // why tests are left out
	needless map[*sondevalue.Invocation]map[string]bool // inputs that make no difference
	guarded  bool                                       // tests are built with guards around inputs
	env      []string                                   // of the tests
}

const neededOfPackage = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedModule | packages.NeedTypes |
	packages.NeedSyntax | packages.NeedTypesInfo

func (g *packageGenerator) generate(ctx context.Context, all []*sondevalue.Invocation) error {
	loaded, err := packages.Load(g.config(ctx), g.path)
	if err != nil {
		return fmt.Errorf("the package %s cannot be read: %w", g.path, err)
	}
	if len(loaded) != 1 || len(loaded[0].Errors) > 0 || len(loaded[0].GoFiles) == 0 {
		return fmt.Errorf("the package %s cannot be read: go to the folder of its module, or name it by --dir", g.path)
	}
	g.pkg = loaded[0]
	if m := g.pkg.Module; m == nil || m.Path != g.manifest.Module {
		return fmt.Errorf("the recording is of the module %s: go to its folder, or name it by --dir", g.manifest.Module)
	}
	if g.file, err = newFileBuilder(g.pkg, g.mocks); err != nil {
		return err
	}
	if err := g.build(all); err != nil {
		return err
	}
	g.result.Written += len(g.tests)
	if g.options.Runs > 0 && len(g.tests) > 0 {
		if err := g.try(ctx, all); err != nil {
			return err
		}
		if err := g.minimize(ctx, all); err != nil {
			return err
		}
	}
	if err := g.finish(ctx); err != nil {
		return err
	}
	g.result.Omitted = append(g.result.Omitted, g.omitted...)
	return nil
}

// finish writes the tests in their best layout. If they do not compile or pass in it, they stay as they were tried.
func (g *packageGenerator) finish(ctx context.Context) error {
	l, err := g.bestLayout(ctx)
	if err == nil {
		err = l.write()
	}
	if err != nil || g.options.Runs > 0 && !g.passes(ctx, l.tests) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if l, err = g.plainLayout(); err != nil {
			return err
		}
		if err := l.write(); err != nil {
			return err
		}
	}
	for _, t := range g.tests {
		if why := l.long[t.Name]; why != "" {
			o := OmittedInvocation{Package: t.Package, Function: t.Function, Invocation: t.invocation.Number, Why: why}
			g.omitted = append(g.omitted, o)
		}
	}
	for _, t := range l.tests {
		t.Mimics = g.options.Runs > 0
		g.result.Tests = append(g.result.Tests, t)
	}
	if len(l.decls) == 0 && len(g.file.kept.decls) == 0 {
		return g.file.remove()
	}
	for _, key := range slices.Sorted(maps.Keys(g.file.mocks.own)) {
		g.result.OwnMocks = append(g.result.OwnMocks, OwnMock{Package: g.path, Interface: key, Why: g.file.mocks.own[key]})
	}
	if len(l.tests) > 0 {
		g.result.Files = append(g.result.Files, g.file.path())
	}
	return nil
}

func (g *packageGenerator) config(ctx context.Context) *packages.Config {
	c := &packages.Config{Context: ctx, Mode: neededOfPackage, Dir: g.options.Dir}
	c.BuildFlags = g.flags()
	return c
}

func (g *packageGenerator) flags() (flags []string) {
	if g.options.Tags != "" {
		flags = append(flags, "-tags="+g.options.Tags)
	}
	if g.options.Vendor {
		flags = append(flags, "-mod=vendor")
	}
	return flags
}

// build builds the tests of the invocations. Tests with equal source are built once.
func (g *packageGenerator) build(all []*sondevalue.Invocation) error {
	g.file.reset()
	g.tests, g.omitted = nil, nil
	seen := map[string]bool{}
	names := map[string]bool{}
	for _, inv := range all {
		f := g.manifest.Functions[inv.Function]
		omit := func(why string) {
			g.omitted = append(g.omitted, OmittedInvocation{Package: f.Package, Function: f.Name, Invocation: inv.Number, Why: why})
		}
		if why := g.dropped[inv]; why != "" {
			omit(why)
			continue
		}
		name := g.testName(f, inv, names)
		t, err := g.test(f, inv, name)
		if err != nil {
			omit(err.Error())
			continue
		}
		body := strings.Join(t.lines, "\n")
		if seen[body] {
			continue
		}
		if n := strings.Count(body, "\n") + 1; n > maxPlainLines {
			omit(tooLong(n))
			continue
		}
		seen[body], names[name] = true, true
		g.tests = append(g.tests, t)
	}
	return nil
}

// test builds one test.
func (g *packageGenerator) test(f unitdata.Function, inv *sondevalue.Invocation, name string) (*unitTest, error) {
	if inv.Why != "" {
		return nil, errors.New(inv.Why)
	}
	object := g.lookup(f.Name)
	if object == nil {
		return nil, errors.New("the function is no longer there: record it again")
	}
	sig := object.Signature()
	if sig.TypeParams() != nil || sig.RecvTypeParams() != nil {
		return nil, errors.New("it is generic")
	}
	if sig.Params().Len() != len(inv.Before.Args) || sig.Results().Len() != len(f.Results) {
		return nil, errors.New("the function has changed: record it again")
	}
	b := testBuilder{file: g.file, manifest: g.manifest, function: f, sig: sig, inv: inv, loosened: g.loosened[inv]}
	b.optional = optionalInputs{needless: g.needless[inv], guarded: g.guarded}
	t, err := b.build()
	if err != nil {
		return nil, err
	}
	t.Name, t.invocation = name, inv
	t.doc = fmt.Sprintf("calls %s as it was called when it was recorded.", f.Name)
	text, err := marked(t.declaration())
	if err != nil {
		return nil, err
	}
	t.Lines = strings.Count(text, "\n") - 3 // without the comment
	return t, nil
}

// lookup returns a function by its name in the manifest.
func (g *packageGenerator) lookup(name string) *types.Func {
	recv, method, isMethod := strings.Cut(strings.Trim(strings.ReplaceAll(name, ").", "."), "(*"), ".")
	obj := g.pkg.Types.Scope().Lookup(recv)
	if !isMethod {
		f, _ := obj.(*types.Func)
		return f
	}
	if obj == nil {
		return nil
	}
	found, _, _ := types.LookupFieldOrMethod(obj.Type(), true, g.pkg.Types, method)
	f, _ := found.(*types.Func)
	return f
}

// testName returns the name of a test: the function, and what is special in the case.
func (g *packageGenerator) testName(f unitdata.Function, inv *sondevalue.Invocation, names map[string]bool) string {
	base := strings.NewReplacer("(*", "", ")", "", ".", "_").Replace(f.Name)
	if base != "" && unicode.IsLower(rune(base[0])) {
		base = "_" + base // a test of a function that is not exported
	}
	base = "Test" + strings.Replace(base, "__", "_", 1)
	if what := special(inv); what != "" {
		base += "_" + what
	}
	name := base
	for i := 2; names[name] || g.file.taken[name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	return name
}

// special returns what is special in an invocation: a panic, or an error.
func special(inv *sondevalue.Invocation) string {
	if inv.Panicked {
		return "panics"
	}
	if len(inv.Results) == 0 {
		return ""
	}
	last := inv.Results[len(inv.Results)-1]
	for last.Kind == sondevalue.Error && len(last.Elems) > 0 {
		last = last.Elems[0]
	}
	switch {
	case last.Kind == sondevalue.Global:
		name := last.Text[strings.LastIndex(last.Text, ".")+1:]
		if !token.IsIdentifier(name) {
			return "error"
		}
		return strings.TrimPrefix(strings.TrimPrefix(name, "Err"), "err")
	case last.Kind == sondevalue.Error, last.Type == "*errors.errorString":
		return "error"
	}
	return ""
}
