package seqs

import (
	"fmt"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// details is the pane next to the list. It shows the row under the cursor in one of these ways: its content, its dry
// run, its calls as they are played one by one, or a comparison with another row.
type details struct {
	catalog *catalog
	focused bool        // the details have the focus, not the list
	scroll  widget.List // its cursor is the first visible line
	left    *row        // the row to compare with, nil for none
	dry     dryRun
	service string // the URL that the dry run is for
	steps   stepper
}

// close shows the content of the row under the cursor again.
func (d *details) close() { d.left, d.dry, d.steps = nil, dryRun{}, stepper{} }

// drying reports whether the pane shows a dry run of a row.
func (d *details) drying(r *row) bool { return r != nil && r == d.dry.row }

// stepping reports whether the pane shows a row that is played call by call.
func (d *details) stepping(r *row) bool { return r != nil && r == d.steps.row }

// startDryRun shows the requests that a row would send to a service.
func (d *details) startDryRun(r *row, e *screen.Engine, service string) tea.Cmd {
	d.dry, d.service = dryRun{row: r, back: !d.focused}, service
	d.focused, d.scroll.At = true, 0
	return d.dry.prepare(e)
}

// dryRunDone shows the requests of a dry run, unless the user has left the dry run in the meantime.
func (d *details) dryRunDone(msg dryRunDone) tea.Cmd {
	if d.dry.row != msg.row {
		return nil
	}
	if msg.err != nil {
		d.endDryRun()
		return screen.ShowError(msg.err)
	}
	d.dry = msg.dryRun
	return nil
}

func (d *details) endDryRun() {
	d.focused = !d.dry.back
	d.dry, d.scroll.At = dryRun{}, 0
}

// startSteps shows a row whose test is played call by call.
func (d *details) startSteps(r *row) {
	d.steps = stepper{row: r, test: *r.playable(), back: !d.focused}
	d.focused, d.scroll.At = true, 0
}

// stepped stores a call that was played, and scrolls to it in a pane at r.
func (d *details) stepped(msg stepped, r draw.Rect) {
	if d.steps.take(msg) {
		d.scroll.At = d.steps.scrollTo(r.W-2, r.H-2)
	}
}

func (d *details) endSteps() {
	d.focused = !d.steps.back
	d.steps, d.scroll.At = stepper{}, 0
}

// compareWith shows r next to the row under the cursor, also after the cursor moves.
func (d *details) compareWith(r *row) { d.left, d.scroll.At = r, 0 }

// fit sets the scroll range for a pane at r.
func (d *details) fit(current *row, r draw.Rect) {
	lines := len(d.lines(current, r.W-2))
	d.scroll.Fit(max(0, lines-(r.H-2))+1, 1) // the list has a row for each line that can be the first visible line
}

// view draws, in a pane at r, the details of the row under the cursor. current is that row, nil if there is none.
func (d *details) view(current *row, r draw.Rect) string {
	f := draw.Frame{Title: d.title(current), Width: r.W, Height: r.H, Focused: d.focused}
	w, h := f.Inner()
	lines := d.lines(current, w)
	from := min(d.scroll.At, len(lines))
	to := min(from+h, len(lines))
	if len(lines) > h {
		f.Note = fmt.Sprintf("%d of %d lines", to, len(lines))
	}
	var rows []string
	for _, l := range lines[from:to] {
		rows = append(rows, l.String())
	}
	return f.Render(strings.Join(rows, "\n"))
}

func (d *details) title(current *row) string {
	if current == nil {
		return "Seq"
	}
	id := draw.Clean(current.ID)
	switch {
	case d.drying(current):
		return "Dry run " + id
	case d.stepping(current):
		done := fmt.Sprintf(" · %d of %d", len(d.steps.done), len(d.steps.test.Calls))
		return "Steps of " + id + theme.Dim.Render(done)
	case d.left != nil:
		return "Seq " + draw.Clean(d.left.ID) + " and " + id
	}
	return "Seq " + id + theme.Dim.Render(" · "+words.Plural(len(current.Seq), "call"))
}

// lines draws the content of the details in lines of width cells.
func (d *details) lines(current *row, width int) []draw.Line {
	switch {
	case width <= 0 || current == nil:
		return nil
	case d.drying(current):
		return d.dry.lines(d.service, width)
	case d.stepping(current):
		lines, _, _ := stepLines(&d.steps, width)
		return lines
	case d.left != nil:
		return comparisonLines(d.left, current, &d.catalog.links, width)
	}
	return d.rowLines(current, width)
}

// rowLines draws the content of a row.
func (d *details) rowLines(r *row, width int) []draw.Line {
	p := &page{width: width}
	p.savedIn(r.file)
	p.leftOut(r.leftOut())
	p.mock(r.Test)
	p.stubs(r.Stubs, stubsOf(r.Test))
	p.rows(r.Test)
	switch {
	case r.Test != nil:
		p.replayState(r.compared(), r.replayed)
		p.test(r.Test, r.compared(), r.replayed)
		p.outcome(d.catalog.resultOf(r))
	case r.file != nil:
		p.test(r.Draft, nil, nil)
		text := fmt.Sprintf("It was not played yet. %s plays it, after the reset of the service if there is one. %s opens its last"+
			" request in a form, which resets nothing. %s shows what would be sent.",
			widget.KeyName(keyPlay), widget.KeyName(keyByHand), widget.KeyName(keyDry))
		p.prose(text, theme.Dim)
	case r.Draft != nil:
		p.test(r.Draft, nil, nil)
		p.prose("It has values that you gave it, and was not played yet.", theme.Dim)
	default:
		p.seq(r.Seq, d.catalog.links.needs(r.Seq))
		p.outcome(d.catalog.resultOf(r))
		text := "It has no values yet. Pick it, and Export plays it once to find them."
		if r.built {
			text += fmt.Sprintf(
				" %s enters some, %s shows what would be sent, %s plays it as it is.",
				widget.KeyName(keyBuild), widget.KeyName(keyDry), widget.KeyName(keyPlay),
			)
		}
		p.prose(text, theme.Dim)
	}
	p.groups(d.catalog.groups(r.Seq))
	if r.earlier {
		p.prose("The search no longer keeps this test; it is here because you picked it.", theme.Dim)
	}
	return p.lines
}
