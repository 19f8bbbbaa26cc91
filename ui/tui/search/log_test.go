package search

import (
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/ansi"
)

// eventful returns a run with events of all kinds.
func eventful() model.Snapshot {
	s := steered()
	pay := s.Faults[3]
	sure := pay
	sure.Verdict = model.VerdictReproducible
	log := func(call int, e model.Event) {
		s.Log = append(s.Log, model.LogEntry{At: time.Duration(call) * 2 * time.Millisecond, Call: call, Event: e})
	}
	log(0, model.RunStarted{Targets: 61})
	log(1, model.TargetCovered{Call: 1, Target: "GET /health 200"})
	log(33, model.TargetCovered{Call: 33, Target: "POST /products 201"})
	log(40, model.TargetCovered{Call: 40, Target: "POST /carts/{cartId}/items 404"})
	log(612, s.Marks[0])
	log(640, model.PauseBegan{Call: 640})
	log(640, model.PauseEnded{Call: 640})
	log(701, s.Marks[1])
	log(900, model.Note{Call: 900, Text: s.Refused[0].Text})
	log(1100, s.Marks[2])
	log(1190, model.FaultFound{Fault: pay})
	log(1190, model.TargetCovered{Call: 1190, Target: "POST /orders/{orderId}/pay 500"})
	log(1200, model.ServiceRestarted{Call: 1200, Times: 1})
	log(1230, model.FaultChecked{Call: 1230, Fault: sure})
	return s
}

// atEvents returns a driver that shows the page of events.
func atEvents(t *testing.T) *driver {
	return drive(t, demo).press("enter").show(running()).press(toTuned...).show(eventful()).press("E")
}

func TestEventsSayWhatHappened(t *testing.T) {
	d := atEvents(t).size(120, 40)
	d.sees("Events 14", "0:00.0        0  ▶ run", "started, with 61 targets", "0:01.2      612  ┆ tune     P .60→.80",
		"‖ pause    paused", "▶ pause    resumed",
		"┆ mute     mute tag products",
		"△ error    only \"POST /nothing\"",
		"✗ fault    POST /orders/{orderId}/pay", "△ restart  the service died or hung, and was restarted once",
		"✗ check    reproducible: POST /orders", "✓ status   POST /products 201", "△ status   POST /carts/{cartId}/items 404", "the newest")
}

// Events for changed knobs have the same texts as the marks in the chart.
func TestEventsAndMarksSayTheSame(t *testing.T) {
	m := atEvents(t).model()
	label := m.run.facts.marks[0].Label
	for _, r := range m.runView().logged() {
		if r.Text == label {
			return
		}
	}
	t.Errorf("no event says %q", label)
}

// If the log begins with a change of a knob, the old value comes from the command before the log.
func TestTuningBeforeTheLog(t *testing.T) {
	s := running()
	first, then := s.Tuning, s.Tuning
	first.Smart, then.Smart = 0.8, 0.9
	s.Marks = []model.AppliedCommand{{Call: 10, Tuning: first}, {Call: 900, Tuning: then}}
	s.Log, s.Unlogged = []model.LogEntry{{Call: 900, Event: s.Marks[1]}}, 4000
	drive(t, demo).press("enter").show(s).press("E").sees("P .80→.90", "Events 4,001 · the newest 1 are kept")
}

func TestEventsAreFiltered(t *testing.T) {
	for filter, c := range map[string]struct{ sees, misses string }{
		"kind:fault":   {"✗ fault", "status   "},
		"!kind:status": {"started", "status   POST /products 201"},
		"status:5xx":   {"pay 500", "POST /products 201"},
		"products":     {"POST /products 201", "GET /health 200"},
		"paused":       {"paused", "resumed"},
		"kind:nothing": {"no event matches", "started"},
	} {
		t.Run(filter, func(t *testing.T) {
			d := atEvents(t).press("/", filter, "enter").sees(c.sees)
			m := d.model()
			if view := ansi.Strip(d.screen.View(m.width, m.height)); strings.Contains(view, c.misses) {
				t.Errorf("%q is in\n%s", c.misses, view)
			}
			d.press("esc").sees("Events 14").press("esc").sees("Covered over calls")
		})
	}
	atEvents(t).press("/", "nonsense:1").sees("no fact", "kind:")
}

// The cursor follows the newest event and keeps it visible, until the user moves the cursor to another event. It then
// stays on that event.
func TestEventsFollowTheRun(t *testing.T) {
	d := atEvents(t).size(80, 14)
	s := eventful()
	more := func(call int) {
		s.Log = append(
			s.Log[:len(s.Log):len(s.Log)],
			model.LogEntry{Call: call, Event: model.TargetCovered{Call: call, Target: "GET /stock/{sku} 418"}},
		)
		d.show(s)
	}
	more(1300)
	d.sees("1,300", "the newest")
	d.press("up")
	at := d.model().events.Operation()
	more(1400)
	if got := d.model().events.Operation(); got != at {
		t.Errorf("the cursor went from %q to %q", at, got)
	}
	d.sees("14 of 16")
	d.press("end")
	more(1500)
	d.sees("1,500", "the newest")
	s.Log, s.Unlogged = s.Log[3:], 3
	d.press("home")
	more(1600)
	d.sees("1 of 15", "Events 18 ")
}

func TestEventsLeadToTheOperation(t *testing.T) {
	d := atEvents(t).press("/", "kind:fault", "enter", "enter")
	if len(d.shown) != 1 || d.shown[0] != (screen.ShowScreen{Tab: screen.TabExplore, Op: "POST /orders/{orderId}/pay"}) {
		t.Errorf("went to %v", d.shown)
	}
}

// On the page of events, the user can pause, resume and stop the run.
func TestEventsHoldTheRun(t *testing.T) {
	d := atEvents(t)
	d.run.requests = nil
	d.press(" ", " ", "x").requested("pause", "resume", "stop")
}

func TestEventsArePointedAt(t *testing.T) {
	d := atEvents(t)
	at := d.model().Targets()
	if len(at) != 14 {
		t.Fatalf("%d rows to point at", len(at))
	}
	d.send(at[4]).sees("▸  0:01.2      612", "5 of 14")
	d.size(60, 10)
	for _, p := range d.model().Targets() {
		if p.Y < 1 || p.Y > 8 {
			t.Errorf("target %v is not in the frame", p)
		}
	}
}

// If a run has no events, the page says that there are none.
func TestEventsOfARunWithout(t *testing.T) {
	drive(t, demo).press("enter").show(running()).press("E").sees("Events 0", "no events yet")
}
