package search

import (
	"strings"
	"testing"

	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// mouse returns a mouse event of the left button.
func mouse(x, y int, action tea.MouseAction) tea.MouseMsg {
	return tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: action}
}

// cell returns the first cell of a text on the screen.
func (d *driver) cell(text string) (x, y int) {
	d.t.Helper()
	view := d.screen.View(d.model().width, d.model().height)
	for y, row := range strings.Split(view, "\n") {
		if before, _, found := strings.Cut(row, text); found {
			return len([]rune(before)), y
		}
	}
	d.t.Fatalf("%q is not in\n%s", text, view)
	return 0, 0
}

// In the form, a click on a slider sets its value, the arrows are steps, and the wheel over a value is a step.
func TestSlidersOfTheForm(t *testing.T) {
	d := drive(t, demo)
	_, y := d.cell("smart      P")
	x, _ := d.cell("◂")
	d.send(mouse(x+10, y, tea.MouseActionPress)).sees("smart      P       1.00")
	d.send(mouse(x+1, y+5, tea.MouseActionMotion)).sees("smart      P       0.00") // a drag stays on its slider
	d.send(mouse(x+100, y, tea.MouseActionMotion)).sees("smart      P       1.00")
	d.send(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionRelease})
	d.send(mouse(x+1, y, tea.MouseActionMotion)).sees("smart      P       1.00")
	d.send(mouse(x, y, tea.MouseActionPress)).sees("smart      P       0.95")
	d.send(tea.MouseMsg{X: x + 4, Y: y, Button: tea.MouseButtonWheelUp}).sees("smart      P       1.00")
	d.send(tea.MouseMsg{X: x - 8, Y: y - 2, Button: tea.MouseButtonWheelDown}).sees("10,000")
	d.send(tea.MouseMsg{X: 3, Y: y, Button: tea.MouseButtonWheelDown})
	if got := d.form().setting().name; got != "random" {
		t.Errorf("the wheel over a name moves the cursor to %q, want random", got)
	}
	if len(d.settings) != 0 {
		t.Error("a search was started")
	}
}

// A click on a value switches it, or opens a text field. A click on Start starts the run; a jump to it does not.
func TestClicksOnTheForm(t *testing.T) {
	d := drive(t, demo)
	x, y := d.cell("no  ")
	press := mouse(x, y, tea.MouseActionPress)
	d.send(press).sees("security            yes").send(press).sees("security             no")
	x, y = d.cell("20,000  ")
	if d.send(mouse(x, y, tea.MouseActionPress)); !d.screen.Typing() || d.form().setting().name != "calls" {
		t.Error("a click on the calls opens no text field")
	}
	x, y = d.press("esc").cell("Start ")
	d.send(screen.PointAt{X: x, Y: y})
	if len(d.settings) != 0 || d.form().setting() != nil {
		t.Error("a jump to Start starts the search, or moves no cursor")
	}
	if d.send(mouse(x, y, tea.MouseActionPress)); len(d.settings) != 1 {
		t.Error("a click on Start starts no search")
	}
	if d := drive(t, screen.Service{}).send(mouse(x, y, tea.MouseActionPress)); len(d.settings) != 0 {
		t.Error("a search was started without a service")
	}
}

// During a run, a drag of a slider is one command, which is sent when the button is released. Arrows and the wheel are
// steps.
func TestSlidersOfARun(t *testing.T) {
	d := drive(t, demo).press("enter").show(running()).press("v")
	x, y := d.cell("◂")
	d.send(mouse(x+3, y, tea.MouseActionPress)).send(mouse(x+1, y, tea.MouseActionMotion)).sees("smart      P   0.00").requested()
	d.send(tea.MouseMsg{X: x + 1, Y: y, Action: tea.MouseActionRelease}).requested("smart 0.00")
	d.send(tea.MouseMsg{X: x + 3, Y: y + 1, Button: tea.MouseButtonWheelUp}).requested("smart 0.00", "random 0.35")
	d.send(mouse(x, y+2, tea.MouseActionPress)).requested("smart 0.00", "random 0.35", "focus 0.45")
	if got := d.model().panes.focus; got != partKnobs {
		t.Errorf("pane %d has the focus, want the knobs", got)
	}
	d.show(done()).send(mouse(x+3, y, tea.MouseActionPress)).requested("smart 0.00", "random 0.35", "focus 0.45")
}

// Key ⏎ on a knob opens a text field for its value.
func TestTypedKnob(t *testing.T) {
	d := drive(t, demo).press("enter").show(running()).press("down", "enter", "2", "enter").sees(`"2" is not a share`)
	if d.requested(); !d.screen.Typing() {
		t.Error("the text field was closed")
	}
	d.press("backspace", "0", ".", "2", "enter").requested("random 0.20")
	d.press("enter", "enter", "enter", "esc").requested("random 0.20")
	if d.press("enter", "9").show(done()); d.screen.Typing() {
		t.Error("a value is typed after the run")
	}
}
