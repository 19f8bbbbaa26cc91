package seqs

import (
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"
)

// A test that was made by hand stands first in the list, picked, and stays when a
// search begins or the same document is read again.
func TestKept(t *testing.T) {
	made := test("")
	made.Origin = model.ByHand
	read := screen.Opened{Study: shop()}
	read.Study.Spec.Hash = "a"
	d := drive(t).send(read).send(screen.Kept{Test: made}).send(screen.Kept{Test: made})
	d.lists("h1", "h2", "d1", "d2", "d3", "d4").hasPicked("h1", "h2")
	d.show("run", "t1").lists("h1", "h2", "t1", "d1", "d2", "d3", "d4")
	if view := d.screen.View(120, 33); !strings.Contains(view, "by hand") {
		t.Errorf("nothing is by hand in\n%s", view)
	}
	d.press("f", "f", "f").lists("h1", "h2")
	d.press("f", "f").send(read).lists("h1", "h2", "t1", "d1", "d2", "d3", "d4")
}

// What is under the cursor opens as a request by hand: a test with its values, a seq
// without any as its last operation.
func TestCompose(t *testing.T) {
	d := drive(t).send(screen.Opened{Study: shop()}).show("run", "t1").press("r", "down", "r")
	if len(d.composed) != 2 || d.composed[0].Test.ID != "t1" || d.composed[1].Test != nil || d.composed[1].Op == "" {
		t.Errorf("composed %+v", d.composed)
	}
}
