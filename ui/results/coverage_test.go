package results

import (
	"testing"

	"sonde/model"
)

// A driver may know no branches; then nothing is said of them.
func TestReachedOf(t *testing.T) {
	half, none := model.CoverageCount{Covered: 1, All: 2}, model.CoverageCount{}
	for want, parts := range map[string][2]model.CoverageCount{
		"50.0% of statements (1 of 2), 50.0% of branches (1 of 2)": {half, half},
		"50.0% of statements (1 of 2)":                             {half, none},
	} {
		if got := reachedOf(parts[0], parts[1]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
