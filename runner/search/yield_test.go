package search

import (
	"math/rand/v2"
	"testing"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/search/individual"
)

// If coverage guides the search, the share of attempts grows while attempts find more than the search's own tests.
func TestAttemptShare(t *testing.T) {
	attempt, mutation := model.FromAttempt, model.FromMutation
	for _, c := range []struct {
		name    string
		blind   bool
		yields  map[model.CreationRule]int // new targets in a hundred requests
		atLeast float64
		atMost  float64
	}{
		{"attempts find more", false, map[model.CreationRule]int{attempt: 50, mutation: 2}, 0.5, 0.5},
		{"attempts find a little more", false, map[model.CreationRule]int{attempt: 18, mutation: 9}, 0.3, 0.4},
		{"attempts find less", false, map[model.CreationRule]int{attempt: 1, mutation: 9}, 0.2, 0.2},
		{"the first tests find most", false, map[model.CreationRule]int{attempt: 18, model.FromInitialTemplate: 900}, 0.2, 0.2},
		{"coverage does not guide", true, map[model.CreationRule]int{attempt: 50, mutation: 2}, 0.2, 0.2},
	} {
		plan := model.Plan{Probes: &model.Probes{Blind: c.blind}, Sampling: model.Sampling{Attempts: 0.2}}
		p := &proposer{plan: plan, code: &codeTracker{plan: plan, coverage: newCodeCoverage(&probedata.Manifest{})}}
		for rule, found := range c.yields {
			p.learnYield(&trial{lineage: &model.TestLineage{Rule: rule}}, found, 100)
		}
		if got := p.attemptShare(); got < c.atLeast || got > c.atMost {
			t.Errorf("%s: share %.2f, want %.2f to %.2f", c.name, got, c.atLeast, c.atMost)
		}
	}
}

// A target for a status has no delay. A code target has no delay if the service compared a value of the test for it.
func TestDelay(t *testing.T) {
	c := newCodeCoverage(&probedata.Manifest{
		Files: []probedata.SourceFile{{Name: "a.go", Package: "a"}},
		Targets: []probedata.Target{
			{ID: "a", Kind: probedata.Statement, Terms: []probedata.ScoreTerm{{Pred: 0}}},
			{ID: "b", Kind: probedata.Statement, Terms: []probedata.ScoreTerm{{Pred: 1}}},
		},
	})
	c.setNumber(0, 2)
	c.setNumber(1, 3)
	seen := &trial{hints: []individual.Hint{{Slot: c.manifest.Targets[0].Terms[0].SlotIndex()}}}
	p := problem{coverage: c, chance: rand.New(rand.NewPCG(1, 0)), delayed: 1}
	for _, one := range []struct {
		name   string
		trial  *trial
		target int
		want   int
	}{
		{"a status", &trial{}, 1, 0},
		{"a target whose operand is a value", seen, 2, 0},
		{"another target", seen, 3, unlikelyDelay},
		{"a target of a test without operands", &trial{}, 2, unlikelyDelay},
	} {
		if got := p.delay(one.trial, one.target); got != one.want {
			t.Errorf("%s: delay %d, want %d", one.name, got, one.want)
		}
	}
	p.delayed = 0.5
	waits := 0
	for range 200 {
		waits += p.delay(&trial{}, 2) / unlikelyDelay
	}
	if waits < 70 || waits > 130 {
		t.Errorf("with probability 0.5, %d of 200 targets are delayed", waits)
	}
}
