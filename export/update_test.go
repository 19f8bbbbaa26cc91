package export_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"

	"pgregory.net/rapid"
)

// suiteOf returns a suite with one test for each thing. The test sends a GET request for the thing.
func suiteOf(status int, things ...string) export.Suite {
	s := export.Suite{Title: "Things", BaseURL: "http://127.0.0.1:8080"}
	for _, thing := range things {
		s.Tests = append(s.Tests, model.Test{ID: thing, Calls: []model.Call{{Op: model.OpID("GET /" + thing), Status: status}}})
	}
	return s
}

// byHand has the text that a user adds to a file, by format.
var byHand = map[string]string{
	"go":       "func TestByHand(t *testing.T) { call(t, \"GET\", \"/boat\").wantPresent(\"/sail\") }\n",
	"go-table": "\t{name: \"by hand\"},\n",
}

// An update keeps the user's text, and old tests that are not in the new suite.
func TestFilesAreUpdated(t *testing.T) {
	for _, f := range format.Formats {
		if hasFilesOfTests(f) {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			dir, _ := written(t, f.Name, suiteOf(200, "apple", "pear"))
			old := readFile(t, dir, f.TestsFile)
			mine := byHand[f.Name]
			if strings.HasPrefix(old, "{") {
				old = `{"by hand": true,` + old[1:]
			} else {
				if mine == "" {
					mine = "# by hand\n"
				}
				old = strings.Replace(old, "sonde:end GetPear_200\n", "sonde:end GetPear_200\n"+mine, 1)
				old = strings.Replace(old, "sonde:end TestGetPear_200\n", "sonde:end TestGetPear_200\n"+mine, 1)
			}
			if err := os.WriteFile(filepath.Join(dir, f.TestsFile), []byte(old), 0o600); err != nil {
				t.Fatal(err)
			}
			again := suiteOf(200, "apple", "plum")
			again.Tests[0].Calls[0].Args = []model.Arg{{In: model.InQuery, Name: "ripe", Value: "yes"}}
			if _, _, err := f.Write(dir, again, false); err != nil {
				t.Fatal(err)
			}
			got := readFile(t, dir, f.TestsFile)
			for text, times := range map[string]int{"ripe": 1, "/pear": 1, "/plum": 1} {
				if n := strings.Count(got, text); n < times || text == "ripe" && n > 4 {
					t.Errorf("%q is there %d times, want it once:\n%s", text, n, got)
				}
			}
			if strings.HasPrefix(got, "{") {
				if !json.Valid([]byte(got)) || !strings.Contains(got, `"by hand": true`) {
					t.Errorf("what is by hand is gone:\n%s", got)
				}
			} else if !strings.Contains(got, strings.TrimSpace(mine)) {
				t.Errorf("%q is gone:\n%s", mine, got)
			}
			if f.Name == "go" {
				if output, err := outcome(t, dir, []string{"GO111MODULE=off"}, "go", "vet", "."); err != nil ||
					!strings.Contains(readFile(t, dir, f.HelpersFile), "func (r *reply) wantPresent") {
					t.Errorf("it does not compile: %v\n%s\n%s", err, output, got)
				}
			}
			if _, _, err := f.Write(dir, again, true); err != nil || strings.Contains(readFile(t, dir, f.TestsFile), "pear") {
				t.Errorf("%v, want nothing else to be there by force", err)
			}
		})
	}
}

// hasFilesOfTests reports whether each test of a format has files of its own, in which nothing is marked: an update replaces
// them, and TestBrunoHasNoStaleFiles has what stays.
func hasFilesOfTests(f format.Format) bool { return filepath.Dir(f.TestsFile) != "." }

// A file without marked regions is not changed.
func TestUnmarkedFilesStay(t *testing.T) {
	for _, f := range format.Formats {
		if hasFilesOfTests(f) {
			continue
		}
		for _, mine := range []string{"mine", "# sonde:begin a\n", "// sonde:begin a\n// sonde:begin b\n// sonde:end a\n// sonde:end b\n"} {
			dir := t.TempDir()
			path := filepath.Join(dir, f.TestsFile)
			if err := os.WriteFile(path, []byte(mine), 0o600); err != nil {
				t.Fatal(err)
			}
			_, _, err := f.Write(dir, suiteOf(200, "apple"), false)
			if !errors.Is(err, fs.ErrExist) || readFile(t, dir, f.TestsFile) != mine {
				t.Errorf("%s: %v, want %q to stay", f.Name, err, mine)
			}
		}
	}
}

// An update with the same suite changes nothing, whatever texts the suite has.
func TestUpdatesChangeNothing(t *testing.T) {
	export.CheckSome(t, func(t *rapid.T) {
		s := export.AnySuite().Draw(t, "suite")
		for _, f := range format.Formats {
			made, err := f.Generate(s)
			if err != nil || f.Name == "go" {
				continue
			}
			dir, _ := os.MkdirTemp("", "update")
			defer os.RemoveAll(dir)
			file := filepath.Join(dir, f.TestsFile)
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, made.Text, 0o600)); err != nil {
				t.Fatal(err)
			}
			_, again, err := f.Write(dir, s, false)
			if errors.Is(err, fs.ErrExist) {
				continue // a text of the suite looks like the mark of a region
			}
			if err != nil || strings.HasPrefix(string(made.Text), "{") && len(again.Text) != len(made.Text) ||
				!strings.HasPrefix(string(made.Text), "{") && string(again.Text) != string(made.Text) {
				t.Fatalf("%s: %v, want\n%s\ngot\n%s", f.Name, err, made.Text, again.Text)
			}
		}
	})
}

// If a file has no text of the user, an update gives the same file as a new export, even if the old file had its
// tests in another order.
func TestUpdateGivesTheOrderOfANewFile(t *testing.T) {
	for _, f := range format.Formats {
		dir, _ := written(t, f.Name, suiteOf(200, "pear", "plum", "apple"))
		again := suiteOf(200, "apple", "fig", "pear", "plum")
		if _, _, err := f.Write(dir, again, false); err != nil {
			t.Fatal(err)
		}
		got := readFile(t, dir, f.TestsFile)
		fresh, _ := written(t, f.Name, again)
		if want := readFile(t, fresh, f.TestsFile); got != want && !strings.HasPrefix(got, "{") { // JSON keeps the old order
			t.Errorf("%s: got\n%s\nwant\n%s", f.Name, got, want)
		}
	}
}
