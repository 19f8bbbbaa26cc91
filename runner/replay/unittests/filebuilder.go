package unittests

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sonde/assets/templates"

	"golang.org/x/tools/go/packages"
)

// The files that are written into the folder of a package.
const (
	TestsFile   = "units_sonde_test.go"
	helpersFile = "units_sonde_helpers_test.go"
)

// fileBuilder builds the file with the tests of a package.
type fileBuilder struct {
	pkg     *types.Package
	dir     string
	types   *typeFinder
	imports *imports
	mocks   *mockTypes
	project *projectMocks   // nil if tests have mocks of their own
	taken   map[string]bool // top-level names of the package and of its tests
	kept    *keptCode
}

func newFileBuilder(p *packages.Package, mocks *projectMocks) (*fileBuilder, error) {
	f := &fileBuilder{
		pkg: p.Types, dir: filepath.Dir(p.GoFiles[0]), types: newTypeFinder(p.Types), project: mocks, taken: map[string]bool{},
	}
	for _, name := range p.Types.Scope().Names() {
		f.taken[name] = true
	}
	var err error
	f.kept, err = readKept(filepath.Join(f.dir, TestsFile))
	if err != nil {
		return nil, err
	}
	maps.Copy(f.taken, f.kept.names)
	if err := f.addTestNames(); err != nil {
		return nil, err
	}
	if err := f.addHelperNames(); err != nil {
		return nil, err
	}
	f.reset()
	return f, nil
}

// reset forgets what was written, so that the file can be built again.
func (f *fileBuilder) reset() {
	f.imports = newImports(f.pkg, f.taken)
	f.mocks = &mockTypes{file: f, types: map[string]*mockType{}, project: f.project, own: map[string]string{}}
}

// addTestNames adds the names in the hand-written tests of the package.
func (f *fileBuilder) addTestNames() error {
	files, err := filepath.Glob(filepath.Join(f.dir, "*_test.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if base := filepath.Base(file); base == TestsFile || base == helpersFile {
			continue
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("%q cannot be read: %w", file, err)
		}
		if syntax.Name.Name != f.pkg.Name() {
			continue // an external test
		}
		for _, d := range syntax.Decls {
			for _, name := range declaredNames(d) {
				f.taken[name] = true
			}
		}
	}
	return nil
}

// addHelperNames adds the names of the helpers.
func (f *fileBuilder) addHelperNames() error {
	syntax, err := parser.ParseFile(token.NewFileSet(), helpersFile, templates.UnitHelpers, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range syntax.Decls {
		for _, name := range declaredNames(d) {
			f.taken[name] = true
		}
	}
	return nil
}

func declaredNames(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}

// free returns a top-level name that is not taken, and takes it.
func (f *fileBuilder) free(name string) string {
	one := f.freeName()(name)
	f.imports.taken[one] = true
	return one
}

// declarations returns the declarations of tests, each with its marker.
func (f *fileBuilder) declarations(tests []*unitTest) (all []string, err error) {
	for _, t := range tests {
		text, err := marked(t.declaration())
		if err != nil {
			return nil, fmt.Errorf("%s cannot be written: %w", t.Name, err)
		}
		all = append(all, text)
	}
	return all, nil
}

// freeName returns a function that returns top-level names which are not taken, and takes them for its next calls only.
func (f *fileBuilder) freeName() func(name string) string {
	taken := maps.Clone(f.imports.taken)
	return func(name string) string {
		one := name
		for i := 2; taken[one]; i++ {
			one = name + strconv.Itoa(i)
		}
		taken[one] = true
		return one
	}
}

// text returns the file with declarations, the mock types that they use, and what is kept.
func (f *fileBuilder) text(decls []string) ([]byte, error) {
	inTests := strings.Join(decls, "\n")
	var body strings.Builder
	body.WriteString("\n" + inTests)
	mocks := f.mocks.text()
	for _, name := range slices.Sorted(maps.Keys(mocks)) {
		if !f.mocks.isUsed(name, inTests) {
			continue // a mock of a test that could not be written
		}
		text, err := marked(mocks[name])
		if err != nil {
			return nil, fmt.Errorf("%s cannot be written: %w", name, err)
		}
		body.WriteString("\n" + text)
	}
	for _, d := range f.kept.decls {
		body.WriteString("\n" + d + "\n")
	}
	f.imports.std("testing")
	maps.Copy(f.imports.names, f.kept.imports)
	imports, err := f.imports.text(body.String())
	if err != nil {
		return nil, err
	}
	return format.Source([]byte(testsHeading + "\npackage " + f.pkg.Name() + "\n\n" + imports + body.String()))
}

// declaration returns the source of a test.
func (t *unitTest) declaration() string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s %s\n", t.Name, t.doc)
	fmt.Fprintf(&b, "func %s(t *testing.T) {\n", t.Name)
	for _, line := range t.lines {
		if line != "" {
			b.WriteString(line + "\n")
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// write writes the files of a package, whole or not at all.
func (f *fileBuilder) write(text []byte) error {
	if err := checkOwn(filepath.Join(f.dir, helpersFile)); err != nil {
		return err
	}
	if err := replaceFile(filepath.Join(f.dir, TestsFile), text); err != nil {
		return err
	}
	helpers, err := f.helperText()
	if err != nil {
		return err
	}
	return replaceFile(filepath.Join(f.dir, helpersFile), helpers)
}

// remove removes the files of a package that has no tests.
func (f *fileBuilder) remove() error {
	for _, name := range []string{TestsFile, helpersFile} {
		if err := os.Remove(filepath.Join(f.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// testsHeading is the comment at the beginning of the file with tests.
const testsHeading = `// Tests of recorded invocations, generated by Sonde. A declaration that you change is kept when the tests are
// generated again: its digest is not that of its line sonde:unit then.
`

// ownHeading is the beginning of the file with helpers.
const ownHeading = "// Helpers of generated tests; see " + TestsFile

// checkOwn returns an error if a file exists that is not the generated one.
func checkOwn(path string) error {
	src, err := os.ReadFile(path)
	if err == nil && !strings.HasPrefix(string(src), ownHeading) {
		return fmt.Errorf("%q was not generated, so it is not replaced: rename it", path)
	}
	return nil
}

// replaceFile writes a file by a rename.
func replaceFile(path string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".sonde-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(data)
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chmod(tmp.Name(), 0o644)
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// path returns the path of the file with tests.
func (f *fileBuilder) path() string { return filepath.Join(f.dir, TestsFile) }
