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
)

// Format is a way to write tests.
type Format struct {
	Name string // what a person says
	File string // what the file is called
	Text string // what it is, in a few words
	// Run is what a person types before the file's path to run it, "" where that is not all.
	Run string
	// make makes the file, or puts it into an old one, which is not "".
	make func(s export.Suite, old string) (Made, error)
}

// Made is a file before it is written.
type Made struct {
	Text  []byte
	Tests []string // the IDs of those that are in it
	// Lacks says what the suite has and the file has not, a line each.
	Lacks []string
}

// All are the formats, Go first.
var All = []Format{
	{"go", export.FileName, "Go, the standard library alone", "go test", inGo},
	{"go-table", "sonde_table_test.go", "Go, the calls of each test a row of a table", "go test", inTable},
	{"hurl", "sonde.hurl", "Hurl", "", script{print: hurl, into: export.Merge, lacks: hurlLacks}.make},
	{"pytest", "test_sonde.py", "Python with pytest and requests", "pytest", script{print: pytest, into: export.Merge}.make},
	{"node", "sonde.test.mjs", "JavaScript with node:test and fetch", "node --test", script{print: node, refuse: unfetched, into: export.Merge}.make},
	{"junit5", "SondeTest.java", "Java with JUnit 5 and REST Assured", "", script{print: restAssured, refuse: unassured, into: export.Merge}.make},
	{"k6", "sonde.k6.js", "k6, to test under load", "k6 run", script{print: k6, into: export.Merge}.make},
	{"postman", "sonde.postman_collection.json", "a collection of Postman, version 2.1", "newman run", script{postman, unposted, lists{"item": "name", "variable": "key"}.merge, postmanLacks}.make},
	{"har", "sonde.har", "an HTTP archive, version 1.2", "", script{httpArchive, noText, lists{"pages": "id", "entries": "pageref"}.merge, harLacks}.make},
	{"curl", "sonde.sh", "a shell script with curl and jq", "sh", script{print: curl, into: export.Merge}.make},
	{"arazzo", "sonde.arazzo.json", "workflows of OpenAPI Arazzo, version 1.0", "", script{arazzo, unworkable, lists{"workflows": "workflowId", "sourceDescriptions": "name"}.merge, arazzoLacks}.make},
}

// Names are those of all formats.
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

// Make makes the file of a suite.
func (f Format) Make(s export.Suite) (Made, error) { return f.make(s, "") }

// Write writes the file of a suite into a folder, as export.Place does. Of a file that is
// there only what Sonde wrote of these tests changes, unless force is set; one that does not
// tell what that is stays as it is, with fs.ErrExist.
func (f Format) Write(dir string, s export.Suite, force bool) (string, Made, error) {
	path := filepath.Join(dir, f.File)
	if err := f.crowded(dir); err != nil {
		return "", Made{}, err
	}
	old := ""
	if !force {
		old = standing(path)
	}
	made, err := f.make(s, old)
	if errors.Is(err, export.ErrUnmarked) {
		err = fmt.Errorf("%q is there already, and %w: say --force to replace it: %w", path, err, fs.ErrExist)
	}
	if err == nil {
		err = export.Place(path, made.Text, force || old != "")
	}
	if err != nil {
		return "", Made{}, err
	}
	return path, made, nil
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

// standing is the text of a file, "" where there is none. What is a link is no file.
func standing(path string) string {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, _ := os.ReadFile(path) // else it is found out when it is written
	return string(text)
}

func inGo(s export.Suite, old string) (Made, error) {
	text, err := export.GoInto(old, s)
	if err != nil {
		return Made{}, err
	}
	made := Made{Text: text}
	if line := s.Unsound(); line != "" {
		made.Lacks = []string{line}
	}
	for _, t := range s.Written() {
		made.Tests = append(made.Tests, t.ID)
	}
	return made, nil
}

// script makes files by printing a script.
type script struct {
	print func(export.Script) []byte
	// refuse gives a reason against a case, which then is left out; nil has none.
	refuse func(export.Case) string
	// into puts a file into an old one, and is false where that does not say what of it is
	// generated.
	into func(old, new string) (string, bool)
	// lacks is what the format never has, "" where that is nothing.
	lacks string
}

func (f script) make(s export.Suite, old string) (Made, error) {
	all, err := s.Script()
	if err != nil {
		return Made{}, err
	}
	if err := leaveOut(&all, f.refuse); err != nil {
		return Made{}, err
	}
	if f.lacks != "" {
		all.Lacks = append(all.Lacks, f.lacks)
	}
	made := Made{Text: f.print(all), Lacks: all.Lacks}
	for _, c := range all.Cases {
		made.Tests = append(made.Tests, c.ID)
	}
	if old != "" {
		merged, ok := f.into(old, string(made.Text))
		if !ok {
			return Made{}, export.ErrUnmarked
		}
		made.Text = []byte(merged)
	}
	return made, nil
}

// leaveOut takes out of a script the cases that there is a reason against, and says so.
func leaveOut(s *export.Script, refuse func(export.Case) string) error {
	if refuse == nil {
		return nil
	}
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
	if s.Cases = left; len(left) == 0 {
		return fmt.Errorf("%w in this format: %s", export.ErrEmpty, why)
	}
	return nil
}
