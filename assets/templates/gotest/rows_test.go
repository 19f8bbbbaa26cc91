package gotest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// tableRow is a row that a test inserts into a table of the service's database.
type tableRow struct {
	table  string
	insert string // the statement that inserts the row
	remove string // the statement that deletes the row
}

// probedDatabase is the database of a service that is built by sonde build --rows. The service executes statements of the
// tests before it next uses its database: it renames the file "waiting" with the statements, executes them, and writes
// a line for each of them into the file "done": an error, or "". The service cleans its database when it reads a number
// and "clean" from a pipe, the file "PID.requests", where PID is the ID of its process. It writes the number and what it
// could not clean into the file "PID.answer".
type probedDatabase struct {
	build []string // the command that builds the service, without -o and the name of the binary; nil if the network builds it

	dir     string // the folder of the files; "" if the tests do not start the service
	program *program
	process *os.Process // the process of the service in the last test with rows
	written []rowStatement
	cleaned int        // how often the service was asked to clean its database
	failure error      // of the first request, when the service copies its rows, or of the last one
	present []tableRow // rows of earlier tests that are still to be deleted, in the order of their insertion
}

// rowStatement is a statement that inserts or deletes a row.
type rowStatement struct {
	tableRow
	isInsert bool
}

// runTests builds the service, unless SONDE_BINARY names its binary. Then it calls run, which runs the tests with the
// service.
func (d *probedDatabase) runTests(p *program, run func() int) int {
	if os.Getenv("SONDE_BASE_URL") != "" {
		d.dir = os.Getenv("SONDE_ROWS") // the folder of the running service, if it has one, which must be that of SONDE_CLEAN, too
		return run()
	}
	dir, err := os.MkdirTemp("", "sonde-rows-")
	if err == nil {
		defer d.removeFolder()
		d.dir, d.program = dir, p
		p.env, p.onQuit = append(p.env, "SONDE_ROWS="+dir, "SONDE_CLEAN="+dir), func() { d.cleanLast(); d.removeFolder() }
		p.onStop = d.cleanLast
		if d.build != nil {
			err = buildService(d.build, p.dir, d.path("service"))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return run()
}

// insert has the service insert rows before it next uses its database. At the end of the test it reports the rows that
// were not inserted. The others are deleted before the service uses its database in the next test.
func (d *probedDatabase) insert(t *testing.T, rows ...tableRow) {
	t.Helper()
	if d.dir == "" {
		t.Fatal("the service of SONDE_BASE_URL inserts no rows for these tests: unset it, and the tests start theirs")
	}
	d.settle()
	d.followRestart()
	if err := d.write(rows); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, failure := range d.settle() {
			t.Error(failure)
		}
		if err := d.write(nil); err != nil {
			t.Error(err)
		}
	})
}

// clean brings the rows of the database back to those that it had when the first test began.
func (d *probedDatabase) clean(t *testing.T) {
	t.Helper()
	if d.dir == "" {
		t.Log("the database of the service of SONDE_BASE_URL is not cleaned: the tests may disturb each other")
		return
	}
	if d.failure != nil {
		t.Fatal(d.failure)
	}
	what := "clean"
	if d.cleaned == 0 {
		what = "seed" // the service copies its rows
	}
	problems, err := d.requestClean(what)
	if err != nil {
		if what == "seed" {
			d.failure = err
		}
		t.Fatal(err)
	}
	if problems != "" {
		t.Logf("the service cannot clean its database:\n%s", problems)
	}
}

// cleanLast cleans the database after the last test, if tests have cleaned it.
func (d *probedDatabase) cleanLast() {
	if d.cleaned > 0 && d.failure == nil {
		_, d.failure = d.requestClean("clean")
	}
}

// removeFolder removes the folder of the files, unless it has the only copy of the rows.
func (d *probedDatabase) removeFolder() {
	seeds, _ := filepath.Glob(d.path("*.seed")) // the pattern is valid
	if d.failure == nil || len(seeds) == 0 {
		os.RemoveAll(d.dir)
		return
	}
	fmt.Fprintf(os.Stderr, "the database still has rows of tests (%v): the rows from before are in the files of %s\n", d.failure, d.dir)
}

// requestClean has each process of the service clean its database, or copy its rows. It returns what they could not clean.
func (d *probedDatabase) requestClean(what string) (problems string, err error) {
	pipes, err := filepath.Glob(d.path("*.requests"))
	if err != nil {
		return "", err
	}
	hasAnswered := false
	for _, pipe := range pipes {
		request, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if errors.Is(err, syscall.ENXIO) {
			os.Remove(pipe) // the process has ended
			continue
		}
		if err != nil {
			return "", err
		}
		d.cleaned++
		file := strings.TrimSuffix(pipe, ".requests") + ".answer"
		os.Remove(file) // of an earlier process of the tests
		_, err = fmt.Fprintln(request, d.cleaned, what)
		request.Close()
		if err != nil {
			return "", err
		}
		answer, err := d.awaitAnswer(file)
		if err != nil {
			return "", err
		}
		hasAnswered = true
		for _, line := range answer {
			kind, quoted, _ := strings.Cut(line, " ")
			text, _ := strconv.Unquote(quoted) // the service quotes each text
			switch kind {
			case "e":
				return "", errors.New(text)
			case "p":
				problems += text + "\n"
			}
		}
	}
	if !hasAnswered {
		return "", errors.New("no process of the service can clean its database: it was not built by sonde build --rows")
	}
	return problems, nil
}

// awaitAnswer returns the lines of the answer to the last request, without the number.
func (d *probedDatabase) awaitAnswer(file string) ([]string, error) {
	for start := time.Now(); time.Since(start) < 2*time.Minute; time.Sleep(200 * time.Microsecond) {
		text, err := os.ReadFile(file)
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		if err == nil && lines[0] == strconv.Itoa(d.cleaned) {
			return lines[1:], nil
		}
	}
	return nil, errors.New("the service did not clean its database within two minutes")
}

func (d *probedDatabase) path(name string) string { return filepath.Join(d.dir, name) }

// followRestart allows that a new process of the service has another database than the previous process. Otherwise, the
// service executes statements only in the database in which it executed the first ones.
func (d *probedDatabase) followRestart() {
	if d.program == nil {
		return
	}
	d.program.mu.Lock()
	now := d.program.process
	d.program.mu.Unlock()
	if d.process != now {
		d.process = now
		os.Remove(d.path("database"))
	}
}

// write writes the statements that delete the rows of earlier tests, children before their parents, and insert rows.
func (d *probedDatabase) write(rows []tableRow) error {
	d.written = nil
	for i := len(d.present) - 1; i >= 0; i-- {
		d.written = append(d.written, rowStatement{d.present[i], false})
	}
	for _, r := range rows {
		d.written = append(d.written, rowStatement{r, true})
	}
	var lines []string
	for _, s := range d.written {
		statement := s.remove
		if s.isInsert {
			statement = s.insert
		}
		lines = append(lines, strconv.Quote(s.table)+" "+strconv.Quote(statement)+"\n")
	}
	os.Remove(d.path("done"))
	if len(lines) == 0 {
		return nil
	}
	if err := os.WriteFile(d.path("new"), []byte(strings.Join(lines, "")), 0o600); err != nil {
		return err
	}
	return os.Rename(d.path("new"), d.path("waiting"))
}

// settle reads the outcomes of the statements that were written last, and notes which rows are present. It returns a
// message for each row that was not inserted.
func (d *probedDatabase) settle() (failures []string) {
	outcomes := d.outcomes()
	var kept, inserted []tableRow
	for i, s := range d.written {
		outcome := "the service has not used its database, or it was not built by sonde build --rows"
		if i < len(outcomes) {
			outcome = outcomes[i]
		}
		switch {
		case outcome == "" && s.isInsert:
			inserted = append(inserted, s.tableRow)
		case s.isInsert:
			failures = append(failures, s.insert+" failed: "+outcome)
		case outcome != "": // the deletion is tried again
			kept = append([]tableRow{s.tableRow}, kept...)
		}
	}
	kept = append(kept, inserted...)
	d.written, d.present = nil, kept
	return failures
}

// outcomes returns the outcomes of the statements that were written last, nil if the service has not executed them. The
// service will then not execute them any more.
func (d *probedDatabase) outcomes() []string {
	if d.written == nil || os.Remove(d.path("waiting")) == nil {
		return nil
	}
	for tries := 0; tries < 500; tries++ { // the service may still be executing them
		if text, err := os.ReadFile(d.path("done")); err == nil {
			var all []string
			for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
				outcome, _ := strconv.Unquote(line) // the service quotes each line
				all = append(all, outcome)
			}
			return all
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}
