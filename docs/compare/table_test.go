package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTable(t *testing.T) {
	with := func(faults ...string) result {
		r := result{Faults: map[string]bool{}}
		for _, f := range faults {
			r.Faults[f] = true
		}
		return r
	}
	met := func(r result) map[string]bool { return r.Faults }
	got := more([]result{with("F02", "F01"), with("F01")}, []result{with("F02", "F03"), with("F02", "F01")}, met)
	if diff := cmp.Diff([]string{"F01 (2, not 1)"}, got); diff != "" {
		t.Error(diff)
	}
	if got := spread([]float64{1, 2, 5, 9}); got != "3.5 (1–9)" {
		t.Errorf("got %s", got)
	}
}
