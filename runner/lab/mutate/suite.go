package mutate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// Suite is a compiled package of tests. They start the binary that SONDE_BINARY names as the
// service.
type Suite struct {
	Dir   string
	Tests []string // names of the tests
	// Network reports whether the tests give the service a virtual network.
	Network bool
	// Rows reports whether the tests insert rows into the database of the service.
	Rows bool
	// Env are environment variables for the tests, such as "SHOP_KEY=secret".
	Env []string
	// Digest identifies the content of the test files.
	Digest string

	binary string
	skip   []string // tests that fail on the unchanged service
}

// OpenSuite compiles the test files of the folder dir. The binary is written into the folder
// binaries.
func OpenSuite(ctx context.Context, dir, binaries string) (*Suite, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%q has no test files: name the folder that sonde generate wrote", dir)
	}
	s := &Suite{binary: filepath.Join(binaries, "tests")}
	s.Dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	for i, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		h.Write(src)
		if err := s.read(file, src); err != nil {
			return nil, err
		}
		files[i] = filepath.Base(file)
	}
	s.Digest = fmt.Sprintf("%x", h.Sum(nil)[:8])
	if len(s.Tests) == 0 {
		return nil, fmt.Errorf("%q has no tests in it: name the folder that sonde generate wrote", dir)
	}
	return s, s.compile(ctx, files)
}

// read adds the tests of a file.
func (s *Suite) read(file string, src []byte) error {
	f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("a test file does not compile: %w", err)
	}
	s.Tests = append(s.Tests, testNames(f)...)
	ast.Inspect(f, func(n ast.Node) bool {
		if c, ok := n.(*ast.CompositeLit); ok {
			id, named := c.Type.(*ast.Ident)
			s.Network = s.Network || named && id.Name == "virtualNetwork"
			s.Rows = s.Rows || named && id.Name == "probedDatabase"
		}
		return true
	})
	return nil
}

// testNames returns the names of the tests in a file, in their order.
func testNames(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") && fn.Name.Name != "TestMain" {
			names = append(names, fn.Name.Name)
		}
	}
	return names
}

// compile compiles the test files.
func (s *Suite) compile(ctx context.Context, files []string) error {
	c := exec.CommandContext(ctx, "go", append([]string{"test", "-c", "-vet=off", "-o", s.binary}, files...)...)
	c.Dir = s.Dir
	var output bytes.Buffer
	c.Stderr, c.Stdout = &output, &output
	err := c.Run()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return errors.New("there is no go command: install Go from https://go.dev/dl, or put it into PATH")
	case err != nil:
		return fmt.Errorf("the tests in %q do not compile: %s", s.Dir, firstLine(output.String()))
	}
	return nil
}

// firstLine returns the first line that has content and is not a heading of the go command. If there is no such line,
// it returns a message that says so. If the line ends with a colon, the next line is appended.
func firstLine(text string) string {
	first := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "", strings.HasPrefix(line, "#"):
		case first != "":
			return first + " " + line
		case strings.HasSuffix(line, ":"):
			first = line
		default:
			return line
		}
	}
	if first != "" {
		return first + " nothing"
	}
	return "it failed without a message"
}

// oracleIn matches the oracle in the name of a test.
var oracleIn = regexp.MustCompile(`_(OO|PO|CO)(_|[0-9]|$)`)

// oracleOf returns the oracle in the name of a test, "" if there is none.
func oracleOf(test string) model.MockOracle {
	if m := oracleIn.FindStringSubmatch(test); m != nil {
		return model.MockOracle(strings.ToLower(m[1]))
	}
	return ""
}

// oracles returns the oracles in the names of the tests.
func (s *Suite) oracles() []model.MockOracle {
	var all []model.MockOracle
	for _, o := range model.MockOracles {
		if slices.ContainsFunc(s.Tests, func(t string) bool { return oracleOf(t) == o }) {
			all = append(all, o)
		}
	}
	return all
}
