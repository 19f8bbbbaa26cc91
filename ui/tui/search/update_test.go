package search

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/ask"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

func (d *driver) sees(texts ...string) *driver {
	d.t.Helper()
	m := d.model()
	view := ansi.Strip(d.screen.View(m.width, m.height))
	for _, want := range texts {
		if !strings.Contains(view, want) {
			d.t.Errorf("%q is not in\n%s", want, view)
		}
	}
	return d
}

func (d *driver) asked(want ...string) *driver {
	d.t.Helper()
	if !slices.Equal(d.run.asked, want) {
		d.t.Errorf("asked of the run: %q, want %q", d.run.asked, want)
	}
	return d
}

func TestSettings(t *testing.T) {
	d := drive(t, demo)
	d.press("right", "L", "down", "right", "right", "left", "down", "right", "H", "down", "left", "down", "shift+right")
	d.press("s")
	want := screen.Settings{
		Limits: model.Limits{Calls: 5100}, Seed: 2,
		Tuning: model.Tuning{Smart: 0.64, Random: 0.45, Focus: 0.51, Population: 10, Mutations: 1},
	}
	if len(d.settings) != 1 || d.settings[0] != want {
		t.Errorf("started with %+v, want %+v", d.settings, want)
	}
}

func TestTypedSettings(t *testing.T) {
	for _, c := range []struct {
		down  int
		typed string
		want  string // part of the error, "" for none
	}{
		{0, "12,500", ""}, {0, "0", "number of calls"}, {0, "many", "number of calls"},
		{1, "18446744073709551615", ""}, {1, "-1", "seed"},
		{2, "0.75", ""}, {3, "1.01", "share"}, {4, "NaN", "share"},
	} {
		d := drive(t, demo)
		for range c.down {
			d.press("down")
		}
		d.press("e")
		if !d.screen.Typing() {
			t.Fatal("e opens no text field")
		}
		for range 20 {
			d.press("backspace")
		}
		for _, r := range c.typed {
			d.press(string(r))
		}
		d.press("enter")
		if c.want == "" {
			if d.screen.Typing() {
				t.Errorf("%q is refused: %v", c.typed, d.model().form.err)
			}
			d.sees(fields[c.down].show(d.model().form.settings))
		} else {
			d.sees(c.want)
			d.press("esc")
		}
		if d.screen.Typing() || d.model().form.err != nil {
			t.Errorf("%q: the text field stays open", c.typed)
		}
	}
}

func TestStartAndTicks(t *testing.T) {
	d := drive(t, demo)
	d.run.snap = running()
	d.press("enter")
	if got, want := d.settings, (screen.Settings{Limits: model.Limits{Calls: 2000}, Tuning: model.DefaultTuning(), Seed: 1}); len(got) != 1 || got[0] != want {
		t.Fatalf("started with %+v, want %+v", got, want)
	}
	d.sees("1,240 / 2,000", "459 calls/s", "targets 84 of 133", "✓ 11", "△ 1", "✗ 2", "of 14", "running")
	if got, want := d.screen.Live(), "▶ 62%"; got != want {
		t.Errorf("live: got %q, want %q", got, want)
	}
	d.run.snap.Summary.Calls = 1300
	d.tick().sees("1,300 / 2,000")
	if len(d.ticks) != 1 {
		t.Fatalf("%d ticks are under way, want one", len(d.ticks))
	}
	d.run.snap = done()
	d.tick().tick()
	if len(d.ticks) != 0 {
		t.Error("a tick is under way after the end")
	}
	if got, want := d.screen.Live(), "✓ 92"; got != want {
		t.Errorf("live: got %q, want %q", got, want)
	}
	if want := []string{"The search is done: 92 of 133 targets, 2 faults; kept in runs/shop-7"}; !slices.Equal(d.said, want) {
		t.Errorf("said %q, want %q", d.said, want)
	}
}

func TestStaleMessagesAreDropped(t *testing.T) {
	d := drive(t, demo).press("enter").show(done())
	old := d.ticks
	d.ticks = nil
	first := d.run
	d.run = &fakeRun{folder: "runs/shop-8", snap: running()}
	d.press("n", "enter")
	d.ticks = nil
	for _, tick := range old {
		d.send(tick)
	}
	if len(d.ticks) != 0 {
		t.Error("a tick of the first run goes on")
	}
	d.send(screen.Progress{Snapshot: done(), Folder: first.folder})
	d.sees("1,240 / 2,000")
	if got, want := d.settings[1].Seed, uint64(2); got != want {
		t.Errorf("the second run has seed %d, want %d", got, want)
	}
}

func TestSteering(t *testing.T) {
	d := drive(t, demo).press("enter").show(running())
	d.press("right").asked("tune 0.65 0.50 0.50")
	d.sees("asked 0.65")
	d.press("right", "L", "h") // from what was asked
	d.asked("tune 0.65 0.50 0.50", "tune 0.70 0.50 0.50", "tune 0.71 0.50 0.50", "tune 0.70 0.50 0.50")
	s := running()
	s.Tuning.Smart, s.Applied.Smart = 0.7, 0.7
	s.Marks = []model.Tuned{{Call: 1250, Tuning: s.Tuning}}
	d.show(s).sees("P .60→.70", "applied at call 1,250")
	if view := d.screen.View(120, 33); strings.Contains(view, "asked") {
		t.Error("still asked for what is in force")
	}

	d.run.asked = nil
	d.press("down", "left") // P_r decayed to 0.31
	d.asked("tune 0.70 0.30 0.50")
	d.press("down", "shift+left")
	d.asked("tune 0.70 0.30 0.50", "tune 0.70 0.30 0.49")
}

func TestKnobsStopAtTheirEnds(t *testing.T) {
	for _, c := range []struct {
		from, step float64
		up         bool
		want       float64
	}{
		{0.6, coarse, true, 0.65}, {0.6, coarse, false, 0.55}, {0.31, coarse, true, 0.35}, {0.31, coarse, false, 0.3},
		{0.15, coarse, true, 0.2}, {0.15, coarse, false, 0.1}, {1, coarse, true, 1}, {0, fine, false, 0}, {0.98, coarse, true, 1},
		{0.29, fine, true, 0.3}, {0.29, fine, false, 0.28}, {0.57, fine, true, 0.58}, {0.123, fine, true, 0.13},
	} {
		if got := turn(c.from, c.step, c.up); got != c.want {
			t.Errorf("turn(%v, %v, %t): got %v, want %v", c.from, c.step, c.up, got, c.want)
		}
	}
}

func TestPauseAndStop(t *testing.T) {
	d := drive(t, demo).press("enter").show(running())
	d.press(" ").asked("pause")
	d.sees("pausing …")
	s := running()
	s.Phase = model.Paused
	d.show(s).sees("paused", "‖")
	if got, want := d.screen.Live(), "‖ 62%"; got != want {
		t.Errorf("live: got %q, want %q", got, want)
	}
	d.press(" ").asked("pause", "resume")
	d.press("x").asked("pause", "resume", "stop")
	if want := []string{"Stopping; the run is kept in runs/shop-7"}; !slices.Equal(d.said, want) {
		t.Errorf("said %q, want %q", d.said, want)
	}
	d.show(running()).sees("stopping …")
	end := done()
	end.Summary.Cancelled = true
	d.show(end).sees("Stopped after 4.4 s", "kept in", "runs/shop-7", "sonde search shop.yaml")
	d.press(" ", "x", "right")
	d.asked("pause", "resume", "stop")
}

func TestStopWhileStarting(t *testing.T) {
	d := drive(t, demo)
	next, cmd := d.screen.Update(pressed("enter"))
	d.screen = next
	if got, want := d.screen.Live(), "…"; got != want {
		t.Errorf("live: got %q, want %q", got, want)
	}
	d.press("x", " ", "right")
	d.do(cmd)
	d.asked("stop")
}

func TestNotStarted(t *testing.T) {
	d := drive(t, demo)
	d.startErr = errors.New("no such \x1b[31mhost")
	d.press("enter").sees("✗ no such host", "⏎ start")
	d.startErr = nil
	d.press("enter").show(running()).sees("running")
}

func TestFailedRuns(t *testing.T) {
	none := done()
	none.Summary.With2xx = 0
	unreachable := failed()
	unreachable.Err, unreachable.Summary.Calls, unreachable.Summary.SetUp = errors.New("it went away"), 0, 0
	for _, c := range []struct {
		name string
		snap model.Snapshot
		want []string
	}{
		{"error of the run", failed(), []string{"answered none of 300", "The usual reasons", "failed", "n tries again"}},
		{"no 2xx", none, []string{"not one of 2,000 calls was answered", "The usual reasons"}},
		{"no call at all", unreachable, []string{"it went away", "Is the service up at http://127.0.0.1:41873?"}},
	} {
		d := drive(t, demo).press("enter").show(c.snap)
		d.sees(c.want...)
		if got := d.screen.Live(); got != "✗" {
			t.Errorf("%s: live: got %q, want ✗", c.name, got)
		}
		if len(d.said) != 1 || !strings.HasPrefix(d.said[0], "The search ended: ") {
			t.Errorf("%s: said %q", c.name, d.said)
		}
	}
}

func TestRemoteHostIsAskedAbout(t *testing.T) {
	host := screen.Host{URL: "https://api.example.com", Remote: true}
	d := drive(t, host)
	next, ready := d.screen.Update(pressed("enter"))
	d.screen = next
	d.press("y", "enter")
	if len(d.settings) != 0 {
		t.Fatal("a key meant for something else began to call a remote host")
	}
	d.do(ready)
	d.sees("up to 2,000 requests", "api.example.com").press("n")
	if len(d.settings) != 0 || d.screen.Typing() {
		t.Fatal("n does not close the question")
	}
	d.press("enter", "y")
	if len(d.settings) != 1 || d.allowed != 1 {
		t.Fatalf("after y: %d starts, %d times told", len(d.settings), d.allowed)
	}

	d = drive(t, host).send(ask.Allowed{URL: host.URL}).press("enter")
	if len(d.settings) != 1 {
		t.Error("asks again though another screen has asked")
	}
	d = drive(t, host).send(ask.Allowed{URL: "https://other.example"}).press("enter")
	if len(d.settings) != 0 {
		t.Error("the permission for another host is taken")
	}
}

func TestWithoutHost(t *testing.T) {
	d := drive(t, screen.Host{}).press("enter", "s")
	if len(d.settings) != 0 {
		t.Error("a search was started without a service")
	}
	d.sees("sonde shop.yaml --url URL")
}

func TestOperations(t *testing.T) {
	d := drive(t, demo).press("enter").show(running())
	if _, ok := d.model().operation(); ok {
		t.Error("a knob is taken for an operation")
	}
	d.press("v", "down", "down", "enter")
	d.press("v", "down", "enter") // newest first
	d.press("v").press("V", "up", "enter")
	want := []screen.Goto{
		{Tab: screen.Explore, Op: "POST /products"}, {Tab: screen.Explore, Op: "GET /stock/{sku}"},
		{Tab: screen.Explore, Op: "POST /orders/{orderId}/pay"},
	}
	if !slices.Equal(d.gone, want) {
		t.Errorf("went to %v, want %v", d.gone, want)
	}
	d.send(screen.Goto{Tab: screen.Search, Op: "POST /orders"})
	if op, _ := d.model().operation(); op != "POST /orders" {
		t.Errorf("the cursor is on %q, want POST /orders", op)
	}
}

func TestCursorStaysOnItsFault(t *testing.T) {
	d := drive(t, demo).press("enter").show(running()).press("V", "down")
	s := running()
	s.Faults = append(s.Faults, model.Fault{Op: "POST /orders", Status: 500, At: 1300, Calls: 1})
	d.show(s)
	if op, _ := d.model().operation(); op != "GET /stock/{sku}" {
		t.Errorf("the cursor went to %q", op)
	}
	d.press("up", "up").show(s)
	s.Faults = append(s.Faults, model.Fault{Op: "GET /health", Status: 500, At: 1400, Calls: 1})
	d.show(s)
	if op, _ := d.model().operation(); op != "GET /health" {
		t.Errorf("at the top the cursor is on %q, want the newest", op)
	}
}

func TestRunOfSomebodyElse(t *testing.T) {
	d := drive(t, demo)
	s := tuned()
	s.Marks = append([]model.Tuned{{Call: 0, Tuning: model.DefaultTuning()}}, s.Marks...)
	d.send(screen.Progress{Snapshot: s, Folder: "runs/opened"})
	d.sees("1,240 / 2,000", "P .60→.80")
	d.press("right", " ", "x")
	s.Phase = model.Done
	d.send(screen.Progress{Snapshot: s, Folder: "runs/opened"}).sees("runs/opened")
	d.press("n", "enter")
	if len(d.settings) != 1 {
		t.Error("no new run can be started after one was opened")
	}
}

func TestMouse(t *testing.T) {
	click := func(x, y int) tea.MouseMsg {
		return tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	}
	d := drive(t, demo)
	_, first := d.model().setupLines()
	d.send(click(5, first+1+3))
	if got := d.model().form.list.At; got != 3 {
		t.Errorf("setting %d is chosen, want 3", got)
	}
	d.press("enter").show(running())
	l := d.model().layout()
	steer, answers := l.part[partSteer], l.part[partAnswers]
	d.send(click(steer.X+3, steer.Y+2)).press("right").asked("tune 0.60 0.35 0.50")
	d.send(click(answers.X+3, answers.Y+4))
	if op, _ := d.model().operation(); op != "POST /products" {
		t.Errorf("the cursor is on %q, want POST /products", op)
	}
	d.send(tea.MouseMsg{X: answers.X + 3, Y: answers.Y + 3, Button: tea.MouseButtonWheelDown})
	if op, _ := d.model().operation(); op != "DELETE /products/{productId}" {
		t.Errorf("after the wheel the cursor is on %q", op)
	}
	d.size(60, 21).send(click(10, 2))
	if got := d.model().focus; got != partAnswers {
		t.Errorf("pane %d has the focus, want the answers", got)
	}
}

func TestNarrowPanesFollowEachOther(t *testing.T) {
	d := drive(t, demo).press("enter").show(running()).size(40, 9)
	for _, want := range []string{"smart", "Covered", "2xx", "stock", "smart"} {
		d.sees(want)
		d.press("v")
	}
	d.press("right")
	if len(d.run.asked) != 1 {
		t.Error("the knobs are out of reach from another pane")
	}
	d.size(120, 33).size(60, 21).sees("▸")
}

// A key that is shown does something.
func TestShownKeysAct(t *testing.T) {
	for name, d := range map[string]*driver{
		"setup":     drive(t, demo).press("right", "down"),
		"setup two": drive(t, demo).press("enter").show(done()).press("n", "down"),
		"no host":   drive(t, screen.Host{}).press("down"),
		"typing":    drive(t, demo).press("e"),
		"remote":    drive(t, screen.Host{URL: "https://x.example", Remote: true}).press("enter"),
		"knobs":     drive(t, demo).press("enter").show(running()).press("down"),
		"answers":   drive(t, demo).press("enter").show(running()).size(80, 21).press("v", "down", "down"),
		"paused":    drive(t, demo).press("enter").show(running()).press(" ", "down"),
		"done":      drive(t, demo).press("enter").show(done()).size(80, 21).press("v", "down", "down"),
	} {
		for _, b := range d.screen.Keys() {
			if !b.Enabled() {
				continue
			}
			for _, k := range b.Keys() {
				before, asked := d.model(), len(d.run.asked)
				next, cmd := d.screen.Update(pressed(k))
				if reflect.DeepEqual(before, next.(Model)) && cmd == nil && len(d.run.asked) == asked {
					t.Errorf("%s: %q (%s) does nothing", name, k, b.Help().Desc)
				}
			}
		}
	}
}

// What the screen shows of a key is what the frame's list of keys can run.
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
