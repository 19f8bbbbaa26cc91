package unittests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A literal of several declarations becomes a function, the outermost first. One with a local variable stays.
func TestSharedValues(t *testing.T) {
	const order = "Order{\nID: 1,\nUser: User{\nName: \"alice\",\nAge: 3,\nCity: \"x\",\nZip: \"y\",\n},\nPaid: true,\n}"
	decls := []string{
		"func TestA(t *testing.T) {\nuse(&" + order + ")\n" +
			"use([]Order{{\nID: 2,\nA: 1,\nB: 2,\nC: 3,\n}})\n}\n",
		"func TestB(t *testing.T) {\nuse(&" + strings.ReplaceAll(order, "\n", "\n\t") + ")\n" +
			"id := 1\nuse(" + strings.Replace(order, "1", "id", 1) + ")\n}\n",
	}
	taken := map[string]bool{}
	changed, functions, err := shareValues(decls, func(name string) string {
		if taken[name] {
			t.Errorf("%s is taken twice", name)
		}
		taken[name] = true
		return name
	})
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(append(changed, functions...), "\n")
	for _, want := range []string{
		"use(unitOrderAlice())", "func unitOrderAlice() *Order {\n\treturn &Order{", "User: unitUserAlice(),",
		"func unitUserAlice() User {", "ID: id,",
		"use([]Order{{\nID: 2",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is missing in:\n%s", want, all)
		}
	}
	if len(functions) != 2 || strings.Count(all, "unitOrderAlice()") != 3 {
		t.Errorf("got:\n%s", all)
	}
}

// Long texts of checks and requests are in files, and files that no test reads any more are removed.
func TestDataFiles(t *testing.T) {
	long := strings.Repeat("long ", 100)
	f := dataFiles{}
	text, err := f.move("TestA", "func TestA(t *testing.T) {\nunitEqual(t, \"body\", got, `"+long+"`+\"\\n\")\nuse(`"+long+"`)\n}\n")
	if err != nil || !strings.Contains(text, `unitEqual(t, "body", got, unitFile("TestA_1.txt"))`) || f["TestA_1.txt"] != long+"\n" {
		t.Errorf("got %v, %v:\n%s", f, err, text)
	}
	if !strings.Contains(text, "use(`long") {
		t.Errorf("another text was moved:\n%s", text)
	}
	dir := t.TempDir()
	if err := f.write(dir, nil); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, filepath.FromSlash(dataDir), "TestA_1.txt")
	if got, err := os.ReadFile(file); err != nil || string(got) != long+"\n" {
		t.Errorf("got %q, %v", got, err)
	}
	if err := (dataFiles{}).write(dir, []string{`unitFile("TestA_1.txt")`}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("a file of a kept test: %v", err)
	}
	if err := (dataFiles{}).write(dir, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(file)); err == nil {
		t.Error("the folder is still there")
	}
}

const testsOfTables = `package p

import "testing"

type calls struct{}

func (calls) expect(name string, args ...any) calls { return calls{} }
func (calls) returns(results ...any)                {}

type request struct{ Kind kind; UserID string }
type kind string

func unitEqual(t *testing.T, what string, got, want any) {}
func isBlocked(userID string, deep bool) (got bool)      { return deep }

// TestA calls isBlocked.
func TestA(t *testing.T) {
	calls := calls{}
	calls.expect("Engine.Flag", request{Kind: "blocked", UserID: "alice"}).returns(true, 1)
	got := isBlocked("alice", true)
	unitEqual(t, "result 1", got, true)
}

// TestB calls isBlocked.
func TestB(t *testing.T) {
	calls := calls{}
	calls.expect("Engine.Flag", request{Kind: "gone", UserID: "bobby"}).returns(false, 2)
	got := isBlocked("bobby", true)
	unitEqual(t, "result 1", got, false)
}

// TestC calls isBlocked.
func TestC(t *testing.T) {
	calls := calls{}
	calls.expect("Engine.Get", request{Kind: "gone", UserID: "bobby"}).returns(false, 2)
	got := isBlocked("bobby", true)
	unitEqual(t, "result 1", got, false)
}
`

// Tests that differ in values only are merged, with columns of the types that the values have, and the others are not.
func TestTables(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", testsOfTables, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{Error: func(error) {}} // package testing is not imported
	_, _ = conf.Check("p", fset, []*ast.File{file}, info)
	var tests []*typedTest
	for _, d := range file.Decls {
		if f, is := d.(*ast.FuncDecl); is && strings.HasPrefix(f.Name.Name, "Test") {
			test := &unitTest{GeneratedTest: GeneratedTest{Name: f.Name.Name, Function: "isBlocked", Stubs: 1}}
			tests = append(tests, &typedTest{
				test: test, decl: f, text: source(fset, []byte(testsOfTables), f), base: f.Doc.Pos(), info: info,
			})
		}
	}
	tables := tabulate(tests)
	if len(tables) != 2 || len(tables[0].tests) != 2 || tables[0].merged().Cases != 2 || tables[0].merged().Stubs != 2 {
		t.Fatalf("got %d tables", len(tables))
	}
	typeName := func(of types.Type) string { return types.TypeString(of, func(*types.Package) string { return "" }) }
	text, err := marked(tables[0].declaration(typeName, "fmt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`kind      kind`, `userID    string`, `{kind: "blocked", userID: "alice", returned: true, returned2: 1, want: true}`,
		`request{Kind: tt.kind, UserID: tt.userID}).returns(tt.returned, tt.returned2)`, `isBlocked(tt.userID, true)`, "t.Run(tt.userID,",
		`unitEqual(t, "result 1", got, tt.want)`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}
