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
	Name      string // what a person says
	TestsFile string // what the file is called
	// FaultsFile is what the file is called whose tests show faults, and Helpers the one that both
	// share, "" where they share none.
	FaultsFile, HelpersFile string
	Description             string // what it is, in a few words
	// RunCommand is what a person types before the file's path to run it, "" where that is not all.
	RunCommand string
	// make makes the files of what SplitFaults returns, put into those of a folder.
	make func(f Format, tests, faults export.Suite, in export.OutputFolder) (Output, error)
}

// Output is what an export writes.
type Output struct {
	Text  []byte   // of the tests, or where there are none of those that show faults
	Tests []string // the IDs of those that are in it
	Files []export.OutputFile
	// FaultsFile are the IDs of the tests that show faults.
	Faults []string
	// Omissions says what the suite has and the file has not, a line each.
	Omissions []string
	// CommandNotice says which commands the files run, "" where they run none.
	CommandNotice string
}

// Formats are the formats, Go first.
var Formats = []Format{
	{
		Name: "go", TestsFile: export.TestsFileName, FaultsFile: export.FaultsFileName, HelpersFile: export.HelpersFileName,
		Description: "Go, the standard library alone", RunCommand: "go test", make: inGo,
	},
	{
		Name: "go-table", TestsFile: "sonde_table_test.go", FaultsFile: "sonde_faults_table_test.go", HelpersFile: export.HelpersFileName,
		Description: "Go, the calls of each test a row of a table", RunCommand: "go test", make: inTable,
	},
	{
		Name: "hurl", TestsFile: "sonde.hurl", FaultsFile: "sonde_faults.hurl", Description: "Hurl",
		make: script{print: hurl, logins: onceInHurl, refuse: unhurled, into: export.MergeRegions, lacks: hurlLacks, unsaid: unsaidInHurl}.make,
	},
	{
		Name: "pytest", TestsFile: "test_sonde.py", FaultsFile: "test_sonde_faults.py", HelpersFile: "sonde_helpers.py",
		Description: "Python with pytest and requests", RunCommand: "pytest",
		make: script{print: pytest, helpers: pytestHelpers, logins: named, into: export.MergeRegions}.make,
	},
	{
		Name: "node", TestsFile: "sonde.test.mjs", FaultsFile: "sonde_faults.test.mjs", HelpersFile: "sonde_helpers.mjs",
		Description: "JavaScript with node:test and fetch", RunCommand: "node --test",
		make: script{print: node, helpers: nodeHelpers, logins: named, refuse: unfetched, into: export.MergeRegions}.make,
	},
	{
		Name: "junit5", TestsFile: "SondeTest.java", FaultsFile: "SondeFaultsTest.java", HelpersFile: "SondeHelpers.java",
		Description: "Java with JUnit 5 and REST Assured",
		make: script{
			print: restAssured, helpers: javaHelpers, logins: named, files: onlyAuthorities, refuse: unassured,
			into: export.MergeRegions, retired: []string{"helpers"},
		}.make,
	},
	{
		Name: "k6", TestsFile: "sonde.k6.js", FaultsFile: "sonde_faults.k6.js", HelpersFile: "sonde_helpers.k6.js",
		Description: "k6, to test under load", RunCommand: "k6 run",
		make: script{print: k6, helpers: k6Helpers, logins: named, files: noAuthorities, into: export.MergeRegions}.make,
	},
	{
		Name: "postman", TestsFile: "sonde.postman_collection.json", FaultsFile: "sonde_faults.postman_collection.json",
		Description: "a collection of Postman, version 2.1", RunCommand: "newman run",
		make: script{
			print: postman, logins: onceWithoutReset, refuse: unposted, into: lists{"item": "name", "variable": "key"}.merge,
			lacks: postmanLacks, unsaid: unsaidInPostman,
		}.make,
	},
	{
		Name: "har", TestsFile: "sonde.har", FaultsFile: "sonde_faults.har", Description: "an HTTP archive, version 1.2",
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
		Name:        "curl",
		TestsFile:   "sonde.sh",
		FaultsFile:  "sonde_faults.sh",
		HelpersFile: "sonde_helpers.sh",
		Description: "a shell script with curl and jq",
		RunCommand:  "sh",
		make:        script{print: curl, helpers: curlHelpers, logins: once, into: export.MergeRegions}.make,
	},
	{
		Name: "arazzo", TestsFile: "sonde.arazzo.json", FaultsFile: "sonde_faults.arazzo.json", Description: "workflows of OpenAPI Arazzo, version 1.0",
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

// FormatNames returns those of all formats.
func FormatNames() []string {
	var all []string
	for _, f := range Formats {
		all = append(all, f.Name)
	}
	return all
}

// FormatNamed returns a format.
func FormatNamed(name string) (Format, error) {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, fmt.Errorf("--format %q is not known: say one of %s", name, strings.Join(FormatNames(), ", "))
	}
	return Formats[i], nil
}

// Generate makes the files of a suite as they are in a folder that is empty.
func (f Format) Generate(s export.Suite) (Output, error) {
	nothing := func(string) string { return "" }
	tests, faults := s.SplitFaults()
	return f.make(f, tests, faults, export.OutputFolder{Read: nothing, Old: nothing})
}

// Write writes the files of a suite into a folder, as export.WriteFile does, and returns the path
// of the one with the tests. Of files that are there only what Sonde wrote of these tests
// changes, unless force is set; where one does not tell what that is all stay as they are, with
// fs.ErrExist.
func (f Format) Write(dir string, s export.Suite, force bool) (string, Output, error) {
	if err := f.crowded(dir); err != nil {
		return "", Output{}, err
	}
	tests, faults := s.SplitFaults()
	made, err := f.make(f, tests, faults, folder(dir, force))
	if errors.Is(err, export.ErrNoRegions) {
		err = fmt.Errorf("%q is there already, and %w: say --force to replace it: %w", filepath.Join(dir, f.TestsFile), err, fs.ErrExist)
	}
	if err != nil {
		return "", Output{}, err
	}
	for _, file := range slices.Backward(made.Files) { // the helpers first, which the tests need
		path := filepath.Join(dir, file.Name)
		if err := export.WriteFile(path, file.Text, force || standing(path) != ""); err != nil {
			return "", Output{}, err
		}
	}
	return filepath.Join(dir, made.Files[0].Name), made, nil
}

// folder returns what is in a folder. What is to be replaced as a whole is not put into anything.
func folder(dir string, force bool) export.OutputFolder {
	in := export.OutputFolder{Read: func(name string) string { return standing(filepath.Join(dir, name)) }}
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
	if !slices.Contains(apart, f.Name) || standing(filepath.Join(dir, f.TestsFile)) != "" {
		return nil
	}
	for _, other := range Formats {
		path := filepath.Join(dir, other.TestsFile)
		if other.Name != f.Name && slices.Contains(apart, other.Name) && standing(path) != "" {
			return fmt.Errorf("%q is there already, and Go takes one of the two in a folder: name another for %s", path, f.TestsFile)
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

func inGo(_ Format, tests, faults export.Suite, in export.OutputFolder) (Output, error) {
	files, err := export.GoFiles(tests, faults, in)
	if err != nil {
		return Output{}, err
	}
	made := Output{Text: files[0].Text, Files: files, Omissions: faults.UnshownFaults(), CommandNotice: tests.CommandNotice(export.HelpersFileName)}
	if line := tests.EarlierStateNote(); line != "" {
		made.Omissions = append(made.Omissions, line)
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
	refuse func(export.TestCase) string
	// unsaid gives a reason why something that is wanted cannot be said, "" for none; nil says
	// all.
	unsaid func(export.Assertion) string
	// into puts a file into an old one, and is false where that does not say what of it is
	// generated. Retired are regions of older versions.
	into    func(old, new string, retired ...string) (string, bool)
	retired []string
	// logins is how users log in in a suite; nil is in each case.
	logins func(export.Suite) export.LoginMode
	// lacks is what the format never has, "" where that is nothing.
	lacks string
	// files says which files of TLS the format has no use for, "" for none; nil uses all.
	files func(model.TLSFiles) string
}

func (f script) make(of Format, tests, faults export.Suite, in export.OutputFolder) (Output, error) {
	var made Output
	var why error
	shared := export.Script{}
	for _, suite := range []export.Suite{tests, faults} {
		s, err := f.script(suite)
		switch {
		case errors.Is(err, export.ErrEmpty) && suite.ShowsFaults():
			made.Omissions = append(made.Omissions, s.Omissions...)
			continue
		case errors.Is(err, export.ErrEmpty):
			why = err
			continue
		case err != nil:
			return Output{}, err
		}
		name := of.TestsFile
		if s.ShowsFaults {
			name = of.FaultsFile
		}
		text, err := f.put(f.print(s), in.Old(name), suite.RetiredTests())
		if err != nil {
			return Output{}, err
		}
		made.add(s, name, text)
		shared = shared.MergeShared(s)
	}
	switch {
	case len(made.Files) == 0:
		return Output{}, cmp.Or(why, export.ErrEmpty)
	case f.helpers == nil:
		return made, nil
	}
	shared.ShowsFaults = shared.ShowsFaults || in.Read(of.FaultsFile) != ""
	text, err := f.put(f.helpers(shared), in.Old(of.HelpersFile), nil)
	made.Files = append(made.Files, export.OutputFile{Name: of.HelpersFile, Text: text})
	return made, err
}

// script returns a suite without what the format cannot say.
func (f script) script(s export.Suite) (export.Script, error) {
	logins := export.LoginPerCase
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
			all.Omissions = append(all.Omissions, line)
		}
	}
	if f.lacks != "" {
		all.Omissions = append(all.Omissions, f.lacks)
	}
	return all, err
}

// refuses gives a reason against a case.
func (f script) refuses(c export.TestCase) string {
	if f.refuse != nil {
		if why := f.refuse(c); why != "" {
			return why
		}
	}
	if f.unsaid == nil {
		return ""
	}
	for _, s := range c.Steps {
		for _, w := range s.Assertions {
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
		return nil, export.ErrNoRegions
	}
	return []byte(merged), nil
}

// add adds a file with the tests of a script.
func (m *Output) add(s export.Script, name string, text []byte) {
	m.Files = append(m.Files, export.OutputFile{Name: name, Text: text})
	if m.Text == nil {
		m.Text = text
	}
	ids := &m.Tests
	if s.ShowsFaults {
		ids = &m.Faults
	}
	for _, c := range s.Cases {
		*ids = append(*ids, c.ID)
	}
	for _, line := range s.Omissions {
		if !slices.Contains(m.Omissions, line) {
			m.Omissions = append(m.Omissions, line)
		}
	}
}

// leaveOut takes out of a script the cases that there is a reason against, and says so.
func leaveOut(s *export.Script, refuse func(export.TestCase) string) error {
	var left []export.TestCase
	why := ""
	for _, c := range s.Cases {
		reason := refuse(c)
		if reason == "" {
			left = append(left, c)
			continue
		}
		why = cmp.Or(why, reason)
		s.Omissions = append(s.Omissions, fmt.Sprintf("Left out: %s, because %s.", c.Name, reason))
	}
	s.Cases = left
	if len(left) == 0 {
		return fmt.Errorf("%w in this format: %s", export.ErrEmpty, why)
	}
	return nil
}
