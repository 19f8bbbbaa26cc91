package export_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/export"
	"sonde/export/format"
)

func runTable(t *testing.T, dir string, env ...string) (string, error) {
	t.Helper()
	buildGo(t, dir)
	return runGo(t, dir, env)
}

func TestGoTablePasses(t *testing.T) {
	s := export.NewService(t)
	dir, made := written(t, "go-table", export.Served())
	buildGo(t, dir)
	vetGo(t, dir, ".")
	output, err := runGo(t, dir, []string{"SONDE_BASE_URL=" + s.URL + "/"})
	if err != nil || len(made.Tests) != 7 || strings.Count(output, "\n    --- PASS: TestAPI/") != 7 {
		t.Errorf("%v, want 7 rows that pass:\n%s", err, output)
	}
	export.WantAsked(s, t)
}

func TestGoTableSendsAllTexts(t *testing.T) {
	f := newFar(t)
	s := echoes(f.URL, 200)
	dir, made := written(t, "go-table", s)
	if output, err := runTable(t, dir, "SONDE_BASE_URL="); err != nil {
		t.Errorf("%v in\n%s", err, output)
	}
	wantArrived(t, f, s, made)
}

// updatedTable returns the folder of a table to which the user has added rows and code, and an update has
// added tests.
func updatedTable(t *testing.T) string {
	t.Helper()
	table, err := format.Named("go-table")
	if err != nil {
		t.Fatal(err)
	}
	all := export.Served()
	some := all
	some.Tests = all.Tests[1:3]
	dir := t.TempDir()
	path, _, err := table.Write(dir, some, false)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	own := strings.Replace(string(text), "\n\t// sonde:begin", "\n\t{name: \"mine\"},\n\n\t// sonde:begin", 1) +
		"\nfunc TestMine(t *testing.T) {}\n"
	if err := os.WriteFile(path, []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := table.Write(dir, all, false); err != nil {
		t.Fatal(err)
	}
	return dir
}

// An update of a table keeps the user's rows and code. A new row is inserted after the row that precedes it
// in the new table.
func TestGoTableIsUpdated(t *testing.T) {
	s := export.NewService(t)
	output, err := runTable(t, updatedTable(t), "SONDE_BASE_URL="+s.URL+"/")
	if err != nil || strings.Count(output, "\n    --- PASS: TestAPI/") != 8 ||
		!strings.Contains(output, "TestAPI/mine") || !strings.Contains(output, "PASS: TestMine") {
		t.Errorf("%v, want 8 rows and TestMine to pass:\n%s", err, output)
	}
}

// A folder cannot get files of both Go formats, because they would be in one package with helpers of the
// same names. A folder that already has both can be updated.
func TestGoTableIsApart(t *testing.T) {
	table, err := format.Named("go-table")
	if err != nil {
		t.Fatal(err)
	}
	usual := format.Formats[0]
	for _, pair := range [][2]format.Format{{usual, table}, {table, usual}} {
		dir := t.TempDir()
		if _, _, err := pair[0].Write(dir, export.Served(), false); err != nil {
			t.Fatal(err)
		}
		_, _, err := pair[1].Write(dir, export.Served(), true)
		if err == nil || !strings.Contains(err.Error(), pair[0].TestsFile) || !strings.Contains(err.Error(), "name another") {
			t.Errorf("%s beside %s: error %v", pair[1].Name, pair[0].Name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, pair[1].TestsFile)); err == nil {
			t.Errorf("%s is there", pair[1].TestsFile)
		}
		if err := os.WriteFile(filepath.Join(dir, pair[1].TestsFile), []byte("package apitest\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := pair[1].Write(dir, export.Served(), true); err != nil {
			t.Errorf("one that is there already: %v", err)
		}
	}
}
