// Package format writes a suite in the formats that people run their tests in: one file
// here for each. All of them but Go say what an export.Script says, in their own way.
package format

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sonde/export"
	"sonde/model"
)

// Format is a way to write tests.
type Format struct {
	Name string // what a person says
	File string // what the file is called
	// Faults is what the file is called whose tests show faults, and Helpers the one that both
	// share, "" where they share none.
	Faults, Helpers string
	Text            string // what it is, in a few words
	// Run is what a person types before the file's path to run it, "" where that is not all.
	Run string
	// make makes the files of what Split returns, put into those of a folder.
	make func(f Format, tests, faults export.Suite, in export.Folder) (Made, error)
}

// Made is what an export writes.
type Made struct {
	Text  []byte   // of the tests, or where there are none of those that show faults
	Tests []string // the IDs of those that are in it
	Files []export.File
	// Faults are the IDs of the tests that show faults.
	Faults []string
	// Lacks says what the suite has and the file has not, a line each.
	Lacks []string
	// Starts says which commands the files run, "" where they run none.
	Starts string
}

// All are the formats, Go first.
var All = []Format{
	{
		Name: "go", File: export.FileName, Faults: export.FaultsFileName, Helpers: export.HelpersFileName,
		Text: "Go, the standard library alone", Run: "go test", make: inGo,
	},
	{
		Name: "go-table", File: "sonde_table_test.go", Faults: "sonde_faults_table_test.go", Helpers: export.HelpersFileName,
		Text: "Go, the calls of each test a row of a table", Run: "go test", make: inTable,
	},
	{
		Name: "hurl", File: "sonde.hurl", Faults: "sonde_faults.hurl", Text: "Hurl",
		make: script{print: hurl, logins: onceInHurl, refuse: unhurled, into: export.Merge, lacks: hurlLacks, unsaid: unsaidInHurl}.make,
	},
	{
		Name: "pytest", File: "test_sonde.py", Faults: "test_sonde_faults.py", Helpers: "sonde_helpers.py",
		Text: "Python with pytest and requests", Run: "pytest",
		make: script{print: pytest, helpers: pytestHelpers, logins: named, into: export.Merge}.make,
	},
	{
		Name: "node", File: "sonde.test.mjs", Faults: "sonde_faults.test.mjs", Helpers: "sonde_helpers.mjs",
		Text: "JavaScript with node:test and fetch", Run: "node --test",
		make: script{print: node, helpers: nodeHelpers, logins: named, refuse: unfetched, into: export.Merge}.make,
	},
	{
		Name: "junit5", File: "SondeTest.java", Faults: "SondeFaultsTest.java", Helpers: "SondeHelpers.java",
		Text: "Java with JUnit 5 and REST Assured",
		make: script{
			print: restAssured, helpers: javaHelpers, logins: named, files: onlyAuthorities, refuse: unassured,
			into: export.Merge, retired: []string{"helpers"},
		}.make,
	},
	{
		Name: "k6", File: "sonde.k6.js", Faults: "sonde_faults.k6.js", Helpers: "sonde_helpers.k6.js",
		Text: "k6, to test under load", Run: "k6 run",
		make: script{print: k6, helpers: k6Helpers, logins: named, files: noAuthorities, into: export.Merge}.make,
	},
	{
		Name: "postman", File: "sonde.postman_collection.json", Faults: "sonde_faults.postman_collection.json",
		Text: "a collection of Postman, version 2.1", Run: "newman run",
		make: script{
			print: postman, logins: onceWithoutReset, refuse: unposted, into: lists{"item": "name", "variable": "key"}.merge,
			lacks: postmanLacks, unsaid: unsaidInPostman,
		}.make,
	},
	{
		Name: "har", File: "sonde.har", Faults: "sonde_faults.har", Text: "an HTTP archive, version 1.2",
		make: script{
			print:  httpArchive,
			logins: once,
			files:  noFiles,
			refuse: noText,
			into:   lists{"pages": "id", "entries": "pageref"}.merge,
			lacks:  harLacks,
		}.make,
	},
	{
		Name:    "curl",
		File:    "sonde.sh",
		Faults:  "sonde_faults.sh",
		Helpers: "sonde_helpers.sh",
		Text:    "a shell script with curl and jq",
		Run:     "sh",
		make:    script{print: curl, helpers: curlHelpers, logins: once, into: export.Merge}.make,
	},
	{
		Name: "arazzo", File: "sonde.arazzo.json", Faults: "sonde_faults.arazzo.json", Text: "workflows of OpenAPI Arazzo, version 1.0",
		make: script{
			print:  arazzo,
			logins: plainly,
			files:  noFiles,
			refuse: unworkable,
			into:   lists{"workflows": "workflowId", "sourceDescriptions": "name"}.merge,
			lacks:  arazzoLacks,
			unsaid: unsaidInArazzo,
		}.make,
	},
}

// Names returns those of all formats.
func Names() []string {
	var all []string
	for _, f := range All {
		all = append(all, f.Name)
	}
	return all
}

// Named returns a format.
func Named(name string) (Format, error) {
	i := slices.IndexFunc(All, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, fmt.Errorf("--format %q is not known: say one of %s", name, strings.Join(Names(), ", "))
	}
	return All[i], nil
}

// Make makes the files of a suite as they are in a folder that is empty.
func (f Format) Make(s export.Suite) (Made, error) {
	nothing := func(string) string { return "" }
	tests, faults := s.Split()
	return f.make(f, tests, faults, export.Folder{Read: nothing, Old: nothing})
}

// Write writes the files of a suite into a folder, as export.Place does, and returns the path
// of the one with the tests. Of files that are there only what Sonde wrote of these tests
// changes, unless force is set; where one does not tell what that is all stay as they are, with
// fs.ErrExist.
func (f Format) Write(dir string, s export.Suite, force bool) (string, Made, error) {
	if err := f.crowded(dir); err != nil {
		return "", Made{}, err
	}
	tests, faults := s.Split()
	made, err := f.make(f, tests, faults, folder(dir, force))
	if errors.Is(err, export.ErrUnmarked) {
		err = fmt.Errorf("%q is there already, and %w: say --force to replace it: %w", filepath.Join(dir, f.File), err, fs.ErrExist)
	}
	if err != nil {
		return "", Made{}, err
	}
	for _, file := range slices.Backward(made.Files) { // the helpers first, which the tests need
		path := filepath.Join(dir, file.Name)
		if err := export.Place(path, file.Text, force || standing(path) != ""); err != nil {
			return "", Made{}, err
		}
	}
	return filepath.Join(dir, made.Files[0].Name), made, nil
}

// folder returns what is in a folder. What is to be replaced as a whole is not put into anything.
func folder(dir string, force bool) export.Folder {
	in := export.Folder{Read: func(name string) string { return standing(filepath.Join(dir, name)) }}
	in.Old = in.Read
	if force {
		in.Old = func(string) string { return "" }
	}
	entries, _ := os.ReadDir(dir) // else there is nothing
	for _, e := range entries {
		in.Names = append(in.Names, e.Name())
	}
	return in
}

// apart are formats of which a folder has one: to Go both files are of one package, and
// have helpers of the same names.
var apart = []string{"go", "go-table"}

// crowded says that a folder has the file of such a format where this one would come beside
// it.
func (f Format) crowded(dir string) error {
	if !slices.Contains(apart, f.Name) || standing(filepath.Join(dir, f.File)) != "" {
		return nil
	}
	for _, other := range All {
		path := filepath.Join(dir, other.File)
		if other.Name != f.Name && slices.Contains(apart, other.Name) && standing(path) != "" {
			return fmt.Errorf("%q is there already, and Go takes one of the two in a folder: name another for %s", path, f.File)
		}
	}
	return nil
}

// standing returns the text of a file, "" where there is none. What is a link is no file.
func standing(path string) string {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, _ := os.ReadFile(path) // else it is found out when it is written
	return string(text)
}

func inGo(_ Format, tests, faults export.Suite, in export.Folder) (Made, error) {
	files, err := export.GoFiles(tests, faults, in)
	if err != nil {
		return Made{}, err
	}
	made := Made{Text: files[0].Text, Files: files, Lacks: faults.UnshownFaults(), Starts: tests.CommandNotice(export.HelpersFileName)}
	if line := tests.EarlierStateNote(); line != "" {
		made.Lacks = append(made.Lacks, line)
	}
	for _, t := range tests.WrittenTests() {
		made.Tests = append(made.Tests, t.ID)
	}
	for _, t := range faults.WrittenTests() {
		made.Faults = append(made.Faults, t.ID)
	}
	return made, nil
}

// script makes files by printing a script.
type script struct {
	print func(export.Script) []byte
	// helpers prints what files share; nil where they share nothing.
	helpers func(export.Script) []byte
	// refuse gives a reason against a case, which then is left out; nil has none.
	refuse func(export.Case) string
	// unsaid gives a reason why something that is wanted cannot be said, "" for none; nil says
	// all.
	unsaid func(export.Want) string
	// into puts a file into an old one, and is false where that does not say what of it is
	// generated. Retired are regions of older versions.
	into    func(old, new string, retired ...string) (string, bool)
	retired []string
	// logins is how users log in in a suite; nil is in each case.
	logins func(export.Suite) export.Logins
	// lacks is what the format never has, "" where that is nothing.
	lacks string
	// files says which files of TLS the format has no use for, "" for none; nil uses all.
	files func(model.TLSFiles) string
}

func (f script) make(of Format, tests, faults export.Suite, in export.Folder) (Made, error) {
	var made Made
	var why error
	shared := export.Script{}
	for _, suite := range []export.Suite{tests, faults} {
		s, err := f.script(suite)
		switch {
		case errors.Is(err, export.ErrEmpty) && suite.ShowsFaults():
			made.Lacks = append(made.Lacks, s.Lacks...)
			continue
		case errors.Is(err, export.ErrEmpty):
			why = err
			continue
		case err != nil:
			return Made{}, err
		}
		name := of.File
		if s.Shows {
			name = of.Faults
		}
		text, err := f.put(f.print(s), in.Old(name), suite.RetiredTests())
		if err != nil {
			return Made{}, err
		}
		made.add(s, name, text)
		shared = shared.With(s)
	}
	switch {
	case len(made.Files) == 0:
		return Made{}, cmp.Or(why, export.ErrEmpty)
	case f.helpers == nil:
		return made, nil
	}
	shared.Shows = shared.Shows || in.Read(of.Faults) != ""
	text, err := f.put(f.helpers(shared), in.Old(of.Helpers), nil)
	made.Files = append(made.Files, export.File{Name: of.Helpers, Text: text})
	return made, err
}

// script returns a suite without what the format cannot say.
func (f script) script(s export.Suite) (export.Script, error) {
	logins := export.LoginsEach
	if f.logins != nil {
		logins = f.logins(s)
	}
	all, err := s.Script(logins)
	if err != nil {
		return all, err
	}
	err = leaveOut(&all, f.refuses)
	if f.files != nil {
		if line := f.files(s.TLS); line != "" {
			all.Lacks = append(all.Lacks, line)
		}
	}
	if f.lacks != "" {
		all.Lacks = append(all.Lacks, f.lacks)
	}
	return all, err
}

// refuses gives a reason against a case.
func (f script) refuses(c export.Case) string {
	if f.refuse != nil {
		if why := f.refuse(c); why != "" {
			return why
		}
	}
	if f.unsaid == nil {
		return ""
	}
	for _, s := range c.Steps {
		for _, w := range s.Wants {
			if why := f.unsaid(w); why != "" {
				return why
			}
		}
	}
	return ""
}

// put puts a file into an old one, where there is one.
func (f script) put(text []byte, old string, retired []string) ([]byte, error) {
	if old == "" {
		return text, nil
	}
	merged, ok := f.into(old, string(text), slices.Concat(f.retired, retired)...)
	if !ok {
		return nil, export.ErrUnmarked
	}
	return []byte(merged), nil
}

// add adds a file with the tests of a script.
func (m *Made) add(s export.Script, name string, text []byte) {
	m.Files = append(m.Files, export.File{Name: name, Text: text})
	if m.Text == nil {
		m.Text = text
	}
	ids := &m.Tests
	if s.Shows {
		ids = &m.Faults
	}
	for _, c := range s.Cases {
		*ids = append(*ids, c.ID)
	}
	for _, line := range s.Lacks {
		if !slices.Contains(m.Lacks, line) {
			m.Lacks = append(m.Lacks, line)
		}
	}
}

// leaveOut takes out of a script the cases that there is a reason against, and says so.
func leaveOut(s *export.Script, refuse func(export.Case) string) error {
	var left []export.Case
	why := ""
	for _, c := range s.Cases {
		reason := refuse(c)
		if reason == "" {
			left = append(left, c)
			continue
		}
		why = cmp.Or(why, reason)
		s.Lacks = append(s.Lacks, fmt.Sprintf("Left out: %s, because %s.", c.Name, reason))
	}
	s.Cases = left
	if len(left) == 0 {
		return fmt.Errorf("%w in this format: %s", export.ErrEmpty, why)
	}
	return nil
}
