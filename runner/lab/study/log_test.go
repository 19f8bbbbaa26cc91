package study

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// small returns a study with few runs.
func small() Study {
	return Study{
		Smart:    []float64{0, 1},
		Services: []Service{{Name: "a", Digest: "d", Budgets: []Series{{Calls: 5, Seeds: []uint64{1, 2}}}}},
	}
}

func opened(t *testing.T, folder string) *Log {
	t.Helper()
	l, err := OpenLog(folder, small(), "v1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// Wherever a log is truncated, its complete lines are kept, and the next result begins on a new
// line.
func TestLogCutOff(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, LogName)
	l := opened(t, folder)
	first := Result{RunKey: RunKey{Service: "a", Budget: 5, Smart: 1, Seed: 1, White: false}, Covered: 7, Curve: []CurvePoint{{1, 7}}}
	if err := l.Add(first); err != nil {
		t.Fatal(err)
	}
	l.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) + 1 {
		if err := os.WriteFile(path, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		again := opened(t, folder)
		if want := n == len(whole); again.Has(first.RunKey) != want {
			t.Fatalf("cut after %d bytes: has it: %t, want %t", n, !want, want)
		}
		if err := again.Add(first); err != nil {
			t.Fatal(err)
		}
		again.Close()
		third := opened(t, folder)
		if third.FinishedRuns() != 1 || third.done[first.RunKey].Curve[0] != first.Curve[0] {
			t.Fatalf("cut after %d bytes: got %v", n, third.done)
		}
		third.Close()
	}
}

// OpenLog does not change the log of another study. Its error says how the studies differ.
func TestLogOfAnotherStudy(t *testing.T) {
	folder := t.TempDir()
	opened(t, folder).Close()
	for want, change := range map[string]func(*Study){
		"with smart [0 1], not [0 0.5]":                      func(s *Study) { s.Smart = []float64{0, 0.5} },
		"with white [], not [true]":                          func(s *Study) { s.White = []bool{true} },
		"with other ways of sampling":                        func(s *Study) { s.Ways = []Way{{Name: "paper"}} },
		`of the services ["a"], not ["b"]`:                   func(s *Study) { s.Services[0].Name = "b" },
		`with other budgets or seeds for "a"`:                func(s *Study) { s.Services[0].Budgets = []Series{{5, []uint64{1}}} },
		`with another spec or other settings for "a": name `: func(s *Study) { s.Services[0].Digest = "e" },
	} {
		s := small()
		change(&s)
		if _, err := OpenLog(folder, s, "v1"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %s", err, want)
		}
	}
	if _, err := OpenLog(folder, small(), "v2"); err == nil || !strings.Contains(err.Error(), "by v1, not v2") {
		t.Errorf("got error %v", err)
	}
	opened(t, folder)
}

func TestLogThatIsNone(t *testing.T) {
	for text, want := range map[string]string{
		"something else\n": "this is not the log of a study",
		"{\"a\":1}\n":      "this is not the log of a study",
	} {
		folder := t.TempDir()
		path := filepath.Join(folder, LogName)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenLog(folder, small(), "v1"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v", text, err)
		}
		if after, _ := os.ReadFile(path); string(after) != text {
			t.Errorf("%q became %q", text, after)
		}
	}
	folder := t.TempDir()
	l := opened(t, folder)
	l.file.WriteString("{\n")
	l.Close()
	if _, err := OpenLog(folder, small(), "v1"); err == nil || !strings.Contains(err.Error(), "line 2 is not a result") {
		t.Errorf("got error %v", err)
	}
}

// Two studies cannot write to the same folder.
func TestLogIsLocked(t *testing.T) {
	folder := t.TempDir()
	l := opened(t, folder)
	if _, err := OpenLog(folder, small(), "v1"); err == nil || !strings.Contains(err.Error(), "another study is running") {
		t.Errorf("got error %v", err)
	}
	l.Close()
	opened(t, folder)
}

// Results that were judged by different mutants of a service cannot be compared.
func TestOneLogHasOnePool(t *testing.T) {
	s := Study{Smart: []float64{0}, Services: []Service{{Name: "a", Budgets: []Series{{Calls: 5, Seeds: []uint64{1, 2, 3}}}}}}
	l, err := OpenLog(t.TempDir(), s, "1")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for seed, pool := range []string{"x", "x", "y"} {
		key := RunKey{Service: "a", Budget: 5, Seed: uint64(seed + 1)}
		err := l.Add(Result{RunKey: key, Mutants: &MutationScore{Pool: pool}})
		if (err != nil) != (pool == "y") {
			t.Errorf("pool %s: got error %v", pool, err)
		}
	}
}
