package search

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestLayout(t *testing.T) {
	for _, c := range []struct {
		w, h   int
		focus  part
		ended  bool
		part   [parts]draw.Rect
		framed bool
	}{
		{40, 9, partKnobs, false, [parts]draw.Rect{partKnobs: {Y: 3, W: 40, H: 6}}, false},
		{40, 9, partFaults, true, [parts]draw.Rect{partFaults: {Y: 3, W: 40, H: 6}}, false},
		{60, 21, partKnobs, false, [parts]draw.Rect{partChart: {Y: 3, W: 60, H: 9}, partKnobs: {Y: 12, W: 60, H: 9}}, false},
		{60, 21, partAnswers, false, [parts]draw.Rect{partAnswers: {Y: 3, W: 60, H: 18}}, false},
		{80, 21, partKnobs, false, [parts]draw.Rect{
			partChart: {Y: 4, W: 46, H: 9}, partKnobs: {X: 46, Y: 4, W: 34, H: 9},
			partAnswers: {Y: 13, W: 40, H: 8}, partFaults: {X: 40, Y: 13, W: 40, H: 8},
		}, true},
		{80, 21, partTests, false, [parts]draw.Rect{
			partChart: {Y: 4, W: 46, H: 9}, partKnobs: {X: 46, Y: 4, W: 34, H: 9},
			partTests: {Y: 13, W: 40, H: 8}, partWhy: {X: 40, Y: 13, W: 40, H: 8},
		}, true},
		{120, 33, partKnobs, true, [parts]draw.Rect{
			partChart: {Y: 4, W: 66, H: 15}, partKnobs: {X: 66, Y: 4, W: 54, H: 15},
			partAnswers: {Y: 19, W: 54, H: 14}, partFaults: {X: 54, Y: 19, W: 66, H: 14},
		}, true},
		{200, 57, partNotes, false, [parts]draw.Rect{
			partAnswers: {Y: 4, W: 64, H: 53}, partChart: {X: 64, Y: 4, W: 136, H: 31},
			partKnobs: {X: 64, Y: 35, W: 40, H: 22}, partNotes: {X: 104, Y: 35, W: 96, H: 22},
		}, true},
		{200, 57, partKnobs, false, [parts]draw.Rect{
			partAnswers: {Y: 4, W: 64, H: 53}, partChart: {X: 64, Y: 4, W: 136, H: 31},
			partKnobs: {X: 64, Y: 35, W: 40, H: 22}, partFaults: {X: 104, Y: 35, W: 96, H: 22},
		}, true},
	} {
		got := lay(c.w, c.h, c.focus, lowerFirst.with(c.focus), c.ended)
		if got.part != c.part || got.framed != c.framed {
			t.Errorf("%d×%d, focus %d, ended %t:\ngot  %v, framed %t\nwant %v, framed %t",
				c.w, c.h, c.focus, c.ended, got.part, got.framed, c.part, c.framed)
		}
	}
}

// The panes fill the screen without overlaps.
func TestLayoutFillsTheScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(40, 300).Draw(t, "width"), rapid.IntRange(8, 100).Draw(t, "height")
		focus := part(rapid.IntRange(0, int(parts)-1).Draw(t, "focus"))
		low := lowerFirst.with(part(rapid.IntRange(0, int(parts)-1).Draw(t, "before"))).with(focus)
		l := lay(w, h, focus, low, rapid.Bool().Draw(t, "ended"))
		cells := make([]int, w*h)
		for _, r := range append(l.part[:], l.head, l.tabs) {
			for y := r.Y; y < r.Y+r.H; y++ {
				for x := r.X; x < r.X+r.W; x++ {
					cells[y*w+x]++
				}
			}
		}
		for i, n := range cells {
			if n != 1 {
				t.Fatalf("%d panes lie on column %d of row %d: %+v", n, i%w, i/w, l)
			}
		}
	})
}

// snapshots generates any state of a run, even an impossible one.
func snapshots(t *rapid.T) model.Snapshot {
	text := rapid.StringMatching(`[ -~\x00-\x1f\x{80}-\x{9f}世é\x{202e}]{0,80}`)
	s := model.Snapshot{
		Phase: rapid.SampledFrom([]model.RunPhase{model.PhaseRunning, model.PhasePaused, model.PhaseDone, ""}).Draw(t, "phase"),
		Used:  rapid.Float64().Draw(t, "used"),
		Grid:  map[model.OpID]map[int]int{},
	}
	s.Applied.Smart, s.Tuning.Smart = rapid.Float64Range(0, 1).Draw(t, "smart"), rapid.Float64Range(0, 1).Draw(t, "asked")
	s.Summary.Calls, s.Summary.Budget = rapid.IntRange(0, 1e7).Draw(t, "calls"), rapid.IntRange(0, 1e7).Draw(t, "budget")
	s.Summary.Covered, s.Summary.Rate = rapid.IntRange(0, 1e6).Draw(t, "covered"), rapid.Float64Range(0, 1e6).Draw(t, "rate")
	s.Summary.With2xx = rapid.IntRange(0, 3).Draw(t, "2xx")
	at := 0
	for range rapid.IntRange(0, 30).Draw(t, "points") {
		at += rapid.IntRange(0, 500).Draw(t, "step")
		s.Curve = append(s.Curve, model.CurvePoint{Calls: at, Covered: at / 3})
		if rapid.IntRange(0, 9).Draw(t, "marked") == 0 {
			s.Marks = append(
				s.Marks,
				model.AppliedCommand{Call: at, Command: steer(t, text), Tuning: model.Tuning{Smart: rapid.Float64Range(0, 1).Draw(t, "P")}},
			)
		}
	}
	for range rapid.IntRange(0, 12).Draw(t, "operations") {
		op := model.OpID("GET /" + text.Draw(t, "path"))
		status := rapid.SampledFrom([]int{0, 101, 200, 301, 404, 500, 999}).Draw(t, "status")
		s.Grid[op] = map[int]int{status: rapid.IntRange(0, 1e6).Draw(t, "times")}
		s.Faults = append(s.Faults, model.Fault{Op: op, Status: status, Text: text.Draw(t, "text"), Calls: at, At: at})
	}
	for range rapid.IntRange(0, 4).Draw(t, "tests") {
		s.Tests = append(s.Tests, test(t, text))
	}
	if rapid.Bool().Draw(t, "last") {
		last := test(t, text)
		s.Last = &last
	}
	for range rapid.IntRange(0, 4).Draw(t, "warnings") {
		kind := rapid.SampledFrom([]model.WarningKind{model.WarnAccessDenied, model.WarnNever2xx}).Draw(t, "kind")
		s.Summary.Warnings = append(s.Summary.Warnings, model.Warning{Kind: kind, Text: text.Draw(t, "warning")})
	}
	s.Summary.Restarts = rapid.IntRange(0, 2).Draw(t, "restarts")
	s.Weights = model.Weights{"GET /health": rapid.SampledFrom([]float64{0, 1, 4}).Draw(t, "weight")}
	s.Refused = make([]model.Note, rapid.IntRange(0, 2).Draw(t, "refused"))
	if rapid.Bool().Draw(t, "err") {
		s.Err = errors.New(text.Draw(t, "error"))
	}
	return s
}

// steer generates a command for a run.
func steer(t *rapid.T, text *rapid.Generator[string]) model.Command {
	switch rapid.IntRange(0, 3).Draw(t, "steer") {
	case 0:
		return model.Command{Change: &model.TuningChange{Knob: model.Knob(text.Draw(t, "knob")), Value: 1}}
	case 1:
		return model.Command{Priority: &model.Priority{Kind: model.PriorityMuted, Label: text.Draw(t, "label")}}
	case 2:
		return model.Command{Try: &model.Template{Steps: []model.TemplateStep{{Op: model.OpID("GET /" + text.Draw(t, "op"))}}}}
	}
	return model.Command{}
}

// test generates a test with its lineage.
func test(t *rapid.T, text *rapid.Generator[string]) model.Test {
	drawn := model.Test{ID: text.Draw(t, "id"), Covers: []string{text.Draw(t, "covers")}}
	for range rapid.IntRange(0, 5).Draw(t, "calls") {
		drawn.Calls = append(
			drawn.Calls,
			model.Call{Op: model.OpID("GET /" + text.Draw(t, "op")), Status: rapid.SampledFrom([]int{0, 200, 404}).Draw(t, "answer")},
		)
	}
	if rapid.Bool().Draw(t, "born") {
		drawn.Lineage = &model.TestLineage{
			Rule:   model.FromMutation,
			Parent: text.Draw(t, "parent"),
			Target: text.Draw(t, "target"),
			First:  []string{text.Draw(t, "first")},
		}
	}
	return drawn
}

// For any run and after any keys, a view has its exact size and no control characters.
func TestViewKeepsItsSize(t *testing.T) {
	keys := []string{
		"enter", "e", "esc", "x", "s", "n", " ", "v", "V", "up", "down", "left", "right", "H", "L", "pgdown",
		"pgup", "home", "end", "7", ".", "m", "b", "o", "p", "P", "t",
	}
	rapid.Check(t, func(rt *rapid.T) {
		host := demo
		if rapid.IntRange(0, 4).Draw(rt, "remote") == 0 {
			host = screen.Service{Name: "a\x1b[2Jb", URL: "https://x.example/\x1b]0;t\x07", Remote: true}
		}
		d := drive(t, host)
		for range rapid.IntRange(0, 12).Draw(rt, "steps") {
			if rapid.Bool().Draw(rt, "see") {
				d.show(snapshots(rt))
			}
			d.press(rapid.SampledFrom(keys).Draw(rt, "key"))
			if rapid.Bool().Draw(rt, "resize") {
				d.size(rapid.IntRange(40, 220).Draw(rt, "w"), rapid.IntRange(8, 60).Draw(rt, "h"))
			}
		}
		w, h := rapid.IntRange(40, 220).Draw(rt, "width"), rapid.IntRange(8, 60).Draw(rt, "height")
		if problem := unfit(d.screen.View(w, h), w, h); problem != "" {
			rt.Fatal(problem)
		}
	})
}

// unfit returns the reason why a view does not consist of height lines of width printable cells, "" if it
// does.
func unfit(view string, width, height int) string {
	rows := strings.Split(view, "\n")
	if len(rows) != height {
		return fmt.Sprintf("%d lines, want %d", len(rows), height)
	}
	for _, r := range rows {
		if got := ansi.StringWidth(r); got != width {
			return fmt.Sprintf("line %q is %d cells wide, want %d", r, got, width)
		}
		if strings.ContainsFunc(r, func(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 }) {
			return fmt.Sprintf("line %q has a control character", r)
		}
	}
	return ""
}

func BenchmarkView(b *testing.B) {
	s := running()
	s.Curve = curve(400, 1240, 92)
	for i := range 60 {
		op := model.OpID(fmt.Sprintf("GET /things%d/{thingId}/parts", i))
		s.Grid[op] = map[int]int{200: i, 404: 3 * i, 500: i % 2}
		s.Faults = append(s.Faults, model.Fault{Op: op, Status: 500, Text: "nil dereference", Calls: 3, At: i})
	}
	run := &fakeRun{}
	m := New(screen.Engine{}, demo).(Model)
	m.page, m.run.handle = pageRun, run
	next, _ := m.Update(screen.RunProgress{Snapshot: s})
	for b.Loop() {
		next.View(160, 50)
	}
}
