package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// serverCommand is the name under which this test binary acts as a NATS server. Its argument is the server's
// configuration file.
const serverCommand = "sonde-test-nats"

func runNATS() {
	o, err := server.ProcessConfigFile(os.Args[1])
	if err == nil {
		var s *server.Server
		if s, err = server.NewServer(o); err == nil {
			s.Start()
			s.WaitForShutdown()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A survey by two workers has the same tables as a survey without workers, even if one of the workers is killed.
func TestDistributedSurvey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	specs, err := filepath.Abs("../../model/openapi/testdata")
	if err != nil {
		t.Fatal(err)
	}
	alone, err := natsCommand(t, dir, "survey", specs, "--format", "json").Output()
	if err != nil {
		t.Fatal(err)
	}
	c := distribute(t, dir, "survey", specs, "--format", "json")
	first, killed := c.startWorker(t), c.startWorker(t)
	killed.Process.Kill()
	killed.Wait()
	if got := c.wait(t); got != string(alone) {
		t.Errorf("the survey by workers differs: %d bytes, and %d without workers", len(got), len(alone))
	}
	first.drain(t)
	if left, _ := os.ReadDir(filepath.Join(dir, "state", "sonde", "campaigns")); len(left) > 0 {
		t.Errorf("data of the server is left: %v", left)
	}
}

// A study by two workers has the same files as a study without workers, even if only one of the workers may build
// services.
func TestDistributedStudy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	flat, err := filepath.Abs("../../runner/testdata/services/flat/sonde.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := "services:\n  - {name: demo, demo: true}\n  - {name: flat, config: " + flat + "}\nsmart: [0, 0.6]\nbudgets: [60]\nseeds: 2\n" +
		"ways: [{name: usual}, {name: paper, strategy: paper}]\n"
	if err := os.WriteFile(filepath.Join(dir, "study.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := natsCommand(t, dir, "study", "study.yaml", "-o", "alone").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c := distribute(t, dir, "study", "study.yaml", "-o", "distributed")
	c.startWorker(t)
	c.startWorker(t, "--allow-build")
	c.wait(t)
	for _, name := range []string{"tables.txt", "tables.csv", "ways.csv", "report.html"} {
		want, err := os.ReadFile(filepath.Join(dir, "alone", name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "distributed", name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs, %v", name, err)
		}
	}
}

// mutated writes two modules into a folder: shop, which is a service to be mutated, and sales, which has its tests.
// Both are from the test data of package mutate.
func mutated(t *testing.T, dir string) {
	t.Helper()
	const lab = "../../runner/lab/mutate/testdata/"
	for to, from := range map[string]string{
		"shop/go.mod": lab + "shop/go.mod", "shop/main.go": lab + "shop/main.go", "sales/sales_test.go": lab + "tests/sales_test.go",
		"sales/go.mod": lab + "shop/go.mod", "sales/port/port.go": "../../runner/testdata/port/port.go",
	} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), "sonde/runner/testdata/port", "example.com/shop/port")
		path := filepath.Join(dir, to)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A mutation analysis by three workers has the same report as an analysis without workers. This is true even if one
// worker is killed and another one is not allowed to build services.
func TestDistributedMutants(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mutated(t, dir)
	args := []string{"mutate", "--tests", "../sales", "--build", ".", "--operator", "relational,constant,removed", "--sample", "5"}
	dir = filepath.Join(dir, "shop")
	alone := natsCommand(t, dir, append(args, "-o", "alone.ndjson")...)
	want, err := alone.Output()
	if code := alone.ProcessState.ExitCode(); code > 1 || len(want) == 0 {
		t.Fatalf("%v: %s", err, want)
	}
	c := distribute(t, dir, append(args, "-o", "distributed.ndjson")...)
	c.startWorker(t)
	killed := c.startWorker(t, "--allow-build")
	c.startWorker(t, "--allow-build")
	log := filepath.Join(dir, "distributed.ndjson")
	for end := time.Now().Add(patience); countLines(log) < 2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no results")
		}
	}
	killed.Process.Kill()
	killed.Wait()
	c.Wait()
	if got := c.out.String(); got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := c.ProcessState.ExitCode(), alone.ProcessState.ExitCode(); got != want {
		t.Errorf("exit code %d, and %d without workers", got, want)
	}
	if got, want := outcomes(t, log), outcomes(t, filepath.Join(dir, "alone.ndjson")); !slices.Equal(got, want) {
		t.Errorf("the log has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// outcomes returns the lines of a file of results, each without its time, in sorted order.
func outcomes(t *testing.T, path string) (all []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		outcome, _, _ := strings.Cut(line, `"seconds":`)
		all = append(all, outcome)
	}
	slices.Sort(all)
	return all
}

// If a coordinator is killed, a new coordinator can resume its campaign. The results of the first coordinator are kept.
func TestCoordinatorIsKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := "services: [{name: demo, demo: true}]\nsmart: [0, 0.6]\nbudgets: [100]\nseeds: 8\n"
	if err := os.WriteFile(filepath.Join(dir, "study.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"study", "study.yaml", "-o", "distributed", "--campaign", "mine"}
	first := distribute(t, dir, args...)
	first.startWorker(t)
	log := filepath.Join(dir, "distributed", "results.ndjson")
	for end := time.Now().Add(patience); countLines(log) < 4; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no results")
		}
	}
	first.Process.Kill()
	first.Wait()
	second := distribute(t, dir, args...)
	second.startWorker(t)
	second.wait(t)
	if n := countLines(log); n != 1+16 {
		t.Errorf("%d lines in the log, want a head and 16 runs", n)
	}
	seen := map[string]bool{}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if seen[line] {
			t.Errorf("twice: %s", line)
		}
		seen[line] = true
	}
}

// countLines returns the number of lines of a file, 0 if there is none.
func countLines(path string) int {
	data, _ := os.ReadFile(path)
	return bytes.Count(data, []byte("\n"))
}
