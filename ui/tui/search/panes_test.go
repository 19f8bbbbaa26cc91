package search

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

func TestOperations(t *testing.T) {
	d := drive(t, demo).press("enter").show(running())
	if _, ok := d.operation(); ok {
		t.Error("a knob is taken for an operation")
	}
	d.press("v", "down", "down", "enter")
	d.press("v", "down", "enter").sees("by curl:") // the newest fault is first
	d.press("enter")
	d.press("v").press("V", "up", "enter", "enter")
	want := []screen.ShowScreen{
		{Tab: screen.TabExplore, Op: "POST /products"},
		{Tab: screen.TabExplore, Op: "GET /stock/{sku}"},
		{Tab: screen.TabExplore, Op: "POST /orders/{orderId}/pay"},
	}
	if !slices.Equal(d.shown, want) {
		t.Errorf("went to %v, want %v", d.shown, want)
	}
	d.send(screen.ShowScreen{Tab: screen.TabSearch, Op: "POST /orders"})
	if op, _ := d.operation(); op != "POST /orders" {
		t.Errorf("the cursor is on %q, want POST /orders", op)
	}
}

func TestCursorStaysOnItsFault(t *testing.T) {
	d := drive(t, demo).press("enter").show(running()).press("v", "v", "down")
	s := running()
	s.Faults = append(s.Faults, model.Fault{Op: "POST /orders", Status: 500, At: 1300, Calls: 1})
	d.show(s)
	if op, _ := d.operation(); op != "GET /stock/{sku}" {
		t.Errorf("the cursor went to %q", op)
	}
	d.press("up", "up").show(s)
	s.Faults = append(s.Faults, model.Fault{Op: "GET /health", Status: 500, At: 1400, Calls: 1})
	d.show(s)
	if op, _ := d.operation(); op != "GET /health" {
		t.Errorf("at the top the cursor is on %q, want the newest", op)
	}
}

func TestMouse(t *testing.T) {
	click := func(x, y int) tea.MouseMsg {
		return tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	}
	d := drive(t, demo)
	_, first := d.form().lines()
	d.send(click(5, first+1+3))
	if got := d.model().form.list.At; got != 3 {
		t.Errorf("row %d is chosen, want 3", got)
	}
	d.press("home", "enter").show(running())
	l := d.layout()
	steer, answers := l.part[partKnobs], l.part[partAnswers]
	d.send(click(steer.X+3, steer.Y+2)).press("right").requested("random 0.35")
	d.send(click(answers.X+3, answers.Y+4))
	if op, _ := d.operation(); op != "POST /products" {
		t.Errorf("the cursor is on %q, want POST /products", op)
	}
	d.send(tea.MouseMsg{X: answers.X + 3, Y: answers.Y + 3, Button: tea.MouseButtonWheelDown})
	if op, _ := d.operation(); op != "DELETE /products/{productId}" {
		t.Errorf("after the wheel the cursor is on %q", op)
	}
	d.show(steered()).press("v", "v", "v")
	tests := d.layout().part[partTests]
	d.send(click(tests.X+3, tests.Y+3)).sees("Why t17?").send(tea.MouseMsg{
		X:      tests.X + 3,
		Y:      tests.Y + 3,
		Button: tea.MouseButtonWheelDown,
	}).sees("Why t44?")
	d.size(60, 21).send(click(10, 2))
	if got := d.model().panes.focus; got != partAnswers {
		t.Errorf("pane %d has the focus, want the answers", got)
	}
}

func TestNarrowPanesFollowEachOther(t *testing.T) {
	d := drive(t, demo).press("enter").show(running()).size(40, 9)
	for _, want := range []string{"smart", "Covered", "2xx", "stock", "Nothing is steered", "╭─ Tests", "╭─ Why", "╭─ Open", "smart"} {
		d.sees(want)
		d.press("v")
	}
	d.press("v", "right")
	if len(d.run.requests) != 1 {
		t.Error("the knobs are out of reach from another pane")
	}
	d.size(120, 33).size(60, 21).sees("▸")
}

// Open targets are listed. The keys for weights act on the operation of the target under the cursor.
func TestOpenTargets(t *testing.T) {
	d := drive(t, demo).size(120, 33).press("enter").show(running()).press("V", "V")
	d.sees("Open 3", "near tests tries since  target", "0.83     4    17   41%  …orders/{orderId}/pay 402")
	d.press("m").requested("mute POST /orders/{orderId}/pay 1")
	d.press("down").press("m").requested("mute POST /orders/{orderId}/pay 1") // m has no effect on a code target
	none := running()
	none.Open = nil
	d.show(none).sees("All targets that a test came near to are covered.")
}

// While a long search runs, the screen shows the time left.
func TestTimeLeft(t *testing.T) {
	s := running()
	s.Used, s.Summary.Elapsed = 0.1, time.Minute
	d := drive(t, demo).size(120, 33).press("enter").show(s).sees("running, about 9m left")
	s.Phase = model.PhasePaused
	for _, other := range []model.Snapshot{running(), s, done()} {
		d.show(other)
		if strings.Contains(ansi.Strip(d.screen.View(120, 33)), " left") {
			t.Errorf("%s after %s says how much time is left", other.Phase, other.Summary.Elapsed)
		}
	}
}

// The cursor stays on its target when the order changes. A cursor on the first row stays there.
func TestCursorStaysOnItsTarget(t *testing.T) {
	d := drive(t, demo).size(120, 33).press("enter").show(running()).press("V", "V", "down", "down")
	s := running()
	s.Open[0], s.Open[2] = s.Open[2], s.Open[0]
	s.Open = append([]model.OpenTarget{{Target: "POST /carts 422", Op: "POST /carts", Near: 0.9}}, s.Open...)
	d.show(s).press("m").requested("mute GET /stock/{sku} 1")
	d.press("up", "up", "up").show(running()).press("m").requested("mute GET /stock/{sku} 1", "mute POST /orders/{orderId}/pay 1")
}

// Key r opens the form for a manual request. The form has the calls of the test under the cursor: a kept test, or the
// test of a fault.
func TestByHand(t *testing.T) {
	d := drive(t, demo).size(120, 33).press("enter").show(steered()).press("v", "v", "r")
	if len(d.composed) != 1 || d.composed[0].Op != "POST /orders/{orderId}/pay" || len(d.composed[0].Test.Calls) != 2 {
		t.Errorf("composed %+v", d.composed)
	}
	d.press("v", "v", "down", "r")
	if len(d.composed) != 2 || d.composed[1].Test != d.test() {
		t.Errorf("composed %+v", d.composed)
	}
	if want := (screen.ShowScreen{Tab: screen.TabExplore, Op: "POST /orders/{orderId}/pay"}); d.shown[0] != want {
		t.Errorf("went to %+v", d.shown)
	}
}

// Each visible key has an effect.
func TestShownKeysAct(t *testing.T) {
	for name, d := range map[string]*driver{
		"setup":     drive(t, demo).press("down", "right", "down"),
		"setup two": drive(t, demo).press("enter").show(done()).press("n", "down"),
		"no host":   drive(t, screen.Service{}).press("down"),
		"typing":    drive(t, demo).press("down", "e"),
		"remote":    drive(t, screen.Service{URL: "https://x.example", Remote: true}).press("enter"),
		"knobs":     drive(t, demo).press("enter").show(running()).press("down"),
		"answers":   drive(t, demo).press("enter").show(running()).size(80, 21).press("v", "down", "down"),
		"starting":  starting(t).press("down"),
		"chart":     drive(t, demo).press("enter").show(running()).size(70, 16).press("down", "v"),
		"opened":    drive(t, demo).send(screen.RunProgress{Snapshot: running(), Folder: "runs/opened"}).press("down"),
		"result":    drive(t, demo).press("enter").show(done()).size(120, 60),
		"stressed":  drive(t, demo).press("enter").show(steered()).size(80, 21).press("v", "down", "down"),
		"a fault":   drive(t, demo).press("enter").show(steered()).size(80, 21).press("v", "v", "down"),
		"notes":     drive(t, demo).press("enter").show(steered()).size(80, 21).press("v", "v", "v", "down"),
		"tests":     drive(t, demo).press("enter").show(steered()).size(80, 16).press("v", "v", "v", "v", "down", "down"),
		"why":       drive(t, demo).press("enter").show(halted()).size(80, 21).press(".", "down"),
		"few knobs": drive(t, demo).press("enter").show(running()).size(40, 9).press("down"),
		"few rows":  drive(t, demo).size(40, 9).press("right", "down"),
		"paused":    drive(t, demo).press("enter").show(running()).press(" ", "down"),
		"done":      drive(t, demo).press("enter").show(done()).size(80, 21).press("v", "down", "down"),
	} {
		for _, b := range d.screen.Keys() {
			if !b.Enabled() {
				continue
			}
			for _, k := range b.Keys() {
				before, asked := d.model(), len(d.run.requests)
				next, cmd := d.screen.Update(pressed(k))
				if reflect.DeepEqual(before, next.(Model)) && cmd == nil && len(d.run.requests) == asked {
					t.Errorf("%s: %q (%s) does nothing", name, k, b.Help().Desc)
				}
			}
		}
	}
}

// Every key that the screen shows has a help text.
func TestKeysHaveHelp(t *testing.T) {
	for name, state := range states {
		for _, b := range state(t).screen.Keys() {
			if b.Help().Key == "" || b.Help().Desc == "" || len(b.Keys()) == 0 {
				t.Errorf("%s: %s has no help", name, fmt.Sprint(b.Keys()))
			}
		}
	}
	if !key.Matches(pressed("shift+right"), keyFineMore) || !key.Matches(pressed(" "), keyPause) {
		t.Error("the test's keys are not those of bubbletea")
	}
}
