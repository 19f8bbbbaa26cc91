package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/runner/lab/mutate"
	"sonde/ui/app/survivors"
	"sonde/ui/results"

	"github.com/google/go-cmp/cmp"
)

// sonde mutate --kill finds a new test for a mutant that the recorded tests do not notice. The mutant changes a
// comparison of a host's answer with a number, and in the recording no host answered with this number.
func TestMutateKill(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds a service and its mutants")
	}
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("testdata/fees")); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(folder, "sonde.yaml")
	ledger := jsonHost(t, func(r *http.Request) string {
		if r.URL.Path == "/accounts/a1" {
			return `{"kind":"plain","balance":250.2}`
		}
		return `{"kind":"plain","balance":40}`
	})
	r := recording(t, "--config", config, "--net", "--out", "ledger.example:80="+ledger)
	for _, id := range []string{"a1", "a2"} {
		get(t, r.in+"/fees/"+id)
	}
	r.ended(t, 0)
	tests := filepath.Join(folder, "tests")
	sonde := func(args ...string) []byte {
		c := bounded(t, program(t), args...)
		c.Env = append(os.Environ(), "PATH="+filepath.Dir(program(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
		c.Stderr = os.Stderr
		out, _ := c.Output() // the exit code says that mutants survive
		return out
	}
	sonde("generate", r.folder, "-o", tests, "--runs", "1", "--yes")
	trial := []string{
		"mutate", "--tests", tests, "--config", config, "--operator", "relational", "-o", filepath.Join(folder, "mutants.ndjson"),
	}
	more := filepath.Join(folder, "more")
	var report results.MutateReport
	out := sonde(append(trial, "--kill", more, "--kill-tests", "60", "--json")...)
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	found := report.Kill
	if found == nil || found.Candidates == 0 || found.Stable < found.Candidates/2 || len(found.Files) == 0 {
		t.Fatalf("found %+v", found)
	}
	border := func(k survivors.Kill) bool {
		return k.Mutant.Before == "a.Balance < 100" && k.Mutant.After == "a.Balance <= 100"
	}
	if !slices.ContainsFunc(found.Kills, border) {
		t.Errorf("nothing notices a wrong border, only %+v", found.Kills)
	}
	// Refactorings cause these false alarms: the call oracle notices if a host is asked twice. All oracles notice a
	// call with another path, because the host that the tests play does not know this path.
	var refactored results.MutateReport
	out = sonde("mutate", "--tests", tests, "--config", config, "--refactor", "--json")
	if err := json.Unmarshal(out, &refactored); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	alarms := map[mutate.Operator]string{}
	for _, r := range refactored.Results {
		alarms[r.Operator] += fmt.Sprint(r.By)
	}
	want := map[mutate.Operator]string{mutate.Extracted: "[][]", mutate.Renamed: "[co oo po]", mutate.Repeated: "[co]"}
	if diff := cmp.Diff(want, alarms); diff != "" || !refactored.Refactored {
		t.Errorf("alarms of the oracles: %s", diff)
	}
	// The new tests pass on the unchanged service. Their comments say which answer they change.
	text, err := os.ReadFile(filepath.Join(more, "sonde_test.go"))
	if err != nil || !strings.Contains(string(text), "if ledger.example:80 answers /balance 100") ||
		!strings.Contains(string(text), "--kill-tests 60 --operator relational --output ") ||
		!strings.Contains(string(text), "--tests "+tests+" --force") {
		t.Errorf("%v: %s", err, text)
	}
	c := exec.Command("go", "test", "-count=1", "sonde_test.go", "sonde_helpers_test.go")
	c.Dir = more
	c.Env = append(os.Environ(), "PATH="+filepath.Dir(program(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	again := bounded(t, program(t), append(trial, "--kill", more)...)
	if out, _ := again.CombinedOutput(); !strings.Contains(string(out), `exists: overwrite it with --force`) {
		t.Errorf("a second time: %s", out)
	}
}
