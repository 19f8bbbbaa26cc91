package search

import (
	"cmp"
	"slices"

	"sonde/model"
	"sonde/runner/search/individual"
)

// startTrial has the stubs of one start of the service, and the outcome of that start.
type startTrial struct {
	individual *individual.Individual
	stubs      []model.Stub
	hints      []individual.Hint // operands with which the service compared what the stubs sent
	err        error             // why the service did not become ready, nil if it did
	unanswered bool              // a host did not answer, or was contacted by an unknown protocol
	last       int               // index of the stub that answered last
	covered    int               // number of covered targets
}

func newStartTrial(ind *individual.Individual) *startTrial {
	return &startTrial{individual: ind, stubs: ind.Test().Stubs}
}

// keepUsed drops the stubs that answered none of the contacts. first is the number of the user's stubs.
func (t *startTrial) keepUsed(contacts []model.Contact, first int) {
	var used []int
	for _, c := range contacts {
		if i := c.Stub - first; i >= 0 {
			used, t.last = append(used, i), i
		}
	}
	slices.Sort(used)
	used = slices.Compact(used)
	if len(used) < len(t.stubs) {
		t.last = slices.Index(used, t.last)
		t.individual = t.individual.KeepStubs(used)
		t.stubs = t.individual.Test().Stubs
	}
}

// compare returns a negative number if a trial is better than the other one. A trial is better if it makes the
// service ready; next, if it covers more targets; next, if it needs fewer stubs.
func (t *startTrial) compare(other *startTrial) int {
	return cmp.Or(
		cmp.Compare(boolToInt(t.err != nil), boolToInt(other.err != nil)),
		cmp.Compare(other.covered, t.covered),
		cmp.Compare(len(t.stubs), len(other.stubs)),
	)
}
