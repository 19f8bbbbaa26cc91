package gotest

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// serve executes the waiting statements as a service does. Statements that contain the text fail get an error, unless
// fail is "".
func (d *probedDatabase) serve(t *testing.T, fail string) (statements string) {
	t.Helper()
	text, err := os.ReadFile(d.path("waiting"))
	if err != nil {
		return ""
	}
	if err := os.Remove(d.path("waiting")); err != nil {
		t.Fatal(err)
	}
	done := ""
	for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		outcome := ""
		if fail != "" && strings.Contains(line, fail) {
			outcome = "UNIQUE constraint failed"
		}
		done += fmt.Sprintf("%q\n", outcome)
		statements += strings.ReplaceAll(strings.SplitN(line, " ", 2)[1], `"`, "") + ", "
	}
	if err := os.WriteFile(d.path("done"), []byte(done), 0o600); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(statements, ", ")
}

// The rows of a test are inserted in their order, and deleted in the reverse order before the rows of the next test. A
// row that is not inserted is an error. A deletion that fails is tried again.
func TestRowsOfATest(t *testing.T) {
	d := &probedDatabase{dir: t.TempDir()}
	rowOf := func(n int) tableRow {
		return tableRow{table: "a", insert: fmt.Sprint("INSERT ", n), remove: fmt.Sprint("DELETE ", n)}
	}
	const unused = "the service has not used its database, or it was not built by sonde build --rows"
	for i, step := range []struct {
		rows      []tableRow
		executed  string
		fail      string // the service refuses statements that contain this text
		isUnused  bool   // the service does not use its database
		failures  string
		afterwork string // what the service executes after the test
	}{
		{rows: []tableRow{rowOf(1), rowOf(2)}, executed: "INSERT 1, INSERT 2", afterwork: "DELETE 2, DELETE 1"},
		{
			rows: []tableRow{rowOf(3), rowOf(4)}, executed: "INSERT 3, INSERT 4", fail: "INSERT 4",
			failures: "INSERT 4 failed: UNIQUE constraint failed",
		},
		{rows: []tableRow{rowOf(5)}, executed: "DELETE 3, INSERT 5", fail: "DELETE 3"},
		{rows: []tableRow{rowOf(6)}, isUnused: true, failures: "INSERT 6 failed: " + unused},
		{rows: nil, executed: "DELETE 5, DELETE 3"},
		{rows: nil},
	} {
		d.settle()
		if err := d.write(step.rows); err != nil {
			t.Fatal(err)
		}
		executed := ""
		if !step.isUnused {
			executed = d.serve(t, step.fail)
		}
		failures := strings.Join(d.settle(), ", ")
		if err := d.write(nil); err != nil {
			t.Fatal(err)
		}
		afterwork := ""
		if step.afterwork != "" {
			afterwork = d.serve(t, "")
		}
		if executed != step.executed || failures != step.failures || afterwork != step.afterwork {
			t.Errorf("step %d: executed %q, then %q; failures %q", i, executed, afterwork, failures)
		}
	}
}

// A service of SONDE_BASE_URL inserts rows if SONDE_ROWS names its folder.
func TestDatabaseOfARunningService(t *testing.T) {
	t.Setenv("SONDE_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("SONDE_ROWS", t.TempDir())
	d := &probedDatabase{}
	code := d.runTests(&program{}, func() int { return 7 })
	if code != 7 || d.dir != os.Getenv("SONDE_ROWS") {
		t.Errorf("code %d, folder %q", code, d.dir)
	}
}
