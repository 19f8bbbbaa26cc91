package export

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/version"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// SuiteFiles are the files of a suite of Go tests, by their names.
type SuiteFiles map[string]string

// key identifies the content of the files.
func (f SuiteFiles) key() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(f)) {
		fmt.Fprintf(&b, "%s\n%s\n", name, f[name])
	}
	return b.String()
}

// A SharedBinary runs the tests of any of several suites, as the binaries of go test -c would: linking one binary takes
// less time than linking one for each suite. The suites are packages of one module. They must not depend on what only a
// test knows, such as the address of its server, which SONDE_BASE_URL can give them.
type SharedBinary struct {
	Suites func(t *testing.T) []SuiteFiles

	build    sync.Once
	path     string
	packages map[string]string // by the keys of the suites
}

// LinkInto makes the binary run the tests in some files of a folder, under a name in that folder. It returns false if
// it has no such tests.
func (b *SharedBinary) LinkInto(t *testing.T, dir, name string, files ...string) bool {
	t.Helper()
	b.build.Do(func() { b.make(t) })
	own := SuiteFiles{}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		own[file] = string(text)
	}
	pkg, ok := b.packages[own.key()]
	if !ok {
		return false
	}
	to := filepath.Join(dir, name)
	if err := os.Symlink(b.path, to); err != nil {
		return false
	}
	writeText(t, to+".package", pkg)
	return true
}

// make builds the binary.
func (b *SharedBinary) make(t *testing.T) {
	t.Helper()
	parent, err := sharedDir()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(parent, "suites-")
	if err != nil {
		t.Fatal(err)
	}
	packages := map[string]string{}
	var imports, tables strings.Builder
	for _, suite := range b.Suites(t) {
		if packages[suite.key()] != "" {
			continue
		}
		pkg := fmt.Sprint("p", len(packages))
		packages[suite.key()] = pkg
		fmt.Fprintf(&imports, "\t%s \"suites/%[1]s\"\n", pkg)
		fmt.Fprintf(&tables, "\t%q: {%s},\n", pkg, suite.writeAsPackage(t, filepath.Join(dir, pkg), pkg))
	}
	writeText(t, filepath.Join(dir, "go.mod"), goMod("suites"))
	writeText(t, filepath.Join(dir, "main_test.go"), fmt.Sprintf(sharedMain, imports.String(), tables.String()))
	b.path = filepath.Join(dir, "suites.test")
	if output, err := gotool(
		t, dir, nil, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-gcflags=suites/...=-N -l", "-o", b.path, ".",
	); err != nil {
		t.Fatalf("go test -c: %v\n%s", err, output)
	}
	b.packages = packages
}

// writeAsPackage writes the files as a package that others can import. It returns the package's functions init and
// TestMain, or nil, and its tests, as Go code.
func (f SuiteFiles) writeAsPackage(t *testing.T, dir, pkg string) string {
	t.Helper()
	initial, around, tests := "nil", "nil", ""
	for _, name := range slices.Sorted(maps.Keys(f)) {
		text := f[name]
		// Each package has a flag of its own, and is initialized only if its tests run.
		text = strings.ReplaceAll(text, `flag.Bool("apart"`, fmt.Sprintf("flag.Bool(%q", pkg+".apart"))
		if changed := strings.ReplaceAll(text, "\nfunc init() {", "\nfunc Initialize() {"); changed != text {
			text, initial = changed, pkg+".Initialize"
		}
		writeText(t, filepath.Join(dir, strings.TrimSuffix(name, "_test.go")+".go"), text)
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			switch {
			case !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Test"):
			case fn.Name.Name == "TestMain":
				around = pkg + ".TestMain"
			default:
				tests += fmt.Sprintf("{%q, %s.%[1]s}, ", fn.Name.Name, pkg)
			}
		}
	}
	return initial + ", " + around + ", []testing.InternalTest{" + tests + "}"
}

// sharedMain is a test file that runs the tests of the package which the file next to the binary names.
const sharedMain = `package suites

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"testing"

%s)

var suites = map[string]struct {
	initialize func()
	around     func(*testing.M)
	tests      []testing.InternalTest
}{
%s}

func TestMain(m *testing.M) {
	name, err := os.ReadFile(os.Args[0] + ".package")
	suite, ok := suites[string(name)]
	if err != nil || !ok {
		fmt.Println("no tests of", string(name), err)
		os.Exit(2)
	}
	if f := flag.Lookup(string(name) + ".apart"); f != nil {
		flag.Var(f.Value, "apart", f.Usage)
	}
	tests := reflect.ValueOf(m).Elem().FieldByName("tests").Addr().UnsafePointer()
	*(*[]testing.InternalTest)(tests) = suite.tests
	if suite.initialize != nil {
		suite.initialize()
	}
	if suite.around != nil {
		suite.around(m)
		return
	}
	os.Exit(m.Run())
}
`

// goMod returns the go.mod of a module in the language of the Go that runs the tests.
func goMod(module string) string {
	return "module " + module + "\n\ngo " + strings.TrimPrefix(version.Lang(runtime.Version()), "go") + "\n"
}

// writeText writes a file, and creates its folder if necessary.
func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
