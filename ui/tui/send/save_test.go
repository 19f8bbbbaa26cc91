package send

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"
)

// The request of the form is saved with what the user typed. A test that was saved before keeps its place.
func TestSaveForm(t *testing.T) {
	d := drive(t, demo).press("w")
	if d.message != screen.NoProject {
		t.Errorf("of the demo: %q", d.message)
	}
	d = drive(t, demo)
	d.pane.saves = true
	d.press("down", "down", "down", "down", " ").sees("dry     query  true").press("w")
	if len(d.toSave) != 1 || d.toSave[0].SavedAs != (screen.SavedAs{Name: pay}) {
		t.Fatalf("saved %+v", d.toSave)
	}
	calls := d.toSave[0].Test.Calls
	sent := calls[len(calls)-1].Args
	if len(calls) != 2 || sent[len(sent)-1].Name != "dry" && sent[0].Name != "dry" && sent[1].Name != "dry" {
		t.Errorf("saved %+v", calls)
	}
	at := screen.SavedAs{File: "shop.http", Name: "Pay"}
	d.do(d.pane.OpenTest(payment(), at))
	if d.press("w"); d.toSave[1].SavedAs != at {
		t.Errorf("proposed %+v", d.toSave[1].SavedAs)
	}
	d.do(d.pane.OpenOperation(health, nil))
	if d.press("w"); d.toSave[2].SavedAs != (screen.SavedAs{Name: health}) {
		t.Errorf("proposed %+v for another operation", d.toSave[2].SavedAs)
	}
}

// A body that is a file is saved as its path.
func TestSaveFormWithFile(t *testing.T) {
	d := drive(t, demo)
	d.pane.saves = true
	b := &d.pane.form.form.bodies[d.pane.form.form.chosen]
	b.file, b.edited = &upload{path: "cat.png"}, true
	d.press("w")
	if len(d.toSave) != 1 || !slices.Equal(d.toSave[0].Files, []string{"cat.png"}) || d.toSave[0].Test.Calls[1].Body.Data != "cat.png" {
		t.Errorf("saved %+v, said %q", d.toSave, d.message)
	}
}

// A request of the history is saved without its status, unless a part of it was not kept.
func TestSaveFromHistory(t *testing.T) {
	d := historic(t)
	d.pane.saves = true
	d.press("H", "w")
	if len(d.toSave) != 1 || d.toSave[0].Name != health || len(d.toSave[0].Test.Calls) != 2 ||
		d.toSave[0].Test.Calls[1].Status != 0 || d.toSave[0].Test.Origin != model.OriginManual {
		t.Fatalf("saved %+v", d.toSave)
	}
	d.log[0].Partial = true
	d.press("esc", "H", "w")
	if len(d.toSave) != 1 || !strings.Contains(d.message, "too large to be kept") {
		t.Errorf("said %q", d.message)
	}
}
