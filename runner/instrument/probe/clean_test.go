package probe

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/runner/instrument/probedata"
)

// cleanedService is the folder of a service that executes statements in SQLite. Its module has the driver of sqliteService.
const cleanedService = "../../testdata/services/cleaned"

// allRows is a query for the rows of the tables that are cleaned, with their row IDs and the types of their values.
const allRows = `SELECT id || name FROM main.authors
	UNION ALL SELECT rowid || isbn || author || price || quote(cover) || title FROM "my books"
	UNION ALL SELECT isbn || day FROM lent
	UNION ALL SELECT _rowid_ || rowid || hex(text) || typeof(text) FROM notes
	UNION ALL SELECT _rowid_ || what FROM log
	UNION ALL SELECT term FROM search_terms
	UNION ALL SELECT id || page FROM visits
	UNION ALL SELECT name || seq FROM sqlite_sequence`

const notSearched = "table search is not cleaned: it is virtual"

// cleanTest is a service that cleans its databases.
type cleanTest struct {
	*testing.T
	result  *Result
	cleaner *probedata.Cleaner
	call    func(method, path, body string) string
}

// newCleanTest builds the service and starts it with databases.
func newCleanTest(t *testing.T, databases ...string) *cleanTest {
	needsSQLite(t)
	c := &cleanTest{T: t, result: built(t, Options{Dir: cleanedService, Rows: true})}
	c.cleaner = newCleaner(t)
	c.start(databases...)
	return c
}

func newCleaner(t *testing.T) *probedata.Cleaner {
	c, err := probedata.NewCleaner()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// start starts a process of the service, which all later calls use. Earlier processes go on.
func (c *cleanTest) start(databases ...string) {
	c.Helper()
	_, folder, _ := strings.Cut(c.cleaner.EnvVariable(), "=")
	c.Setenv(probedata.CleanVariable, folder)
	c.call = watch(c.T, c.result).served(databases...)
}

func (c *cleanTest) clean() {
	c.Helper()
	if err := c.cleaner.Clean(context.Background()); err != nil {
		c.Fatal(err)
	}
}

// cleanFails fails the test unless the error of Clean contains a text.
func (c *cleanTest) cleanFails(want string) {
	c.Helper()
	if err := c.cleaner.Clean(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
		c.Errorf("error %v, want %q in it", err, want)
	}
}

func (c *cleanTest) execute(statements string, database ...string) {
	c.Helper()
	if got := c.call("POST", "/?db="+url.QueryEscape(strings.Join(database, "")), statements); got != "200 " {
		c.Fatalf("%s: %s", statements, got)
	}
}

func (c *cleanTest) read(query string, database ...string) string {
	c.Helper()
	return c.call("GET", "/?q="+url.QueryEscape(query)+"&db="+url.QueryEscape(strings.Join(database, "")), "")
}

func (c *cleanTest) wantProblems(want ...string) {
	c.Helper()
	slices.Sort(want)
	if got := slices.Sorted(slices.Values(c.cleaner.Problems())); !slices.Equal(got, want) {
		c.Errorf("problems\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Cleaning brings all tables back to the rows that they had at the first request, whatever statements have done: with foreign
// keys, cascades, triggers, row IDs, numbers of AUTOINCREMENT, types of values, texts with NUL bytes, and temporary tables of
// the same name. It empties a table that is new.
func TestClean(t *testing.T) {
	for name, database := range map[string]string{"in memory": ":memory:", "in a file": filepath.Join(t.TempDir(), "it's.db")} {
		t.Run(name, func(t *testing.T) {
			c := newCleanTest(t, database)
			c.clean()
			want := c.read(allRows)
			for _, statements := range []string{
				"", "DELETE FROM authors WHERE id = 2; INSERT INTO authors (name) VALUES ('Cid')",
				`DELETE FROM lent; UPDATE "my books" SET title = 'IT''S', price = 0.2, cover = NULL; DELETE FROM log`,
				"INSERT INTO lent VALUES ('b', '2026-02-02')",
				"UPDATE notes SET text = 'a' WHERE _rowid_ = 1; UPDATE notes SET text = 1 WHERE _rowid_ = 2",
				"INSERT INTO notes (text) VALUES (x'01'); INSERT INTO visits (page) VALUES ('/')",
				"UPDATE notes SET _rowid_ = 7 WHERE _rowid_ = 1; DELETE FROM notes WHERE _rowid_ = 2",
				"UPDATE authors SET name = 'x' WHERE id = 1; UPDATE authors SET name = 'Ann' WHERE id = 2",
				`UPDATE "my books" SET isbn = 'c' WHERE isbn = 'b'; DELETE FROM search_terms; INSERT INTO search_terms VALUES ('Book')`,
				"CREATE TEMP TABLE IF NOT EXISTS authors (id); INSERT INTO main.authors (name) VALUES ('Cid')",
				"CREATE TABLE IF NOT EXISTS later (n); INSERT INTO later VALUES (1)",
			} {
				c.execute(statements)
				if changed := c.read(allRows); statements != "" && changed == want && !strings.Contains(statements, "later") {
					c.Fatalf("%s has changed nothing", statements)
				}
				c.clean()
				if got := c.read(allRows); got != want {
					c.Errorf("after %s:\n%s, want\n%s", statements, got, want)
				}
			}
			if got := c.read("SELECT count(*) FROM later"); got != "200 0 " {
				c.Errorf("the new table has %s rows", got)
			}
			if got := c.call("POST", "/", `INSERT INTO "my books" VALUES ('z', 99, 1, NULL, '')`); !strings.Contains(got, "FOREIGN KEY") {
				c.Errorf("foreign keys are not enforced after cleaning: %s", got)
			}
			c.wantProblems(notSearched)
		})
	}
}

// What cannot be cleaned is a problem, and all else is cleaned: a table that is too large, tables whose triggers refuse or
// ignore changes or make others, one that was dropped, one with another column, and a database that is opened later.
func TestCleanProblems(t *testing.T) {
	later := filepath.Join(t.TempDir(), "later.db")
	c := newCleanTest(t, filepath.Join(t.TempDir(), "x.db"))
	c.execute(`CREATE TABLE large (n); CREATE TABLE kept (n); CREATE TABLE dropped (n); CREATE TABLE altered (n);
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100001) INSERT INTO large SELECT i FROM n;
		CREATE TRIGGER keep BEFORE DELETE ON kept BEGIN SELECT RAISE (ABORT, 'append only'); END;
		CREATE TABLE paid (n); INSERT INTO paid VALUES (1); CREATE TABLE stamped (n, at); INSERT INTO stamped VALUES (1, 0);
		CREATE TRIGGER pay BEFORE INSERT ON paid BEGIN SELECT RAISE (IGNORE); END;
		CREATE TRIGGER stamp AFTER INSERT ON stamped BEGIN UPDATE stamped SET at = at + 1; END`)
	c.clean()
	want := c.read(allRows)
	c.execute("INSERT INTO kept VALUES (1); DELETE FROM large; DROP TABLE dropped; ALTER TABLE altered ADD m")
	c.execute("UPDATE paid SET n = 2; UPDATE stamped SET n = 2; DELETE FROM lent; DELETE FROM authors")
	c.execute("CREATE TABLE first (n); INSERT INTO first VALUES (1)", later)
	c.clean()
	c.clean()
	if got := c.read(allRows); got != want {
		c.Errorf("%s, want %s", got, want)
	}
	if got := c.read("SELECT n FROM paid UNION ALL SELECT n FROM stamped"); got != "200 2 1 " {
		c.Errorf("the tables with triggers have %s", got)
	}
	if got := c.read("SELECT count(*) FROM first", later); got != "200 1 " {
		c.Errorf("the database that was opened later has %s rows", got)
	}
	c.wantProblems(
		notSearched,
		"table large is not cleaned: it has more than 100000 rows",
		"table kept is not cleaned: constraint failed: append only (1811)",
		"table paid is not cleaned: its triggers ignore insertions",
		"table stamped is not cleaned: triggers change rows that were restored",
		"table altered is not cleaned: its columns have changed",
		"table dropped is not cleaned: it was dropped or renamed",
		"the database "+later+" is not cleaned: the service opened it after it was ready",
	)
}

// A table that may have the rows of another one is not emptied.
func TestCleanAfterRename(t *testing.T) {
	c := newCleanTest(t, filepath.Join(t.TempDir(), "x.db"))
	c.clean()
	c.execute("ALTER TABLE search_terms RENAME TO words; CREATE TABLE created (n); INSERT INTO created VALUES (1)")
	c.clean()
	if got := c.read("SELECT term FROM words UNION ALL SELECT n FROM created"); got != "200 book 1 " {
		c.Errorf("the tables have %s", got)
	}
	c.wantProblems(
		notSearched,
		"table search_terms is not cleaned: it was dropped or renamed",
		"table words is not cleaned: it may be another one with a new name",
		"table created is not cleaned: it may be another one with a new name",
	)
}

// If another connection has locked a database, Clean returns an error and the database stays as it is. The next request cleans
// it.
func TestCleanAfterLock(t *testing.T) {
	c := newCleanTest(t, filepath.Join(t.TempDir(), "x.db"))
	hold := func() {
		if got := c.call("POST", "/hold", ""); got != "200 " {
			c.Fatal(got)
		}
	}
	c.clean()
	want := c.read(allRows)
	c.execute("DELETE FROM lent; DELETE FROM authors")
	hold()
	c.cleanFails("locked")
	if got := c.read("SELECT count(*) FROM authors"); got != "200 0 " {
		c.Errorf("the locked database has %s authors", got)
	}
	c.call("POST", "/release", "")
	c.execute("INSERT INTO authors (name) VALUES ('Cid')")
	c.clean()
	if got := c.read(allRows); got != want {
		c.Errorf("%s, want %s", got, want)
	}
	c.wantProblems(notSearched)
}

// A transaction that the service has left open is an error. It stays as it is, and so does a database in memory, whose rows end with
// its only connection.
func TestCleanInTransaction(t *testing.T) {
	c := newCleanTest(t, ":memory:")
	c.clean()
	want := c.read(allRows)
	c.execute("BEGIN; INSERT INTO authors (name) VALUES ('Cid')")
	c.cleanFails("the service has left a connection in a transaction")
	c.execute("COMMIT")
	if got := c.read("SELECT count(*) FROM authors"); got != "200 3 " {
		t.Errorf("after the transaction there are %s authors", got)
	}
	c.clean()
	if got := c.read(allRows); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A pool of connections that only read is no problem if another pool has the same database, in whatever order they are opened.
func TestCleanWithReaders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.db")
	for _, pools := range [][]string{{file, "read:" + file}, {"read:" + file, file}} {
		c := newCleanTest(t, pools...)
		c.clean()
		want := c.read(allRows, file)
		for range 2 {
			c.execute("DELETE FROM lent; DELETE FROM authors", file)
			c.read(allRows, "read:"+file)
			c.clean()
			if got := c.read(allRows, file); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
		c.wantProblems(notSearched)
		c.cleaner.Close()
	}
}

// Two databases whose paths have 200 bytes in common are told apart. A process that is started after a crash brings the rows back
// when it opens the databases. A second process that is started meanwhile has the same seed.
func TestCleanDatabasesOfProcesses(t *testing.T) {
	folder := filepath.Join(t.TempDir(), strings.Repeat("long/", 40))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	one, two := filepath.Join(folder, "1.db"), filepath.Join(folder, "2.db")
	c := newCleanTest(t, one, two)
	c.execute("UPDATE authors SET name = 'of two' WHERE id = 1", two)
	c.clean()
	wantOne, wantTwo := c.read(allRows, one), c.read(allRows, two)
	if wantOne == wantTwo {
		t.Fatal("both databases have the same rows")
	}
	want := func() {
		t.Helper()
		if got := c.read(allRows, one); got != wantOne {
			t.Errorf("the first database has %s, want %s", got, wantOne)
		}
		if got := c.read(allRows, two); got != wantTwo {
			t.Errorf("the second database has %s, want %s", got, wantTwo)
		}
	}
	change := func() {
		c.execute("DELETE FROM lent; DELETE FROM authors", one)
		c.execute("INSERT INTO authors (name) VALUES ('Cid')", two)
	}
	change()
	c.clean()
	want()
	change()
	c.start(one, two) // the first process still runs
	want()
	change()
	c.clean()
	want()
	c.wantProblems(notSearched)
}

// A database that another Cleaner cleans is not cleaned, not even later, and the error says what to do. After Close, a new
// Cleaner can. Without a service, the error is ErrNoCleaning.
func TestCleanOneDatabaseTwice(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.db")
	c := newCleanTest(t, file)
	c.clean()
	want := c.read(allRows)
	c.execute("DELETE FROM lent; DELETE FROM authors")
	first, refused := c.cleaner, newCleaner(t)
	c.cleaner = refused
	c.start(file)
	isRefused := func() {
		t.Helper()
		if err := refused.Clean(context.Background()); err == nil || !strings.Contains(err.Error(), "is used by another copy") {
			t.Errorf("error %v", err)
		}
	}
	isRefused()
	if err := first.Clean(context.Background()); err != nil {
		t.Error(err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	isRefused()
	if got := c.read(allRows); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	c.cleaner = newCleaner(t)
	c.start(file)
	c.clean()
	if err := newCleaner(t).Clean(context.Background()); err != probedata.ErrNoCleaning {
		t.Errorf("without a service, the error is %v", err)
	}
}

// A table WITHOUT ROWID whose key has a type and a collation is compared by the index of its seed: otherwise, cleaning 100,000 rows
// would take longer than it may. A database in memory is not cleaned if each connection may have one of its own.
func TestCleanLargeTable(t *testing.T) {
	c := newCleanTest(t, filepath.Join(t.TempDir(), "x.db"), "file::memory:")
	c.execute(`CREATE TABLE keyed (n INTEGER, s TEXT COLLATE NOCASE, PRIMARY KEY (n, s)) WITHOUT ROWID;
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) INSERT INTO keyed SELECT i, 'x' || i FROM n`)
	c.clean()
	const sum = "SELECT count(*) || s || total(n) FROM keyed"
	want := c.read(sum)
	c.execute("DELETE FROM keyed WHERE n % 2 = 0; UPDATE keyed SET s = 'X1' WHERE n = 1")
	c.clean()
	if got := c.read(sum); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	c.wantProblems(
		notSearched,
		"a database in memory is not cleaned: call SetMaxOpenConns(1), because each connection may have a database of its own",
	)
}
