package seqs

import (
	"slices"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"
)

// outside returns a driver with a run whose second test has stubs.
func outside(t *testing.T) *driver {
	paid := test("t2")
	paid.Stubs = []model.Stub{
		{
			Host:     "payments.example:443",
			Protocol: model.HTTP,
			Match:    model.StubMatch{Method: "POST", Path: "/charge\x1b[2J"},
			Answers:  []model.Answer{{Status: 500}, {Status: 200}},
		},
		{Host: "stock.example", Protocol: model.DNS, Answers: []model.Answer{{Fault: model.NetNXDomain}}},
	}
	d := drive(t).send(screen.SpecOpened{Spec: shop()})
	return d.send(screen.RunProgress{
		Snapshot: model.Snapshot{Phase: model.PhaseRunning, Tests: []model.Test{test("t1"), paid}},
		Folder:   "run",
	})
}

// A stub is added to each picked test. It replaces an added stub for the same messages.
func TestPut(t *testing.T) {
	reset := model.Stub{Host: "payments.example:443", Protocol: model.HTTP, Answers: []model.Answer{{Fault: model.NetReset}}}
	d := outside(t).send(screen.PutStub{Stub: reset})
	if d.message != "No test is picked to add the stub to: 4 shows the tests, space picks" || len(d.picks) > 0 {
		t.Errorf("said %q, picks %v", d.message, d.picks)
	}
	d.press(" ", "down", " ").send(screen.PutStub{Stub: reset})
	if want := "payments.example:443 reset is added to 2 picked seqs; 6, then r, plays them with it"; d.message != want {
		t.Errorf("said %q, want %q", d.message, want)
	}
	mute := reset
	mute.Answers = []model.Answer{{Fault: model.NetMute}}
	d.send(screen.PutStub{Stub: mute})
	for _, item := range d.picks[len(d.picks)-1].Items {
		if !slices.EqualFunc(item.Stubs, []model.Stub{mute}, func(a, b model.Stub) bool { return a.Summary() == b.Summary() }) {
			t.Errorf("%s has %+v", item.ID, item.Stubs)
		}
	}
	if before := d.picks[2].Items[0].Stubs; before[0].Summary() != "reset" {
		t.Errorf("picks that were reported before have changed: %+v", before)
	}
}

// A filter finds a test by the hosts of its stubs.
func TestFilterByHost(t *testing.T) {
	outside(t).press("/", "s", "t", "o", "c", "k", ".", "enter").lists("t2")
}
