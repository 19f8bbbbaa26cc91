package cli_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sonde/runner/testdata/dbserver"
)

// A search cleans a database of PostgreSQL without a warning of the reset, and so do tests that are exported in Go, which pass
// twice. At the end the database has the rows with which it began: the shop, whose requests change them, has none, and its
// sequence was never used.
func TestCleanedPostgreSQL(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds services, starts a database, and searches twice")
	}
	t.Parallel()
	shop, clinic := moduleService(t, "databases", "shop"), moduleService(t, "databases", "clinic")
	addr := dbserver.Postgres(t)
	t.Run("shop", func(t *testing.T) {
		printed := checkCleaned(t, shop, `["{binary}", "127.0.0.1:{port}", "`+addr+`"]`)
		if strings.Contains(printed, "POST /products never answered 2xx") {
			t.Errorf("no request changes the database: %s", printed)
		}
	})
	t.Run("clinic", func(t *testing.T) {
		run := `["{binary}", --addr, "127.0.0.1:{port}", --database, "postgres://postgres@` + addr + `/postgres"]`
		checkCleaned(t, clinic, run, "--rows", "0.15")
	})
	host, number, _ := net.SplitHostPort(addr)
	query := exec.Command(
		filepath.Join(dbserver.PostgresPrograms(t), "psql"), "-qAtX", "-h", host, "-p", number, "-U", "postgres", "-c",
		"SELECT (SELECT count(*) FROM product), (SELECT count(*) FROM sale), is_called FROM product_id_seq",
	)
	if rows, err := query.CombinedOutput(); err != nil || string(rows) != "0|0|f\n" {
		t.Errorf("the shop has %s, error %v", rows, err)
	}
}

// checkCleaned searches a service that a command starts, exports the tests in Go, and runs them twice. It returns what the search
// prints.
func checkCleaned(t *testing.T, config, command string, flags ...string) (printed string) {
	t.Helper()
	source, dir := filepath.Dir(config), t.TempDir()
	text := fmt.Sprintf("spec: %s/openapi.yaml\nsut: {dir: %[1]s, build: ., run: %s}\nreset: clean\n", source, command)
	if err := os.WriteFile(filepath.Join(dir, "sonde.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	sonde := func(args ...string) string {
		c := bounded(t, program(t), args...)
		c.Dir = dir
		out, _ := c.CombinedOutput() // the exit code says that the search found faults
		return string(out)
	}
	printed = sonde(append([]string{"search", "--calls", "1500", "--seed", "1", "-o", "run"}, flags...)...)
	if !strings.Contains(printed, "1,500 (") || strings.Contains(printed, "reset by clean") {
		t.Fatal(printed)
	}
	exported := sonde("export", "run", "--format", "go", "-o", "tests")
	for range 2 {
		test := exec.Command("go", "test", "-count=1", "-v", "sonde_test.go", "sonde_helpers_test.go")
		test.Dir, test.Env = filepath.Join(dir, "tests"), append(os.Environ(), "SONDE_BASE_URL=", "SONDE_BINARY=")
		out, err := test.CombinedOutput()
		if passed := strings.Count(string(out), "--- PASS"); err != nil || passed < 5 {
			t.Fatalf("%d exported tests pass: %v\n%s%s", passed, err, exported, out)
		}
	}
	return printed
}
