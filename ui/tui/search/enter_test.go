package search

import (
	"strings"
	"testing"

	"sonde/model"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// Key ⏎ shows all lines of the result and of the notes, and then the panes again.
func TestEnlargedText(t *testing.T) {
	d := drive(t, demo).size(80, 21).press("enter").show(done()).sees("↓ 7 of 14 lines · ⏎ all", "Answers")
	d.press("enter").sees("again    ", "kept in  ", "╭─ Result").lacks("Answers", "⏎ all")
	d.press("esc").sees("Answers").press("enter", "enter").sees("Answers")
	d.press("down").sees("↑↓ 8 of 14 lines").press("end").sees("↑ 14 of 14 lines")
	d.press("enter", "v").sees("Answers")

	d = drive(t, demo).size(80, 21).press("enter").show(steered()).press("v", "v", "v", "enter").sees("╭─ Notes").lacks("Knobs")
	d.send(tea.MouseMsg{X: 5, Y: 10, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}).lacks("Knobs")
	d.size(60, 21).sees("╭─ Notes").press("esc").size(80, 21).sees("Knobs")
}

// The chart can have the focus. Arrows move a point on it, and ⏎ shows what was covered there.
func TestPointOfTheChart(t *testing.T) {
	s := running()
	s.Log = []model.LogEntry{
		{Call: 10, Event: model.TargetCovered{Target: "GET /health 200"}},
		{Call: 700, Event: model.TargetCovered{Target: "POST /carts 201"}},
		{Call: 1200, Event: model.TargetCovered{Target: "POST /products 201"}},
	}
	d := drive(t, demo).press("enter").show(s).press("V").sees("call 1,240: 84 covered")
	d.press("enter").sees("▸", "POST /products 201").press("esc").sees("call 1,240")
	for range 20 {
		d.press("left")
	}
	d.sees("call 700: ").requested() // the arrows change no knob
	d.press("enter")
	if got := d.model().events.Operation(); got != "POST /carts" {
		t.Errorf("the cursor is on an event of %q, want POST /carts", got)
	}
	d.press("esc", "home").sees("call 0: 0 covered").press("end").sees("call 1,240")
	r := d.layout().part[partChart]
	d.press("v").send(tea.MouseMsg{X: r.X + r.W/2, Y: r.Y + 3, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	if d.model().panes.focus != partChart {
		t.Error("a click on the chart does not focus it")
	}
	d.sees("call 945: ")
}

// lacks checks that texts are not on the screen.
func (d *driver) lacks(texts ...string) *driver {
	d.t.Helper()
	view := ansi.Strip(d.screen.View(d.model().width, d.model().height))
	for _, text := range texts {
		if strings.Contains(view, text) {
			d.t.Errorf("%q is in\n%s", text, view)
		}
	}
	return d
}
