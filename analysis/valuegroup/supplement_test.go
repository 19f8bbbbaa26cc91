package valuegroup_test

import (
	"errors"
	"slices"
	"testing"

	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/model/match"
)

// chain returns four operations. Each operation after the first needs a value of the operation before it.
func chain() *match.ValuesTable {
	t := &match.ValuesTable{
		Names: []string{"a", "b", "c"},
		In:    [][]int{nil, {0}, {1}, {2}},
		Need:  [][]int{nil, {0}, {1}, {2}},
		Out:   [][]int{{0}, {1}, {2}, nil},
	}
	for _, id := range []model.OpID{"1", "2", "3", "4"} {
		t.Ops = append(t.Ops, &model.Operation{ID: id})
	}
	return t
}

func TestRestAsksForLongerSeqs(t *testing.T) {
	all := []model.Seq{{"1"}, {"1", "2"}, {"1", "2", "3"}, {"1", "2", "3", "4"}}
	var asked []int
	list := func(length int) ([]model.Seq, bool, error) {
		asked = append(asked, length)
		return all[:min(length, len(all))], false, nil
	}
	got, err := valuegroup.NewMeter(chain()).Supplement(nil, list)
	if err != nil || len(got.Seqs) != 1 || !slices.Equal(got.Seqs[0], all[3]) || len(got.Operations) != 0 {
		t.Errorf("got %v and error %v, want the longest seq alone", got, err)
	}
	if !slices.Equal(asked, []int{3, 4}) {
		t.Errorf("asked for lengths %v, want 3 and 4", asked)
	}
}

func TestRestEnds(t *testing.T) {
	meter, seqs := valuegroup.NewMeter(chain()), []model.Seq{{"1"}, {"1", "2"}}
	tooMany := func(length int) ([]model.Seq, bool, error) { return seqs, length > 3, nil }
	if got, err := meter.Supplement(nil, tooMany); err != nil || got.GaveUp || len(got.Operations) != 2 || len(got.Seqs) != 1 {
		t.Errorf("too many: got %+v and error %v, want what the short ones cover", got, err)
	}
	none := func(int) ([]model.Seq, bool, error) { return seqs, false, nil }
	if got, err := meter.Supplement(nil, none); err != nil || len(got.Operations) != 2 {
		t.Errorf("none: got %+v and error %v, want 2 operations missing", got, err)
	}
	broken := errors.New("broken")
	if _, err := meter.Supplement(nil, func(int) ([]model.Seq, bool, error) { return nil, false, broken }); err != broken {
		t.Errorf("got error %v, want %v", err, broken)
	}
}
