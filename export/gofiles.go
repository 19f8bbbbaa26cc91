package export

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"sonde/model"
)

// The files of an export to Go besides FileName.
const (
	FaultsFileName  = "sonde_faults_test.go"
	HelpersFileName = "sonde_helpers_test.go"
)

// File is a file of an export before it is written.
type File struct {
	Name string
	Text []byte
}

// Folder is what a folder has before an export: the names of its files, and the text of each,
// "" where there is none. Old is the text into which a new one is put, "" where that replaces
// it.
type Folder struct {
	Names     []string
	Read, Old func(name string) string
}

// GoFiles makes the Go files of what Split returns, put into the files of a folder as GoInto
// does: one for the tests, one for those of faults, where there are any, and one with the
// settings and helpers that both need.
func GoFiles(tests, faults Suite, in Folder) ([]File, error) {
	both := tests
	both.Tests = slices.Concat(tests.Tests, faults.Tests)
	if err := both.check(); err != nil {
		return nil, err
	}
	tests, faults, both, err := playable(tests, faults, both)
	if err != nil {
		return nil, err
	}
	lib, err := both.helpers()
	if err != nil {
		return nil, err
	}
	var all []File
	used := names{}
	for _, f := range []struct {
		name string
		of   Suite
	}{{FileName, tests}, {FaultsFileName, faults}} {
		if !f.of.plays() {
			continue
		}
		f.of.begins = both.first()
		text, err := lib.testFile(f.of.titled(), used, in.Old(f.name), f.name)
		if err != nil {
			return nil, err
		}
		all = append(all, File{f.name, text})
	}
	text, err := lib.helperFile(both, in, all)
	if err != nil {
		return nil, err
	}
	return append(all, File{HelpersFileName, text}), nil
}

// playable are suites whose hosts can be played.
func playable(tests, faults, both Suite) (Suite, Suite, Suite, error) {
	var errs [3]error
	for i, s := range []*Suite{&tests, &faults, &both} {
		if s.plays() {
			*s, errs[i] = s.unbound().replaced()
		}
	}
	return tests, faults, both, errors.Join(errs[:]...)
}

// plays reports whether a test of the suite was run.
func (s Suite) plays() bool {
	return slices.ContainsFunc(s.Tests, func(t model.Test) bool { return last(t) >= 0 })
}

// testFile returns a file with the tests of a suite alone.
func (l library) testFile(s Suite, used names, old, name string) ([]byte, error) {
	f := goFile{
		old:     old,
		head:    s.constraint() + s.fileComment(name, HelpersFileName),
		body:    s.functions(reserved(l), used),
		retired: []string{"settings", "helpers"},
	}
	f.retired = append(f.retired, s.retired...)
	return l.written(f, name)
}

// written returns a file without helpers.
func (l library) written(f goFile, name string) ([]byte, error) {
	text, err := f.bare("")
	if err != nil {
		return nil, err
	}
	file, err := parsed(name, text)
	if err != nil {
		return nil, err
	}
	text, err = f.bare(importClause(l.imported(file, mentioned(file))))
	if err != nil {
		return nil, err
	}
	return format.Source([]byte(text))
}

// bare returns the file without helpers.
func (f goFile) bare(imports string) (string, error) {
	text := goRegion("head", f.head) + "\n" + goRegion("imports", imports) + "\n" + f.body
	if f.old == "" {
		return text, nil
	}
	merged, ok := Merge(f.old, text, f.retired...)
	if !ok {
		return "", ErrUnmarked
	}
	return merged, nil
}

func parsed(name, text string) (*ast.File, error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("the suite does not fit into Go code: %w", err)
	}
	return file, nil
}

// helpersHead is the top of the file with the settings and helpers.
const helpersHead = "// What the tests of this folder share: where the service is, and their helpers.\n\npackage apitest\n"

// helperFile returns the file with the settings of a suite, and the helpers that all files of a
// folder need.
func (l library) helperFile(s Suite, in Folder, files []File) ([]byte, error) {
	return l.helpersOf(goFile{head: s.constraint() + helpersHead, body: goRegion("settings", s.settings())}, in, files)
}

func (l library) helpersOf(f goFile, in Folder, files []File) ([]byte, error) {
	f.old = in.Old(HelpersFileName)
	for _, name := range in.Names {
		if strings.HasSuffix(name, "_test.go") && name != HelpersFileName &&
			!slices.ContainsFunc(files, func(f File) bool { return f.Name == name }) {
			files = append(files, File{name, []byte(in.Read(name))})
		}
	}
	for _, file := range files {
		if tree, err := parser.ParseFile(token.NewFileSet(), file.Name, file.Text, parser.SkipObjectResolution); err == nil &&
			tree.Name.Name == "apitest" {
			f.users = append(f.users, mentioned(tree))
		}
	}
	return f.with(l)
}

// Table is a Go file of rows before it has imports: its head, and its regions.
type Table struct{ Name, Head, Body string }

// GoTables makes Go files of tables and of the settings that they share, with the helpers
// that these need, put into the files of a folder as GoInto does. A table begins in the
// settings of its own file, and ends in the last region.
func GoTables(tables []Table, settings string, in Folder) ([]File, error) {
	lib, err := tableHelpers()
	if err != nil {
		return nil, err
	}
	var all []File
	for _, t := range tables {
		f := goFile{old: in.Old(t.Name), head: t.Head, body: t.Body + "\n" + goRegion("helpers", "}\n")}
		text, err := lib.written(f, t.Name)
		if err != nil {
			return nil, err
		}
		all = append(all, File{t.Name, text})
	}
	text, err := lib.helpersOf(goFile{head: helpersHead, body: goRegion("settings", settings)}, in, all)
	return append(all, File{HelpersFileName, text}), err
}
