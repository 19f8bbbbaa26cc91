package seqs

import (
	"slices"
	"testing"

	"sonde/analysis/distil"
	"sonde/model"
	"sonde/ui/tui/screen"
)

// A seq keeps its row under both rules, and picked rows stay listed.
func TestDistilledSeqs(t *testing.T) {
	newRow := func(item screen.SeqItem) *row { return &row{SeqItem: item} }
	both, onlyDC, onlySC := model.Seq{"a"}, model.Seq{"a", "b"}, model.Seq{"b", "a"}
	var d distilledSeqs
	d.reset()
	d.dc = distil.Listing{Seqs: []model.Seq{both, onlyDC}}
	d.longer = []model.Seq{onlyDC}
	d.list(newRow)
	ids := func() (all []string) {
		for _, r := range slices.Concat(d.stray, d.rows) {
			all = append(all, r.ID)
		}
		return all
	}
	check := func(state string, want ...string) {
		t.Helper()
		if got := ids(); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", state, got, want)
		}
	}
	check("by DC", "d1", "d2")
	d.switchRule()
	d.list(newRow)
	check("by SC before it is computed", "d1", "d2")
	d.rows[1].picked = true
	d.sc = &distil.Listing{Seqs: []model.Seq{onlySC, both}}
	d.list(newRow)
	check("by SC", "d2", "d3", "d1")
	d.switchRule()
	d.list(newRow)
	check("by DC again", "d1", "d2")
	d.reset()
	if len(ids()) != 0 || d.row(onlySC, newRow).ID != "d1" {
		t.Errorf("after reset: %q", ids())
	}
}
