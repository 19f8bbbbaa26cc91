package search

import (
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/ansi"
)

// onFault returns a driver that shows the page of a run's second newest fault.
func onFault(t *testing.T) *driver {
	return drive(t, demo).press("enter").show(running()).press("v", "v", "down", "enter")
}

func TestFaultPage(t *testing.T) {
	d := onFault(t).sees("Fault ", "expected", "by curl:", "calls that show it")
	copied := ""
	page := d.fault()
	page.copies = func(text string) error { copied = text; return nil }
	if said, ok := page.copy()().(screen.StatusMessage); !ok || said.Err != nil || copied != page.report.Curl || copied == "" {
		t.Errorf("copied %q, want %q", copied, page.report.Curl)
	}
	d.press("esc").sees("Covered over calls")
	d.press("enter").sees("by curl:").press("enter")
	if n := len(d.shown); n != 1 || d.shown[0].Tab != screen.TabExplore || d.shown[0].Op != page.fault.Op {
		t.Errorf("went to %v, want %s on Explore", d.shown, page.fault.Op)
	}
}

// The page of a fault has no rows, so it has no targets for jump labels.
func TestFaultPageHasNoTargets(t *testing.T) {
	d := onFault(t)
	if at := d.model().Targets(); len(at) != 0 {
		t.Errorf("the page of a fault has %d targets", len(at))
	}
	if at := d.press("esc").model().Targets(); len(at) == 0 {
		t.Error("the page of the run has no targets")
	}
}

// The pane of the faults never has more lines than its height allows.
func TestFaultsPaneFits(t *testing.T) {
	d := drive(t, demo).press("enter").show(running())
	m := d.model()
	v := m.runView()
	for height := 3; height < 20; height++ {
		p := faultsPane{}
		p.fit(v, height)
		if got := strings.Count(p.view(v, 60, height-2, true), "\n") + 1; got > height-2 {
			t.Errorf("a pane of %d lines shows %d", height-2, got)
		}
	}
	if got := detail(newest(v.run.snap.Faults, 0), false, 60, 0); len(got) != 0 {
		t.Errorf("without room the details have %d lines", len(got))
	}
}

// At any size, no line is wider than the page, and the user can scroll to the end.
func TestFaultPageFits(t *testing.T) {
	for _, size := range [][2]int{{40, 9}, {60, 21}, {80, 21}, {120, 33}, {200, 57}} {
		d := onFault(t).size(size[0], size[1]).press("end").sees("--data-raw")
		for _, line := range d.fault().lines(size[0] - 4) {
			if w := ansi.StringWidth(line); w > size[0]-4 {
				t.Errorf("at %d columns a line has %d: %q", size[0], w, line)
			}
		}
		d.press("home").sees("severity")
	}
}

// An open page shows newer states of the fault: whether the fault is reproducible, and a smaller test that shows it.
// The scroll position does not change.
func TestFaultPageIsRefreshed(t *testing.T) {
	before := running()
	at := len(before.Faults) - 2 // the fault under the cursor
	before.Faults[at].Test = &model.Test{Calls: []model.Call{{Op: "POST /carts"}, {Op: "GET /health"}, {Op: "GET /stock/{sku}"}}}
	d := drive(t, demo).press("enter").show(before).press("v", "v", "down", "enter").size(80, 12)
	d.sees("not repeated yet, seen 1×", "GET /health").press("down")
	top := d.fault().top

	after := running()
	after.Faults = append(after.Faults, model.Fault{Op: "GET /health", Oracle: "schema", Severity: model.SeverityWarning, Status: 200})
	f := &after.Faults[at]
	f.Verdict, f.Count, f.Calls, f.Test = model.VerdictReproducible, 5, 1, &model.Test{Calls: []model.Call{{Op: "GET /stock/{sku}"}}}
	d.show(after).sees("reproducible, seen 5×", "1. GET /stock/{sku}")
	if text := d.fault().report.Text; strings.Contains(text, "GET /health") || strings.Contains(text, "yet") {
		t.Errorf("the page still says\n%s", text)
	}
	if d.fault().top != top || top == 0 {
		t.Errorf("the first line in sight is %d, was %d", d.fault().top, top)
	}

	f.Verdict, after.Phase = "", model.PhaseDone
	f.Unrepeated = "the run was stopped"
	d.show(after).sees("not repeated: the run was stopped")
	d.press("esc").sees("Faults")
}
