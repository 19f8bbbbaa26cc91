package probe

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/runner/instrument/probedata"
)

// allRows is a query for the rows of the tables that are cleaned, with their row IDs.
const allRows = `SELECT id || name FROM authors
	UNION ALL SELECT isbn || author || price || quote(cover) || title FROM "my books"
	UNION ALL SELECT isbn || day FROM lent
	UNION ALL SELECT _rowid_ || rowid || text FROM notes
	UNION ALL SELECT _rowid_ || what FROM log
	UNION ALL SELECT name || seq FROM sqlite_sequence`

// A reset brings all tables back to the rows that they had at the first reset, whatever statements have done: with foreign
// keys, cascades, triggers, row IDs and numbers of AUTOINCREMENT. It leaves large tables as they are, and says so. After a
// restart of the service, it does the same with a database in a file.
func TestClean(t *testing.T) {
	needsSQLite(t)
	r := built(t, Options{Dir: "testdata/cleaned", Rows: true})
	for name, file := range map[string]string{"in memory": "", "in a file": filepath.Join(t.TempDir(), "x.db")} {
		t.Run(name, func(t *testing.T) {
			box, err := probedata.NewRowBox()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { box.Close() })
			dir := strings.TrimPrefix(box.CleanEnvVariable(), probedata.CleanVariable+"=")
			t.Setenv(probedata.CleanVariable, dir)
			t.Setenv("DB", file)
			call := watch(t, r).served()
			read := func() string { return call("GET", "/?q="+url.QueryEscape(allRows), "") }
			clean := func() {
				if err := box.Clean(); err != nil {
					t.Fatal(err)
				}
			}
			clean()
			want := read()
			for _, statements := range []string{
				"", "DELETE FROM authors WHERE id = 2; INSERT INTO authors (name) VALUES ('Cid')",
				`DELETE FROM lent; UPDATE "my books" SET title = 'IT''S', price = 0.2, cover = NULL; DELETE FROM log`,
				"INSERT INTO lent VALUES ('b', '2026-02-02')",
				"UPDATE notes SET text = 'other' WHERE _rowid_ = 1; DELETE FROM notes WHERE _rowid_ = 2",
				`UPDATE authors SET name = 'x' WHERE id = 1; UPDATE authors SET name = 'Ann' WHERE id = 2`,
				"CREATE TABLE IF NOT EXISTS later (n); INSERT INTO later VALUES (1); INSERT INTO measurements VALUES (0)",
			} {
				if got := call("POST", "/", statements); got != "200 " {
					t.Fatalf("%s: %s", statements, got)
				}
				if changed := read(); statements != "" && changed == want && !strings.Contains(statements, "later") {
					t.Fatalf("%s has changed nothing", statements)
				}
				clean()
				if got := read(); got != want {
					t.Errorf("after %s:\n%s, want\n%s", statements, got, want)
				}
			}
			const counts = "SELECT count(*) FROM measurements UNION ALL SELECT count(*) FROM later"
			if got := call("GET", "/?q="+url.QueryEscape(counts), ""); got != "200 10002 0 " {
				t.Errorf("a large table and a new one have %s rows", got)
			}
			problems := strings.Join(box.Problems(), "; ")
			if problems != "table measurements is not cleaned: it is too large" {
				t.Errorf("problems: %s", problems)
			}
			if got := call("POST", "/", "DELETE FROM lent; DELETE FROM authors"); got != "200 " || file == "" {
				return
			}
			call = watch(t, r).served()
			if err := box.Settle(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(filepath.Join(dir, "settled")); err != nil {
				t.Errorf("the service has not cleaned the database without a request: %v", err)
			}
			if got := read(); got != want {
				t.Errorf("after a restart: %s, want %s", got, want)
			}
		})
	}
}
