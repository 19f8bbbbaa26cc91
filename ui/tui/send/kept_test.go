package send

import (
	"testing"

	"sonde/ui/tui/screen"
)

// The values of a form that the user has changed are there again when the pane is opened for the operation, also with the
// spec read again and with other users. A form without changes begins with a new draft.
func TestFormSurvivesClosing(t *testing.T) {
	d := drive(t, demo).press("down", "down", "down", "down", " ").sees("dry     query  true").press("esc")
	if d.pane.Open() {
		t.Fatal("the pane is open")
	}
	d.do(d.pane.OpenOperation(health, nil))
	d.do(d.pane.OpenOperation(pay, nil))
	d.sees("dry     query  true", "from POST /orders")
	d.take(screen.SpecOpened{Spec: shop()})
	d.do(d.pane.OpenOperation(pay, nil))
	d.sees("dry     query  true", "from POST /orders").press("esc")
	d.take(screen.UsersChanged{Names: []string{"bob"}})
	d.do(d.pane.OpenOperation(pay, nil))
	d.sees("dry     query  true").misses("alice")
	d.press("R").sees("dry     query  left out").press("R")
	if d.message != "the form has the values of a draft" {
		t.Errorf("got %q", d.message)
	}
	d.press("esc")
	d.ready = true
	d.do(d.pane.OpenOperation(pay, nil))
	d.sees("nothing else is sent", "dry     query  left out")
}

// A request of another screen replaces the values that the user typed.
func TestOpenedTestReplacesForm(t *testing.T) {
	d := drive(t, demo).press("down", "down", "down", "down", " ").sees("dry     query  true")
	d.do(d.pane.OpenTest(payment(), screen.SavedAs{}))
	d.sees("dry     query  left out")
}
