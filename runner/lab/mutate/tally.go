package mutate

import (
	"slices"

	"sonde/model"
)

// Tally counts the results of mutants.
type Tally struct {
	Mutants int            `json:"mutants"`
	Status  map[Status]int `json:"status"`
	// Judged counts the mutants that the tests can notice, and Dead the mutants that they notice.
	Judged int `json:"judged"`
	Dead   int `json:"dead"`
	// By counts for each oracle the mutants that it noticed. Only counts for each oracle the mutants that no other
	// oracle noticed. Only and Together ignore BeforeOracle.
	By   map[model.MockOracle]int `json:"by"`
	Only map[model.MockOracle]int `json:"only"`
	// Together counts the mutants that at least one oracle noticed.
	Together int `json:"together"`
	// WithoutOracle counts the mutants that were killed only by tests without a mock oracle, such as those of a search.
	WithoutOracle int `json:"without_oracle"`
}

// NewTally counts results.
func NewTally(all []Result) Tally {
	t := Tally{Mutants: len(all), Status: map[Status]int{}, By: map[model.MockOracle]int{}, Only: map[model.MockOracle]int{}}
	for _, r := range all {
		t.Status[r.Status]++
		if r.Status.IsJudged() {
			t.Judged++
		}
		if r.Status.IsNoticed() {
			t.Dead++
		}
		if r.Status == Killed && len(r.By) == 0 {
			t.WithoutOracle++
		}
		t.countOracles(r.By)
	}
	return t
}

// countOracles counts a mutant by the oracles that noticed it.
func (t *Tally) countOracles(by []model.MockOracle) {
	var own []model.MockOracle
	for _, o := range by {
		t.By[o]++
		if slices.Contains(model.MockOracles, o) {
			own = append(own, o)
		}
	}
	if len(own) > 0 {
		t.Together++
	}
	if len(own) == 1 {
		t.Only[own[0]]++
	}
}

// MutationScore returns the share of the judged mutants that the tests notice, 0 if there are none.
func (t Tally) MutationScore() float64 {
	if t.Judged == 0 {
		return 0
	}
	return float64(t.Dead) / float64(t.Judged)
}

// VennRegion has the number of mutants that exactly these oracles noticed.
type VennRegion struct {
	Oracles []model.MockOracle `json:"oracles"`
	Mutants int                `json:"mutants"`
}

// NewVenn returns the regions of Figure 5 of the RICK paper: first those of one oracle, then those of two oracles, then
// that of all oracles.
func NewVenn(all []Result) []VennRegion {
	count := map[int]int{} // number of results by set of oracles: the sum of 1 for the first oracle, 2 for the second, 4 for the third
	for _, r := range all {
		set := 0
		for i, o := range model.MockOracles {
			if slices.Contains(r.By, o) {
				set += 1 << i
			}
		}
		count[set]++
	}
	var regions []VennRegion
	for _, set := range []int{1, 2, 4, 3, 5, 6, 7} {
		v := VennRegion{Mutants: count[set]}
		for i, o := range model.MockOracles {
			if set>>i&1 == 1 {
				v.Oracles = append(v.Oracles, o)
			}
		}
		regions = append(regions, v)
	}
	return regions
}
