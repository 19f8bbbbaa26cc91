package mio_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sonde/model"
	"sonde/runner/search/mio"

	"github.com/google/go-cmp/cmp"
)

func TestSameSeedSameArchive(t *testing.T) {
	p := newArtificial(20, 5)
	a, b := p.search(3, 5000, model.DefaultTuning()).Archive(), p.search(3, 5000, model.DefaultTuning()).Archive()
	if d := cmp.Diff(a, b, cmp.AllowUnexported(step{})); len(a) == 0 || d != "" {
		t.Errorf("two runs of %d covered targets differ:\n%s", len(a), d)
	}
}

func TestKeepsTheShorterTest(t *testing.T) {
	s := mio.New(sized{}, rand.New(rand.NewPCG(1, 1)), model.DefaultTuning(), nil)
	covered := []model.Score{{Target: "t", H: 1}}
	v := s.Offer("long", covered)
	if !slices.Equal(v.FirstCovered, []string{"t"}) || !slices.Equal(v.FirstNumbers, []int{1}) || !v.Archived {
		t.Fatalf("first cover: %+v", v)
	}
	if v := s.Offer("ab", covered); v.FirstCovered != nil || !v.Archived {
		t.Fatalf("shorter cover: %+v", v)
	}
	if v := s.Offer("longer", covered); v.FirstCovered != nil || v.Archived {
		t.Fatalf("longer cover: %+v", v)
	}
	s.Offer("cd", covered) // not better: as long as the present one, and covers as many targets
	s.Offer("ef", append(covered, model.Score{Target: "u", H: 1}))
	want := []mio.ArchiveEntry[string]{
		{Target: "t", Individual: "ef", Number: 1, H: 1}, {Target: "u", Individual: "ef", Number: 2, H: 1},
	}
	if got := s.Archive(); !slices.Equal(got, want) {
		t.Errorf("archive %v, want %v", got, want)
	}
}

// With plain ties, the search keeps the earlier of two individuals of the same size, whatever other targets they
// cover.
func TestPlainTies(t *testing.T) {
	covered := []model.Score{{Target: "t", H: 1}, {Target: "u", H: 1}}
	for ties, want := range map[float64]string{0: "cd", 1: "ab"} {
		s := mio.New(sized{}, rand.New(rand.NewPCG(1, 1)), model.DefaultTuning(), nil)
		s.SetPlainTies(ties)
		s.Offer("long", covered[:1])
		s.Offer("ab", covered[:1])
		s.Offer("cd", covered)
		if got := s.Archive()[0].Individual; got != want {
			t.Errorf("probability %g: %q is kept, want %q", ties, got, want)
		}
	}
}

type sized struct{}

func (sized) Sample(*rand.Rand, float64) string                      { return "new" }
func (sized) Mutate(_ *rand.Rand, s string, _ int, _ float64) string { return s + "'" }
func (sized) Size(s string) int                                      { return len(s) }

// A target whose population improves is sampled more often than one whose population does not. A covered target is not
// sampled.
func TestFeedbackDirectedSampling(t *testing.T) {
	tuning := model.DefaultTuning()
	tuning.Random, tuning.Mutations = 0, 1
	s := mio.New(sized{}, rand.New(rand.NewPCG(1, 1)), tuning, nil)
	s.Offer("still", []model.Score{{Target: "still", H: 0.9}})
	s.Offer("moving", []model.Score{{Target: "moving", H: 0.01}})
	s.Offer("done", []model.Score{{Target: "done", H: 1}})
	count := map[string]int{}
	for i := range 100 {
		x := s.Ask().Individual
		count[x]++
		h := 0.01 + float64(i+1)/1000
		if x == "moving'" {
			s.Offer("moving", []model.Score{{Target: "moving", H: h}})
		}
	}
	if count["moving'"] < 95 || count["done'"] > 0 {
		t.Errorf("sampled %v; want the moving target nearly always, the covered one never", count)
	}
}

func TestParametersMoveUntilFocus(t *testing.T) {
	s := mio.New(sized{}, rand.New(rand.NewPCG(1, 1)), model.DefaultTuning(), nil)
	for _, c := range []struct {
		used, random          float64
		population, mutations int
	}{{0, 0.5, 10, 1}, {0.25, 0.25, 6, 6}, {0.5, 0, 1, 10}, {1, 0, 1, 10}} {
		s.SetBudgetUsed(c.used)
		got := s.AppliedTuning()
		if got.Random != c.random || got.Population != c.population || got.Mutations != c.mutations {
			t.Errorf("at %v: %+v, want %+v", c.used, got, c)
		}
	}
}

func TestTunedParameterMovesOnFromItsValue(t *testing.T) {
	s := mio.New(sized{}, rand.New(rand.NewPCG(1, 1)), model.DefaultTuning(), nil)
	turn := func(k model.Knob, v float64) { s.Tune(model.TuningChange{Knob: k, Value: v}) }
	check := func(used, random float64) {
		t.Helper()
		s.SetBudgetUsed(used)
		if got := s.AppliedTuning().Random; math.Abs(got-random) > 1e-9 {
			t.Errorf("at %v P_r is %v, want %v", used, got, random)
		}
	}
	check(0.25, 0.25)
	turn(model.KnobRandom, 0.5) // back to where it began
	check(0.25, 0.5)
	turn(model.KnobRandom, 0.8)
	check(0.25, 0.8)
	turn(model.KnobSmart, 0.9) // does not change the others
	check(0.375, 0.4)
	check(0.6, 0)
	turn(model.KnobRandom, 0.4) // in the focused phase
	check(0.6, 0.4)
	check(0.8, 0.2)
	turn(model.KnobFocus, 0.1) // focus now
	check(0.8, 0)
}

// Open targets have counters, which rise as the targets are sampled and restart when a test comes nearer.
func TestOpen(t *testing.T) {
	tuning := model.DefaultTuning()
	tuning.Random, tuning.Mutations = 0, 1
	s := mio.New(sized{}, rand.New(rand.NewPCG(1, 1)), tuning, []string{"a", "b", "c", "never"})
	s.Offer("one", []model.Score{{Target: "a", H: 1}, {Target: "b", H: 0.2}, {Target: "c", H: 0.6}})
	for range 6 {
		s.Ask()
	}
	s.SetBudgetUsed(0.25)
	s.Offer("two", []model.Score{{Target: "b", H: 0.4}})
	want := []model.OpenTarget{{Target: "c", Near: 0.6, Tests: 1, Counter: 3}, {Target: "b", Near: 0.4, Tests: 2, Since: 0.25}}
	if got := s.OpenTargets(9); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := s.OpenTargets(1); !slices.Equal(got, want[1:]) {
		t.Errorf("the lowest counter first: got %+v, want %+v", got, want[1:])
	}
}
