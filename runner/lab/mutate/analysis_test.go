package mutate

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/instrument/probe"

	"github.com/google/go-cmp/cmp"
)

// campaigns makes TestAnalysis try all mutants.
var campaigns = flag.Bool("campaigns", false, "try all mutants of calls, as .ci/full does")

// prepared returns the analysis of the shop with its tests. change changes the plan.
func prepared(t *testing.T, change func(*Plan)) *Analysis {
	t.Helper()
	dir := t.TempDir()
	suite, err := OpenSuite(t.Context(), filepath.Join("testdata", "tests"), dir)
	if err != nil {
		t.Fatal(err)
	}
	p := Plan{
		Service:   probe.Options{Dir: filepath.Join("testdata", "shop"), Package: "."},
		Suite:     suite,
		Operators: Operators,
		Jobs:      2,
		Dir:       dir,
	}
	change(&p)
	a, err := Prepare(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func logged(t *testing.T, file string, a *Analysis) *Log {
	t.Helper()
	l, err := OpenLog(file, a.Head)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// TestAnalysis tries the mutants of outward calls, and every fourth mutant of other calls. The call oracle notices each
// outward call that is removed, doubled or swapped.
func TestAnalysis(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a service and many mutants")
	}
	t.Parallel() // runs beside TestKillLeftovers, which waits
	a := prepared(t, func(p *Plan) {
		p.Operators = []Operator{Removed, Doubled, Swapped}
		p.Operations = map[string][]string{
			"sell": {"TestSell_OO", "TestSell_PO"}, "refuse": {"TestSellNothing_OO", "TestWrong_OO"}, "unknown": {"TestNone"},
		}
	})
	if diff := cmp.Diff([]string{"TestWrong_OO"}, a.Broken); diff != "" {
		t.Errorf("tests that fail on the unchanged service: -want +got\n%s", diff)
	}
	want := CodeSize{
		Lines: 88, Functions: 6, Candidates: 1, Invoked: 1, Operations: map[string]int{"sell": 38, "refuse": 25},
	}
	if diff := cmp.Diff(want, a.Head.Code); diff != "" {
		t.Errorf("the size of the code: -want +got\n%s", diff)
	}
	others := 0
	a.Mutants = slices.DeleteFunc(a.Mutants, func(m Mutant) bool {
		if m.Func == "main" || m.Func == "never" {
			t.Errorf("no call runs through %s %s", m.Position(), m.Before)
		}
		if m.Outward || *campaigns {
			return false
		}
		others++
		return others%4 != 1
	})
	log := logged(t, filepath.Join(t.TempDir(), "results"), a)
	if err := a.Run(t.Context(), log); err != nil {
		t.Fatal(err)
	}
	results := a.Results(log)
	for _, r := range results {
		t.Logf("%s %s %s %v %v: %s", r.Position(), r.Operator, r.Status, r.By, r.Tests, r.Before)
		if r.Outward && r.Status != Duplicate && !slices.Contains(r.By, model.CallOracle) {
			t.Errorf("the call oracle does not notice %s %s: %s", r.Position(), r.Operator, r.Before)
		}
	}
	if len(results) != len(a.Mutants) || NewTally(results).Judged == 0 {
		t.Errorf("got %d results of %d mutants", len(results), len(a.Mutants))
	}
}

// TestAnalysisResumes checks that mutants with a result are not tried again.
func TestAnalysisResumes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a service and its mutants")
	}
	file := filepath.Join(t.TempDir(), "results")
	a := prepared(t, func(p *Plan) { p.Sample, p.Seed, p.Operators = 2, 7, []Operator{Relational} })
	ctx, stop := context.WithCancel(t.Context())
	stop()
	log := logged(t, file, a)
	if err := a.Run(ctx, log); err == nil {
		t.Error("a run that was stopped succeeds")
	}
	if err := a.Run(t.Context(), log); err != nil {
		t.Fatal(err)
	}
	first := a.Results(log)
	log.Close()
	if err := os.WriteFile(file, append(read(t, file), `{"id":"cut`...), 0o644); err != nil {
		t.Fatal(err)
	}
	log = logged(t, file, a)
	if diff := cmp.Diff(first, a.Results(log), cmp.AllowUnexported(Mutant{}, edit{}, place{})); diff != "" || len(first) != 2 {
		t.Errorf("other results: -want +got\n%s", diff)
	}
	log.Close()
	a.Head.Source = "another"
	if _, err := OpenLog(file, a.Head); err == nil {
		t.Error("results of another source were taken")
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// If the tests cannot start the service, the error says what to do. For example, if the tests were moved and do not
// find the folder of the service, the error says to move them back.
func TestRemedyOfMovedTests(t *testing.T) {
	for why, remedy := range map[string]string{
		`the service cannot be started: there is no folder "../shop" to start in`: "move the tests back",
		"the service cannot be started: exec: not found":                          "record it again",
	} {
		if err := withRemedy(startError{why}); !strings.Contains(err.Error(), why) || !strings.Contains(err.Error(), remedy) {
			t.Errorf("got %v, want %q", err, remedy)
		}
	}
}
