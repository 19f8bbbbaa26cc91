package cli_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sonde/runner/testdata/dbserver"
	"sonde/runner/testdata/port"
)

// checkRestored ends a recording with snapshots and generates tests from it. It fails the test in these cases:
//
//   - A generated test does not mimic.
//   - A generated test does not restore a snapshot, or there are fewer tests than least.
//   - A test has more than ten calls before the call under test.
//   - An exchange has no test. Without snapshots, some exchanges have none, because they need more than 50 calls.
//
// It returns the text of the file of tests.
func checkRestored(t *testing.T, r *recorder, least int, restore ...string) (file string) {
	t.Helper()
	if text := r.ended(t, 0); !regexp.MustCompile(`, \d\d snapshots; `).MatchString(text) {
		t.Errorf("too few snapshots: %s", text)
	}
	before, plain := generated(t, nil, r.folder, 0, "--no-run")
	tooFar := strings.Count(plain, "more than 50")
	if tooFar == 0 {
		t.Errorf("no test needs more than 50 calls without snapshots: %s", plain)
	}
	file, printed := generated(t, nil, r.folder, 0, restore...)
	found := regexp.MustCompile(`(\d+) of (\d+) tests mimic successfully in all of 2 runs`).FindStringSubmatch(printed)
	if found == nil || found[1] != found[2] || strings.Contains(printed, "left out") {
		t.Fatalf("not all tests mimic: %s", printed)
	}
	if n := strings.Count(file, "\trestore(t, \""); fmt.Sprint(n) != found[2] || n < least {
		t.Errorf("%d of %s tests restore a snapshot, want %d at least", n, found[2], least)
	}
	t.Logf(
		"%s of %s tests mimic, with %d calls; without snapshots: %d tests with %d calls, %d exchanges left out",
		found[1], found[2], calls(file), strings.Count(before, "\nfunc Test"), calls(before), tooFar,
	)
	if long := regexp.MustCompile(`(?m)^// Test \S+:(?: [^→]*→){11}`).FindString(strings.ReplaceAll(file, "\n// ", " ")); long != "" {
		t.Errorf("a test has more calls than writes from one snapshot to the next: %s", long)
	}
	return file
}

// calls returns the number of calls in a file of tests.
func calls(file string) int {
	return len(regexp.MustCompile(`\n\t(?:\w+ := )?call\(t, `).FindAllString(file, -1))
}

// TestSnapshotFile records a service with an SQLite database. Each test begins with the copy of the database in the
// nearest snapshot. So there are also tests of requests that need more than 50 calls before them, which are left out
// without snapshots.
func TestSnapshotFile(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts a service again for each test")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	dir, err := filepath.Abs("../../runner/testdata/ledger")
	if err != nil {
		t.Fatal(err)
	}
	database := filepath.Join(t.TempDir(), "ledger.db")
	r := recording(
		t, "--spec", filepath.Join(dir, "openapi.yaml"), "--snapshot-file", database, "--snapshot-every", "5",
		"--", python, filepath.Join(dir, "ledger.py"), "{port}", database,
	)
	for i := 1; i <= 20; i++ {
		account := fmt.Sprintf("%s/accounts/%d", r.in, i)
		request(t, "POST", r.in+"/accounts", fmt.Sprintf(`{"owner": "owner %d"}`, i), 201)
		request(t, "POST", account+"/entries", fmt.Sprintf(`{"amount": %d}`, 10*i), 201)
		request(t, "POST", account+"/entries", `{"amount": -5}`, 201)
	}
	request(t, "GET", r.in+"/accounts", "", 200)
	request(t, "POST", r.in+"/accounts", `{"owner": "owner 3"}`, 409)
	request(t, "GET", r.in+"/accounts/17", "", 200)
	request(t, "POST", r.in+"/accounts/17/entries", `{"amount": -1000}`, 409)
	request(t, "GET", r.in+"/accounts/99", "", 404)
	if file := checkRestored(t, r, 7, "--restore-files"); !strings.Contains(file, `"balance": 195`) {
		t.Errorf("the tests do not expect the balances of the recording")
	}
	_, printed := generated(t, nil, r.folder, 2, "--restore-files", "--state", "true {snapshot}")
	if !strings.Contains(printed, "exclude each other") {
		t.Errorf("both ways to restore: %s", printed)
	}
	checkOneCopy(t, r.folder)
	checkForeignFiles(t, r.folder, database)
}

// checkOneCopy checks that mutants are tried one at a time if the tests of a recording restore files.
func checkOneCopy(t *testing.T, folder string) {
	t.Helper()
	tests := filepath.Join(t.TempDir(), "tests")
	made := bounded(t, program(t), "generate", folder, "-o", tests, "--no-run", "--restore-files", "--yes")
	if out, err := made.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := bounded(t, program(t), "mutate", "--tests", tests, "--demo", "--jobs", "2").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "leave out --nats and --jobs") {
		t.Errorf("two jobs: %v, %s", err, out)
	}
}

// checkForeignFiles checks that a recording, which may come from another user, cannot choose which files the tests
// replace. Without the user's confirmation, the tests must not replace a file in another folder, or a folder in which
// the user works.
func checkForeignFiles(t *testing.T, folder, database string) {
	t.Helper()
	here := t.TempDir()
	generate := func() string {
		c := bounded(t, program(t), "generate", folder, "-o", filepath.Join(here, "tests"), "--no-run", "--restore-files")
		c.Dir, c.Env = here, append(os.Environ(), "HOME="+here)
		out, err := c.CombinedOutput()
		if err == nil {
			t.Errorf("it asks nothing: %s", out)
		}
		return string(out)
	}
	if printed := generate(); !strings.Contains(printed, "would replace what is now in") || !strings.Contains(printed, database) {
		t.Errorf("another file: %s", printed)
	}
	header := filepath.Join(folder, "recording.json")
	text, err := os.ReadFile(header)
	if err != nil {
		t.Fatal(err)
	}
	for replaced, want := range map[string]string{
		filepath.Dir(here): "which has the folder", "/": "needs a recording with snapshots of files",
	} {
		changed := strings.ReplaceAll(string(text), strconv.Quote(database), strconv.Quote(replaced))
		if err := os.WriteFile(header, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		if printed := generate(); !strings.Contains(printed, want) {
			t.Errorf("%s: %s", replaced, printed)
		}
	}
}

// TestSnapshotCommand records a service with PostgreSQL. Commands take the snapshots and restore them while the
// service runs. The tests need a real PostgreSQL, too.
func TestSnapshotCommand(t *testing.T) {
	t.Parallel()
	config := moduleService(t, "databases", "shop")
	for _, tool := range []string{"psql", "pg_dump"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed: its Debian package is postgresql-client", tool)
		}
	}
	addr, binary := dbserver.Postgres(t), filepath.Join(t.TempDir(), "shop")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Dir = filepath.Dir(config)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	host, number, _ := net.SplitHostPort(addr)
	at := fmt.Sprintf("-h %s -p %s -U postgres", host, number)
	own := port.Addr()
	r := recording(
		t, "--spec", filepath.Join(filepath.Dir(config), "openapi.yaml"), "--in", own+"=http://127.0.0.1:{port}", "--snapshot-every", "5",
		"--snapshot", "pg_dump "+at+" --data-only --inserts postgres > \"{snapshot}/all.sql\"", "--", binary, "127.0.0.1:{port}", addr,
	)
	for i := 1; i <= 60; i++ {
		body := fmt.Sprintf(`{"name": "product %d", "price": "%d.50", "stock": 5, "labels": []}`, i, i)
		request(t, "POST", r.in+"/products", body, 201)
	}
	request(t, "GET", r.in+"/products?name=product", "", 200)
	request(t, "POST", r.in+"/products/7/sales", `{"count": 2, "buyer": "ann"}`, 201)
	request(t, "GET", r.in+"/products/7", "", 200)
	request(t, "GET", r.in+"/products/7/sales", "", 200)
	request(t, "DELETE", r.in+"/products/7", "", 409)
	request(t, "DELETE", r.in+"/products/8", "", 204)
	request(t, "GET", r.in+"/products/8", "", 404)
	const restore = ` -q -v ON_ERROR_STOP=1 -o /dev/null postgres -c "TRUNCATE product, sale" -f "{snapshot}/all.sql"`
	checkRestored(t, r, 7, "--state", "psql "+at+restore)
}

// If snapshots cannot be taken, sonde record prints one line of error and creates no folder.
func TestSnapshotErrors(t *testing.T) {
	spec, err := filepath.Abs("../../runner/testdata/ledger/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no placeholder": {[]string{"--snapshot", "pg_dump shop"}, "does not name {snapshot}"},
		"both":           {[]string{"--snapshot", "cp a {snapshot}", "--snapshot-file", "a"}, "exclude each other"},
		"never":          {[]string{"--snapshot-file", "a", "--snapshot-every", "0"}, "--snapshot-every is 0"},
		"the recording":  {[]string{"--snapshot-file", dir}, "in it, and tests would replace that"},
	} {
		rec := filepath.Join(dir, "rec")
		args := append([]string{"record", "--spec", spec, "-o", rec, "--in", "127.0.0.1:0=http://127.0.0.1:1"}, c.args...)
		out, err := bounded(t, program(t), args...).CombinedOutput()
		if _, created := os.Stat(rec); err == nil || !strings.Contains(string(out), c.want) || created == nil {
			t.Errorf("%s: %v, %s", name, err, out)
		}
		if lines := strings.Count(string(out), "\n"); lines != 1 {
			t.Errorf("%s: %d lines: %s", name, lines, out)
		}
	}
}
