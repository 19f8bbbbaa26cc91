package search

import (
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// faultPage is the page of one fault. The zero value shows none.
type faultPage struct {
	explain       func(model.Fault) usecase.FaultReport
	copies        func(text string) error
	width, height int

	fault  model.Fault
	index  int  // the index of the fault, in the order in which the run found the faults
	ended  bool // the run had ended when the text was made
	report usecase.FaultReport
	top    int // the first visible line
}

// open shows the fault in a row of the list, whose first row is the newest fault. It reports whether the
// row has a fault.
func (p *faultPage) open(explain func(model.Fault) usecase.FaultReport, faults []model.Fault, row int, ended bool) bool {
	if row >= len(faults) {
		return false
	}
	p.explain, p.copies, p.top, p.index = explain, widget.CopyToClipboard, 0, len(faults)-1-row
	p.take(faults[p.index], ended)
	return true
}

// take sets the state of the fault that is shown, and makes its report. The verdict in the report is the result of the
// function repeated, such as "not repeated yet".
func (p *faultPage) take(f model.Fault, ended bool) {
	p.fault, p.ended = f, ended
	f.Verdict = model.Verdict(repeated(&f, ended))
	p.report = p.explain(f)
}

// refresh shows the newest state of the fault. The scroll position does not change.
func (p *faultPage) refresh(faults []model.Fault, ended bool) {
	if p.index < len(faults) && p.outdated(faults[p.index], ended) {
		p.take(faults[p.index], ended)
		p.fit(p.width, p.height)
	}
}

// outdated reports whether the page shows an older state of the fault.
func (p *faultPage) outdated(f model.Fault, ended bool) bool {
	was := p.fault
	return p.ended != ended || f.Verdict != was.Verdict || f.Unrepeated != was.Unrepeated || f.Test != was.Test ||
		f.Count != was.Count || f.Merged != was.Merged || f.Calls != was.Calls || f.Text != was.Text || f.Input != was.Input
}

// scroll handles a key that moves the visible lines.
func (p *faultPage) scroll(msg tea.KeyMsg) {
	page := max(1, p.height-3)
	switch {
	case key.Matches(msg, widget.Down):
		p.top++
	case key.Matches(msg, widget.Up):
		p.top--
	case key.Matches(msg, widget.PageDown):
		p.top += page
	case key.Matches(msg, widget.PageUp):
		p.top -= page
	case key.Matches(msg, widget.Home):
		p.top = 0
	case key.Matches(msg, widget.End):
		p.top = len(p.lines(max(1, p.width-4)))
	}
	p.fit(p.width, p.height)
}

// mouse handles the wheel.
func (p *faultPage) mouse(msg tea.MouseMsg) {
	p.top += widget.WheelRows(msg)
	p.fit(p.width, p.height)
}

// fit sets the size of the page, and keeps its lines visible.
func (p *faultPage) fit(width, height int) {
	p.width, p.height = width, height
	room := len(p.lines(max(1, width-4))) - max(1, height-2)
	p.top = max(0, min(p.top, room))
}

// copy copies the curl commands to the clipboard.
func (p *faultPage) copy() tea.Cmd {
	if p.report.Curl == "" {
		return screen.ShowStatus("The calls that show this fault were not kept: there is nothing to copy")
	}
	return func() tea.Msg {
		if err := p.copies(p.report.Curl); err != nil {
			return screen.StatusMessage{Err: err}
		}
		return screen.StatusMessage{Text: "copied as curl commands; credentials are variables"}
	}
}

// lines returns the text of the fault, wrapped to a width. The rest of a long line is indented.
func (p *faultPage) lines(width int) []string {
	var rows []string
	for line := range strings.SplitSeq(strings.TrimRight(p.report.Text, "\n"), "\n") {
		line = draw.Clean(line)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if ansi.StringWidth(line) <= width {
			rows = append(rows, line)
			continue
		}
		indent = min(indent, width/2)
		for i, part := range words.Wrap(line, max(1, width-indent-2)) {
			if i > 0 {
				part = "  " + part
			}
			rows = append(rows, strings.Repeat(" ", indent)+part)
		}
	}
	return rows
}

// view draws the page.
func (p *faultPage) view() string {
	frame := draw.Frame{
		Title:   "Fault " + p.fault.ID + theme.Dim.Render(" · ") + draw.Clean(string(p.fault.Op)),
		Width:   p.width,
		Height:  p.height,
		Focused: true,
	}
	w, h := frame.Inner()
	rows := p.lines(w - 2)
	if len(rows) > h {
		frame.Note = words.Count(min(len(rows), p.top+h)) + " of " + words.Plural(len(rows), "line")
	}
	var shown []string
	for _, row := range rows[min(p.top, len(rows)):min(len(rows), p.top+h)] {
		shown = append(shown, " "+headed(row))
	}
	return frame.Render(strings.Join(shown, "\n"))
}

// headed dims the name at the beginning of a line, up to the colon. Lines without such a name stay unchanged, for
// example indented lines.
func headed(row string) string {
	name, rest, ok := strings.Cut(row, ":")
	if !ok || strings.HasPrefix(row, "  ") || strings.Contains(name, "  ") {
		return row
	}
	return theme.Dim.Render(name+":") + rest
}
