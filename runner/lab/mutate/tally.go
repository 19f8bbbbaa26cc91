package mutate

import (
	"slices"

	"sonde/model"
)

// Tally counts the results of mutants.
type Tally struct {
	Mutants int            `json:"mutants"`
	Status  map[Status]int `json:"status"`
	// Judged counts the mutants that the tests could notice, Dead those that they did.
	Judged int `json:"judged"`
	Dead   int `json:"dead"`
	// By counts the mutants that an oracle noticed, Only those that no other one did.
	By   map[model.MockOracle]int `json:"by"`
	Only map[model.MockOracle]int `json:"only"`
	// Together counts the mutants that any oracle noticed.
	Together int `json:"together"`
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
		t.noticed(r.By)
	}
	return t
}

// noticed counts a mutant that oracles noticed.
func (t *Tally) noticed(by []model.MockOracle) {
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

// MutationScore returns the mutation score: the share of the judged mutants that tests notice.
func (t Tally) MutationScore() float64 {
	if t.Judged == 0 {
		return 0
	}
	return float64(t.Dead) / float64(t.Judged)
}
