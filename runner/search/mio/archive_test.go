package mio

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sonde/model"
)

// offer offers an entry for the target t.
func offer(a *archive[string], e entry[string]) (added, first bool) {
	return a.add(model.Score{Target: "t", H: e.h}, e)
}

func names(a *archive[string], target string) []string {
	var out []string
	for _, e := range a.populations[a.indexOf(target)].entries {
		out = append(out, e.individual)
	}
	return out
}

// Lines 14 to 18 of the MIO paper's Algorithm 1: a full population keeps the best individuals. Of equally good
// individuals it keeps the newest.
func TestPopulationKeepsTheBestAndOfEqualsTheNewest(t *testing.T) {
	a := archive[string]{limit: 4}
	for _, e := range []entry[string]{
		{individual: "old", h: 0.5, size: 2, covers: 7},
		{individual: "far", h: 0.1, size: 1},
		{individual: "near", h: 0.9, size: 9},
		{individual: "short", h: 0.5, size: 1},
		{individual: "new", h: 0.5, size: 2},
		{individual: "farther", h: 0.05, size: 1},
		{individual: "none", h: 0, size: 1},
		{individual: "no number", h: math.NaN(), size: 1},
	} {
		offer(&a, e)
	}
	if got, want := names(&a, "t"), []string{"near", "short", "new", "old"}; !slices.Equal(got, want) {
		t.Errorf("population %v, want %v", got, want)
	}
	offer(&a, entry[string]{individual: "newest", h: 0.5, size: 2})
	if got, want := names(&a, "t"), []string{"near", "short", "newest", "new"}; !slices.Equal(got, want) {
		t.Errorf("after one as good as the worst: %v, want %v", got, want)
	}
	a.shrink(2)
	if got, want := names(&a, "t"), []string{"near", "short"}; !slices.Equal(got, want) {
		t.Errorf("after shrinking %v, want %v", got, want)
	}
	a.shrink(3) // n was set higher again
	offer(&a, entry[string]{individual: "far", h: 0.1, size: 1})
	if got, want := names(&a, "t"), []string{"near", "short", "far"}; !slices.Equal(got, want) {
		t.Errorf("after growing %v, want %v", got, want)
	}
}

// Lines 11 to 13 of the MIO paper's Algorithm 1: a population shrinks to one entry when its target is covered. Only a
// better entry that covers the target replaces this entry.
func TestCoveredTargetKeepsOneTest(t *testing.T) {
	a := archive[string]{limit: 4}
	for _, h := range []float64{0.1, 0.2, 0.3} {
		offer(&a, entry[string]{individual: "near", h: h, size: 1})
	}
	for _, c := range []struct {
		entry        entry[string]
		added, first bool
	}{
		{entry[string]{individual: "covers", h: 1, size: 3, covers: 1}, true, true},
		{entry[string]{individual: "shorter, but only near", h: 0.99, size: 1, covers: 9}, false, false},
		{entry[string]{individual: "longer", h: 1, size: 4, covers: 9}, false, false},
		{entry[string]{individual: "the same", h: 1, size: 3, covers: 1}, false, false},
		{entry[string]{individual: "covers more besides", h: 1, size: 3, covers: 2}, true, false},
		{entry[string]{individual: "shorter", h: 1, size: 2, covers: 1}, true, false},
	} {
		before := names(&a, "t")
		added, first := offer(&a, c.entry)
		want := before
		if c.added {
			want = []string{c.entry.individual}
		}
		if got := names(&a, "t"); added != c.added || first != c.first || !slices.Equal(got, want) {
			t.Errorf("%s: added %v, first %v, now %v; want %v, %v, %v", c.entry.individual, added, first, got, c.added, c.first, want)
		}
	}
	if _, _, ok := a.sample(rand.New(rand.NewPCG(1, 0))); ok || a.covered != 1 {
		t.Errorf("a covered target is sampled, or not counted: %d covered", a.covered)
	}
}

// The counter of a target begins at the delay of its first entry. The counter becomes zero when an entry has no delay
// or comes nearer to the target.
func TestDelayedTargetWaits(t *testing.T) {
	delays := map[string]int{"late": 2}
	for _, c := range []struct {
		name string
		next entry[string]
		want int
	}{
		{"as near, with the same delay", entry[string]{individual: "late", h: 0.5}, 2},
		{"farther, without a delay", entry[string]{individual: "soon", h: 0.4}, 0},
		{"nearer, with a delay", entry[string]{individual: "late", h: 0.6}, 0},
	} {
		a := archive[string]{limit: 4, delay: func(e string, _ int) int { return delays[e] }}
		offer(&a, entry[string]{individual: "late", h: 0.5})
		if got := a.open.lowest.counter; got != 2 {
			t.Fatalf("counter %d at first, want 2", got)
		}
		offer(&a, c.next)
		if got := a.open.lowest.counter; got != c.want {
			t.Errorf("%s: counter %d, want %d", c.name, got, c.want)
		}
		a.sample(rand.New(rand.NewPCG(1, 0)))
		offer(&a, entry[string]{individual: "soon", h: 0.3})
		if got := a.open.lowest.counter; c.want == 0 && got != 1 {
			t.Errorf("%s: the counter is reset again, to %d", c.name, got)
		}
	}
}

// A new weight of a target sets the counter to zero, which ends the delay. A later entry without a delay does not set
// the counter to zero again.
func TestNewWeightEndsTheDelay(t *testing.T) {
	delays := map[string]int{"late": 2}
	a := archive[string]{limit: 4, delay: func(e string, _ int) int { return delays[e] }}
	offer(&a, entry[string]{individual: "late", h: 0.5})
	a.setWeights(func(string) float64 { return 0.5 })
	a.sample(rand.New(rand.NewPCG(1, 0))) // raises the counter by 2
	offer(&a, entry[string]{individual: "soon", h: 0.4})
	if got := a.open.lowest.counter; got != 2 {
		t.Errorf("counter %d, want 2", got)
	}
}

// The counter of a target is the number of samples since an entry last came nearer than all entries before.
func TestCounterRestartsOnProgressOnly(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	a := archive[string]{limit: 4}
	offer(&a, entry[string]{individual: "first", h: 0.5, size: 5})
	for range 3 {
		a.sample(r)
	}
	for _, c := range []struct {
		name string
		e    entry[string]
		want int
	}{
		{"fills the population", entry[string]{h: 0.4, size: 5}, 3},
		{"as near", entry[string]{h: 0.5, size: 5}, 3},
		{"as near and shorter", entry[string]{h: 0.5, size: 1}, 3},
		{"nearer", entry[string]{h: 0.6, size: 9}, 0},
	} {
		offer(&a, c.e)
		if got := a.open.lowest.counter; got != c.want {
			t.Errorf("%s: counter %d, want %d", c.name, got, c.want)
		}
	}
}
