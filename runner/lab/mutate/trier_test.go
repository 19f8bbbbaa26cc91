package mutate

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/instrument/probe"

	"github.com/google/go-cmp/cmp"
)

// The report is the same in whatever order mutants with the same binary were tried.
func TestDuplicatesInAnyOrder(t *testing.T) {
	results := map[string]Result{
		"m3": {Status: Killed, By: []model.MockOracle{model.OutputOracle}, Tests: []string{"TestA_OO"}, Binary: "x"},
		"m5": {Status: Killed, By: []model.MockOracle{model.OutputOracle}, Tests: []string{"TestA_OO"}, Binary: "x"},
		"m6": {Status: Survived, Binary: "y"},
		"m7": {Status: Killed, By: []model.MockOracle{model.OutputOracle}, Tests: []string{"TestA_OO"}, Binary: "x"},
		"m8": {Status: Equal, Binary: "z"},
		"m9": {Status: Uncompiled, Why: "go build: it fails"},
	}
	var want []Result
	for _, order := range []string{"m3 m5 m6 m7 m8 m9", "m9 m8 m7 m6 m5 m3", "m7 m3 m6 m5 m9 m8", "m5 m7 m3 m9 m8 m6"} {
		a := chosen(func(*Plan) {})
		log, err := OpenLog(filepath.Join(t.TempDir(), "results"), a.Head)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range strings.Fields(order) {
			r := results[id]
			r.ID = id
			if err := a.Add(log, r); err != nil {
				t.Fatal(err)
			}
		}
		if n := NewTally(a.Results(log)).Status[Duplicate]; n != 2 {
			t.Errorf("%s: %d duplicates, want 2", order, n)
		}
		if want == nil {
			want = a.Results(log)
		}
		if diff := cmp.Diff(want, a.Results(log), cmp.AllowUnexported(Mutant{}, place{})); diff != "" {
			t.Errorf("%s: -want +got\n%s", order, diff)
		}
		if err := a.Add(log, Result{Mutant: Mutant{ID: "none"}}); err == nil {
			t.Error("the result of an unknown mutant is logged")
		}
		log.Close()
	}
}

// A trier gets the same results as the analysis that another process has prepared. NewTrier returns an error if it
// would get other results.
func TestTrier(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a service and its mutants")
	}
	t.Parallel()
	a := prepared(t, func(p *Plan) { p.Sample, p.Operators = 2, []Operator{Constant} })
	if a.Outside() != "" || filepath.Base(a.Module()) != "shop" || len(a.IDs()) != a.Made {
		t.Errorf("outside %q, module %q, %d IDs of %d mutants", a.Outside(), a.Module(), len(a.IDs()), a.Made)
	}
	log := logged(t, "", a)
	if err := a.Run(t.Context(), log); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	suite, err := OpenSuite(t.Context(), filepath.Join("testdata", "tests"), dir)
	if err != nil {
		t.Fatal(err)
	}
	p := Plan{
		Service: probe.Options{Dir: filepath.Join("testdata", "shop"), Package: "."}, Suite: suite, Operators: a.Operators, Dir: dir,
	}
	trier, err := NewTrier(t.Context(), p, a.Basis(), a.Broken)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range a.Results(log) {
		got, err := trier.Try(t.Context(), want.ID)
		got.Seconds = want.Seconds
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(Mutant{}, edit{}, place{})); diff != "" || err != nil {
			t.Errorf("%v, -want +got\n%s", err, diff)
		}
	}
	if _, err := trier.Try(t.Context(), "none"); err == nil {
		t.Error("an unknown mutant is tried")
	}
	for want, change := range map[string]func(*Basis, *[]string){
		"the coordinator with go1.1": func(b *Basis, _ *[]string) { b.Go = "go1.1" },
		"another service":            func(b *Basis, _ *[]string) { b.Unchanged = "another" },
		"TestWrong_OO fails":         func(_ *Basis, broken *[]string) { *broken = nil },
	} {
		basis, broken := a.Basis(), slices.Clone(a.Broken)
		change(&basis, &broken)
		if _, err := NewTrier(t.Context(), p, basis, broken); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
