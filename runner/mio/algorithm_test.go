package mio_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/mio"
)

// marks is a problem whose individuals say where they come from: a mutation adds
// a mark. All are of one size.
type marks struct{ smart, pace *float64 }

func (m marks) Sample(_ *rand.Rand, smart float64) string {
	*m.smart = smart
	return "new"
}

func (m marks) Mutate(_ *rand.Rand, s string, pace float64) string {
	*m.pace = pace
	return s + "'"
}

func (marks) Size(string) int { return 1 }

// newMarks returns a search that never samples at random, mutates so many times
// in a row, and stays so until the end.
func newMarks(mutations int) (*mio.Search[string], marks) {
	t := model.DefaultTuning()
	t.Random, t.Mutations, t.Focus = 0, mutations, 1
	m := marks{new(float64), new(float64)}
	return mio.New(m, chance(1), t, nil), m
}

func score(target string, h float64) model.Score { return model.Score{Target: target, H: h} }

// Lines 4 to 8 with populations that are empty, and with one that is not.
func TestSamplesWhereThereIsNothingToMutate(t *testing.T) {
	s, m := newMarks(1)
	if got := s.Ask(); got != "new" || *m.smart != 0.6 {
		t.Errorf("first %q with P = %v, want a new one with 0.6", got, *m.smart)
	}
	s.Tell("a", []model.Score{score("t", 0)})
	if got := s.Ask(); got != "new" {
		t.Errorf("nothing is reached, and %q is asked for", got)
	}
	s.Tell("a", []model.Score{score("t", 0.5)})
	if got := s.Ask(); got != "a'" {
		t.Errorf("t is reached by a, and %q is asked for, want a'", got)
	}
	s.Tell("a'", []model.Score{score("t", 1)})
	if got := s.Ask(); got != "new" {
		t.Errorf("all that is reached is covered, and %q is asked for", got)
	}
}

// Line 4.
func TestRandomIsAProbability(t *testing.T) {
	s, _ := newMarks(1)
	s.Turn(model.Turn{Knob: model.Random, Value: 0.3})
	s.Tell("a", []model.Score{score("t", 0.5)})
	sampled := 0
	for range 10_000 {
		if s.Ask() == "new" {
			sampled++
		}
	}
	if sampled < 2850 || sampled > 3150 {
		t.Errorf("%d of 10000 are new, want about 3000", sampled)
	}
}

// Line 10: a test joins the populations of all targets that it reached.
func TestOneTestServesManyTargets(t *testing.T) {
	s, _ := newMarks(1)
	v := s.Tell("a", []model.Score{score("t", 0.5), score("u", 1), score("v", 0), score("w", 1)})
	if !slices.Equal(v.First, []string{"u", "w"}) || !v.Archived {
		t.Errorf("verdict %+v, want u and w covered", v)
	}
	if all, covered := s.Targets(); all != 3 || covered != 2 {
		t.Errorf("%d of %d targets covered, want 2 of the 3 that were reached", covered, all)
	}
	if got, want := s.Archive(), []mio.Kept[string]{{"u", "a"}, {"w", "a"}}; !slices.Equal(got, want) {
		t.Errorf("archive %v, want %v", got, want)
	}
}

// The mutations in a row go on from the better one.
func TestMutationsInARow(t *testing.T) {
	s, _ := newMarks(6)
	s.Tell("a", []model.Score{score("t", 0.5)})
	for i, c := range []struct {
		name   string
		want   string // what is asked for, and gets
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
		if got != c.want {
			t.Errorf("%d: %s: %q, want %q", i, c.name, got, c.want)
		}
		s.Tell(got, c.scores)
	}
	if got := s.Ask(); strings.Count(got, "'") > 3 {
		t.Errorf("after six mutations %q goes on, want one from a population", got)
	}
}

func TestSeedsComeFirstAndLeaveTheMutationsAlone(t *testing.T) {
	s, _ := newMarks(3)
	s.Tell("a", []model.Score{score("t", 0.5)})
	s.Tell(s.Ask(), nil)
	s.Seed("s1", "s2")
	for _, want := range []string{"s1", "s2", "a'"} {
		got := s.Ask()
		if got != want {
			t.Errorf("%q is asked for, want %q", got, want)
		}
		s.Tell(got, []model.Score{score("t", 0.7)})
	}
	s.Seed("s3")
	s.Turn(model.Turn{Knob: model.Smart, Value: 0})
	if got := s.Ask(); got == "s3" {
		t.Error("smart sampling is off, and a seed is asked for")
	}
}

// Mutations become smaller until the focused phase begins.
func TestMutationsAreToldThePace(t *testing.T) {
	s, m := newMarks(1)
	s.Turn(model.Turn{Knob: model.Focus, Value: 0.8})
	s.Tell("a", []model.Score{score("t", 0.5)})
	for _, c := range []struct{ used, want float64 }{{0, 0}, {0.2, 0.25}, {0.8, 1}, {1, 1}} {
		s.Use(c.used)
		if s.Ask(); *m.pace != c.want {
			t.Errorf("at %v of the budget the pace is %v, want %v", c.used, *m.pace, c.want)
		}
	}
}

// Line 21: n falls, and the populations with it.
func TestPopulationsShrinkWithTheBudget(t *testing.T) {
	s, _ := newMarks(1)
	s.Tell("best", []model.Score{score("t", 0.5)})
	for range 20 {
		s.Tell("worse", []model.Score{score("t", 0.4)})
	}
	drawn := func() map[string]int {
		count := map[string]int{}
		for range 200 {
			count[s.Ask()]++
		}
		return count
	}
	if got := drawn(); got["worse'"] < 150 || got["best'"] < 5 {
		t.Errorf("at the start %v; want one of ten to be the best", got)
	}
	s.Use(1)
	s.Ask() // the last of the mutations in a row
	if got := drawn(); got["best'"] != 200 {
		t.Errorf("in the focused phase %v; want the best alone", got)
	}
}
