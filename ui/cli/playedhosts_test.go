package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A search answers the queries of a service itself, so no database needs to be installed. The exported tests answer
// the same queries with the same rows.
func TestPlayedDatabases(t *testing.T) {
	t.Parallel()
	for service, stub := range map[string]string{
		"shop":    `postgres("store.example:5432"`,
		"library": `mysql("books.example:3306"`,
		"carts":   `redis("cache.example:6379"`,
	} {
		t.Run(service, func(t *testing.T) {
			t.Parallel()
			checkPlayedHosts(t, "databases", service, stub)
		})
	}
}

// A search answers calls by gRPC itself. The exported tests give the same answers.
func TestPlayedGRPC(t *testing.T) {
	t.Parallel()
	checkPlayedHosts(t, "grpc", "parcels", `network.http("carrier.example:50051", "POST /carrier.v2.Carrier/`)
}

// checkPlayedHosts searches a service of a module in runner/testdata, exports the tests, and runs them. stub is a
// text that the exported tests must contain.
func checkPlayedHosts(t *testing.T, module, service, stub string) {
	t.Helper()
	config, dir := moduleService(t, module, service), t.TempDir()
	run, tests := filepath.Join(dir, "run"), filepath.Join(dir, "tests")
	search := bounded(t, program(t), "search", "--config", config, "--net", "--calls", "500", "--seed", "1", "-o", run)
	if out, _ := search.CombinedOutput(); search.ProcessState.ExitCode() > 1 {
		t.Fatalf("exit code %d: %s", search.ProcessState.ExitCode(), out)
	}
	out, err := bounded(t, program(t), "export", run, "--faults", "skip", "-o", tests).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if n := exportedTests(string(out)); n < 3 {
		t.Errorf("%d tests: %s", n, out)
	}
	text, err := os.ReadFile(filepath.Join(tests, "sonde_test.go"))
	if err != nil || !strings.Contains(string(text), stub) {
		t.Errorf("no test has %s: %v", stub, err)
	}
	goMod := []byte("module example.com/tests\n\ngo 1.24\n")
	if err := os.WriteFile(filepath.Join(tests, "go.mod"), goMod, 0o600); err != nil {
		t.Fatal(err)
	}
	c := bounded(t, "go", "test", "./...")
	c.Dir, c.Env = tests, append(os.Environ(), "PATH="+filepath.Dir(program(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// exportedTests returns the number of tests that an export has written.
func exportedTests(printed string) int {
	found := regexp.MustCompile(`(\d+) tests in `).FindStringSubmatch(printed)
	if found == nil {
		return 0
	}
	n, _ := strconv.Atoi(found[1])
	return n
}
