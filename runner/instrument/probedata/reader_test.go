package probedata

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"sonde/assets/probe/sondeprobe"
	"sonde/model"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// outcome returns the terms of the outcome with index n of a predicate.
func outcome(pred, n int) []ScoreTerm { return []ScoreTerm{{Pred: pred, Outcome: n, Scale: 1}} }

// distant returns what a probe writes into the slot of an outcome at distance d.
func distant(d float64) uint64 { return sondeprobe.Done - 1 - math.Float64bits(d) }

// newTestReader returns a reader of a file that no service writes to.
func newTestReader(t testing.TB, m *Manifest) *Reader {
	t.Helper()
	mem, err := NewMemory(m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mem.Close() })
	return NewReader(m, mem)
}

// smallManifest has a block, a call in it, a branch and a conjunction.
func smallManifest() *Manifest {
	return &Manifest{
		Version: FormatVersion, Build: 7, Preds: 3, Hits: 3,
		Files: []SourceFile{{Package: "shop", Name: "shop/main.go"}},
		Targets: []Target{
			{ID: "block", Kind: Statement, Line: 1, Hit: 1, Statements: 2, EndLine: 3},
			{ID: "call", Kind: CallCompleted, Hit: 2, Near: 1},
			{ID: "true", Kind: BranchTrue, Terms: outcome(0, 0)},
			{ID: "false", Kind: BranchFalse, Terms: outcome(0, 1)},
			{ID: "and", Kind: BranchTrue, Terms: Conjunction(outcome(1, 0), outcome(2, 0))},
		},
	}
}

// scoresOf returns scores by the IDs of their targets.
func scoresOf(all []model.Score) map[string]float64 {
	m := map[string]float64{}
	for _, s := range all {
		m[s.Target] = s.H
	}
	return m
}

// A call that was reached and not completed has the score ½. The score of a branch follows from its
// distance. In a conjunction, the score of the second operand adds to that of the first.
func TestScores(t *testing.T) {
	r := newTestReader(t, smallManifest())
	mem := r.memory
	for _, c := range []struct {
		name  string
		write func()
		want  map[string]float64
	}{
		{"nothing", func() {}, map[string]float64{}},
		{"reached", func() { mem.hits[1] = 1 }, map[string]float64{"block": 1, "call": 0.5}},
		{"completed", func() { mem.hits[1], mem.hits[2] = 1, 1 }, map[string]float64{"block": 1, "call": 1}},
		{"branch", func() { mem.slots[0], mem.slots[1] = distant(1), sondeprobe.Done }, map[string]float64{
			"true": closeness(distant(1)), "false": 1,
		}},
		{"first operand", func() { mem.slots[2] = sondeprobe.Done }, map[string]float64{"and": 0.5}},
		{"second operand", func() { mem.slots[2], mem.slots[4] = sondeprobe.Done, distant(1) }, map[string]float64{
			"and": 0.5 + closeness(distant(1))/2,
		}},
		{"both operands", func() { mem.slots[2], mem.slots[4] = sondeprobe.Done, sondeprobe.Done }, map[string]float64{"and": 1}},
	} {
		r.Reset()
		c.write()
		if diff := cmp.Diff(c.want, scoresOf(r.AppendScores(nil))); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// AppendImproved reports a score once, and again only when it rises.
func TestImproved(t *testing.T) {
	r := newTestReader(t, smallManifest())
	for i, c := range []struct {
		distance float64
		improved bool
	}{{9, true}, {9, false}, {10, false}, {3, true}, {4, false}} {
		r.Reset()
		r.memory.slots[0] = distant(c.distance)
		if got := len(r.AppendImproved(nil)) == 1; got != c.improved {
			t.Errorf("step %d, distance %v: improved %t", i, c.distance, got)
		}
	}
}

// The number of a score is the first number plus the index of the target. Without a first number, scores have no
// numbers.
func TestNumber(t *testing.T) {
	r := newTestReader(t, smallManifest())
	r.memory.hits[2] = 1
	if got := r.AppendScores(nil); len(got) != 1 || got[0].Number != 0 {
		t.Errorf("got %v", got)
	}
	r.SetFirstNumber(100)
	if got := r.AppendScores(nil); len(got) != 1 || got[0].Number != 101 {
		t.Errorf("got %v", got)
	}
}

// A predicate is watched while the score of a wanted target depends on it.
func TestOpenWords(t *testing.T) {
	r := newTestReader(t, smallManifest())
	open := func(want ...uint32) {
		t.Helper()
		r.Reset()
		if !slices.Equal(r.memory.open, want) {
			t.Errorf("open words are %v, want %v", r.memory.open, want)
		}
	}
	open(sondeprobe.Open, sondeprobe.Open, sondeprobe.Open)
	r.SetWanted(2, false)
	open(sondeprobe.Open, sondeprobe.Open, sondeprobe.Open) // the false outcome is still wanted
	r.SetWanted(3, false)
	r.SetWanted(3, false)
	open(0, sondeprobe.Open, sondeprobe.Open)
	r.WatchOperands(true)
	open(0, sondeprobe.OpenWithOperands, sondeprobe.OpenWithOperands)
	r.SetWanted(4, false)
	open(0, 0, 0)
	r.SetWanted(2, true)
	open(sondeprobe.OpenWithOperands, 0, 0)
	r.WatchOperands(false)
	open(sondeprobe.Open, 0, 0)
}

// Targets that are not wanted are not read, and DropCovered makes covered targets unwanted.
func TestDropCovered(t *testing.T) {
	r := newTestReader(t, smallManifest())
	r.memory.hits[1], r.memory.slots[0] = 1, distant(1)
	r.DropCovered()
	want := map[string]float64{"call": 0.5, "true": closeness(distant(1))}
	if diff := cmp.Diff(want, scoresOf(r.AppendScores(nil))); diff != "" {
		t.Error(diff)
	}
	if !r.IsCovered(0) || r.IsCovered(1) {
		t.Error("Covered depends on what is wanted")
	}
}

// The fingerprint changes with each byte that is set, wherever it is.
func TestFingerprint(t *testing.T) {
	r := newTestReader(t, &Manifest{Preds: 1, Hits: 21})
	last := r.Fingerprint()
	for i := 1; i < 21; i++ {
		r.memory.hits[i] = 1
		now := r.Fingerprint()
		if now == last {
			t.Errorf("byte %d does not change the fingerprint", i)
		}
		last = now
	}
}

// Reading by stretches gives the same scores as reading each target alone.
func TestStretchesMissNothing(t *testing.T) {
	m := &Manifest{Preds: 200, Hits: 301}
	for i := 1; i < m.Hits; i++ {
		m.Targets = append(m.Targets, Target{ID: fmt.Sprint("hit ", i), Hit: i, Near: i / 2})
		if i < m.Preds {
			m.Targets = append(m.Targets, Target{ID: fmt.Sprint("true ", i), Terms: outcome(i, 0)})
		}
	}
	r := newTestReader(t, m)
	rapid.Check(t, func(t *rapid.T) {
		r.Reset()
		for _, i := range rapid.SliceOfN(rapid.IntRange(1, m.Hits-1), 0, 5).Draw(t, "hits") {
			r.memory.hits[i] = 1
		}
		for _, p := range rapid.SliceOfN(rapid.IntRange(0, m.Preds-1), 0, 5).Draw(t, "predicates") {
			r.memory.slots[2*p] = distant(rapid.Float64Range(0, 1e9).Draw(t, "distance"))
		}
		want := map[string]float64{}
		for i := range r.plans {
			if h := r.score(&r.plans[i]); h > 0 {
				want[m.Targets[i].ID] = h
			}
		}
		if diff := cmp.Diff(want, scoresOf(r.AppendScores(nil))); diff != "" {
			t.Fatal(diff)
		}
		r.Reset()
		if left := r.AppendScores(nil); len(left) > 0 {
			t.Fatalf("after a reset: %v", left)
		}
	})
}

// Scores rise as the distance falls, and are below 1. This also holds after a ScoreTerm has scaled them.
func TestCloseness(t *testing.T) {
	last := 0.0
	for _, d := range []float64{sondeprobe.Far, 1e300, 1e18, 1.7e9 + 1, 1.7e9, 1.7e9 - 1, 65536, 2, 1, 0.5, 1e-9} {
		for _, base := range []float64{0, 0.5, 0.75} {
			if h, scale := closeness(distant(d)), 1-base; base+scale*h <= base+scale*last || h >= 1 {
				t.Errorf("distance %v behind %v: %v after %v", d, base, h, last)
			}
		}
		last = closeness(distant(d))
	}
	if closeness(0) != 0 || closeness(sondeprobe.Done) != 1 || closeness(distant(math.SmallestNonzeroFloat64)) >= 1 {
		t.Error("closeness is wrong at an end of its range")
	}
}

// bigReader returns a reader of 100,000 targets, in the proportions of real services.
func bigReader(b *testing.B) *Reader {
	b.Helper()
	m := &Manifest{Version: FormatVersion, Preds: 30000, Hits: 40001}
	for i := 1; i < m.Hits; i++ {
		m.Targets = append(m.Targets, Target{ID: "hit", Hit: i})
		if p := i - 1; p < m.Preds {
			m.Targets = append(m.Targets, Target{ID: "true", Terms: outcome(p, 0)}, Target{ID: "false", Terms: outcome(p, 1)})
		}
	}
	return newTestReader(b, m)
}

// BenchmarkRead measures a reading and a reset with 100,000 targets. The service touches all, one
// function in 20, or every twentieth statement and branch. The distances differ each time.
//
//	go test ./runner/instrument/probedata -run '^$' -bench Read
func BenchmarkRead(b *testing.B) {
	for _, c := range []struct {
		name    string
		touched func(i int) bool
	}{
		{"all", func(int) bool { return true }},
		{"functions", func(i int) bool { return i/40%20 == 0 }},
		{"scattered", func(i int) bool { return i%20 == 0 }},
		{"none", func(int) bool { return false }},
	} {
		b.Run(c.name, func(b *testing.B) {
			r, scores := bigReader(b), []model.Score(nil)
			var took []float64
			for b.Loop() {
				r.touch(c.touched, len(took))
				start := time.Now()
				scores = r.AppendScores(scores[:0])
				r.Reset()
				took = append(took, float64(time.Since(start).Microseconds()))
			}
			b.ReportMetric(median(took), "median-µs/test")
			b.ReportMetric(slices.Min(took), "least-µs/test") // the least time, because other programs may use the machine
			b.ReportMetric(0, "ns/op")
		})
	}
}

// touch writes to the memory as the probes of a service would. The function touched reports whether the hit or the
// predicate with an index is written. salt changes the distances.
func (r *Reader) touch(touched func(i int) bool, salt int) {
	for i := 1; i < len(r.memory.hits); i++ {
		if touched(i) {
			r.memory.hits[i] = 1
		}
	}
	for p := range r.watched.open {
		if touched(p) {
			r.memory.slots[2*p], r.memory.slots[2*p+1] = sondeprobe.Done, sondeprobe.Done-1-math.Float64bits(float64(p+1+salt))
			r.memory.open[p]++ // counted
		}
	}
}

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}
