package search

import (
	"fmt"
	"regexp"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// view draws the page.
func (p *runPage) view(v runView) string {
	l := p.layout(v)
	var drawn [parts]string
	for i, r := range l.part {
		if !r.Empty() {
			drawn[i] = p.viewPart(v, part(i), r)
		}
	}
	rows := []string{v.viewHead(l)}
	switch {
	case !l.framed:
		rows = append(rows, p.viewTabs(v, l))
		rows = append(rows, stacked(drawn)...)
	case l.single:
		rows = append(rows, drawn[p.focus])
	case l.large:
		right := draw.JoinRows(drawn[partChart], draw.JoinColumns(drawn[partKnobs], drawn[p.lower.right]))
		rows = append(rows, draw.JoinColumns(drawn[p.lower.left], right))
	default:
		rows = append(rows,
			draw.JoinColumns(drawn[partChart], drawn[partKnobs]), draw.JoinColumns(drawn[p.lower.left], drawn[p.lower.right]))
	}
	return v.overDenied(draw.JoinRows(rows...), p.width, p.height)
}

// stacked returns the panes that are drawn, from top to bottom.
func stacked(drawn [parts]string) (rows []string) {
	for _, at := range []part{partChart, partKnobs, partAnswers, partFaults, partNotes, partTests, partWhy, partOpen} {
		if drawn[at] != "" {
			rows = append(rows, drawn[at])
		}
	}
	return rows
}

// viewPart draws one pane in its frame.
func (p *runPage) viewPart(v runView, at part, r draw.Rect) string {
	focused := at == p.focus
	f := draw.Frame{Title: p.title(v, at), Width: r.W, Height: r.H, Focused: focused}
	w, h := f.Inner()
	var body string
	if text := p.text(v, at); text != nil {
		f.Note, body = text.view(p.lines(v, at, w-2), h)
		if f.Note != "" && focused && p.readable(v, at) && !p.enlarged {
			f.Note += theme.Dim.Render(" · ") + widget.KeyName(keyChange) + " all"
		}
		return f.Render(body)
	}
	f.Note = position(*p.list(v, at))
	switch at {
	case partKnobs:
		f.Note, body = "", p.knobs.view(v, w, h, focused)
	case partChart:
		c := v.chart(r)
		f.Note = v.chartNote(w)
		if focused {
			c.Pointed, c.Point, f.Note = true, p.chart.at(v), p.chart.note(v)
		}
		body = c.Render()
	case partAnswers:
		s, _ := p.chosenScope(v)
		body = p.answers.view(v, s, w, focused)
	case partFaults:
		body = p.faults.view(v, w, h, focused)
	case partTests:
		body = p.tests.view(v, w, focused)
	case partOpen:
		body = p.open.view(v, w, focused)
	}
	return f.Render(body)
}

// chosenScope returns the operations whose weight the next key changes: the operation under the cursor, all operations
// of its tag, or all of its value-sharing group, as the user has chosen. It returns false if there is no operation.
func (p *runPage) chosenScope(v runView) (scope, bool) {
	op, ok := p.operation(v)
	if !ok {
		return scope{}, false
	}
	return p.scope.at(v.analyzed, op), true
}

// title returns the title of a pane: its name and, for some panes, the chosen scope or the names of the
// panes that share its place.
func (p *runPage) title(v runView, at part) string {
	tests, faults := "Tests "+words.Count(len(v.run.snap.Tests)), v.faultsTitle()
	open := v.openTitle()
	switch at {
	case partChart:
		return "Covered over calls"
	case partKnobs:
		return v.knobsTitle()
	case partAnswers:
		if s, ok := p.chosenScope(v); ok && s.kind != byOperation && v.run.steerable() {
			return "Answers" + theme.Accent.Render(" · for "+draw.Clean(s.label))
		}
		return "Answers" + theme.Dim.Render(" · ") + tests + theme.Dim.Render(" · ") + open
	case partOpen:
		return open + theme.Dim.Render(" · Answers · ") + tests
	case partTests:
		return tests
	case partNotes:
		return v.notesTitle() + theme.Dim.Render(" · ") + faults
	case partWhy:
		if t := p.tests.chosen(v); t != nil {
			return "Why " + draw.Clean(t.ID) + "?"
		}
		return "Why?"
	}
	return faults + theme.Dim.Render(" · ") + v.notesTitle()
}

// knobsTitle returns the title of the pane of the knobs. After the run, this pane shows the result.
func (v runView) knobsTitle() string {
	if v.run.ended() {
		return "Result"
	}
	return "Knobs"
}

// faultsTitle returns the number of faults and, after a plus sign, the number of notes and flaky faults,
// which are listed but not counted as faults.
func (v runView) faultsTitle() string {
	t := model.TallyFaults(v.run.snap.Faults)
	title := "Faults " + words.Count(t.Counted())
	if t.Uncounted() > 0 {
		title += theme.Dim.Render(" +" + words.Count(t.Uncounted()))
	}
	return title
}

// tabName returns the name of a pane on a page that shows one pane at a time.
func (v runView) tabName(at part) string {
	switch at {
	case partChart:
		return "Chart"
	case partAnswers:
		return "Answers"
	case partFaults:
		return "Faults"
	case partTests:
		return "Tests"
	case partOpen:
		return "Open"
	case partWhy:
		return "Why"
	case partNotes:
		if n := len(v.run.problems()); n > 0 {
			return "Notes " + theme.Refused + words.Count(n)
		}
		return "Notes"
	}
	return v.knobsTitle()
}

// tabs returns a line with the names of the panes. off is the number of cells to leave out at the left to
// make the name of the focused pane visible.
func (p *runPage) tabs(v runView, l layout) (line draw.Line, off int) {
	for _, at := range l.visible {
		span := draw.Span{Text: "  " + v.tabName(at), Style: theme.Dim}
		if at == p.focus {
			span = draw.Span{Text: " " + theme.Cursor + v.tabName(at), Style: theme.Active}
		}
		line = append(line, span)
		if at == p.focus {
			off = max(0, line.Width()+len("  …")-l.tabs.W)
		}
	}
	return line, min(off, max(0, line.Width()-l.tabs.W))
}

func (p *runPage) viewTabs(v runView, l layout) string {
	line, off := p.tabs(v, l)
	return line.Drop(off).Render(l.tabs.W, false)
}

// tabAt returns the pane whose name was clicked, and reports whether a name was clicked.
func (p *runPage) tabAt(v runView, l layout, msg tea.MouseMsg) (part, bool) {
	if !widget.LeftClick(msg) || !l.tabs.Has(msg.X, msg.Y) {
		return 0, false
	}
	line, off := p.tabs(v, l)
	for i, at := range l.visible {
		if msg.X+off < line[:i+1].Width() {
			return at, true
		}
	}
	return 0, false
}

// chartNote compares the run with the previous run, and says what further calls will likely cover. If there is room
// for only one of the two texts, it returns the forecast while the run is in progress, and the comparison after the
// run. The result of the run has the forecast, too.
func (v runView) chartNote(width int) string {
	s := v.run.snap.Summary
	before := v.run.previous.comparison(s.Calls)
	if s.Forecast == nil {
		return before
	}
	next := fmt.Sprintf("next %s: ", words.Plural(s.Forecast.Calls, "call"))
	if s.Forecast.Low < s.Forecast.High {
		next += words.Count(s.Forecast.Low) + " to "
	}
	next += words.Count(s.Forecast.High) + " more"
	both := next + theme.Dim.Render(" · ") + before
	switch {
	case before == "":
		return next
	case ansi.StringWidth(both) <= width-2:
		return both
	case v.run.ended():
		return before
	}
	return next
}

// chart returns the chart of a pane at r.
func (v runView) chart(r draw.Rect) draw.Chart {
	s := v.run.snap
	c := draw.Chart{
		Curve: s.Curve, Now: s.Summary.Calls, Marks: v.run.facts.marks,
		Width: max(0, r.W-2), Height: max(0, r.H-2),
	}
	if previous := v.run.previous; previous != nil {
		c.Before, c.Until = previous.curve, previous.calls
	}
	if !v.run.ended() {
		c.Span = s.Summary.Budget
	}
	return c
}

// maxDenied is the maximum width in cells of the box that overDenied draws.
const maxDenied = 64

// overDenied draws a box over the run if the run has paused because calls were refused. The box has the
// reason, and what the user can do.
func (v runView) overDenied(picture string, pageWidth, pageHeight int) string {
	if !v.run.denied() {
		return picture
	}
	d := v.run.snap.Denied
	width := min(maxDenied, pageWidth)
	text, why := d.String()+": "+d.LikelyCause(), "nearly all calls are refused"
	if d.Ended != nil {
		text, why = d.String(), "the user is refused"
	}
	rows := wrapped(draw.Clean(text), width-4, theme.Plain)
	rows = append(rows, "")
	rows = append(rows, wrapped(v.run.remedy(), width-4, theme.Plain)...)
	rows = rows[:max(0, min(len(rows), pageHeight-4))] // the keys stay visible
	rows = append(rows, "", " "+widget.KeyAndHelp(screen.KeyUsers)+"   "+widget.KeyAndHelp(keyStop)+"   "+widget.KeyAndHelp(keyResume))
	title := theme.Warn.Render(theme.Paused + " Paused: " + why)
	frame := draw.Frame{Title: title, Width: width, Height: min(len(rows)+2, pageHeight), Focused: true}
	return draw.Overlay(picture, frame.Render(strings.Join(rows, "\n")), (pageWidth-width)/2, max(0, (pageHeight-frame.Height)/2))
}

// operation draws an operation. Paths begin in the same column for all methods, if there is enough room. A path that
// does not fit is drawn without the names of its parameters.
func (v runView) operation(op model.OpID, width int) draw.Line {
	method, path, _ := strings.Cut(draw.Clean(string(op)), " ")
	column := len("DELETE ")
	if width < 20 {
		column = ansi.StringWidth(method) + 1
	}
	short := func() string {
		if ansi.StringWidth(path) > width-column {
			path = parameter.ReplaceAllString(path, "{}") // the names of resources say more
		}
		return draw.ShortPath(path, width-column)
	}
	return draw.TextLine(method, theme.Method(method)).At(column, v.names.AfterMethod(op, width-column, short))
}

var parameter = regexp.MustCompile(`\{[^/{}]*\}`)
