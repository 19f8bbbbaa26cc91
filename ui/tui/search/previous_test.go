package search

import (
	"strings"
	"testing"

	"sonde/model"
)

// The chart also has the curve of the previous run. The screen shows how many targets that run had covered
// after the same number of calls.
func TestPreviousRun(t *testing.T) {
	first := done()
	first.Curve, first.Summary.Calls = []model.CurvePoint{{Calls: 100, Covered: 40}, {Calls: 1500, Covered: 60}}, 2000
	d := drive(t, demo).size(140, 40).press("enter").show(first)
	if strings.Contains(d.screen.View(140, 40), "previous:") {
		t.Error("nothing was before the first run")
	}
	d.run = &fakeRun{folder: "runs/shop-8", snap: running()}
	d.press("n", "enter")
	d.tick().sees("previous: seed 1, 40 covered at 1,240")
	s := running()
	s.Summary.Calls = 1600
	d.show(s).sees("previous: seed 1, 60 covered at 1,600")
	s.Summary.Calls = 9000
	d.show(s).sees("60 covered at 2,000")
}

// The label of the previous run names the settings that differ, knobs first.
func TestDifferences(t *testing.T) {
	now := newForm(demo).settings
	was := now
	if got := differences(was, now); got != "the same settings" {
		t.Error(got)
	}
	was.Tuning.Smart, was.Tuning.Population, was.Seed, now.WhiteBox, was.Net = 0, 30, 7, true, true
	if got, want := differences(was, now), "P .00, n 30, no white-box, network, seed 7"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
