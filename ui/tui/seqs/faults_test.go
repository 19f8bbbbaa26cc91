package seqs

import (
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
)

// weighed returns a run whose tests show faults and have lineages.
func weighed() screen.RunProgress {
	tests := []model.Test{test("t1"), test("t2"), test("t3")}
	tests[0].Lineage, tests[2].Lineage = &model.TestLineage{}, &model.TestLineage{Call: 1207}
	found := []model.Fault{{Op: "POST /orders/{orderId}/pay", Status: 500, Oracle: "server-error", Test: &model.Test{}}}
	return screen.RunProgress{Snapshot: model.Snapshot{Phase: model.PhaseRunning, Tests: tests, Faults: found}, Folder: "run"}
}

// A test shows a fault if it begins with the fault's own test. It shows at least one fault for each server
// error among its answers.
func TestFaultsShown(t *testing.T) {
	sent := func(op model.OpID, status int, value string) model.Call {
		return model.Call{
			Op:     op,
			Status: status,
			Args:   []model.Arg{{In: model.InQuery, Name: "q", Value: value}},
			Body:   &model.Payload{Media: "text/plain", Data: value},
		}
	}
	a, b, other := sent("GET /a", 200, "1"), sent("POST /b", 500, "1"), sent("POST /b", 500, "2")
	shows := func(status int, calls ...model.Call) model.Fault {
		f := model.Fault{Op: calls[len(calls)-1].Op, Status: status, Test: &model.Test{Calls: calls}}
		if status >= 500 {
			f.Oracle = model.ServerErrorOracle
		}
		return f
	}
	note := shows(503, a, b)
	note.Oracle = "declared-server-error"
	crash := shows(500, a, b)
	for name, c := range map[string]struct {
		faults []model.Fault
		calls  []model.Call
		want   int
	}{
		"none is known":          {nil, []model.Call{a, b}, 0},
		"not called":             {[]model.Fault{crash}, nil, 0},
		"its own":                {[]model.Fault{crash, shows(200, a)}, []model.Call{a, b}, 2},
		"another way":            {[]model.Fault{crash}, []model.Call{other}, 1},
		"twice":                  {[]model.Fault{crash}, []model.Call{other, b}, 1},
		"two of one call":        {[]model.Fault{crash, crash}, []model.Call{a, b}, 2},
		"one of two":             {[]model.Fault{crash, shows(500, a, other)}, []model.Call{a, other}, 1},
		"another value":          {[]model.Fault{shows(200, a)}, []model.Call{sent("GET /a", 200, "2")}, 0},
		"what is declared":       {[]model.Fault{note}, []model.Call{a, sent("POST /b", 503, "2")}, 0},
		"another status":         {[]model.Fault{crash}, []model.Call{a, sent("POST /b", 503, "1")}, 0},
		"a fault without a test": {[]model.Fault{{Op: "GET /a", Status: 200}}, []model.Call{a}, 0},
		"longer than it":         {[]model.Fault{shows(200, a, a)}, []model.Call{a}, 0},
	} {
		if got := newFaultIndex(c.faults).shownBy(&model.Test{Calls: c.calls}); got != c.want {
			t.Errorf("%s: shows %d, want %d", name, got, c.want)
		}
	}
}

// The figure "only" counts a target that no other test covers: no other test is kept for the target, and no other
// test has the target's answer.
func TestOnlyItCovers(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()})
	only := func(id string) int { return d.screen.catalog.byID[id].only }
	d.show("run", "t1", "t2", "t3")
	if a, b, c := only("t1"), only("t2"), only("t3"); a != 1 || b != 2 || c != 0 {
		t.Errorf("got %d, %d and %d, want 1, 2 and 0", a, b, c)
	}
	tests := []model.Test{test("t1"), test("t2"), test("t9")} // t9 has the same calls and targets as t1
	tests[1].Covers = append(tests[1].Covers[:2:2], "payments.example: refused", "GET /health")
	tests[1].Code = 7
	d.send(screen.RunProgress{Snapshot: model.Snapshot{Tests: tests}, Folder: "run"})
	if a, b, c := only("t1"), only("t2"), only("t9"); a != 0 || b != 4 || c != 0 {
		t.Errorf("got %d, %d and %d, want 0, 4 and 0", a, b, c)
	}
}

// Each figure of a row is below the head of its column. An unknown figure is left out.
func TestFigures(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).send(weighed())
	want := map[string]string{
		"head": "length groups covers faults only born", "t1": "1 1 1 0 1 0", "t2": "2 1 2 0 2", "t3": "3 1 0 1 0 1207", "d1": "2 1",
	}
	c := columnsOf(100, asListed, d.screen.list.shared)
	numbers := func(l draw.Line) string {
		return strings.Join(strings.Fields(l.Drop(c.ends[0]-c.size(lengthFigure)).Text()), " ")
	}
	if got := numbers(c.head(d.screen.list.shared)); got != want["head"] {
		t.Errorf("heads are %q", got)
	}
	for _, r := range d.screen.list.rows[:4] {
		if got := numbers(d.screen.list.rowLine(r, nil, c, false, 100)); got != want[r.ID] {
			t.Errorf("%s: %q, want %q", r.ID, got, want[r.ID])
		}
	}
}

// When a count changes, a list that is sorted by this count is sorted again.
func TestWeighedAnew(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t2", "t3")
	d.press("o", "o", "o", "o", "o").lists("t1", "t2", "t3", "d1", "d2", "d3", "d4")
	d.send(weighed()).lists("t3", "t1", "t2", "d1", "d2", "d3", "d4")
	d.show("run", "t1", "t2", "t3").press("/")
	for _, k := range "faults:1+" {
		d.press(string(k))
	}
	d.lists().send(weighed()).lists("t3")
}

// Tests made by hand or from a recording show faults, too. Their figure "only" is unknown.
func TestMadeIsWeighed(t *testing.T) {
	made := test("t3")
	made.Origin = model.OriginRecorded
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).send(weighed()).send(screen.TestsKept{Tests: []model.Test{made}})
	r := d.screen.catalog.made[0]
	if n, _ := faultsFigure.of(r); n != 1 {
		t.Errorf("it shows %d faults, want 1", n)
	}
	if _, known := onlyFigure.of(r); known {
		t.Error("it has a number of targets that only it covers")
	}
}
