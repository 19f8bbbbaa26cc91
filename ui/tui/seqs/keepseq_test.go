package seqs

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"
)

// A seq that another screen keeps gets its own row, which is picked. The seq that is being built does not
// change.
func TestKeepSeq(t *testing.T) {
	d := bound(t)
	before := d.screen.catalog.made
	ops := d.screen.catalog.analyzed.Spec.Operations
	want := model.Seq{ops[0].ID, ops[1].ID}
	d.send(screen.KeepSeq{Seq: want})
	made := d.screen.catalog.made
	if len(made) != len(before)+1 || !slices.Equal(made[:len(before)], before) {
		t.Fatalf("%d seqs are built, before %d", len(made), len(before))
	}
	kept := made[len(before)]
	if !slices.Equal(kept.Seq, want) || !slices.Contains(d.picked(), kept.ID) || d.at() != kept.ID {
		t.Errorf("kept %+v, picked %v, at %q", kept.Seq, d.picked(), d.at())
	}
	if !strings.Contains(d.message, kept.ID+" keeps this way") {
		t.Errorf("said %q", d.message)
	}
}
