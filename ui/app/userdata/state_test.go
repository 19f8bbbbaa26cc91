package userdata

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestStateIsReadAsItWasWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deep", "state.json")
	if s, err := ReadState(file); err != nil || len(s.Specs)+len(s.Runs) > 0 {
		t.Errorf("before: %+v, error %v", s, err)
	}
	spec := RecentSpec{
		Source: "/shop.yaml", Title: "Shop", When: time.Now().UTC().Truncate(time.Second),
		Place: Place{
			Tab:       3,
			Operation: "POST /orders",
			Filter:    "cart",
			SeqFilter: "!404",
			Picks:     [][]string{{"POST /carts", "GET /carts/{id}"}},
		},
	}
	run := RecentRun{Folder: "/runs/1", Title: "Shop", When: spec.When}
	if err := ChangeState(file, func(s *State) { s.PutSpec(spec); s.PutRun(run) }); err != nil {
		t.Fatal(err)
	}
	got, err := ReadState(file)
	if diff := cmp.Diff(State{Version: 1, Specs: []RecentSpec{spec}, Runs: []RecentRun{run}}, got); diff != "" || err != nil {
		t.Errorf("error %v\n%s", err, diff)
	}
	if found, ok := got.Spec("/shop.yaml"); !ok || found.Title != "Shop" {
		t.Errorf("found %+v, %t", found, ok)
	}
	if info, err := os.Stat(file); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
}

// The most recent spec and run come first, none of them is listed twice, and the lists have a maximum length.
func TestStateIsBounded(t *testing.T) {
	var s State
	for i := range 3 * most {
		s.PutSpec(RecentSpec{Source: fmt.Sprint(i % (2 * most))})
		s.PutRun(RecentRun{Folder: fmt.Sprint(i % (2 * most))})
	}
	if len(s.Specs) != most || len(s.Runs) != most || s.Specs[0].Source != fmt.Sprint(most-1) || s.Runs[1].Folder != fmt.Sprint(most-2) {
		t.Errorf("%d specs from %q on, %d runs", len(s.Specs), s.Specs[0].Source, len(s.Runs))
	}
}

// Concurrent changes are all stored.
func TestStateOfManyAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state.json")
	var all sync.WaitGroup
	for i := range 10 {
		all.Go(func() {
			if err := ChangeState(file, func(s *State) { s.PutRun(RecentRun{Folder: fmt.Sprint(i)}) }); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if s, err := ReadState(file); err != nil || len(s.Runs) != 10 {
		t.Errorf("%d runs, error %v", len(s.Runs), err)
	}
}

// An invalid file gives an error of one line, and is replaced by the next change.
func TestBadState(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state.json")
	for _, text := range []string{"", "{", `{"specs": 3}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := ReadState(file)
		if err == nil || strings.Contains(err.Error(), "\n") || len(s.Specs) > 0 {
			t.Errorf("%q: %+v, error %v", text, s, err)
		}
		if err := ChangeState(file, func(*State) {}); err != nil {
			t.Error(err)
		}
		if _, err := ReadState(file); err != nil {
			t.Errorf("after a change: %v", err)
		}
	}
}

func TestSource(t *testing.T) {
	for spec, want := range map[string]string{
		"https://me:secret@api.example.com/openapi.json?token=abc#x": "https://api.example.com/openapi.json",
		"http://127.0.0.1:8080/openapi.json":                         "http://127.0.0.1:8080/openapi.json",
	} {
		if got := SpecSource(spec); got != want {
			t.Errorf("%q: got %q, want %q", spec, got, want)
		}
	}
	if got := SpecSource("shop.yaml"); !filepath.IsAbs(got) || filepath.Base(got) != "shop.yaml" {
		t.Errorf("of a file: %q", got)
	}
}

func TestStateFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	if got, err := StateFile(); err != nil || got != filepath.Join(dir, "sonde", "state.json") {
		t.Errorf("got %q, error %v", got, err)
	}
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("HOME", dir)
	if got, err := StateFile(); runtime.GOOS == "linux" && (err != nil ||
		got != filepath.Join(dir, ".local", "state", "sonde", "state.json")) {
		t.Errorf("got %q, error %v", got, err)
	}
}

// A file of a newer version of Sonde gives an error of one line, and is not changed.
func TestStateOfANewerSondeStays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state.json")
	const newer = `{"version": 99, "specs": [], "more": true}`
	if err := os.WriteFile(file, []byte(newer), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"read":    func() error { _, err := ReadState(file); return err }(),
		"changed": ChangeState(file, func(s *State) { s.PutRun(RecentRun{Folder: "/runs/1"}) }),
	} {
		if !errors.Is(err, ErrNewer) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != newer {
		t.Errorf("it is now %s, error %v", got, err)
	}
}
