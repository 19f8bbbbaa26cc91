package valuegroup_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/model/match"
)

func TestCover(t *testing.T) {
	tests := []struct {
		name               string
		picked, candidates []model.Seq
		want               valuegroup.SeqCover
	}{
		{
			name: "no candidates",
			want: valuegroup.SeqCover{
				IsMinimum:  true,
				Operations: []model.OpID{"make", "read", "drop", "pay", "refund", "health"},
				Groups:     []int{0, 1, 2},
			},
		},
		{
			name:       "what is picked need not be covered again",
			picked:     []model.Seq{{"make", "read"}, {"health"}},
			candidates: []model.Seq{{"make", "read"}, {"make", "drop"}, {"pay"}, {"pay", "refund"}, {"health"}},
			want:       valuegroup.SeqCover{Chosen: []int{1, 3}, IsMinimum: true},
		},
		{
			name:       "nothing is left",
			picked:     []model.Seq{{"make", "read", "drop"}, {"pay", "refund", "health"}},
			candidates: []model.Seq{{"make"}, {"health"}},
			want:       valuegroup.SeqCover{IsMinimum: true},
		},
		{
			name:       "of equals the one in a single group, then the earlier",
			picked:     []model.Seq{{"health", "make", "pay", "refund"}},
			candidates: []model.Seq{{"read", "health"}, {"read", "make"}, {"read"}, {"drop", "pay"}, {"health", "drop"}},
			want:       valuegroup.SeqCover{Chosen: []int{1, 3}, IsMinimum: true},
		},
		{
			name:       "what no candidate has is told",
			candidates: []model.Seq{{"make", "read", "nowhere"}, {"nowhere"}},
			want: valuegroup.SeqCover{
				Chosen:     []int{0},
				IsMinimum:  true,
				Operations: []model.OpID{"drop", "pay", "refund", "health"},
				Groups:     []int{1, 2},
			},
		},
		{
			name:       "better than greedy, which begins with the largest",
			candidates: []model.Seq{{"make", "read", "pay", "refund"}, {"make", "read", "drop"}, {"pay", "refund", "health"}},
			want:       valuegroup.SeqCover{Chosen: []int{1, 2}, IsMinimum: true},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, valuegroup.NewMeter(shop()).ChooseCover(test.picked, test.candidates)); diff != "" {
				t.Errorf("want and got (-+):\n%s", diff)
			}
		})
	}
}

// TestCoverLaws checks four laws:
//   - Each operation of a candidate is covered.
//   - No candidate has one of the missing operations.
//   - No chosen seq is superfluous.
//   - Equal arguments give equal results.
func TestCoverLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := valuegroup.NewMeter(randomTable(t))
		picked, candidates := randomSeqs(t, m.Table, 3), randomSeqs(t, m.Table, 40)
		c := m.ChooseCover(picked, candidates)
		if diff := cmp.Diff(c, m.ChooseCover(picked, candidates)); diff != "" {
			t.Fatalf("asked twice:\n%s", diff)
		}
		checkCover(t, m, picked, candidates, c)
	})
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func checkCover(t fataler, m *valuegroup.Meter, picked, candidates []model.Seq, c valuegroup.SeqCover) {
	t.Helper()
	all := m.MeasureAdequacy(slices.Concat(picked, candidates))
	got := m.MeasureAdequacy(slices.Concat(picked, at(candidates, c.Chosen)))
	if !slices.Equal(got.Operations.Missing, all.Operations.Missing) || !slices.Equal(got.Groups.Missing, all.Groups.Missing) {
		t.Fatalf("%v misses %v, want %v", c.Chosen, got.Operations.Missing, all.Operations.Missing)
	}
	if !slices.Equal(c.Operations, all.Operations.Missing) || !slices.Equal(c.Groups, all.Groups.Missing) {
		t.Fatalf("told %v and %v, want %v and %v", c.Operations, c.Groups, all.Operations.Missing, all.Groups.Missing)
	}
	for i := range c.Chosen {
		rest := slices.Delete(slices.Clone(c.Chosen), i, i+1)
		if m.MeasureAdequacy(slices.Concat(picked, at(candidates, rest))).Operations.Covered == got.Operations.Covered {
			t.Fatalf("candidate %d of %v is superfluous", c.Chosen[i], c.Chosen)
		}
	}
}

func at(seqs []model.Seq, places []int) []model.Seq {
	var out []model.Seq
	for _, i := range places {
		out = append(out, seqs[i])
	}
	return out
}

// TestCoverIsSmallest checks that no other choice that covers as much is smaller. It tries all choices.
func TestCoverIsSmallest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := valuegroup.NewMeter(randomTable(t))
		picked, candidates := randomSeqs(t, m.Table, 1), randomSeqs(t, m.Table, 9)
		want, best := m.MeasureAdequacy(slices.Concat(picked, candidates)).Operations.Covered, len(candidates)
		for choice := range 1 << len(candidates) {
			if n := bits.OnesCount(uint(choice)); n < best &&
				m.MeasureAdequacy(slices.Concat(picked, chosen(candidates, choice))).Operations.Covered == want {
				best = n
			}
		}
		if c := m.ChooseCover(picked, candidates); !c.IsMinimum || len(c.Chosen) != best {
			t.Fatalf("chose %v (fewest: %t) of %v, but %d are enough", c.Chosen, c.IsMinimum, candidates, best)
		}
	})
}

func chosen(candidates []model.Seq, choice int) []model.Seq {
	var out []model.Seq
	for i, seq := range candidates {
		if choice>>i&1 == 1 {
			out = append(out, seq)
		}
	}
	return out
}

// If a problem is too large for an exact solution, the result is still a cover, and IsMinimum is false.
func TestCoverOfManyIsHonest(t *testing.T) {
	m, candidates := tangle(400, 2000, 3)
	c := m.ChooseCover(nil, candidates)
	checkCover(t, m, nil, candidates, c)
	if c.IsMinimum {
		t.Error("claims to have proven what takes far more effort than it may")
	}
}

// tangle returns operations that share no values, and candidates of random operations. length is the maximum length
// of a candidate.
func tangle(operations, candidates, length int) (*valuegroup.Meter, []model.Seq) {
	table := &match.ValuesTable{In: make([][]int, operations), Need: make([][]int, operations), Out: make([][]int, operations)}
	for op := range operations {
		table.Ops = append(table.Ops, &model.Operation{ID: model.OpID(fmt.Sprintf("GET /%d", op))})
	}
	r := rand.New(rand.NewPCG(1, 2))
	seqs := make([]model.Seq, candidates)
	for i := range seqs {
		for range 1 + r.IntN(length) {
			seqs[i] = append(seqs[i], table.Ops[r.IntN(operations)].ID)
		}
	}
	return valuegroup.NewMeter(table), seqs
}

// BenchmarkCover covers 400 operations with 2,000 candidates. The operations of a candidate are from one group of ten
// operations, like those of rule DC, or from all operations. Candidates from all operations have normal or greater
// length; for these, an exact solution would take too long.
func BenchmarkCover(b *testing.B) {
	grouped := func() (*valuegroup.Meter, []model.Seq) {
		m := valuegroup.NewMeter(synthetic(400))
		r := rand.New(rand.NewPCG(3, 4))
		seqs := make([]model.Seq, 2000)
		for i := range seqs {
			group := r.IntN(40) * 10
			for _, op := range r.Perm(10)[:1+r.IntN(3)] {
				seqs[i] = append(seqs[i], m.Table.Ops[group+op].ID)
			}
		}
		return m, seqs
	}
	for name, make := range map[string]func() (*valuegroup.Meter, []model.Seq){
		"grouped": grouped,
		"tangled": func() (*valuegroup.Meter, []model.Seq) { return tangle(400, 2000, 3) },
		"long":    func() (*valuegroup.Meter, []model.Seq) { return tangle(400, 2000, 10) },
	} {
		b.Run(name, func(b *testing.B) {
			m, seqs := make()
			b.ReportAllocs()
			for b.Loop() {
				m.ChooseCover(nil, seqs)
			}
		})
	}
}
