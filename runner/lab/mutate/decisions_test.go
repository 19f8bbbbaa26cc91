package mutate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/instrument/probe"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// The outcome of a trial determines the status of a mutant.
func TestStatusOfTrial(t *testing.T) {
	for _, c := range []struct {
		name    string
		outcome outcome
		want    Status
	}{
		{"a test fails", outcome{started: true, failed: []string{"TestA"}}, Killed},
		{"none fails", outcome{started: true, passed: 2}, Survived},
		{"no test ran", outcome{output: "# x\nlisten: refused\n"}, Crash},
		{"out of time", outcome{started: true, timedOut: true, failed: []string{"TestA"}}, Timeout},
		{"out of time at the start", outcome{timedOut: true}, Timeout},
	} {
		var r Result
		r.setOutcome(c.outcome)
		if r.Status != c.want {
			t.Errorf("%s: %s, want %s", c.name, r.Status, c.want)
		}
		if c.want == Crash && r.Why != "listen: refused" {
			t.Errorf("%s: why is %q", c.name, r.Why)
		}
	}
	var r Result
	r.setOutcome(outcome{started: true, failed: []string{"A", "B", "C", "D"}})
	if len(r.Tests) != maxConfirmed {
		t.Errorf("%d tests are kept", len(r.Tests))
	}
}

// A block is reached by calls if it ran more often per process with calls than without calls.
func TestReach(t *testing.T) {
	blocks := func(times ...int) (all []probe.CoverBlock) {
		for i, n := range times {
			all = append(all, probe.CoverBlock{Place: fmt.Sprintf("shop/main.go:%d.1,%d.20", 10*i+1, 10*i+9), Times: n})
		}
		return all
	}
	r, err := newReach(counts{blocks: blocks(1, 1, 0, 0), processes: 1}, counts{blocks: blocks(2, 3, 5, 0), processes: 2})
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[int]reachKind{5: whenStarted, 15: byCalls, 25: byCalls, 35: notReached, 45: notReached, 10: notReached} {
		m := Mutant{places: []path{{{file: "shop/main.go", line: line, column: 2}}}}
		if got := r.howReached(m); got != want {
			t.Errorf("line %d: %d, want %d", line, got, want)
		}
	}
	inner := Mutant{places: []path{{{file: "other.go", line: 15}, {file: "shop/main.go", line: 15, column: 2}}}}
	if r.howReached(inner) != byCalls {
		t.Error("a place in no block is not looked up by what is around it")
	}
	either := Mutant{places: []path{{{file: "shop/main.go", line: 35, column: 2}}, {{file: "shop/main.go", line: 25, column: 2}}}}
	if r.howReached(either) != byCalls {
		t.Error("a constant is not reached where one of its uses is")
	}
	if _, err := newReach(counts{}, counts{blocks: []probe.CoverBlock{{Place: "shop/main.go"}}}); err == nil {
		t.Error("a block without a place is taken")
	}
}

// If the service starts only when it is called, all of its blocks count as reached by calls.
func TestReachWithoutIdleProcess(t *testing.T) {
	r, err := newReach(counts{}, counts{blocks: []probe.CoverBlock{{Place: "m.go:1.1,9.9", Times: 1}}, processes: 1})
	if err != nil || r.howReached(Mutant{places: []path{{{file: "m.go", line: 5}}}}) != byCalls {
		t.Errorf("%v, %v", r, err)
	}
}

// chosen returns an analysis of ten mutants. The first one is not reached. The second one is reached when the service
// starts. The other eight are reached by calls, and every second one of these is outward.
func chosen(change func(*Plan)) *Analysis {
	r := reach{"m.go": {
		{from: place{line: 2}, to: place{line: 3}, started: true},
		{from: place{line: 3}, to: place{line: 11}, called: true},
	}}
	var all []Mutant
	for i := 1; i <= 10; i++ {
		all = append(all, Mutant{ID: fmt.Sprint("m", i), Outward: i%2 == 0, places: []path{{{file: "m.go", line: i}}}})
	}
	a := &Analysis{all: all}
	change(&a.Plan)
	a.chooseMutants(r)
	return a
}

func ids(all []Mutant) string {
	var texts []string
	for _, m := range all {
		texts = append(texts, m.ID)
	}
	return strings.Join(texts, " ")
}

// Mutants that calls do not reach are left out and counted.
func TestChoose(t *testing.T) {
	a := chosen(func(*Plan) {})
	if a.Made != 10 || a.Idle != 1 || a.Unreached != 1 || ids(a.Mutants) != "m3 m4 m5 m6 m7 m8 m9 m10" {
		t.Errorf("%d made, %d idle, %d unreached, %s", a.Made, a.Idle, a.Unreached, ids(a.Mutants))
	}
	a = chosen(func(p *Plan) {
		p.Outward = true
		p.Equivalent = map[string]string{"m4": "same", "x9": "gone", "b1": "gone"}
	})
	if ids(a.Mutants) != "m4 m6 m8 m10" || !slices.Equal(a.Unknown, []string{"b1", "x9"}) {
		t.Errorf("got %s, unknown %v", ids(a.Mutants), a.Unknown)
	}
}

// A sample has the wanted size, is in the order of the source, and is the same for the same seed.
func TestSample(t *testing.T) {
	whole := strings.Fields(ids(chosen(func(*Plan) {}).Mutants))
	rapid.Check(t, func(t *rapid.T) {
		n, seed := rapid.IntRange(0, 12).Draw(t, "sample"), rapid.Uint64().Draw(t, "seed")
		pick := func() []string {
			return strings.Fields(ids(chosen(func(p *Plan) { p.Sample, p.Seed = n, seed }).Mutants))
		}
		got := pick()
		want := n
		if n == 0 || n > len(whole) {
			want = len(whole)
		}
		if len(got) != want || !slices.Equal(got, pick()) {
			t.Fatalf("a sample of %d: %v", n, got)
		}
		last := -1
		for _, id := range got {
			at := slices.Index(whole, id)
			if at <= last {
				t.Fatalf("%v is not in the order of the source", got)
			}
			last = at
		}
	})
}

// follow finds in the output of the tests which tests failed, which oracles noticed the mutant, and whether
// the service started.
func TestFollow(t *testing.T) {
	dir := t.TempDir()
	differences := filepath.Join(dir, "differences")
	text := `{"test":"TestSell","oracle":"co"}` + "\n" + `{"test":"TestSell","oracle":"po"}` + "\n" +
		`{"test":"TestSell","oracle":"co"}` + "\nno JSON\n"
	if err := os.WriteFile(differences, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	suite := &Suite{Tests: []string{"TestSell", "TestPay_OO", "TestList"}}
	for _, c := range []struct {
		name, printed string
		want          outcome
	}{
		{
			"failures", "=== RUN   TestSell\n--- FAIL: TestSell (0.02s)\n--- PASS: TestList (0.00s)\n--- FAIL: TestPay_OO (1s)\nFAIL\n",
			outcome{
				failed: []string{"TestSell", "TestPay_OO"}, passed: 1, started: true,
				oraclesOf: map[string][]model.MockOracle{
					"TestSell":   {model.CallOracle, model.ParameterOracle},
					"TestPay_OO": {model.OutputOracle},
				},
			},
		},
		{"no service", "dial: refused\n", outcome{oraclesOf: map[string][]model.MockOracle{}}},
		{
			"time", "=== RUN TestA\npanic: test timed out after 1s\n",
			outcome{started: true, timedOut: true, oraclesOf: map[string][]model.MockOracle{}},
		},
		{
			"panic", "=== RUN   TestList\n--- PASS: TestList (0.00s)\n=== RUN   TestPay_CO\npanic: index out of range\n\nFAIL\n",
			outcome{
				failed: []string{"TestPay_CO"}, passed: 1, started: true,
				oraclesOf: map[string][]model.MockOracle{"TestPay_CO": {model.CallOracle}},
			},
		},
		{"own time", "the tests ran out of time\n", outcome{timedOut: true, oraclesOf: map[string][]model.MockOracle{}}},
	} {
		got := trial{suite: suite}.follow(strings.NewReader(c.printed), differences, func() { t.Error("stopped") })
		if !strings.Contains(got.output, strings.TrimSpace(c.printed)) {
			t.Errorf("%s: said %q", c.name, got.output)
		}
		got.output = ""
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	o := outcome{failed: []string{"A", "B"}, oraclesOf: map[string][]model.MockOracle{"A": {"po", "co"}, "B": {"co"}, "C": {"oo"}}}
	if got := o.oracles(); !slices.Equal(got, []model.MockOracle{"co", "po"}) {
		t.Errorf("oracles are %v", got)
	}
}

// The tests are stopped when each oracle of the suite has noticed the mutant.
func TestStopEarly(t *testing.T) {
	suite := &Suite{Tests: []string{"TestA_OO", "TestB_CO", "TestC_CO"}}
	const first, second = "--- FAIL: TestA_OO (0s)\n", "--- FAIL: TestB_CO (0s)\n"
	for printed, want := range map[string]bool{first: false, first + second: true, second + second: false} {
		stopped := false
		trial{suite: suite, stopEarly: true}.follow(strings.NewReader(printed), "", func() { stopped = true })
		if stopped != want {
			t.Errorf("%q: stopped is %t", printed, stopped)
		}
	}
}

// script returns a suite whose tests are a shell script.
func script(t *testing.T, text string) *Suite {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("there is no /bin/sh")
	}
	file := filepath.Join(t.TempDir(), "tests")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return &Suite{Dir: filepath.Dir(file), Tests: []string{"TestA", "TestB"}, binary: file}
}

// The tests get the binary, the file for differences, and the names of the tests to run.
func TestTrialCommand(t *testing.T) {
	s := script(t, `echo "=== RUN TestA"; echo "$@" > args; echo "$SONDE_BINARY $EXTRA" >> args; echo "--- PASS: TestA (0s)"`)
	for _, c := range []struct {
		only, skip []string
		want       string
	}{
		{nil, nil, "-test.v -test.timeout=1m0s\n/bin/shop yes\n"},
		{[]string{"TestA", "TestB"}, []string{"TestB"}, "-test.v -test.timeout=1m0s -test.run=^(TestA|TestB)$\n/bin/shop yes\n"},
		{nil, []string{"TestB"}, "-test.v -test.timeout=1m0s -test.skip=^(TestB)$\n/bin/shop yes\n"},
	} {
		s.skip = c.skip
		o, err := trial{suite: s, binary: "/bin/shop", timeout: time.Minute, only: c.only, env: []string{"EXTRA=yes"}}.run(t.Context())
		if err != nil || o.passed != 1 || !o.started {
			t.Fatalf("%+v, %v", o, err)
		}
		if got := string(read(t, filepath.Join(s.Dir, "args"))); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// If the service does not start, the error comes before any test runs. It quotes what the service printed, and does
// not name the binary, which is removed.
func TestServiceThatDoesNotStart(t *testing.T) {
	s := script(t, "printf 'the service [\"%s\"] ended before it was ready; it printed:\\nunexpected argument\\n' $SONDE_BINARY; exit 1")
	a := &Analysis{Plan: Plan{Suite: s, Dir: t.TempDir()}}
	binary := filepath.Join(a.Dir, "counting")
	_, err := a.runCounting(t.Context(), binary, []string{"none"})
	const want = `the tests cannot start the service that was built as SONDE_BINARY: ` +
		`the service ["SONDE_BINARY"] ended before it was ready; it printed: unexpected argument`
	if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), a.Dir) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A cancelled trial has no result. Tests that cannot run are an error.
func TestTrialErrors(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := (trial{suite: script(t, "sleep 60"), timeout: time.Minute}).run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	s := &Suite{Dir: t.TempDir(), binary: "/nowhere/tests"}
	_, err := trial{suite: s, timeout: time.Minute}.run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "the tests cannot run") {
		t.Errorf("no tests: %v", err)
	}
}

// If few tests fail, they are run again. A test that fails only once does not notice the mutant.
func TestFailuresComeAgain(t *testing.T) {
	const flaky = `
echo "=== RUN TestA_OO"
if [ -e ran ]; then echo "--- PASS: TestA_OO (0s)"; else touch ran; echo "--- FAIL: TestA_OO (0s)"; fi
echo "--- FAIL: TestB_CO (0s)"
exit 1
`
	suite := script(t, flaky)
	suite.Tests = []string{"TestA_OO", "TestB_CO"}
	a := &Analysis{Plan: Plan{Suite: suite}, timeout: time.Minute}
	b := batch{Analysis: a}
	o, err := b.runTests(t.Context(), "service")
	if err != nil || !slices.Equal(o.failed, []string{"TestB_CO"}) {
		t.Errorf("failed are %v, %v", o.failed, err)
	}
}

// If the tests were stopped by a failure that does not come again, all are run once more.
func TestRestIsRunAfterFlakyFailure(t *testing.T) {
	suite := script(t, `
echo run >> runs
echo "=== RUN TestA"
case "$(wc -l < runs | tr -d ' ')" in
1) echo "--- FAIL: TestA (0s)"; sleep 60;; # stopped here
*) echo "--- PASS: TestA (0s)"; echo "--- FAIL: TestB (0s)";;
esac
exit 1
`)
	b := batch{Analysis: &Analysis{Plan: Plan{Suite: suite}, timeout: time.Minute}}
	o, err := b.runTests(t.Context(), "service")
	if runs := strings.Count(string(read(t, filepath.Join(suite.Dir, "runs"))), "run"); err != nil || runs != 4 ||
		!slices.Equal(o.failed, []string{"TestB"}) {
		t.Errorf("failed are %v after %d runs, %v", o.failed, runs, err)
	}
}

// A mutant with the binary of the service or of another mutant is not tried.
func TestSameBinaries(t *testing.T) {
	dir := t.TempDir()
	service, mutant := filepath.Join(dir, "service"), filepath.Join(dir, "mutant")
	for file, text := range map[string]string{service: "one", mutant: "two"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	hash, err := hashOf(service)
	if err != nil {
		t.Fatal(err)
	}
	a := &Analysis{Plan: Plan{Suite: script(t, `echo "=== RUN TestA"; echo "--- PASS: TestA (0s)"`)}, timeout: time.Minute}
	b := batch{Analysis: a, firstByHash: map[string]string{hash: ""}}
	for i, c := range []struct {
		binary string
		want   Status
		why    string
	}{{service, Equal, ""}, {mutant, Survived, ""}, {mutant, Duplicate, "as m1"}} {
		r, err := b.classify(t.Context(), Result{Mutant: Mutant{ID: fmt.Sprint("m", i)}}, c.binary)
		if err != nil || r.Status != c.want || r.Why != c.why {
			t.Errorf("step %d: %s %q, %v", i, r.Status, r.Why, err)
		}
	}
}

// Tests of the suite that fail on the unchanged service are skipped. A test that fails in two runs is in the list
// only once. Failed tests that are not in the suite are ignored.
func TestSkipFailed(t *testing.T) {
	a := &Analysis{Plan: Plan{Suite: &Suite{Tests: []string{"TestA", "TestB"}}}}
	a.skipFailed(outcome{failed: []string{"TestB", "TestOther"}})
	a.skipFailed(outcome{failed: []string{"TestB"}})
	if !slices.Equal(a.Broken, []string{"TestB"}) || !slices.Equal(a.Suite.skip, a.Broken) {
		t.Errorf("broken are %v, skipped %v", a.Broken, a.Suite.skip)
	}
}

// Results returns the logged results, and a result for each mutant that a person judged to be equivalent.
func TestResults(t *testing.T) {
	log, err := OpenLog("", LogHead{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	a := &Analysis{Plan: Plan{Equivalent: map[string]string{"c": "sorts the same"}}, Mutants: []Mutant{
		{ID: "a", Line: 9}, {ID: "b"}, {ID: "c"},
	}}
	if err := log.add(Result{Mutant: Mutant{ID: "a", Line: 1}, Status: Killed}); err != nil {
		t.Fatal(err)
	}
	got := a.Results(log)
	if len(got) != 2 || got[0].Status != Killed || got[0].Line != 9 || got[1].Status != Equivalent || got[1].Why != "sorts the same" {
		t.Errorf("got %+v", got)
	}
}

// A tally counts the mutants that tests notice, and the mutants that only one oracle noticed.
func TestTally(t *testing.T) {
	co, oo := model.CallOracle, model.OutputOracle
	tally := NewTally([]Result{
		{Status: Killed, By: []model.MockOracle{co}},
		{Status: Killed, By: []model.MockOracle{co, oo}},
		{Status: Killed, By: []model.MockOracle{BeforeOracle}},
		{Status: Survived},
		{Status: Timeout},
		{Status: Crash},
		{Status: Equal},
		{Status: Duplicate},
		{Status: Uncompiled},
		{Status: Equivalent},
	})
	if tally.Mutants != 10 || tally.Judged != 6 || tally.Dead != 5 || tally.Together != 2 {
		t.Errorf("got %+v", tally)
	}
	if tally.By[co] != 2 || tally.Only[co] != 1 || tally.Only[oo] != 0 {
		t.Errorf("by oracle: %v, %v", tally.By, tally.Only)
	}
	if share := tally.MutationScore(); share != 5.0/6 {
		t.Errorf("share is %v", share)
	}
	if (Tally{}).MutationScore() != 0 {
		t.Error("a share of nothing")
	}
}

// Each mutant is in the region of exactly the oracles that noticed it. Mutants that no oracle noticed are in no
// region.
func TestVenn(t *testing.T) {
	oo, po, co := model.OutputOracle, model.ParameterOracle, model.CallOracle
	var got []string
	for _, v := range NewVenn([]Result{
		{By: []model.MockOracle{co, oo}},
		{By: []model.MockOracle{oo, co, BeforeOracle}},
		{By: []model.MockOracle{po}},
		{By: []model.MockOracle{co, po, oo}},
		{By: []model.MockOracle{BeforeOracle}},
		{Status: Survived},
	}) {
		got = append(got, fmt.Sprintf("%v %d", v.Oracles, v.Mutants))
	}
	want := []string{"[oo] 0", "[po] 1", "[co] 0", "[oo po] 0", "[oo co] 2", "[po co] 0", "[oo po co] 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// A file is refused if it has no results, results of other tests, or a malformed line. A truncated
// last line is left out.
func TestLogRefuses(t *testing.T) {
	head := LogHead{Package: "p", Tests: "t", Source: "s"}
	const first = `{"version":1,"package":"p","source":"s","tests":"t"}` + "\n"
	for name, c := range map[string]struct{ text, want string }{
		"no results":  {"hello\n", "is not one of sonde mutate"},
		"other tests": {`{"version":1,"package":"p","source":"s","tests":"u"}` + "\n", "of other tests"},
		"broken line": {first + "{}\n", "line 2"},
		"cut off":     {first + `{"id":"a","status":"killed"}` + "\n" + `{"id":"b"`, ""},
		"empty":       {"", ""},
	} {
		file := filepath.Join(t.TempDir(), "results")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, read, readErr := ReadLog(file)
		if fails := c.want != "" && name != "other tests" || name == "empty"; (readErr != nil) != fails {
			t.Errorf("%s: ReadLog: %v", name, readErr)
		}
		if len(read) == 1 != (name == "cut off") {
			t.Errorf("%s: ReadLog found %d results", name, len(read))
		}
		l, err := OpenLog(file, head)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		if _, ok := l.Result("a"); ok != (name == "cut off") {
			t.Errorf("%s: a is known: %t", name, ok)
		}
		if _, err := OpenLog(file, head); err == nil || !strings.Contains(err.Error(), "another sonde mutate") {
			t.Errorf("%s: opened twice: %v", name, err)
		}
		l.Close()
	}
}

// The tests of a suite are its Test functions. A virtual network is found by its helper type.
func TestSuiteReads(t *testing.T) {
	var s Suite
	const src = `package x

import "testing"

var n = &virtualNetwork{}

func TestMain(m *testing.M) {}
func TestPay_CO(t *testing.T) {}
func TestPay_OO2(t *testing.T) {}
func (s suite) TestNo() {}
func helper() {}
`
	if err := s.read("x_test.go", []byte(src)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.Tests, []string{"TestPay_CO", "TestPay_OO2"}) || !s.Network {
		t.Errorf("tests are %v, network %t", s.Tests, s.Network)
	}
	if got := s.oracles(); len(got) != 2 || !slices.Contains(got, model.CallOracle) || !slices.Contains(got, model.OutputOracle) {
		t.Errorf("oracles are %v", got)
	}
	if err := s.read("y_test.go", []byte("package")); err == nil {
		t.Error("a file that does not parse is read")
	}
	if _, err := OpenSuite(t.Context(), t.TempDir(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "no test files") {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestOracleOf(t *testing.T) {
	for name, want := range map[string]model.MockOracle{
		"TestPay_OO": model.OutputOracle, "TestPay_PO_2": model.ParameterOracle, "TestPay_CO3": model.CallOracle,
		"TestPay": "", "TestCOO": "",
	} {
		if got := oracleOf(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
