package main

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// surveyed returns the survey of one file.
func surveyed(t *testing.T, source string) survey {
	t.Helper()
	p := &packages.Package{PkgPath: "sonde/x", Fset: token.NewFileSet(), TypesInfo: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	f, err := parser.ParseFile(p.Fset, "x.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&types.Config{Importer: importer.Default()}).Check("x", p.Fset, []*ast.File{f}, p.TypesInfo); err != nil {
		t.Fatal(err)
	}
	s := survey{methods: map[string]int{}}
	s.file(p, f)
	return s
}

func TestSurvey(t *testing.T) {
	s := surveyed(t, `package x

type Box[T any] struct{ a, b, c int }

func (b *Box[T]) Put() {}
func (b Box[T]) Take() int { return b.a }

var boxes = []Box[int]{{1, 2, 3}, {a: 1, b: 2, c: 3}}
var list = []int{1, 2, 3}

func count(n int) int {
	if n++; n > 3 {
		return n
	}
	if m := n + 1; m > 3 {
		return m
	}
	switch n = 7; n {
	}
	return 0
}
`)
	if s.methods["x.Box"] != 2 {
		t.Errorf("methods %v", s.methods)
	}
	if s.literals != 2 || len(s.unkeyed) != 1 || s.unkeyed[0] != "x.go:8" {
		t.Errorf("%d literals, without keys %v", s.literals, s.unkeyed)
	}
	if got := strings.Join(s.effects, " "); got != "x.go:12 x.go:18" {
		t.Errorf("heads that change something: %s", got)
	}
	if got := strings.Join(s.exported, " "); got != "Box Put Take" {
		t.Errorf("exported names: %s", got)
	}
}

func TestTextFigures(t *testing.T) {
	files := []textFile{
		{
			path:  "a/a.go",
			lines: []string{"\t\t" + strings.Repeat("x", 133), strings.Repeat("x", 141), "// it tells whether nobody stands there"},
		},
		{path: "b/b.go", lines: make([]string, 100)},
		{path: "b/b_test.go", lines: make([]string, 35)},
		{path: "ui/cli/a.go", lines: []string{`import "github.com/spf13/cobra"`}},
		{path: "ui/cli/b.go", lines: []string{""}},
		{path: "README.md", lines: []string{"three short words"}},
	}
	want := map[string]string{
		"lines of code over 140 columns":                            "2",
		"words of the old voice":                                    "3: 1 nobody, 1 stands, 1 tells whether",
		"files of ui/cli that don't use cobra":                      "1 of 2",
		"packages with fewer than 35 lines of test for 100 of code": "2",
		"words of the README, and its longest line":                 "3, 17",
	}
	for _, f := range textFigures(files) {
		if got, ok := want[f.name]; !ok || f.value != got {
			t.Errorf("%s: %s, want %s", f.name, f.value, got)
		}
		delete(want, f.name)
	}
	if len(want) > 0 {
		t.Errorf("not measured: %v", want)
	}
}

// A package needs tests if any of its files has a function with a body.
func TestPackagesWithoutFunctionsNeedNoTests(t *testing.T) {
	const data = "package a\n\ntype Port interface{ Open(name string) error }\n\nvar hook func() error\n"
	for name, c := range map[string]struct {
		sources []string
		want    string
	}{
		"types and variables":        {[]string{data}, "0"},
		"a function":                 {[]string{"package a\n\nfunc f() {}\n"}, "1"},
		"a method":                   {[]string{"package a\n\ntype T int\n\nfunc (T) m() {}\n"}, "1"},
		"a function literal":         {[]string{"package a\n\nvar f = func() {}\n"}, "1"},
		"a function in another file": {[]string{data, "package a\n\nfunc f() {}\n", data}, "1"},
		"no Go at all":               {[]string{"text"}, "1"},
	} {
		var files []textFile
		for _, source := range c.sources {
			files = append(files, textFile{path: "a/a.go", lines: strings.Split(source, "\n")})
		}
		if got := tested(files).value; got != c.want {
			t.Errorf("%s: %s packages need tests, want %s", name, got, c.want)
		}
	}
}

func TestOldVoice(t *testing.T) {
	for text, want := range map[string]int{
		"// Nobody stands there of late.":        3,
		"// body is http.NoBody if it is empty.": 0,
		"// takes up and goes on":                2,
		"// it understands somebodys":            0,
		"// tells of what tells whether":         2,
	} {
		if got := voice([]textFile{{path: "a/a.go", lines: []string{text}}}); len(got.misses) != want {
			t.Errorf("%q: %d words, want %d: %q", text, len(got.misses), want, got.misses)
		}
	}
}

func TestPrintNamesTheMisses(t *testing.T) {
	var b strings.Builder
	print(&b, []figure{
		{name: "long lines", value: "3", goal: "0", misses: []string{"a.go:1", "b.go:2", "c.go:3"}},
		{name: "words", value: "9", goal: "10 or fewer"},
	}, 2)
	want := "| figure | now | goal |\n|---|---|---|\n| long lines | 3 | 0 |\n| words | 9 | 10 or fewer |\n" +
		"\nlong lines (3):\n  a.go:1\n  b.go:2\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestTextFilesSkipsInputsOfTests(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a/a.go", "a/testdata/b.go", ".ci/run.md", ".git/c.go", "README.md", "a/d.txt"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("one\ntwo\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := textFiles(".")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.path)
		if len(f.lines) != 2 {
			t.Errorf("%s has %d lines", f.path, len(f.lines))
		}
	}
	if got := strings.Join(paths, " "); got != ".ci/run.md README.md a/a.go" {
		t.Errorf("read %s", got)
	}
}

func TestCommentsFollowNames(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module sonde\n\ngo 1.26\n",
		"shop/shop.go": `// Package shop sells.
package shop

import "strings"

// An Order is what order.Place takes, see order.Plaice and os.Plaice.
type Order struct {
	Goods
	base
}

type base struct{ id int }

// Goods are listed in goods.json.
type Goods struct{ Names []string }

// Sum adds up Order.Names and Order.id, not Order.Prices.
func (o Order) Total() int { return len(o.Names) }

// clear joins by strings.Joined.
func clear(names []string) string { return strings.Join(names, "") }

var (
	// Most of all.
	limit, rest = 1, 2
	// The limits are two.
	limits = 2
)
`,
		"order/order.go": "// Package order places orders.\npackage order\n\n// Place's order is given.\nfunc Place() {}\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	pkgs, err := load(".")
	if err != nil {
		t.Fatal(err)
	}
	figures := commentFigures(pkgs)
	if got := strings.Join(figures[0].misses, "; "); got != "shop/shop.go:17: Total: Sum" {
		t.Errorf("%s: %s", figures[0].name, got)
	}
	if got := strings.Join(figures[1].misses, "; "); got != "shop/shop.go:6: order.Plaice; shop/shop.go:17: Order.Prices" {
		t.Errorf("%s: %s", figures[1].name, got)
	}
}

func TestLargeTypesGoal(t *testing.T) {
	for _, c := range []struct {
		methods map[string]int
		want    bool
	}{
		{map[string]int{"a.A": 39, "a.B": 39, "a.C": 39, "a.D": 39}, true},
		{map[string]int{"a.A": 60, "a.B": 40, "a.C": 41, "a.D": 39}, true},
		{map[string]int{"a.A": 40, "a.B": 40, "a.C": 40, "a.D": 40}, false},
		{map[string]int{"a.A": 61}, false},
	} {
		s := survey{methods: c.methods, exported: []string{"A"}}
		if got := reachesLargeTypesGoal(figureNamed(t, s.figures(), largeTypes)); got != c.want {
			t.Errorf("%v: %t, want %t", c.methods, got, c.want)
		}
	}
}

// figureNamed returns the figure with a name.
func figureNamed(t *testing.T, figures []figure, name string) figure {
	t.Helper()
	i := slices.IndexFunc(figures, func(f figure) bool { return f.name == name })
	if i < 0 {
		t.Fatalf("no figure is named %q", name)
	}
	return figures[i]
}

// The repository has few large types. All names that its comments mention, such as model.Test, exist, and doc comments
// begin with the name that they document.
func TestCodeOfTheRepository(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads all packages with their types")
	}
	pkgs, err := load("../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) < 80 {
		t.Fatalf("%d packages, want those of the repository", len(pkgs))
	}
	if large := figureNamed(t, codeFigures(pkgs), largeTypes); !reachesLargeTypesGoal(large) {
		t.Errorf("%s: %s, want %s:\n  %s", large.name, large.value, large.goal, strings.Join(large.misses, "\n  "))
	}
	for _, f := range commentFigures(pkgs) {
		if len(f.misses) > 0 {
			t.Errorf("%s: %s, want %s:\n  %s", f.name, f.value, f.goal, strings.Join(f.misses, "\n  "))
		}
	}
}

// The repository must keep the goals that it has reached: no word of the old voice, no long line, and only
// commands in ui/cli.
func TestRepository(t *testing.T) {
	files, err := textFiles("../..")
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		files[i].path = strings.TrimPrefix(files[i].path, "../../")
	}
	if len(files) < 1000 {
		t.Fatalf("%d files, want those of the repository", len(files))
	}
	for _, f := range []figure{voice(files), longLines(files), faces(files)} {
		if len(f.misses) > 0 {
			t.Errorf("%s: %s, want %s:\n  %s", f.name, f.value, f.goal, strings.Join(f.misses, "\n  "))
		}
	}
}
