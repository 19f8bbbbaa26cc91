package search

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/draw"
)

func TestSteering(t *testing.T) {
	d := drive(t, demo).press("enter").show(running())
	d.press("right").requested("smart 0.65")
	d.sees("asked 0.65")
	d.press("right", "L", "h", "-", "+") // each key starts from the requested value
	d.requested("smart 0.65", "smart 0.70", "smart 0.71", "smart 0.70", "smart 0.65", "smart 0.70")
	s := running()
	s.Tuning.Smart, s.Applied.Smart = 0.7, 0.7
	s.Marks = []model.AppliedCommand{{Call: 1250, Tuning: s.Tuning}}
	d.show(s).sees("P .60→.70: from call 1,250")
	if view := d.screen.View(120, 33); strings.Contains(view, "asked") {
		t.Error("still asked for what is in force")
	}

	d.run.requests = nil
	d.press("down", "left") // P_r decayed to 0.31
	d.requested("random 0.30")
	d.press("down", "shift+left")
	d.requested("random 0.30", "focus 0.49")
}

// Every change of a knob has its line in the chart. Lines that are close together share a label. The label
// also names a knob that is back at its first value.
func TestMarks(t *testing.T) {
	start := model.DefaultTuning()
	at := func(call int, smart, focus float64) model.AppliedCommand {
		t := start
		t.Smart, t.Focus = smart, focus
		return model.AppliedCommand{Call: call, Tuning: t}
	}
	s := model.Snapshot{Summary: model.Summary{Budget: 1000}}
	s.Marks = []model.AppliedCommand{
		at(100, 0.7, 0.5), at(110, 0.8, 0.5), at(300, 0.7, 0.5), at(305, 0.8, 0.4), at(500, 0.9, 0.4),
		at(510, 0.8, 0.4),
	}
	got := marks(s, &start)
	want := []draw.ChartMark{
		{Call: 100, Label: "P .60→.80"},
		{Call: 110},
		{Call: 300, Label: "P .80 F .50→.40"},
		{Call: 305},
		{Call: 500, Label: "P .80"},
		{Call: 510},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestKnobsStopAtTheirEnds(t *testing.T) {
	for _, c := range []struct {
		scale     scale
		from      float64
		small, up bool
		want      float64
	}{
		{shared, 0.6, false, true, 0.65},
		{shared, 0.6, false, false, 0.55},
		{shared, 0.31, false, true, 0.35},
		{shared, 0.31, false, false, 0.3},
		{shared, 0.15, false, true, 0.2},
		{shared, 0.15, false, false, 0.1},
		{shared, 1, false, true, 1},
		{shared, 0, true, false, 0},
		{shared, 0.98, false, true, 1},
		{shared, 0.29, true, true, 0.3},
		{shared, 0.29, true, false, 0.28},
		{shared, 0.57, true, true, 0.58},
		{shared, 0.123, true, true, 0.13},
		{counted, 7, false, true, 10},
		{counted, 7, false, false, 5},
		{counted, 7, true, true, 8},
		{counted, 1, false, false, 1},
		{counted, 50, true, true, 50},
	} {
		if got := c.scale.adjusted(c.from, adjustment{fine: c.small, up: c.up}); got != c.want {
			t.Errorf("adjusted(%v, small %t, up %t): got %v, want %v", c.from, c.small, c.up, got, c.want)
		}
	}
}

// The text about a test's creation describes each creation rule in words.
func TestHowEachTestCameAbout(t *testing.T) {
	for _, rule := range []model.CreationRule{
		model.FromPerson, model.FromInitialTemplate, model.FromTemplate,
		model.FromRandomCalls, model.FromMutation, model.FromMinimisation,
	} {
		if text := ruleText(&model.TestLineage{Rule: rule, Parent: "t7", Change: "values"}); !strings.Contains(text, " ") {
			t.Errorf("%s is %q", rule, text)
		}
	}
}
