package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	longLine     = 140 // maximum columns of a line; a tab counts as four
	leastTests   = 35  // minimum lines of test per 100 lines of code
	longestGuide = 800 // maximum words of the README
)

// oldVoice matches words in comments, errors, help and documents that are hard to understand. It does not
// match http.NoBody, which is the name of a value.
var oldVoice = regexp.MustCompile(`(?i)\b(tells? (whether|of)|(some|any)body|(?-i:[Nn]obody)|stands?|of late|so long|so many|` +
	`what is that of|has been there already|is plain that|takes up|goes on|comes about)\b`)

// storedTexts are texts of the old voice that earlier releases wrote into runs. Sonde compares them with
// texts of new runs, so these texts must stay.
var storedTexts = []string{`"somebody else's"`, `"deleted by somebody else"`}

// textFile is a file of the repository that people read.
type textFile struct {
	path  string // the path, with slashes
	lines []string
}

// textFiles returns the Go files and Markdown pages below a folder, except for those in testdata and in
// hidden folders other than .ci.
func textFiles(root string) (all []textFile, err error) {
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || p != root && strings.HasPrefix(d.Name(), ".") && d.Name() != ".ci"):
			return fs.SkipDir
		case d.IsDir() || !slices.Contains([]string{".go", ".md"}, filepath.Ext(p)):
			return nil
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		all = append(all, textFile{path: filepath.ToSlash(p), lines: strings.Split(string(bytes.TrimSuffix(data, []byte("\n"))), "\n")})
		return nil
	})
	return all, err
}

func (f textFile) isCode() bool { return strings.HasSuffix(f.path, ".go") }
func (f textFile) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

// hasFunction reports whether a Go file has a function with more than a return statement, or a function literal. It
// returns true for a file that cannot be parsed.
func (f textFile) hasFunction() bool {
	file, err := parser.ParseFile(token.NewFileSet(), f.path, strings.Join(f.lines, "\n"), parser.SkipObjectResolution)
	if err != nil {
		return true
	}
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			found = found || n.Body != nil && !isAccessor(n.Body)
		case *ast.FuncLit:
			found = true
		}
		return !found
	})
	return found
}

// isAccessor reports whether the body of a function is one return statement.
func isAccessor(body *ast.BlockStmt) bool {
	if len(body.List) != 1 {
		return false
	}
	_, ok := body.List[0].(*ast.ReturnStmt)
	return ok
}

func textFigures(files []textFile) []figure {
	return []figure{longLines(files), voice(files), faces(files), tested(files), guide(files)}
}

func longLines(files []textFile) figure {
	var all []string
	for _, f := range files {
		for i, line := range f.lines {
			if n := columns(line); f.isCode() && n > longLine {
				all = append(all, fmt.Sprintf("%d %s:%d", n, f.path, i+1))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(number(b), number(a)) })
	return figure{name: fmt.Sprintf("lines of code over %d columns", longLine), value: fmt.Sprint(len(all)), goal: "0", misses: all}
}

func columns(line string) int { return utf8.RuneCountInString(line) + 3*strings.Count(line, "\t") }

func voice(files []textFile) figure {
	count := map[string]int{}
	var all []string
	for _, f := range files {
		for i, line := range f.lines {
			for _, word := range oldVoice.FindAllString(line, -1) {
				if strings.HasPrefix(f.path, "docs/house/") || slices.ContainsFunc(storedTexts, func(stored string) bool {
					return strings.Contains(line, stored)
				}) {
					continue
				}
				count[strings.ToLower(word)]++
				all = append(all, fmt.Sprintf("%s:%d: %s", f.path, i+1, strings.TrimSpace(line)))
			}
		}
	}
	var words []string
	for word, n := range count {
		words = append(words, fmt.Sprintf("%d %s", n, word))
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(cmp.Compare(number(b), number(a)), cmp.Compare(a, b)) })
	return figure{name: "words of the old voice", value: fmt.Sprintf("%d: %s", len(all), strings.Join(words, ", ")), goal: "0", misses: all}
}

// faces counts the files of ui/cli that do not import cobra. Such files define no command, so their code belongs
// elsewhere. Tests are ignored.
func faces(files []textFile) figure {
	var all []string
	n := 0
	for _, f := range files {
		if path.Dir(f.path) != "ui/cli" || !f.isCode() || f.isTest() {
			continue
		}
		n++
		if !slices.ContainsFunc(f.lines, func(line string) bool { return strings.Contains(line, `"github.com/spf13/cobra"`) }) {
			all = append(all, f.path)
		}
	}
	return figure{name: "files of ui/cli that don't use cobra", value: fmt.Sprintf("%d of %d", len(all), n), goal: "0", misses: all}
}

// tested compares the lines of tests with the lines of code in each package. A package without functions other than
// accessors, such as one of interfaces and data, needs no tests. Packages in assets are left out, and so are packages
// of helpers for tests, whose names end in "test".
func tested(files []textFile) figure {
	code, tests := map[string]int{}, map[string]int{}
	functions := map[string]bool{}
	for _, f := range files {
		switch dir := path.Dir(f.path); {
		case f.isTest():
			tests[dir] += len(f.lines)
		case f.isCode():
			code[dir] += len(f.lines)
			functions[dir] = functions[dir] || f.hasFunction()
		}
	}
	var all []string
	for dir, n := range code {
		left := strings.HasPrefix(dir, "assets/") || strings.HasSuffix(dir, "test")
		if share := 100 * tests[dir] / n; share < leastTests && functions[dir] && !left {
			all = append(all, fmt.Sprintf("%d %s", share, dir))
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(number(a), number(b)), cmp.Compare(a, b)) })
	return figure{
		name:   fmt.Sprintf("packages with fewer than %d lines of test for 100 of code", leastTests),
		value:  fmt.Sprint(len(all)),
		goal:   "0",
		misses: all,
	}
}

func guide(files []textFile) figure {
	words, longest := 0, 0
	for _, f := range files {
		if f.path != "README.md" {
			continue
		}
		for _, line := range f.lines {
			words += len(strings.Fields(line))
			longest = max(longest, columns(line))
		}
	}
	return figure{
		name:  "words of the README, and its longest line",
		value: fmt.Sprintf("%d, %d", words, longest),
		goal:  fmt.Sprintf("%d or fewer", longestGuide),
	}
}

// relative returns a path relative to the working folder. It returns the path unchanged if it is not below
// that folder.
func relative(name string) string {
	dir, err := os.Getwd()
	if err != nil {
		return name
	}
	rel, err := filepath.Rel(dir, name)
	if err != nil || strings.HasPrefix(rel, "..") {
		return name
	}
	return filepath.ToSlash(rel)
}
