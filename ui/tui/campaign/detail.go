package campaign

import (
	"fmt"
	"slices"
	"strings"

	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// detail is the page of a worker or of a failed unit. It shows the newest state while it is open.
type detail struct {
	of     part   // partWorkers or partFailures
	worker string // the ID of the worker
	unit   int    // the failed unit
	title  string
	lines  []draw.Line
	scroll widget.List
}

// openDetail opens the page of the row under the cursor.
func (s *Screen) openDetail() {
	s.detail = &detail{of: s.panes.focus, worker: s.selectedWorker().ID, unit: s.selectedFailure().Unit}
}

func (s *Screen) selectedWorker() usecase.CampaignWorker {
	if at := s.panes.lists[partWorkers].At; at < len(s.shown.view.Workers) {
		return s.shown.view.Workers[at]
	}
	return usecase.CampaignWorker{}
}

func (s *Screen) selectedFailure() usecase.UnitFailure {
	if at := s.panes.lists[partFailures].At; at < len(s.shown.view.Failures) {
		return s.shown.view.Failures[at]
	}
	return usecase.UnitFailure{Unit: -1}
}

func (s *Screen) selectedUnit() usecase.WatchedUnit {
	if at := s.panes.lists[partProgress].At; at < len(s.shown.view.Progress) {
		return s.shown.view.Progress[at]
	}
	return usecase.WatchedUnit{Unit: -1}
}

// fit updates the lines of the page and its range of visible lines. If the servers no longer have the worker
// or the failure, the lines stay as they are.
func (d *detail) fit(s *Screen) {
	width := max(1, s.width-4)
	switch d.of {
	case partWorkers:
		if i := slices.IndexFunc(s.shown.view.Workers, func(w usecase.CampaignWorker) bool { return w.ID == d.worker }); i >= 0 {
			d.title, d.lines = "Worker "+draw.CutMiddle(draw.Clean(d.worker), 40), s.shown.workerLines(s.shown.view.Workers[i], width)
		}
	case partFailures:
		if i := slices.IndexFunc(s.shown.view.Failures, func(f usecase.UnitFailure) bool { return f.Unit == d.unit }); i >= 0 {
			d.title, d.lines = fmt.Sprintf("Failed unit %d", d.unit), failureLines(s.shown.view.Failures[i], width)
		}
	}
	visible := max(0, s.height-s.layout().head.H-2)
	d.scroll.Fit(max(1, len(d.lines)-visible+1), 1) // the cursor is the first visible line
}

// workerLines returns the lines of the page about a worker.
func (s shown) workerLines(w usecase.CampaignWorker, width int) []draw.Line {
	c, _ := s.campaign()
	glyph, style := lifeGlyph(w, c)
	state := map[usecase.Liveness]string{
		usecase.Alive:           "it lives, last seen " + duration(w.Silent) + " ago",
		usecase.LivenessUnknown: "no sign of life yet",
		usecase.Left:            "it has ended by itself",
		usecase.Vanished:        "it gives no sign of life: it was killed, paused or cut off, and other workers get its units",
	}[w.Life]
	if w.Life == usecase.Vanished && w.Silent > 0 {
		state = "no sign of life for " + duration(w.Silent) + ": it was killed, paused or cut off, and other workers get its units"
	}
	version := draw.Clean(w.Version)
	if w.Version != c.Version {
		version += ", and the campaign has " + draw.Clean(c.Version) + ": the worker takes nothing of it"
	}
	units, others := s.unitsOf(w)
	doing := "nothing"
	if len(units) > 0 {
		doing = strings.Join(units, " ")
	}
	if others > 0 {
		doing += fmt.Sprintf(", and %s of other campaigns", words.Plural(others, "unit"))
	}
	t := facts{width: width}
	t.add("state", glyph+" "+state, style)
	t.add("host", hostText(w, 200), theme.Plain)
	t.add("version", version, theme.Plain)
	t.add("labels", draw.Clean(strings.Join(w.Labels, " ")), theme.Plain)
	t.add("units", draw.Clean(doing), theme.Plain)
	t.add("jobs", words.Count(len(w.Doing))+" of "+words.Count(w.Jobs), theme.Plain)
	t.add("done", fmt.Sprintf("%s, and %s failed", words.Plural(w.Done, "unit"), tries(w.Failed)), theme.Plain)
	t.add("rate", rateText(w.Rate), theme.Plain)
	t.add("last error", draw.Clean(w.Error), theme.Warn)
	return t.lines
}

func tries(n int) string {
	if n == 1 {
		return "1 try"
	}
	return words.Count(n) + " tries"
}

// failureLines returns the whole reason of a failure.
func failureLines(f usecase.UnitFailure, width int) []draw.Line {
	t := facts{width: width}
	t.add("unit", words.Count(f.Unit), theme.Plain)
	t.add("last tried by", draw.Clean(f.Worker), theme.Plain)
	t.lines = append(t.lines, nil)
	for line := range strings.SplitSeq(draw.CleanLines(f.Reason), "\n") {
		for _, part := range words.Wrap(line, width) {
			t.lines = append(t.lines, draw.TextLine(part, theme.Plain))
		}
	}
	return t.lines
}

// facts are lines with names and texts.
type facts struct {
	width int
	lines []draw.Line
}

const factsColumn = 15 // the column in which the texts begin

// add adds a fact, unless its text is empty.
func (t *facts) add(name, text string, style theme.Style) {
	if text == "" {
		return
	}
	for i, part := range words.Wrap(text, max(1, t.width-factsColumn)) {
		if i > 0 {
			name = ""
		}
		t.lines = append(t.lines, draw.TextLine(name, theme.Dim).At(factsColumn, draw.Span{Text: part, Style: style}))
	}
}

// view draws the page.
func (d *detail) view(width, height int) string {
	f := draw.Frame{Title: d.title, Width: width, Height: height, Focused: true}
	_, h := f.Inner()
	from := min(d.scroll.At, max(0, len(d.lines)-h))
	to := min(len(d.lines), from+h)
	if to-from < len(d.lines) {
		f.Note = fmt.Sprintf("%d of %d lines", to, len(d.lines))
	}
	var rows []string
	for _, l := range d.lines[from:to] {
		rows = append(rows, " "+l.String())
	}
	return f.Render(strings.Join(rows, "\n"))
}
