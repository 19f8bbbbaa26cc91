package probedata

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sonde/model"
)

// A manifest that is written and read does not change.
func TestManifestRoundTrip(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "shop")
	want := smallManifest()
	want.Separators = &Separators{Words: []string{" "}}
	want.Documents = []Document{{
		Format: model.Format{Encoding: model.XMLEncoding}, Root: "order",
		Shape: Shape{Type: "object", Fields: []ShapeField{{Name: "id", Attribute: true, Shape: Shape{Type: "integer"}}}},
	}}
	if err := want.Write(binary); err != nil {
		t.Fatal(err)
	}
	got, err := ReadManifest(binary)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The error for a manifest that cannot be used says what to do.
func TestReadManifestRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"not JSON":      {"{", "build it again"},
		"other version": {`{"version": 1}`, "is of version 1, this Sonde reads 4: build it again"},
		"unknown file":  {`{"version": 4, "hits": 1, "targets": [{"id": "x", "file": 1}]}`, `"x" refers to something`},
		"unknown hit":   {`{"version": 4, "hits": 1, "files": [{}], "targets": [{"id": "x", "hit": 1}]}`, `"x" refers to something`},
		"negative near": {`{"version": 4, "hits": 1, "files": [{}], "targets": [{"id": "x", "near": -1}]}`, `"x" refers to something`},
		"unknown predicate": {
			`{"version": 4, "files": [{}], "hits": 1, "targets": [{"id": "x", "terms": [{"pred": 0}]}]}`,
			`"x" refers to`,
		},
	} {
		binary := filepath.Join(t.TempDir(), "shop")
		if err := os.WriteFile(ManifestPath(binary), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadManifest(binary); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	if _, err := ReadManifest(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "sonde build") {
		t.Errorf("no manifest: got %v", err)
	}
}

func TestCountAndProfile(t *testing.T) {
	m := smallManifest()
	want := map[TargetKind]int{Statement: 1, CallCompleted: 1, BranchTrue: 2, BranchFalse: 1}
	if diff := cmp.Diff(want, m.CountByKind()); diff != "" {
		t.Error(diff)
	}
	for covered, count := range map[bool]string{true: "1", false: "0"} {
		want := "mode: set\nshop/main.go:1.0,3.0 2 " + count + "\n"
		if got := string(m.Profile(func(int) bool { return covered })); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// IsBranch is true for the outcomes of a branch. It is false for statements, calls, operands of conditions and operations that
// may panic.
func TestIsBranch(t *testing.T) {
	others := []TargetKind{Statement, CallCompleted, ConditionTrue, ConditionFalse, Panics, NoPanic}
	for _, k := range Kinds {
		want := !slices.Contains(others, k)
		if k.IsBranch() != want {
			t.Errorf("%s: IsBranch is %t", k, !want)
		}
	}
}

// The scores of a conjunction are between 0 and 1. The second operand has the higher scores, and the
// score is 1 only if the last operand has 1.
func TestConjunction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := outcome(0, 0)
		for i := range rapid.IntRange(1, 10).Draw(t, "operands") {
			terms = Conjunction(outcome(i+1, 1), terms)
		}
		for i, term := range terms {
			top := term.Base + term.Scale
			if term.Scale <= 0 || top > 1 || (top == 1) != (i == len(terms)-1) {
				t.Fatalf("term %d of %v reaches %v", i, terms, top)
			}
			if i > 0 && term.Base != terms[i-1].Base+terms[i-1].Scale {
				t.Fatalf("term %d of %v does not begin where the one before ends", i, terms)
			}
		}
	})
}

// The parts of the file do not overlap, whatever their sizes are. The part that the service maps begins at the same
// offset in a page as the memory that it replaces.
func TestLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &Manifest{
			Preds:   rapid.IntRange(1, 50).Draw(t, "predicates"),
			Hits:    rapid.IntRange(1, 100).Draw(t, "hits"),
			Address: 8 * rapid.Uint64Range(0, 4096).Draw(t, "address"),
			Build:   rapid.Uint64().Draw(t, "build"),
		}
		mem, err := NewMemory(m)
		if err != nil {
			t.Fatal(err)
		}
		defer mem.Close()
		for i := range mem.slots {
			mem.slots[i] = ^uint64(0)
		}
		for i := range mem.open {
			mem.open[i] = ^uint32(0)
		}
		for i := range mem.hits {
			mem.hits[i] = 0xff
		}
		if *mem.used != 0 || mem.pairs[0].Kind != 0 || mem.pairs[len(mem.pairs)-1].LenB != 0 || mem.Attached() != 0 {
			t.Fatal("the parts of the file overlap")
		}
		if mem.head.Build != m.Build || mem.head.Shift != m.Address%uint64(os.Getpagesize()) {
			t.Fatalf("the head is %+v", *mem.head)
		}
	})
}
