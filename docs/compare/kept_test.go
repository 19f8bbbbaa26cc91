package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A run that is kept is made once and returned unchanged.
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
