package search

import (
	"math"
	"testing"
)

func TestFindingRate(t *testing.T) {
	const limit = 4
	rate := func(found, requests int) (f findingRate) {
		f.add(found, requests)
		return f
	}
	for _, step := range []struct {
		what     string
		f, other findingRate
		want     float64
	}{
		{"unknown", rate(5, minRateRequests-1), rate(0, 1000), 1},
		{"nothing found", rate(0, 100), rate(0, 1000), 1},
		{"lower", rate(1, 100), rate(9, 100), 1},
		{"twice as high", rate(20, 100), rate(9, 100), 2},
		{"far higher", rate(50, 100), rate(0, 1000), limit},
	} {
		if got := step.f.over(step.other, limit); math.Abs(got-step.want) > 1e-9 {
			t.Errorf("%s: got %g, want %g", step.what, got, step.want)
		}
	}
	old := rate(8, 100)
	old.add(0, 3*findingHalfLife)
	if old.found < 0.99 || old.found > 1.01 {
		t.Errorf("after three half-lives 8 findings count %g, want 1", old.found)
	}
}
