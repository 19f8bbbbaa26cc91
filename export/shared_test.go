package export_test

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/export"
	"sonde/export/format"
)

// shareable returns a suite as sharedFormats has it, if the format is of Go: without the URL of a test's server.
func shareable(name string, s export.Suite) export.Suite {
	if strings.HasPrefix(name, "go") {
		s.BaseURL = "http://127.0.0.1:8080"
	}
	return s
}

// sharedFormats runs the suites in the formats of Go that tests of formats build.
var sharedFormats = export.SharedBinary{Suites: func(t *testing.T) (all []export.SuiteFiles) {
	for _, name := range []string{"go", "go-table"} {
		f, err := format.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		suites := []export.Suite{export.Served(), severalCalls(), checksOddJSON(), shareable(name, speaksTLS("", clientTLS))}
		if name == "go" {
			s := &tokens{Server: &httptest.Server{}}
			suites = append(suites, shareable(name, s.endsSession()), shareable(name, s.usesSession()))
		}
		for _, s := range suites {
			all = append(all, goFilesOf(t, name, s))
		}
		for _, mode := range export.FaultModes {
			s := flaws()
			s.FaultMode = mode
			files := goFilesOf(t, name, s)
			delete(files, f.TestsFile)
			all = append(all, files)
		}
	}
	return append(all, goFilesIn(t, updatedTable(t)))
}}

// goFilesOf returns the files of a suite in a format of Go.
func goFilesOf(t *testing.T, name string, s export.Suite) export.SuiteFiles {
	t.Helper()
	dir, _ := written(t, name, s)
	return goFilesIn(t, dir)
}

// goFilesIn returns the files in a folder.
func goFilesIn(t *testing.T, dir string) export.SuiteFiles {
	t.Helper()
	files := export.SuiteFiles{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		files[filepath.Base(e.Name())] = wrote(t, dir, e.Name())
	}
	return files
}
