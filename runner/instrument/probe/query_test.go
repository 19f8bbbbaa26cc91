package probe

import (
	"os"
	"strings"
	"testing"

	"sonde/runner/instrument/probedata"
)

// queries builds the program with all kinds of queries.
func queries(t *testing.T) (source string, r *Result) {
	t.Helper()
	files, err := os.ReadFile("testdata/same/queries.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, source, _ = strings.Cut(string(files), "-- main.go --\n")
	_, r = builtModule(t, string(files), Options{SQL: true})
	return source, r
}

// site returns a target of a query. way is the comment that marks the query in the source, or "embedded" for the
// query in another package.
func (w *watched) site(kind probedata.TargetKind, source, way string) probedata.Target {
	if way != "embedded" {
		return w.find(kind, source, "// "+way)
	}
	for _, t := range w.manifest.Targets {
		if t.Kind == kind && w.manifest.Files[t.File].Name == "example.com/queries/store/store.go" {
			return t
		}
	}
	w.t.Fatal("no query of the embedded database is known")
	return probedata.Target{}
}

// scores sends a line to the program. It returns the scores of a query's two targets, and its operands.
func (w *watched) scores(ask func(string) string, rows, none probedata.Target, line string) (near, empty float64, looked string) {
	w.Reset()
	looked = ask(line)
	for _, s := range w.AppendScores(nil) {
		switch s.Target {
		case rows.ID:
			near = s.H
		case none.ID:
			empty = s.H
		}
	}
	return near, empty, looked
}

// Each kind of query reports whether it returned rows. If it returned none, the score rises with each
// step towards a row of the table, and is less than 1.
func TestQueries(t *testing.T) {
	source, r := queries(t)
	for _, way := range []string{
		"rows", "single", "interface", "embedded", "stmt", "tx", "conn", "valuer", "pair", "update", "delete", "like", "join",
	} {
		t.Run(way, func(t *testing.T) {
			w := watch(t, r)
			ask := w.talk("sqlite")
			rows, none := w.site(probedata.QueryRows, source, way), w.site(probedata.QueryNoRows, source, way)
			last := 0.0
			for _, a := range []string{" -9000000", " 1", " 9", " 8"} {
				near, empty, _ := w.scores(ask, rows, none, way+a)
				if !(last < near && near < 1) || empty != 1 {
					t.Errorf("%s%s: %v near to rows, was %v; without rows: %v", way, a, near, last, empty)
				}
				last = near
			}
			if near, empty, _ := w.scores(ask, rows, none, way+" 7"); near != 1 || !(empty < 1) {
				t.Errorf("%v near to rows that came, %v to none", near, empty)
			}
		})
	}
}

// Queries to databases other than SQLite, and queries that are not supported, have no distance. Rows that are
// not read, and errors, report nothing.
func TestQueriesWithoutDistance(t *testing.T) {
	source, r := queries(t)
	for _, c := range []struct{ driver, kind string }{
		{"other", "rows"},
		{"sqlite", "view"},
		{"sqlite", "panics"},
		{"sqlite", "union"},
		{"sqlite", "error"},
		{"sqlite", "unread"},
	} {
		w := watch(t, r)
		ask := w.talk(c.driver)
		rows, none := w.site(probedata.QueryRows, source, c.kind), w.site(probedata.QueryNoRows, source, c.kind)
		far, empty, _ := w.scores(ask, rows, none, c.kind+" 1000")
		near, _, looked := w.scores(ask, rows, none, c.kind+" 8")
		silent := c.kind == "error" || c.kind == "unread"
		if near != far || (near == 0) != silent || (empty == 1) == silent {
			t.Errorf("%s with %s: %v and %v near to rows, %v to none", c.kind, c.driver, far, near, empty)
		}
		if (looked != "0") != (c.kind == "view" || c.kind == "panics") {
			t.Errorf("%s with %s: tables were looked at %s times", c.kind, c.driver, looked)
		}
	}
}

// The rows of a table are read only while a target of the query is wanted.
func TestUnwatchedQueries(t *testing.T) {
	source, r := queries(t)
	w := watch(t, r)
	ask := w.talk("sqlite")
	w.SelectTargets(func(int) bool { return false })
	if _, empty, looked := w.scores(
		ask, w.site(probedata.QueryRows, source, "single"), w.site(probedata.QueryNoRows, source, "single"),
		"single 8",
	); empty != 0 ||
		looked != "0" {
		t.Errorf("without rows: %v, tables were looked at %s times", empty, looked)
	}
}

// If --sql is not possible, the error has one line.
func TestNoQueries(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the Go command")
	}
	if _, err := Build(t.Context(), Options{Dir: module(t, little), Package: ".", Out: t.TempDir(), SQL: true}); err != errNoQuery {
		t.Errorf("error %v", err)
	}
	if _, err := patchedSQL([]byte("package sql\n\ntype Rows struct{}\n")); err != errNoHook {
		t.Errorf("error %v", err)
	}
}
