package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A run whose result is stored is not performed again: its result is read from the file.
func TestKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs.ndjson")
	want := result{Pairs: map[string]bool{"GET /a 200": true}, Faults: map[string]bool{"F01": true}, Requests: 7, Took: time.Second}
	made := 0
	for range 2 {
		k, err := readKept(file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := k.run("a", func() (result, error) { made++; return want, nil })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	if made != 1 {
		t.Errorf("made %d times", made)
	}
}

func TestRunOfDependsOnToolServiceAndJob(t *testing.T) {
	tl, s, j := tool{name: "sonde", version: "1"}, service{entry: entry{Name: "demo"}, version: "a"}, job{seed: 1, requests: 9}
	names := map[string]bool{runOf(tl, s, j): true}
	newer, rebuilt := tl, s
	newer.version, rebuilt.version = "2", "b"
	for _, name := range []string{
		runOf(newer, s, j), runOf(tl, rebuilt, j), runOf(tl, s, job{seed: 2, requests: 9}), runOf(tl, s, job{seed: 1, requests: 8}),
		runOf(tl, s, job{seed: 1, requests: 9, limit: time.Second}),
	} {
		if names[name] {
			t.Errorf("%q names two runs", name)
		}
		names[name] = true
	}
}

func TestFingerprint(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for file, text := range map[string]string{a: "1", b: "2"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	one, err := fingerprint(nil, a)
	if err != nil {
		t.Fatal(err)
	}
	both, err := fingerprint(nil, a, b)
	if err != nil || one == both || len(one) != 12 {
		t.Errorf("%q and %q, %v", one, both, err)
	}
	if other, err := fingerprint([]byte("x"), a); err != nil || other == one {
		t.Errorf("%q with a text, %v", other, err)
	}
	if _, err := fingerprint(nil, filepath.Join(dir, "none")); err == nil {
		t.Error("a missing file has a fingerprint")
	}
}

func TestKeptRefusesOtherFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs.ndjson")
	if err := os.WriteFile(file, []byte("no JSON\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readKept(file); err == nil || !strings.Contains(err.Error(), ":1 is not a run") {
		t.Errorf("error %v", err)
	}
}

func TestKeptRepeatsAFailedRun(t *testing.T) {
	k, err := readKept("")
	if err != nil {
		t.Fatal(err)
	}
	failed := errors.New("no service")
	if _, err := k.run("a", func() (result, error) { return result{}, failed }); !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
	got, err := k.run("a", func() (result, error) { return result{Requests: 4}, nil })
	if err != nil || got.Requests != 4 {
		t.Errorf("got %+v, %v", got, err)
	}
}
