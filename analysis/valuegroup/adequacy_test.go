package valuegroup_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/model/match"
)

// shop has the groups {make, read, drop} and {pay, refund}, and one operation that shares no values. Only the values
// cart and paid can pass between operations.
func shop() *match.ValuesTable {
	return match.NewValuesTable([]*model.Operation{
		operation("make", []string{"note"}, []string{"cart"}), operation("read", []string{"cart"}, []string{"total"}),
		operation("drop", []string{"cart"}, nil), operation("pay", nil, []string{"paid"}),
		operation("refund", []string{"paid"}, []string{"paid"}), operation("health", nil, nil),
	}, shallow)
}

func TestAdequacy(t *testing.T) {
	tests := []struct {
		name string
		seqs []model.Seq
		want valuegroup.Adequacy
	}{
		{
			name: "nothing",
			want: valuegroup.Adequacy{
				Scopes: []valuegroup.SeqScope{},
				Groups: valuegroup.Coverage[int]{Total: 3, Missing: []int{0, 1, 2}},
				Operations: valuegroup.Coverage[model.OpID]{
					Total:   6,
					Missing: []model.OpID{"make", "read", "drop", "pay", "refund", "health"},
				},
				Values: valuegroup.Coverage[string]{Total: 4, Missing: []string{"note", "cart", "total", "paid"}},
				Passed: valuegroup.Coverage[string]{Total: 2, Missing: []string{"cart", "paid"}},
			},
		},
		{
			name: "a value passes on within one seq, from earlier to later, alone",
			seqs: []model.Seq{{"read", "make"}, {"make"}, {"drop", "nowhere", "nowhere"}, {"pay", "refund"}},
			want: valuegroup.Adequacy{
				Scopes: []valuegroup.SeqScope{
					{Groups: []int{0}},
					{Groups: []int{0}},
					{Groups: []int{0}, Unknown: []model.OpID{"nowhere"}},
					{Groups: []int{1}},
				},
				Groups:     valuegroup.Coverage[int]{Covered: 2, Total: 3, Missing: []int{2}},
				Operations: valuegroup.Coverage[model.OpID]{Covered: 5, Total: 6, Missing: []model.OpID{"health"}},
				Values:     valuegroup.Coverage[string]{Covered: 4, Total: 4},
				Passed:     valuegroup.Coverage[string]{Covered: 1, Total: 2, Missing: []string{"cart"}},
			},
		},
		{
			name: "what an operation gives itself counts when it is called again",
			seqs: []model.Seq{{"refund"}, {"health", "refund", "make"}, {"refund", "refund"}},
			want: valuegroup.Adequacy{
				Scopes:     []valuegroup.SeqScope{{Groups: []int{1}}, {Groups: []int{0, 1, 2}}, {Groups: []int{1}}},
				Groups:     valuegroup.Coverage[int]{Covered: 3, Total: 3},
				Operations: valuegroup.Coverage[model.OpID]{Covered: 3, Total: 6, Missing: []model.OpID{"read", "drop", "pay"}},
				Values:     valuegroup.Coverage[string]{Covered: 3, Total: 4, Missing: []string{"total"}},
				Passed:     valuegroup.Coverage[string]{Covered: 1, Total: 2, Missing: []string{"cart"}},
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, valuegroup.NewMeter(shop()).MeasureAdequacy(test.seqs)); diff != "" {
				t.Errorf("want and got (-+):\n%s", diff)
			}
		})
	}
}

// A value that only a single operation emits and takes does not pass between operations.
func TestAdequacyOwnValue(t *testing.T) {
	table := match.NewValuesTable(
		[]*model.Operation{operation("next", []string{"page"}, []string{"page"}), operation("health", nil, nil)},
		shallow,
	)
	if diff := cmp.Diff(valuegroup.Coverage[string]{}, valuegroup.NewMeter(table).MeasureAdequacy(nil).Passed); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
}

// Meter and GroupIndex count the same number of groups for a seq. Additional seqs never decrease the coverage.
func TestAdequacyLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := valuegroup.NewMeter(randomTable(t))
		seqs := randomSeqs(t, m.Table, 6)
		index := valuegroup.NewGroupIndex(m.Groups)
		a := m.MeasureAdequacy(seqs)
		for i, seq := range seqs {
			r := a.Scopes[i]
			if got, want := len(r.Groups), index.CountTouched(seq); got != want {
				t.Fatalf("%v touches %d groups, want %d", seq, got, want)
			}
			if r.InOneGroup() != (len(r.Groups) == 1 && len(r.Unknown) == 0) {
				t.Fatalf("%+v is best: %t", r, r.InOneGroup())
			}
		}
		if a.Operations.Total != len(m.Table.Ops) || a.Groups.Total != len(m.Groups) || a.Values.Total != len(m.Table.Names) {
			t.Fatalf("counted %+v of a table of %d operations", a, len(m.Table.Ops))
		}
		if len(seqs) == 0 {
			return
		}
		less := m.MeasureAdequacy(seqs[1:])
		for _, c := range [][2]int{
			{less.Groups.Covered, a.Groups.Covered},
			{less.Operations.Covered, a.Operations.Covered},
			{less.Values.Covered, a.Values.Covered},
			{less.Passed.Covered, a.Passed.Covered},
			{a.Passed.Covered, a.Values.Covered},
		} {
			if c[0] > c[1] {
				t.Fatalf("%+v without the first seq, %+v with it", less, a)
			}
		}
	})
}

// randomSeqs draws seqs of the table's operations and of an unknown operation.
func randomSeqs(t *rapid.T, table *match.ValuesTable, most int) []model.Seq {
	ids := []model.OpID{"GET /unknown"}
	for _, op := range table.Ops {
		ids = append(ids, op.ID)
	}
	one := rapid.SliceOfN(rapid.SampledFrom(ids), 0, 4)
	var seqs []model.Seq
	for _, s := range rapid.SliceOfN(one, 0, most).Draw(t, "seqs") {
		seqs = append(seqs, s)
	}
	return seqs
}
