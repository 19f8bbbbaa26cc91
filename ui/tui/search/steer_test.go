package search

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/chart"
)

func TestSteering(t *testing.T) {
	d := drive(t, demo).press("enter").show(running())
	d.press("right").asked("smart 0.65")
	d.sees("asked 0.65")
	d.press("right", "L", "h") // from what was asked
	d.asked("smart 0.65", "smart 0.70", "smart 0.71", "smart 0.70")
	s := running()
	s.Tuning.Smart, s.Applied.Smart = 0.7, 0.7
	s.Marks = []model.Steered{{Call: 1250, Tuning: s.Tuning}}
	d.show(s).sees("P .60→.70", "applied at call 1,250")
	if view := d.screen.View(120, 33); strings.Contains(view, "asked") {
		t.Error("still asked for what is in force")
	}

	d.run.asked = nil
	d.press("down", "left") // P_r decayed to 0.31
	d.asked("random 0.30")
	d.press("down", "shift+left")
	d.asked("random 0.30", "focus 0.49")
}

// Every turn has its line on the chart; those that lie near share a label, which
// also tells of a knob that was turned back.
func TestMarks(t *testing.T) {
	start := model.DefaultTuning()
	at := func(call int, smart, focus float64) model.Steered {
		t := start
		t.Smart, t.Focus = smart, focus
		return model.Steered{Call: call, Tuning: t}
	}
	s := model.Snapshot{Summary: model.Summary{Budget: 1000}}
	s.Marks = []model.Steered{at(100, 0.7, 0.5), at(110, 0.8, 0.5), at(300, 0.7, 0.5), at(305, 0.8, 0.4), at(500, 0.9, 0.4), at(510, 0.8, 0.4)}
	got := marks(s, &start)
	want := []chart.Mark{
		{Call: 100, Label: "P .60→.80"}, {Call: 110}, {Call: 300, Label: "P .80 F .50→.40"}, {Call: 305}, {Call: 500, Label: "P .80"}, {Call: 510},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
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
