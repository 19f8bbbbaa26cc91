package mio

import (
	"slices"
	"testing"
)

func TestPopulationKeepsTheBestAndOfEqualsTheNewest(t *testing.T) {
	var a archive[string]
	for _, e := range []entry[string]{
		{individual: "old", h: 0.5, size: 2},
		{individual: "far", h: 0.1, size: 1},
		{individual: "near", h: 0.9, size: 9},
		{individual: "short", h: 0.5, size: 1},
		{individual: "new", h: 0.5, size: 2},
		{individual: "none", h: 0, size: 1},
	} {
		a.add("t", e, 4)
	}
	names := func() []string {
		var out []string
		for _, e := range a.population("t").entries {
			out = append(out, e.individual)
		}
		return out
	}
	if got, want := names(), []string{"near", "short", "new", "old"}; !slices.Equal(got, want) {
		t.Errorf("population %v, want %v", got, want)
	}
	a.shrink(2)
	if got, want := names(), []string{"near", "short"}; !slices.Equal(got, want) {
		t.Errorf("after shrinking %v, want %v", got, want)
	}
}
