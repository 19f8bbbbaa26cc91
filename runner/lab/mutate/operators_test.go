package mutate

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"sonde/runner/instrument/probe"

	"github.com/google/go-cmp/cmp"
)

// testFiles and testImporter are shared by all tests, because the importer runs the go command for each package of
// the standard library.
var (
	testFiles    = token.NewFileSet()
	testImporter = sync.OnceValue(func() types.Importer { return importer.ForCompiler(testFiles, "gc", nil) })
)

// service returns a service of one file. The file is in no module.
func service(t *testing.T, source string) *probe.VariantBuilder {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "shop.go")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(testFiles, path, source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	c := types.Config{Importer: testImporter()}
	p, err := c.Check("example.com/shop", testFiles, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	return &probe.VariantBuilder{Fset: testFiles, Module: dir, Sources: []probe.SourcePackage{
		{Path: "example.com/shop", Folder: dir, Files: []*ast.File{file}, Package: p, Info: info},
	}}
}

// mutantsOf returns the mutants of a file. All of them must compile.
func mutantsOf(t *testing.T, source string, operators ...Operator) []Mutant {
	t.Helper()
	b := service(t, source)
	all, err := FindMutants(b, operators)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		if err := checks(b, m); err != nil {
			t.Errorf("%s: %s => %s does not compile: %v", m.Operator, m.Before, m.After, err)
		}
	}
	return all
}

// shown lists mutants as "before => after", sorted.
func shown(all []Mutant) []string {
	var texts []string
	for _, m := range all {
		texts = append(texts, m.Before+" => "+m.After)
	}
	slices.Sort(texts)
	return texts
}

// Each operator makes exactly the mutants in the table, and all of them compile.
func TestOperators(t *testing.T) {
	const head = "package shop\n\nimport (\"errors\"; \"strings\")\n\nvar _ = errors.New\nvar _ = strings.ToLower\n" +
		"var ch chan int\nvar ok bool\nfunc g() int { ch <- 1; return 5 }\n" +
		"func pair() (int, error) { ch <- 2; return 6, errors.New(\"no\") }\n\n"
	for _, c := range []struct {
		operator Operator
		body     string
		want     []string
	}{
		{Arithmetic, "func f(a, b int) int { return a + b }", []string{"a + b => a - b"}},
		{Arithmetic, "func f(a, b string) string { return a + b }", nil},
		{Arithmetic, "func f(a int) { a++; a *= 2; a = -a; a <<= 1 }", []string{
			"-a => a", "a *= 2 => a /= 2", "a <<= 1 => a >>= 1", "a++ => a--",
		}},
		{Arithmetic, "func f(a int) int { return a &^ 3 % 2 }", []string{"a &^ 3 % 2 => a &^ 3 * 2", "a &^ 3 => a & 3"}},
		{Relational, "func f(a int) bool { return a < 3 }", []string{"a < 3 => a <= 3", "a < 3 => a >= 3"}},
		{Relational, "func f(a int) bool { return a == 3 || a > 9 }", []string{
			"a == 3 => a != 3", "a > 9 => a <= 9", "a > 9 => a >= 9",
		}},
		{Boolean, "func f(a int) { if a > 1 && !ok { a = 0 } }", []string{
			"!ok => ok", "a > 1 && !ok => !(a > 1 && !ok)", "a > 1 && !ok => a > 1 || !ok",
		}},
		{Boolean, "func f(a int) { if a > 1 { a = 0 }; for ok { a++ } }", []string{"ok => !(ok)"}},
		{Boolean, "func f() { if !ok { ok = true } }", []string{"!ok => ok"}},
		{Return, "func f(a int, s string) (int, string, error) { return a, s, nil }", []string{
			"return a => return (a) + 1", "return a => return 0", "return nil => return errors.New(\"mutant\")",
			"return s => return \"\"", "return s => return (s) + \"x\"",
		}},
		{Return, "func f() bool { return ok }", []string{"return ok => return !(ok)", "return ok => return false"}},
		{Return, "func f() (int, error) { return pair() }", []string{"return pair() => return 0, nil"}},
		{Return, "func f() *int { return new(int) }", []string{"return new(int) => return nil"}},
		{Return, "func f() int { return 0 }", nil},
		{Removed, "func f() { g(); defer g(); go g() }", []string{"defer g() => ", "g() => ", "go g() => "}},
		{Removed, "func f() int { n, err := pair(); _ = err; return n }", []string{"pair() => 0, nil"}},
		{Removed, "func f(m map[int]int, n int) int { delete(m, n); return int(n) }", []string{"delete(m, n) => "}},
		{Doubled, "func f() { g() }", []string{"g() => g(); g()"}},
		{Doubled, "func f(s string) { strings.ToUpper(s) }", nil},
		{Doubled, "func f() int { n := g(); return n }", []string{"g() => g(); g()"}},
		{Doubled, "func f(m map[int]int) { delete(m, 1) }", nil},
		{Swapped, "func f() { g(); close(ch) }", []string{"g(); close(ch) => close(ch); g()"}},
		{Swapped, "func f() { n := g(); ch <- n; close(ch) }", nil},
		{Swapped, "func h(int) { ch <- 3 }\nfunc f() { n := g(); h(n) }", nil},
		{Swapped, "func f() { g(); g() }", nil},
		{Constant, "func f() (int, string, bool) { return 41, \"a\", true }", []string{"\"a\" => \"\"", "41 => 42", "true => false"}},
		{Constant, "func f() (string, float64) { return \"\", 1.5 }", []string{"\"\" => \"sonde\"", "1.5 => (1.5 + 1)"}},
		{Constant, "type list [3]int\ntype item struct { n int `json:\"n\"` }", nil},
		{Extreme, "func f(a int) int { a++; return a }", []string{"{ a++; return a } => { return 0 }"}},
		{Extreme, "func f() int { return 0 }", nil},
		{Extreme, "func init() { ok = true }\nfunc f() {}", nil},
		{Extreme, "func f() { h := func(a int) bool { return a > 1 || ok }; h(2) }", []string{
			"{ h := func(a int) bool { return a > 1 || ok }; h(2) } => { return }",
			"{ return a > 1 || ok } => { return false }",
		}},
	} {
		name := string(c.operator) + "/" + c.body
		before := shown(mutantsOf(t, head, c.operator))
		got := shown(mutantsOf(t, head+c.body+"\n", c.operator))
		for _, m := range before { // the mutants of the head are in each file
			if i := slices.Index(got, m); i >= 0 {
				got = slices.Delete(got, i, i+1)
			}
		}
		want := slices.Clone(c.want)
		slices.Sort(want)
		if diff := cmp.Diff(want, got, cmp.Transformer("empty", func(s []string) string { return strings.Join(s, "\n") })); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// The ID of a mutant depends only on its function and change, not on the lines before. Equal changes in one function
// have different IDs.
func TestMutantIDs(t *testing.T) {
	const function = "func f(a int) (int, int) { return a + 1, a + 1 }\n"
	first := mutantsOf(t, "package shop\n\n"+function, Arithmetic)
	moved := mutantsOf(t, "package shop\n\nvar other = 3\n\n"+function, Arithmetic)
	if len(first) != 2 || len(moved) != 2 || first[0].ID == first[1].ID {
		t.Fatalf("got %v and %v", first, moved)
	}
	for i := range first {
		if first[i].ID != moved[i].ID || first[i].Line == moved[i].Line {
			t.Errorf("%s at line %d became %s at line %d", first[i].ID, first[i].Line, moved[i].ID, moved[i].Line)
		}
	}
	if first[0].Position() != "shop.go:3:35" || first[0].Func != "f" {
		t.Errorf("the first is at %s in %s", first[0].Position(), first[0].Func)
	}
}

// The name of a method has its receiver. Generated files have no mutants.
func TestWhereMutantsAre(t *testing.T) {
	all := mutantsOf(t, "package shop\n\ntype cart struct{ n int }\n\nfunc (c *cart) add() { c.n++ }\n", Arithmetic)
	if len(all) != 1 || all[0].Func != "(*cart).add" || all[0].File != "shop.go" {
		t.Errorf("got %+v", all)
	}
	const generated = "// Code generated by hand. DO NOT EDIT.\n\npackage shop\n\nfunc f(n int) { n++ }\n"
	if all := mutantsOf(t, generated, Operators...); len(all) > 0 {
		t.Errorf("a generated file has %d mutants", len(all))
	}
}

// An import without any use becomes blank.
func TestUnusedImports(t *testing.T) {
	const source = "package shop\n\nimport (\n\t\"errors\"\n\tup \"strings\"\n)\n\n" +
		"func f(s string) error { up.ToUpper(s); return errors.New(s) }\n"
	for _, m := range mutantsOf(t, source, Removed, Extreme) {
		got := string(apply([]byte(source), m.edits))
		if m.Operator == Extreme && (!strings.Contains(got, "_ \"errors\"") || !strings.Contains(got, "_ \"strings\"")) {
			t.Errorf("imports of\n%s", got)
		}
	}
}

// A call is outward if it reaches package net or net/http, also through functions of the service
// and function literals.
func TestOutward(t *testing.T) {
	const source = `package shop

import "net/http"

var ch chan int

func ask() { http.Get("http://other.example") }
func through() { ask() }
func own() { ch <- 1 }
func run(f func()) { f() }

func f() {
	through()
	own()
	run(func() { ask() })
	run(ask)
	run(own)
}
`
	want := map[string]bool{
		`http.Get("http://other.example")`: true, "ask()": true, "through()": true, "own()": false, "f()": false,
		"run(func() { ask() })": true, "run(ask)": true, "run(own)": false,
	}
	for _, m := range mutantsOf(t, source, Removed) {
		outward, known := want[m.Before]
		if !known || m.Outward != outward {
			t.Errorf("%s: outward is %t", m.Before, m.Outward)
		}
	}
}

// A call is not doubled if it has no side effects, or if only the first of two equal calls has side effects.
func TestOnlyEffectiveCallsAreDoubled(t *testing.T) {
	const source = `package shop

import ("strings"; "time")

var n int
var list []int

func reads(s string) string { return strings.TrimSpace(s) }
func local() int { m := 1; m++; return m }
func counts() { n++ }
func sets() { n = 3 }
func through() { counts() }
func waits() { time.Sleep(1) }

func f() { reads(""); local(); counts(); sets(); through(); waits() }
`
	var got []string
	for _, m := range mutantsOf(t, source, Doubled) {
		if m.Func == "f" {
			got = append(got, m.Before)
		}
	}
	if want := "counts() sets() through() waits()"; strings.Join(got, " ") != want {
		t.Errorf("doubled are %s", got)
	}
}

func TestReadEquivalent(t *testing.T) {
	got, err := ReadEquivalent(strings.NewReader("# judged by hand\n\nab12  sorts the same\ncd34 is never nil\n"))
	if diff := cmp.Diff(map[string]string{"ab12": "sorts the same", "cd34": "is never nil"}, got); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
	if _, err := ReadEquivalent(strings.NewReader("ab12 x\ncd34\n")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a line without a reason: %v", err)
	}
}

// shortened puts code on one line, and counts characters, not bytes.
func TestShort(t *testing.T) {
	for text, want := range map[string]string{
		"a\n\t b":                "a b",
		strings.Repeat("ä", 101): strings.Repeat("ä", 99) + "…",
		strings.Repeat("ä", 100): strings.Repeat("ä", 100),
	} {
		if got := shortened(text); got != want {
			t.Errorf("short(%.20q) is %q", text, got)
		}
	}
	if got := fmt.Sprint(nameOf("/m", "/m/a/b.go"), nameOf("/m", "/x.go"), nameOf("", "/x.go")); got != "a/b.go/x.go/x.go" {
		t.Errorf("names are %s", got)
	}
}
