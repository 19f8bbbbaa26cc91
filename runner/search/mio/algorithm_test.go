package mio_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search/mio"
)

// marks is a problem whose individuals show how they were made: a mutation appends a mark. All
// individuals have the same size.
type marks struct{ smart, pace *float64 }

func (m marks) Sample(_ *rand.Rand, smart float64) string {
	*m.smart = smart
	return "new"
}

func (m marks) Mutate(_ *rand.Rand, s string, _ int, pace float64) string {
	*m.pace = pace
	return s + "'"
}

func (marks) Size(string) int { return 1 }

// newMarks returns a search that never samples at random, and mutates the given number of times in a row until the end.
func newMarks(mutations int) (*mio.Search[string], marks) {
	t := model.DefaultTuning()
	t.Random, t.Mutations, t.Focus = 0, mutations, 1
	m := marks{new(float64), new(float64)}
	return mio.New(m, chance(1), t, nil), m
}

func score(target string, h float64) model.Score { return model.Score{Target: target, H: h} }

// TestSamplesWhereThereIsNothingToMutate tests lines 4 to 8 of Algorithm 1 in the MIO paper: first all populations
// are empty, and then one is not.
func TestSamplesWhereThereIsNothingToMutate(t *testing.T) {
	s, m := newMarks(1)
	if got := s.Ask().Individual; got != "new" || *m.smart != 0.6 {
		t.Errorf("first %q with P = %v, want a new one with 0.6", got, *m.smart)
	}
	s.Offer("a", []model.Score{score("t", 0)})
	if got := s.Ask().Individual; got != "new" {
		t.Errorf("nothing is reached, and %q is asked for", got)
	}
	s.Offer("a", []model.Score{score("t", 0.5)})
	if got := s.Ask().Individual; got != "a'" {
		t.Errorf("t is reached by a, and %q is asked for, want a'", got)
	}
	s.Offer("a'", []model.Score{score("t", 1)})
	if got := s.Ask().Individual; got != "new" {
		t.Errorf("all that is reached is covered, and %q is asked for", got)
	}
}

// Line 4 of the MIO paper's Algorithm 1: a random test is sampled with the given probability.
func TestRandomIsAProbability(t *testing.T) {
	s, _ := newMarks(1)
	s.Tune(model.TuningChange{Knob: model.KnobRandom, Value: 0.3})
	s.Offer("a", []model.Score{score("t", 0.5)})
	sampled := 0
	for range 10_000 {
		if s.Ask().Individual == "new" {
			sampled++
		}
	}
	if sampled < 2850 || sampled > 3150 {
		t.Errorf("%d of 10000 are new, want about 3000", sampled)
	}
}

// Line 10 of the MIO paper's Algorithm 1: an individual joins the populations of all targets that it
// reached.
func TestOneTestServesManyTargets(t *testing.T) {
	s, _ := newMarks(1)
	v := s.Offer("a", []model.Score{score("t", 0.5), score("u", 1), score("v", 0), score("w", 1)})
	if !slices.Equal(v.FirstCovered, []string{"u", "w"}) || !v.Archived {
		t.Errorf("verdict %+v, want u and w covered", v)
	}
	if all, covered := s.Targets(); all != 3 || covered != 2 {
		t.Errorf("%d of %d targets covered, want 2 of the 3 that were reached", covered, all)
	}
	if got, want := s.Archive(), []mio.ArchiveEntry[string]{
		{Target: "u", Individual: "a", Number: 2, H: 1}, {Target: "w", Individual: "a", Number: 3, H: 1},
	}; !slices.Equal(got, want) {
		t.Errorf("archive %v, want %v", got, want)
	}
}

// Mutations in a row continue from the better individual.
func TestMutationsInARow(t *testing.T) {
	s, _ := newMarks(6)
	s.Offer("a", []model.Score{score("t", 0.5)})
	for i, c := range []struct {
		name   string
		want   string // the individual that Ask returns, with its score
		scores []model.Score
	}{
		{"the sampled one", "a'", []model.Score{score("t", 0.4)}},
		{"after one that is worse", "a'", []model.Score{score("u", 0.4)}},
		{"after one that is nearer to something else", "a'", []model.Score{score("t", 0.5)}},
		{"after one that is as good", "a''", []model.Score{score("t", 0.6)}},
		{"after one that is better", "a'''", []model.Score{score("v", 1)}},
		{"after one that covers something new", "a''''", nil},
	} {
		got := s.Ask()
		if got.Individual != c.want {
			t.Errorf("%d: %s: %q, want %q", i, c.name, got.Individual, c.want)
		}
		s.Tell(got, c.scores)
	}
	if got := s.Ask().Individual; strings.Count(got, "'") > 3 {
		t.Errorf("after six mutations Ask continues from %q, want one from a population", got)
	}
}

// With SetSingle(1), each mutation begins with an individual of a population, even if the previous mutation covered a
// new target.
func TestSingleMutations(t *testing.T) {
	s, _ := newMarks(6)
	s.SetSingle(1)
	s.Offer("a", []model.Score{score("t", 0.5)})
	for range 20 {
		got := s.Ask()
		if got.Individual != "a'" {
			t.Fatalf("got %q, want a mutation of the only individual in a population", got.Individual)
		}
		s.Tell(got, []model.Score{score("v", 1)})
	}
}

func TestQueuedComesFirstAndKeepsTheChain(t *testing.T) {
	s, _ := newMarks(3)
	s.Offer("a", []model.Score{score("t", 0.5)})
	s.Tell(s.Ask(), nil)
	s.EnqueueInitial("b1")
	s.Enqueue("p1", "p2")
	s.EnqueueFirst("u1")
	for _, want := range []mio.Candidate[string]{
		{Individual: "u1", Rule: mio.Enqueued},
		{Individual: "p1", Rule: mio.Enqueued},
		{Individual: "p2", Rule: mio.Enqueued},
		{Individual: "b1", Rule: mio.Initial},
		{Individual: "a'", Rule: mio.Mutated, Parent: "a", Target: "t"},
	} {
		got := s.Ask()
		if got.Individual != want.Individual || got.Rule != want.Rule || got.Parent != want.Parent || got.Target != want.Target {
			t.Errorf("%+v is asked for, want %+v", got, want)
		}
		s.Tell(got, []model.Score{score("t", 0.7)})
	}
}

// When smart sampling is turned off, the initial individuals are dropped, but not the queued individuals.
func TestSmartSamplingTurnedOff(t *testing.T) {
	s, _ := newMarks(1)
	s.EnqueueInitial("begun")
	s.Enqueue("planted")
	s.Tune(model.TuningChange{Knob: model.KnobSmart, Value: 0})
	if first, second := s.Ask(), s.Ask(); first.Individual != "planted" || second.Individual != "new" {
		t.Errorf("%q and %q are asked for, want what was planted and a new one", first.Individual, second.Individual)
	}
}

func TestDropQueued(t *testing.T) {
	s, _ := newMarks(1)
	s.EnqueueInitial("drop 1", "keep 2", "drop 3")
	s.Enqueue("drop 4", "keep 5")
	s.EnqueueFirst("drop 6")
	s.DropQueued(func(text string) bool { return strings.HasPrefix(text, "drop") })
	for _, want := range []string{"drop 6", "keep 5", "keep 2", "new"} {
		if got := s.Ask().Individual; got != want {
			t.Errorf("%q is asked for, want %q", got, want)
		}
	}
}

// A caller may ask for several individuals before it returns the scores of the first one. Only individuals of the
// current chain of mutations can change that chain.
func TestAskSeveralBeforeTell(t *testing.T) {
	s, _ := newMarks(3)
	s.Offer("a", []model.Score{score("t", 0.5)})
	first, second := s.Ask(), s.Ask()
	if first.Individual != "a'" || second.Individual != "a'" {
		t.Fatalf("%q and %q are asked for, want two of a", first.Individual, second.Individual)
	}
	s.Tell(first, []model.Score{score("t", 0.6)})
	third := s.Ask()
	if third.Individual != "a''" {
		t.Errorf("%q is asked for, want it to go on from what was told", third.Individual)
	}
	next := s.Ask() // another chain
	s.Tell(third, []model.Score{score("t", 0.9)})
	if after := s.Ask(); after.Parent != next.Parent {
		t.Errorf("%q continues an earlier chain", after.Individual)
	}
}

// A target of weight 0 is not sampled. A target of weight 3 is sampled three times as often as a target of weight 1.
func TestWeightOfTargets(t *testing.T) {
	weights := map[string]float64{"t": 1, "u": 3, "v": 0}
	s, _ := newMarks(1)
	for _, name := range []string{"t", "u", "v"} {
		s.Offer(name, []model.Score{score(name, 0.5)})
	}
	count := func() map[string]int {
		n := map[string]int{}
		for range 400 {
			n[s.Ask().Target]++
		}
		return n
	}
	s.SetWeights(func(target string) float64 { return weights[target] })
	if n := count(); n["v"] > 0 || n["t"] < 90 || n["t"] > 110 {
		t.Errorf("sought %v, want u three times as often as t, and v never", n)
	}
	s.Offer("v", []model.Score{score("v", 0.6)})
	if n := count(); n["v"] > 0 {
		t.Errorf("sought %v: v came nearer by the way, and is sought again", n)
	}
	s.SetWeights(func(string) float64 { return 1 })
	if n := count(); n["v"] == 0 {
		t.Errorf("sought %v, want v again", n)
	}
	if v := s.Offer("v!", []model.Score{score("v", 1)}); len(v.FirstCovered) != 1 {
		t.Error("what is found by the way is not kept")
	}
}

// Mutations become smaller until the focused phase begins.
func TestMutationsAreToldThePace(t *testing.T) {
	s, m := newMarks(1)
	s.Tune(model.TuningChange{Knob: model.KnobFocus, Value: 0.8})
	s.Offer("a", []model.Score{score("t", 0.5)})
	for _, c := range []struct{ used, want float64 }{{0, 0}, {0.2, 0.25}, {0.8, 1}, {1, 1}} {
		s.SetBudgetUsed(c.used)
		s.Ask()
		if *m.pace != c.want {
			t.Errorf("at %v of the budget the pace is %v, want %v", c.used, *m.pace, c.want)
		}
	}
}

// Line 21 of the MIO paper's Algorithm 1: n, the maximum size of the populations, decreases during the search.
func TestPopulationsShrinkWithTheBudget(t *testing.T) {
	s, _ := newMarks(1)
	s.Offer("best", []model.Score{score("t", 0.5)})
	for range 20 {
		s.Offer("worse", []model.Score{score("t", 0.4)})
	}
	drawn := func() map[string]int {
		count := map[string]int{}
		for range 200 {
			count[s.Ask().Individual]++
		}
		return count
	}
	if got := drawn(); got["worse'"] < 150 || got["best'"] < 5 {
		t.Errorf("at the start %v; want one of ten to be the best", got)
	}
	s.SetBudgetUsed(1)
	s.Ask() // the last of the mutations in a row
	if got := drawn(); got["best'"] != 200 {
		t.Errorf("in the focused phase %v; want the best alone", got)
	}
}
