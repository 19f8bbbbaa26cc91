package unittests

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// dataDir is the folder of long texts, in the folder of the package.
const dataDir = "testdata/units_sonde"

// maxText is the length of the longest text that is written in the source of a test.
const maxText = 400

// dataFiles are the files with long texts of the tests of a package, by their names.
type dataFiles map[string]string

// move replaces long texts in a test by what unitFile reads: bodies of requests, and texts that are compared.
func (f dataFiles) move(test, declaration string) (string, error) {
	p, err := parseDeclaration(declaration)
	if err != nil {
		return "", err
	}
	var edits []edit
	ast.Inspect(p.decl, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is {
			return true
		}
		of := p.source(call.Fun)
		if of != "unitEqual" && !strings.HasSuffix(of, ".NewReader") {
			return true
		}
		for _, arg := range call.Args {
			text, ok := stringConstant(arg)
			if !ok || len(text) <= maxText {
				continue
			}
			name := fmt.Sprintf("%s_%d.txt", test, len(edits)+1)
			f[name] = text
			from, to := p.span(arg)
			edits = append(edits, edit{from, to, fmt.Sprintf("unitFile(%q)", name)})
		}
		return true
	})
	return edited(declaration, edits), nil
}

// stringConstant returns the text of a literal, or of literals that are added.
func stringConstant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.BinaryExpr:
		x, ok := stringConstant(e.X)
		y, ok2 := stringConstant(e.Y)
		return x + y, ok && ok2 && e.Op == token.ADD
	}
	return "", false
}

// write writes the files, and removes those of earlier tests that no kept declaration reads.
func (f dataFiles) write(dir string, kept []string) error {
	dir = filepath.Join(dir, filepath.FromSlash(dataDir))
	old, err := filepath.Glob(filepath.Join(dir, "Test*_*.txt"))
	if err != nil {
		return err
	}
	for _, file := range old {
		name := filepath.Base(file)
		inKept := slices.ContainsFunc(kept, func(text string) bool { return strings.Contains(text, strconv.Quote(name)) })
		if _, is := f[name]; !is && !inKept {
			if err := os.Remove(file); err != nil {
				return err
			}
		}
	}
	if len(f) == 0 {
		if len(old) > 0 {
			return removeIfEmpty(dir)
		}
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range f {
		if err := replaceFile(filepath.Join(dir, name), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// removeIfEmpty removes a folder that has no files.
func removeIfEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		return err
	}
	return os.Remove(dir)
}
