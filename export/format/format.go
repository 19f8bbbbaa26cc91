// Package format writes suites as test files: for Go, Hurl, pytest, node:test, JUnit 5, k6, Postman, Bruno, HAR, curl
// and Arazzo, and as .http files. The table Formats lists them. Most formats are a function that prints an
// export.Script, in a file that is named after the tool; JUnit 5 is in restassured.go, .http in httpfile.go. program.go
// and text.go have the code that several formats share, answerscript.go the scripts of those that run JavaScript after
// a request, and hosts.go the code of the formats whose tests play hosts. Two formats do not use the type script: go-table,
// in gotable.go, and go. Package export writes the files of go, because only Go tests can play hosts that speak other
// protocols than HTTP.
//
// The package never runs the files. Except for [Format.Write] its functions have no side effects, and all
// may be called by several goroutines at once.
package format

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sonde/export"
	"sonde/model"
)

// Format is a format of test files.
type Format struct {
	Name      string // the value of --format
	TestsFile string // the name of the file with the tests
	// FaultsFile is the name of the file with the tests that show faults. HelpersFile is the name of the
	// file with the helpers of both other files, "" if they need none.
	FaultsFile, HelpersFile string
	Description             string // a few words
	Needs                   string // what must be installed to run the files, "" if they are only read
	// RunCommand is the command that runs a file, without the path of the file. It is "" if no single command runs a
	// file.
	RunCommand string
	// Servers says that the tests can start the service, and play hosts around it by servers on loopback.
	Servers bool
	// make returns the files for the two results of Suite.SplitFaults, merged into the files of a folder.
	make func(f Format, tests, faults export.Suite, in export.OutputFolder) (Output, error)
}

// Output is the result of an export.
type Output struct {
	Text  []byte   // the file with the tests, or the file with the faults if there are no tests
	Tests []string // the IDs of the tests in the file with the tests
	Files []export.OutputFile
	// Faults are the IDs of the tests that show faults.
	Faults []string
	// Omissions are lines about parts of the suite that the files leave out. Omitted lists the tests that the files
	// leave out. A recorded test can have one entry for each of its oracles.
	Omissions []string
	Omitted   []OmittedTest
	// Names are the names that the tests have in the files, by the names of their functions in Go. Omitted tests are
	// included. Names is nil for the formats go and go-table.
	Names map[string]string
	// folders are the folders of tests of several files. Files of an earlier export that are no longer part of such a
	// test are removed, and those of retired tests, which are given by their first comment lines.
	folders, retired []string
	// CommandNotice is a line about the commands that the files run, "" if they run none.
	CommandNotice string
}

// OmittedTest is a test that a file leaves out.
type OmittedTest struct {
	ID   string `json:"id"`
	Name string `json:"name"` // the name that it would have in the file
	Why  string `json:"why"`
}

// Formats are all formats, Go first.
var Formats = []Format{
	{
		Name: "go", TestsFile: export.TestsFileName, FaultsFile: export.FaultsFileName, HelpersFile: export.HelpersFileName,
		Description: "Go, the standard library alone", Needs: goNeeds, RunCommand: "go test", make: inGo,
	},
	{
		Name: "go-table", TestsFile: "sonde_table_test.go", FaultsFile: "sonde_faults_table_test.go", HelpersFile: export.HelpersFileName,
		Description: "Go, with a table of tests and their calls", Needs: goNeeds, RunCommand: "go test", make: inTable,
	},
	{
		Name: "hurl", TestsFile: "sonde.hurl", FaultsFile: "sonde_faults.hurl", Description: "Hurl", Needs: hurlNeeds,
		make: script{
			print:          hurl,
			loginMode:      hurlLogins,
			whyNoCase:      whyNotInHurl,
			merge:          export.MergeRegions,
			alwaysOmits:    hurlAlwaysOmits,
			whyNoAssertion: whyNoHurlAssertion,
		}.make,
	},
	{
		Name: "pytest", TestsFile: "test_sonde.py", FaultsFile: "test_sonde_faults.py", HelpersFile: "sonde_helpers.py",
		Description: "Python with pytest and requests", Needs: pytestNeeds, RunCommand: "pytest", Servers: true,
		make: script{
			print:        pytest,
			helpers:      pytestHelpers,
			testName:     pytestName,
			loginMode:    sharedLoginsByName,
			whyNotPlayed: whyNotPlayed,
			merge:        export.MergeRegions,
		}.make,
	},
	{
		Name: "node", TestsFile: "sonde.test.mjs", FaultsFile: "sonde_faults.test.mjs", HelpersFile: "sonde_helpers.mjs",
		Description: "JavaScript with node:test and fetch", Needs: nodeNeeds, RunCommand: "node --test", Servers: true,
		make: script{
			print:        node,
			helpers:      nodeHelpers,
			loginMode:    sharedLoginsByName,
			whyNoCase:    whyNotInNode,
			whyNotPlayed: whyNotPlayed,
			merge:        export.MergeRegions,
		}.make,
	},
	{
		Name: "junit5", TestsFile: "SondeTest.java", FaultsFile: "SondeFaultsTest.java", HelpersFile: "SondeHelpers.java",
		Description: "Java with JUnit 5 and REST Assured", Needs: javaNeeds, Servers: true,
		make: script{
			print:          restAssured,
			helpers:        javaHelpers,
			testName:       lowered,
			loginMode:      sharedLoginsByName,
			unusedTLSFiles: noClientCert,
			whyNoCase:      whyNotInJava,
			whyNotPlayed:   whyNotPlayedInJava,
			merge:          export.MergeRegions,
			retired:        []string{"helpers"},
		}.make,
	},
	{
		Name: "k6", TestsFile: "sonde.k6.js", FaultsFile: "sonde_faults.k6.js", HelpersFile: "sonde_helpers.k6.js",
		Description: "k6, for load tests", Needs: k6Needs, RunCommand: "k6 run",
		make: script{
			print:          k6,
			helpers:        k6Helpers,
			loginMode:      sharedLoginsByName,
			unusedTLSFiles: noCACert,
			merge:          export.MergeRegions,
		}.make,
	},
	{
		Name: "postman", TestsFile: "sonde.postman_collection.json", FaultsFile: "sonde_faults.postman_collection.json",
		Description: "a Postman collection, version 2.1", Needs: postmanNeeds, RunCommand: "newman run",
		make: script{
			print:          postman,
			loginMode:      sharedLoginsUnlessReset,
			whyNoCase:      whyNotInPostman,
			merge:          lists{"item": "name", "variable": "key"}.merge,
			alwaysOmits:    postmanAlwaysOmits,
			whyNoAssertion: whyNoScriptAssertion,
		}.make,
	},
	{
		Name: "bruno", TestsFile: "sonde_bruno/bruno.json", FaultsFile: "sonde_faults_bruno/bruno.json",
		Description: "a collection of Bruno: a folder with a file for each request", Needs: brunoNeeds,
		make: script{
			print:          bruno,
			parts:          brunoFiles,
			loginMode:      sharedLoginsUnlessReset,
			unusedTLSFiles: noClientCert,
			whyNoCase:      whyNotInBruno,
			merge:          mergeBruno,
			alwaysOmits:    postmanAlwaysOmits,
			whyNoAssertion: whyNoScriptAssertion,
		}.make,
	},
	{
		Name: "http", TestsFile: "sonde.http", FaultsFile: "sonde_faults.http",
		Description: "a .http file for VS Code with httpYac, and JetBrains", Needs: httpNeeds, RunCommand: "httpyac send --all",
		make: script{
			print:          httpFile,
			loginMode:      sharedLoginsUnlessReset,
			unusedTLSFiles: noTLSFiles,
			whyNoCase:      whyNotInHTTP,
			merge:          export.MergeRegions,
			alwaysOmits:    postmanAlwaysOmits,
			whyNoAssertion: whyNoScriptAssertion,
		}.make,
	},
	{
		Name: "har", TestsFile: "sonde.har", FaultsFile: "sonde_faults.har", Description: "an HTTP archive, version 1.2",
		make: script{
			print:          httpArchive,
			loginMode:      sharedLogins,
			unusedTLSFiles: noTLSFiles,
			whyNoCase:      whyNotAsText,
			merge:          lists{"pages": "id", "entries": "pageref"}.merge,
			alwaysOmits:    harAlwaysOmits,
		}.make,
	},
	{
		Name:        "curl",
		TestsFile:   "sonde.sh",
		FaultsFile:  "sonde_faults.sh",
		HelpersFile: "sonde_helpers.sh",
		Description: "a shell script with curl and jq",
		Needs:       curlNeeds,
		RunCommand:  "sh",
		make:        script{print: curl, helpers: curlHelpers, loginMode: sharedLogins, merge: export.MergeRegions}.make,
	},
	{
		Name: "arazzo", TestsFile: "sonde.arazzo.json", FaultsFile: "sonde_faults.arazzo.json",
		Description: "workflows of OpenAPI Arazzo, version 1.0", Needs: arazzoNeeds,
		make: script{
			print:          arazzo,
			loginMode:      simpleLogins,
			unusedTLSFiles: noTLSFiles,
			whyNoCase:      whyNotInArazzo,
			merge:          lists{"workflows": "workflowId", "sourceDescriptions": "name"}.merge,
			alwaysOmits:    arazzoAlwaysOmits,
			whyNoAssertion: whyNoArazzoAssertion,
		}.make,
	},
}

// Names returns the names of all formats.
func Names() []string {
	var all []string
	for _, f := range Formats {
		all = append(all, f.Name)
	}
	return all
}

// Named returns the format with a name, or an error that lists the names.
func Named(name string) (Format, error) {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, fmt.Errorf("--format %q is unknown: use one of %s", name, strings.Join(Names(), ", "))
	}
	return Formats[i], nil
}

// Generate returns the files of a suite for an empty folder.
func (f Format) Generate(s export.Suite) (Output, error) {
	nothing := func(string) string { return "" }
	tests, faults := s.SplitFaults()
	return f.make(f, tests, faults, export.OutputFolder{Read: nothing, Old: nothing})
}

// Write writes the files of a suite into a folder with export.WriteFile. It returns the path of the first file. In
// existing files it changes only the regions that Sonde wrote for these tests, unless force is set. If an existing
// file has no such regions, Write changes nothing and returns an error that wraps fs.ErrExist. It also returns an
// error if f is one of the formats go and go-table and the folder has only files of the other.
func (f Format) Write(dir string, s export.Suite, force bool) (string, Output, error) {
	if err := f.checkExclusive(dir); err != nil {
		return "", Output{}, err
	}
	tests, faults := s.SplitFaults()
	made, err := f.make(f, tests, faults, folder(dir, force))
	if errors.Is(err, export.ErrNoRegions) {
		err = fmt.Errorf("%q exists already, and %w: add --force to replace it: %w", filepath.Join(dir, f.TestsFile), err, fs.ErrExist)
	}
	if err != nil {
		return "", made, err
	}
	if err := removeStale(dir, made); err != nil {
		return "", Output{}, err
	}
	for _, file := range slices.Backward(made.Files) { // the helpers first, because the tests need them
		path := filepath.Join(dir, file.Name)
		if err := export.WriteFile(path, file.Text, force || regularText(path) != ""); err != nil {
			return "", Output{}, err
		}
	}
	return filepath.Join(dir, made.Files[0].Name), made, nil
}

// removeStale removes the files of an earlier export from the folders of tests that are written again.
func removeStale(dir string, made Output) error {
	for _, folder := range slices.Concat(made.folders, retiredFolders(dir, made)) {
		entries, _ := os.ReadDir(filepath.Join(dir, folder)) // a folder that does not exist has no such files
		for _, e := range entries {
			name := path.Join(folder, e.Name())
			isPart := slices.ContainsFunc(made.Files, func(f export.OutputFile) bool { return f.Name == name })
			if isPart || !e.Type().IsRegular() || !writtenPart.MatchString(e.Name()) {
				continue
			}
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				return fmt.Errorf("cannot remove a file of an earlier export: %w", err)
			}
		}
	}
	return nil
}

// writtenPart matches the names of the files of a test that has several.
var writtenPart = regexp.MustCompile(`^([0-9]{2,}-[A-Za-z0-9-]*|folder)\.bru$`)

// retiredFolders returns the folders of retired tests.
func retiredFolders(dir string, made Output) []string {
	if len(made.retired) == 0 {
		return nil
	}
	var all []string
	root := path.Dir(made.Files[0].Name)
	entries, _ := os.ReadDir(filepath.Join(dir, root)) // a folder that does not exist has no tests
	for _, e := range entries {
		folder := path.Join(root, e.Name())
		about := regularText(filepath.Join(dir, folder, "folder.bru"))
		isRetired := slices.ContainsFunc(made.retired, func(line string) bool { return strings.Contains(about, "docs {\n  "+line+"\n") })
		if isRetired && !slices.Contains(made.folders, folder) {
			all = append(all, folder)
		}
	}
	return all
}

// folder returns the files of a folder. With force, Old returns no text, so that the new files replace the old ones.
func folder(dir string, force bool) export.OutputFolder {
	in := export.OutputFolder{Read: func(name string) string { return regularText(filepath.Join(dir, name)) }}
	in.Old = in.Read
	if force {
		in.Old = func(string) string { return "" }
	}
	entries, _ := os.ReadDir(dir) // a folder that does not exist is empty
	for _, e := range entries {
		in.Names = append(in.Names, e.Name())
	}
	return in
}

// exclusiveFormats are formats that cannot share a folder: their files belong to one Go package and have
// helpers of the same names.
var exclusiveFormats = []string{"go", "go-table"}

// checkExclusive returns an error if f is an exclusive format and the folder has no file of f, but a file
// of another exclusive format.
func (f Format) checkExclusive(dir string) error {
	if !slices.Contains(exclusiveFormats, f.Name) || regularText(filepath.Join(dir, f.TestsFile)) != "" {
		return nil
	}
	for _, other := range Formats {
		path := filepath.Join(dir, other.TestsFile)
		if other.Name != f.Name && slices.Contains(exclusiveFormats, other.Name) && regularText(path) != "" {
			return fmt.Errorf(
				"%q exists already, and a folder can have only one of the two formats for Go: name another folder for %s",
				path, f.TestsFile,
			)
		}
	}
	return nil
}

// regularText returns the text of a regular file, "" if there is none.
func regularText(path string) string {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, _ := os.ReadFile(path) // an error occurs again when the file is written
	return string(text)
}

// inGo makes the files of the format go.
func inGo(_ Format, tests, faults export.Suite, in export.OutputFolder) (Output, error) {
	files, err := export.GoFiles(tests, faults, in)
	if err != nil {
		return Output{}, err
	}
	made := Output{
		Text:          files[0].Text,
		Files:         files,
		Omissions:     faults.UnshownFaults(),
		CommandNotice: tests.CommandNotice(export.HelpersFileName),
	}
	if line := tests.EarlierStateNote(); line != "" {
		made.Omissions = append(made.Omissions, line)
	}
	for _, s := range []export.Suite{tests, faults} {
		if line := s.RowsNote(); line != "" {
			made.Omissions = append(made.Omissions, line)
		}
	}
	for _, t := range tests.WrittenTests() {
		made.Tests = append(made.Tests, t.ID)
	}
	for _, t := range faults.WrittenTests() {
		made.Faults = append(made.Faults, t.ID)
	}
	return made, nil
}

// script makes the files of a format that prints an export.Script. Only print and merge are required.
type script struct {
	print func(export.Script) []byte
	// parts returns further files, in the folder dir of the printed one. It is nil for a format of one file.
	parts func(s export.Script, dir string) []export.OutputFile
	// helpers prints the file of helpers. It is nil if the format needs none.
	helpers func(export.Script) []byte
	// whyNoCase returns the reason why the format cannot express a case, "" if it can. Such a case is left
	// out. A nil whyNoCase means that the format can express all cases.
	whyNoCase func(export.TestCase) string
	// testName returns the name of a case in the file. A nil testName means that it is the name of the case.
	testName func(string) string
	// whyNotPlayed returns the reason why the tests cannot play a stub by an HTTP server, "" if they can. A nil
	// whyNotPlayed means that the tests cannot start the service and play hosts.
	whyNotPlayed func(model.Stub) string
	// whyNoAssertion returns the reason why the format cannot express an assertion, "" if it can. A nil
	// whyNoAssertion means that the format can express all assertions.
	whyNoAssertion func(export.Assertion) string
	// merge merges a new file into an old one. It returns false if the old file cannot be merged, for
	// example because it has no regions. retired are names of regions, and first comment lines of tests, to
	// remove from the old file.
	merge   func(old, new string, retired ...string) (string, bool)
	retired []string
	// loginMode returns how the users of a suite log in; nil means export.LoginPerCase.
	loginMode func(export.Suite) export.LoginMode
	// alwaysOmits is a line about what files of the format never contain, "" for none.
	alwaysOmits string
	// unusedTLSFiles returns a line about the TLS files that the format does not use, "" if it uses
	// all of them. It is nil for a format that uses all TLS files.
	unusedTLSFiles func(model.TLSFiles) string
}

// make returns the files for the two results of SplitFaults, and the file of helpers and the files of bodies if the
// format has helpers. It makes no file for a suite without tests.
func (f script) make(of Format, tests, faults export.Suite, in export.OutputFolder) (Output, error) {
	var made Output
	var why error
	shared := export.Script{}
	var bodies []export.OutputFile
	for _, suite := range []export.Suite{tests, faults} {
		s, err := f.script(suite, &made)
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
		text, err := f.mergeInto(f.print(s), in.Old(name), suite.RetiredTests())
		if err != nil {
			return Output{}, err
		}
		made.add(s, name, text)
		if f.parts != nil {
			made.addParts(f.parts(s, path.Dir(name)))
			made.retired = append(made.retired, suite.RetiredTests()...)
		}
		bodies = append(bodies, s.Files...)
		shared = shared.MergeShared(s)
	}
	switch {
	case len(made.Files) == 0:
		return Output{Omitted: made.Omitted, Names: made.Names}, cmp.Or(why, export.ErrEmpty)
	case f.helpers == nil:
		return made, nil
	}
	if shared.Play != nil && shared.Play.Service != nil {
		made.CommandNotice = tests.CommandNotice(of.HelpersFile)
	}
	shared.ShowsFaults = shared.ShowsFaults || in.Read(of.FaultsFile) != ""
	text, err := f.mergeInto(f.helpers(shared), in.Old(of.HelpersFile), nil)
	made.Files = append(append(made.Files, export.OutputFile{Name: of.HelpersFile, Text: text}), bodies...)
	return made, err
}

// script returns the script of a suite without the cases that the format cannot express. It adds these cases, and the
// names of all cases, to made.
func (f script) script(s export.Suite, made *Output) (export.Script, error) {
	logins := export.LoginPerCase
	if f.loginMode != nil {
		logins = f.loginMode(s)
	}
	all, err := f.wholeScript(s, logins)
	if err != nil {
		return all, err
	}
	for _, c := range all.Cases {
		if made.Names == nil {
			made.Names = map[string]string{}
		}
		made.Names[c.Function] = f.nameOf(c)
	}
	omitted, err := f.leaveOut(&all)
	made.Omitted = append(made.Omitted, omitted...)
	if f.unusedTLSFiles != nil {
		if line := f.unusedTLSFiles(s.TLS); line != "" {
			all.Omissions = append(all.Omissions, line)
		}
	}
	if f.alwaysOmits != "" {
		all.Omissions = append(all.Omissions, f.alwaysOmits)
	}
	return all, err
}

// nameOf returns the name of a case in the file.
func (f script) nameOf(c export.TestCase) string {
	if f.testName == nil {
		return c.Name
	}
	return f.testName(c.Name)
}

// wholeScript returns the script of a suite with all cases.
func (f script) wholeScript(s export.Suite, logins export.LoginMode) (export.Script, error) {
	if f.whyNotPlayed != nil {
		return s.PlayingScript(logins, f.whyNotPlayed)
	}
	return s.Script(logins)
}

// whyCaseOmitted returns the reason why the format cannot express a case or one of its assertions, "" if it
// can.
func (f script) whyCaseOmitted(c export.TestCase) string {
	if c.Unplayable != "" {
		return c.Unplayable
	}
	if f.whyNoCase != nil {
		if why := f.whyNoCase(c); why != "" {
			return why
		}
	}
	if f.whyNoAssertion == nil {
		return ""
	}
	for _, s := range c.Steps {
		for _, w := range s.Assertions {
			if why := f.whyNoAssertion(w); why != "" {
				return why
			}
		}
	}
	return ""
}

// mergeInto returns a new file merged into an old one. If old is "", it returns the new file. If the files
// cannot be merged, the error is export.ErrNoRegions.
func (f script) mergeInto(text []byte, old string, retired []string) ([]byte, error) {
	if old == "" {
		return text, nil
	}
	merged, ok := f.merge(old, string(text), slices.Concat(f.retired, retired)...)
	if !ok {
		return nil, export.ErrNoRegions
	}
	return []byte(merged), nil
}

// add adds a file with the cases of a script.
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
		if n := len(*ids); n == 0 || (*ids)[n-1] != c.ID {
			*ids = append(*ids, c.ID)
		}
	}
	for _, line := range s.Omissions {
		if !slices.Contains(m.Omissions, line) {
			m.Omissions = append(m.Omissions, line)
		}
	}
}

// addParts adds files that belong to the last file. Those of the tests are also added to the text.
func (m *Output) addParts(files []export.OutputFile) {
	shown := len(m.Files) == 1
	m.Files = append(m.Files, files...)
	for _, file := range files {
		if folder := path.Dir(file.Name); !slices.Contains(m.folders, folder) {
			m.folders = append(m.folders, folder)
		}
		if shown {
			m.Text = fmt.Appendf(m.Text, "\n# %s\n\n%s", file.Name, file.Text)
		}
	}
}

// leaveOut removes the cases of a script that the format cannot express, and adds a line for each reason to the
// omissions of the script. It returns the removed cases, and an error if no case is left.
func (f script) leaveOut(s *export.Script) ([]OmittedTest, error) {
	var left []export.TestCase
	var omitted []OmittedTest
	var reasons []string
	names := map[string][]string{} // key: the reason; value: the names of the removed cases
	for _, c := range s.Cases {
		why := f.whyCaseOmitted(c)
		if why == "" {
			left = append(left, c)
			continue
		}
		if names[why] == nil {
			reasons = append(reasons, why)
		}
		names[why] = append(names[why], f.nameOf(c))
		omitted = append(omitted, OmittedTest{ID: c.ID, Name: f.nameOf(c), Why: why})
	}
	for _, why := range reasons {
		s.Omissions = append(s.Omissions, fmt.Sprintf("Left out: %s, because %s.", strings.Join(names[why], ", "), why))
	}
	s.Cases = left
	if len(left) == 0 {
		return omitted, fmt.Errorf("%w in this format: %s", export.ErrEmpty, reasons[0])
	}
	return omitted, nil
}
