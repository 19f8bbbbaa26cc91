package campaign

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// workerColumns are the columns of the workers.
var workerColumns = table{
	{title: "worker", width: 17},
	{title: "host, process", width: 20, rank: 5},
	{title: "jobs", width: 7, right: true},
	{title: "done", width: 6, right: true, rank: 1},
	{title: "tries", width: 5, right: true, rank: 2},
	{title: "rate", width: 8, right: true, rank: 4},
	{title: "last seen", width: 9, right: true},
	{title: "units", width: 12, rank: 3},
	{title: "", width: 16, rank: 6},
}

func (s *Screen) viewWorkers(r draw.Rect, focused bool) string {
	list := s.panes.lists[partWorkers]
	f := draw.Frame{Title: s.shown.title(partWorkers), Note: position(list), Width: r.W, Height: r.H, Focused: focused}
	w, _ := f.Inner()
	if len(s.shown.view.Workers) == 0 {
		return f.Render("\n  No worker is here. To join: sonde worker --nats URL")
	}
	c, _ := s.shown.campaign()
	rows := []string{"   " + workerColumns.titles(w-3).Render(w-3, false)}
	from, to := list.Visible()
	for i := from; i < to; i++ {
		one := s.shown.view.Workers[i]
		at := focused && i == list.At
		glyph, style := lifeGlyph(one, c)
		line := append(widget.CursorMark(at), draw.Span{Text: glyph + " ", Style: style})
		rows = append(rows, append(line, workerColumns.line(w-3, s.shown.workerCells(one, c))...).Render(w, at))
	}
	return f.Render(strings.Join(rows, "\n"))
}

// lifeGlyph returns the glyph and the style for the state of a worker: alive, vanished, ended, unknown, or unable to
// do units of the campaign because its version differs.
func lifeGlyph(w usecase.CampaignWorker, c usecase.Campaign) (string, theme.Style) {
	switch {
	case w.Life == usecase.Vanished:
		return theme.Failed, theme.Bad
	case w.Life == usecase.Left:
		return theme.Untried, theme.Dim
	case w.Version != c.Version:
		return theme.Corrected, theme.Warn
	case w.Life == usecase.Alive:
		return theme.Live, theme.Good
	}
	return theme.Optional, theme.Dim
}

// workerCells returns the cells of a worker's row.
func (s shown) workerCells(w usecase.CampaignWorker, c usecase.Campaign) []cell {
	style := theme.Plain
	if w.Life != usecase.Alive {
		style = theme.Dim
	}
	units, others := s.unitsOf(w)
	text := draw.Clean(strings.Join(units[:min(len(units), 20)], " "))
	if others > 0 {
		text = strings.TrimSpace(fmt.Sprintf("%s +%d", text, others))
	}
	seen, seenStyle := lastSeen(w)
	rate := strings.Replace(rateText(w.Rate), " units", "", 1)
	if w.Life != usecase.Alive {
		rate = theme.Untried
	}
	note, noteStyle := workerNote(w, c)
	return []cell{
		{draw.CutMiddle(draw.Clean(w.ID), 17), style},
		{hostText(w, 20), style},
		{words.Short(len(w.Doing)) + " of " + words.Short(max(0, w.Jobs)), style},
		{words.Short(max(0, w.Done)), style},
		{dashed(w.Failed), failedStyle(w.Failed)},
		{rate, style},
		{seen, seenStyle},
		{text, style},
		{note, noteStyle},
	}
}

// hostText returns the host and the process of a worker in at most width cells.
func hostText(w usecase.CampaignWorker, width int) string {
	process := ", " + strconv.Itoa(w.PID)
	return draw.CutMiddle(draw.Clean(w.Host), max(4, width-len(process))) + process
}

// lastSeen says when a worker gave its last sign of life.
func lastSeen(w usecase.CampaignWorker) (string, theme.Style) {
	switch {
	case w.Life == usecase.Left:
		return "ended", theme.Dim
	case w.Life == usecase.Vanished && w.Silent == 0:
		return "gone", theme.Bad
	case w.Life == usecase.Vanished:
		return "gone " + duration(w.Silent), theme.Bad
	case w.Life == usecase.LivenessUnknown:
		return "…", theme.Dim
	case w.Silent < 2*time.Second:
		return "now", theme.Plain
	}
	return duration(w.Silent) + " ago", theme.Warn
}

// workerNote returns the version of a worker if the campaign has another version. Otherwise it returns the worker's
// error or, without an error, the worker's labels.
func workerNote(w usecase.CampaignWorker, c usecase.Campaign) (string, theme.Style) {
	switch {
	case c.Version != "" && w.Version != c.Version:
		return theme.Corrected + " " + draw.Clean(w.Version) + ": takes nothing of this campaign", theme.Warn
	case w.Error != "":
		return theme.Refused + " " + draw.Clean(w.Error), theme.Warn
	}
	return draw.Clean(strings.Join(w.Labels, " ")), theme.Dim
}

func (s *Screen) viewFailures(r draw.Rect, focused bool) string {
	list := s.panes.lists[partFailures]
	f := draw.Frame{Title: s.shown.title(partFailures), Note: position(list), Width: r.W, Height: r.H, Focused: focused}
	w, _ := f.Inner()
	c, _ := s.shown.campaign()
	switch {
	case len(s.shown.view.Failures) == 0 && c.Failed > 0 && c.InProgress():
		return f.Render("\n  Waiting for the reasons …")
	case len(s.shown.view.Failures) == 0 && c.Failed > 0:
		return f.Render("\n  The servers no longer have the reasons.")
	case len(s.shown.view.Failures) == 0:
		return f.Render("\n  No unit has failed.")
	}
	rows := []string{theme.Dim.Render("   unit    reason")}
	from, to := list.Visible()
	for i := from; i < to; i++ {
		one := s.shown.view.Failures[i]
		at := focused && i == list.At
		line := append(widget.CursorMark(at), draw.Span{Text: theme.Failed + " ", Style: theme.Bad},
			draw.Span{Text: fmt.Sprintf("%-7d ", one.Unit), Style: theme.Strong},
			draw.Span{Text: draw.Clean(one.Reason), Style: theme.Plain})
		rows = append(rows, line.Render(w, at))
	}
	return f.Render(strings.Join(rows, "\n"))
}

// Sizes of the curves of units, in cells. From the width twoCurves on, there are two columns of curves. curveHeight
// is the height of a curve with its title.
const (
	twoCurves   = 90
	curveHeight = 8
)

// curveGrid returns the number of columns and rows of curves in a pane, and the height of each.
func curveGrid(r draw.Rect) (columns, rows, height int) {
	inner := max(1, r.H-2)
	columns = 1
	if r.W >= twoCurves {
		columns = 2
	}
	rows = max(1, inner/curveHeight)
	return columns, rows, inner / rows
}

func (s *Screen) viewProgress(r draw.Rect, focused bool) string {
	list := s.panes.lists[partProgress]
	f := draw.Frame{Title: s.shown.title(partProgress), Note: position(list), Width: r.W, Height: r.H, Focused: focused}
	w, _ := f.Inner()
	columns, _, height := curveGrid(r)
	from, to := list.Visible()
	var rows []string
	for i := from; i < to; i += columns {
		var line []string
		for k := i; k < min(to, i+columns); k++ {
			line = append(line, viewCurve(s.shown.view.Progress[k], w/columns, height, focused && k == list.At))
		}
		rows = append(rows, draw.JoinColumns(line...))
	}
	return f.Render(strings.Join(rows, "\n"))
}

// viewCurve draws the progress of a unit.
func viewCurve(u usecase.WatchedUnit, width, height int, at bool) string {
	name := draw.Clean(u.Name)
	if name == "" {
		name = "unit " + strconv.Itoa(u.Unit)
	}
	calls := words.Short(u.Calls)
	if u.Of > 0 {
		calls += " of " + words.Short(u.Of)
	}
	facts := "  " + words.Short(u.Covered) + " covered"
	if u.Faults > 0 {
		facts += " · " + words.Plural(u.Faults, "fault")
	}
	facts += " · " + calls + " calls"
	name = draw.CutMiddle(name, max(10, width-ansi.StringWidth(facts)-3))
	title := append(widget.CursorMark(at), draw.Span{Text: " " + name, Style: theme.Strong}, draw.Span{Text: facts, Style: theme.Plain})
	if len(u.Points) == 0 || height < 3 {
		return draw.FitLines(title.Render(width, at), width, height)
	}
	chart := draw.Chart{Now: u.Calls, Span: max(u.Of, u.Calls), Width: width - 2, Height: height - 1}
	for _, p := range u.Points {
		chart.Curve = append(chart.Curve, model.CurvePoint{Calls: p[0], Covered: p[1]})
	}
	return draw.JoinRows(title.Render(width, at), draw.FitLines(indented(chart.Render()), width, height-1))
}

func indented(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }
