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
)

// The names of the Go files of an export other than TestsFileName.
const (
	FaultsFileName  = "sonde_faults_test.go"
	HelpersFileName = "sonde_helpers_test.go"
)

// OutputFile is a file to be written by an export.
type OutputFile struct {
	Name string
	Text []byte
}

// OutputFolder is the folder of an export, in its state before the export.
type OutputFolder struct {
	// Names are the names of its files.
	Names []string
	// Read returns the text of a file, "" if the folder has no such file.
	Read func(name string) string
	// Old returns the text into which the export merges a file, "" if it writes the file anew.
	Old func(name string) string
}

// GoFiles returns the Go files for the two results of SplitFaults, merged into the files of a folder by UpdateGoFile.
// They are a file of tests, a file of the tests that show faults, a file of settings and helpers, and files of large
// expected bodies. The first or the second file is left out if none of its tests has run.
func GoFiles(tests, faults Suite, in OutputFolder) ([]OutputFile, error) {
	tests, faults = tests.insertable(), faults.insertable()
	both := tests
	both.Tests = slices.Concat(tests.Tests, faults.Tests)
	if err := both.check(); err != nil {
		return nil, err
	}
	var errs [3]error
	for i, s := range []*Suite{&tests, &faults, &both} {
		if s.hasRunTests() {
			*s, errs[i] = s.withFreePort().withLocalHosts()
		}
	}
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	lib, err := both.helpers()
	if err != nil {
		return nil, err
	}
	var all []OutputFile
	used, bodies, shared := names{}, &bodyFiles{}, both.settings()
	for _, f := range []struct {
		name  string
		suite Suite
	}{{TestsFileName, tests}, {FaultsFileName, faults}} {
		if !f.suite.hasRunTests() {
			continue
		}
		f.suite.shared, f.suite.bodies = &shared, bodies
		text, err := lib.testFile(f.suite.titled(), used, in.Old(f.name), f.name)
		if err != nil {
			return nil, err
		}
		all = append(all, OutputFile{f.name, text})
	}
	constraint := ""
	if both.hosts().virtual() {
		constraint = notOnWindows
	}
	settings := goRegion("settings", shared.declarations())
	text, err := lib.helperFile(goFile{head: constraint + helpersHead, body: settings}, in, all)
	if err != nil {
		return nil, err
	}
	return slices.Concat(all, []OutputFile{{HelpersFileName, text}}, bodies.files), nil
}

// testFile returns a file of the suite's tests, without settings and helpers.
func (l library) testFile(s Suite, used names, old, name string) ([]byte, error) {
	f := goFile{
		old:     old,
		head:    s.head().text(name, HelpersFileName),
		body:    s.functions(reserved(l), used),
		retired: []string{"settings", "helpers"},
	}
	f.retired = append(f.retired, s.retired...)
	return l.fileWithoutHelpers(f, name)
}

// fileWithoutHelpers returns a file with its imports and without helpers.
func (l library) fileWithoutHelpers(f goFile, name string) ([]byte, error) {
	text, err := f.withoutHelpers("")
	if err != nil {
		return nil, err
	}
	file, err := parsed(name, text)
	if err != nil {
		return nil, err
	}
	text, err = f.withoutHelpers(importClause(l.imported(file, mentioned(file))))
	if err != nil {
		return nil, err
	}
	return format.Source([]byte(text))
}

// withoutHelpers returns the file without helpers, merged into the old file.
func (f goFile) withoutHelpers(imports string) (string, error) {
	text := goRegion("head", f.head) + "\n" + goRegion("imports", imports) + "\n" + f.body
	if f.old == "" {
		return text, nil
	}
	merged, ok := MergeRegions(f.old, text, f.retired...)
	if !ok {
		return "", ErrNoRegions
	}
	return merged, nil
}

func parsed(name, text string) (*ast.File, error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("the suite cannot be written as Go code: %w", err)
	}
	return file, nil
}

// helpersHead is the head of the file of settings and helpers.
const helpersHead = "// The settings and helpers that the tests of this folder share.\n\npackage apitest\n"

// helperFile returns the file of settings and helpers. The helpers are those that the new and the old test
// files of the folder need.
func (l library) helperFile(f goFile, in OutputFolder, files []OutputFile) ([]byte, error) {
	f.old = in.Old(HelpersFileName)
	for _, name := range in.Names {
		if strings.HasSuffix(name, "_test.go") && name != HelpersFileName &&
			!slices.ContainsFunc(files, func(f OutputFile) bool { return f.Name == name }) {
			files = append(files, OutputFile{name, []byte(in.Read(name))})
		}
	}
	for _, file := range files {
		if tree, err := parser.ParseFile(token.NewFileSet(), file.Name, file.Text, parser.SkipObjectResolution); err == nil &&
			tree.Name.Name == "apitest" {
			f.users = append(f.users, mentioned(tree))
		}
	}
	return f.withLibrary(l)
}

// TableFile is a Go file of table-driven tests, without its imports.
type TableFile struct {
	Name, Head, Body string
	Retired          []string // regions to remove from the old file
}

// GoTableFiles returns Go files of tables and a file of their settings and helpers, merged into the
// files of a folder as UpdateGoFile merges them. The literal of a table begins in the first region
// of its Body; GoTableFiles adds the region that ends it.
func GoTableFiles(tables []TableFile, settings string, in OutputFolder) ([]OutputFile, error) {
	lib, err := tableHelpers()
	if err != nil {
		return nil, err
	}
	var all []OutputFile
	for _, t := range tables {
		f := goFile{old: in.Old(t.Name), retired: t.Retired, head: t.Head, body: t.Body + "\n" + goRegion("helpers", "}\n")}
		text, err := lib.fileWithoutHelpers(f, t.Name)
		if err != nil {
			return nil, err
		}
		all = append(all, OutputFile{t.Name, text})
	}
	text, err := lib.helperFile(goFile{head: helpersHead, body: goRegion("settings", settings)}, in, all)
	return append(all, OutputFile{HelpersFileName, text}), err
}
