package explore

import (
	"slices"

	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// pagePane is the page of an operation or a folder, with a cursor on one of its rows.
type pagePane struct {
	facts facts           // about the operation
	folds map[string]bool // folds that are not in their initial state
	rows  []row
	stops widget.List // the cursor
}

// reset prepares the pane for a new page.
func (p *pagePane) reset() {
	p.folds = map[string]bool{}
	p.stops = widget.List{Height: p.stops.Height}
}

// fit adapts the page to the size of a pane. A page with the focus may have a foot.
func (p *pagePane) fit(r draw.Rect, reading bool) {
	p.stops.Fit(len(p.rows), max(0, r.H-2-foot(r, reading)))
}

// current returns the row under the cursor, nil if the page is empty.
func (p *pagePane) current() *row {
	if p.stops.At >= len(p.rows) {
		return nil
	}
	return &p.rows[p.stops.At]
}

// move handles a key that moves the cursor. Up and down move to the next stop if it is near, otherwise by a
// line, so that all text between stops becomes visible.
func (p *pagePane) move(k tea.KeyMsg) {
	switch {
	case key.Matches(k, widget.Down):
		p.step(1)
	case key.Matches(k, widget.Up):
		p.step(-1)
	default:
		p.stops.Key(k)
	}
}

// enter moves the cursor to the first stop, if it is still on the first row.
func (p *pagePane) enter() {
	if p.stops.At == 0 && p.stopNear(0, 1) > 0 {
		p.step(1)
	}
}

// maxSkipped is the maximum number of rows that a step skips.
const maxSkipped = 6

// step moves the cursor to the next stop below (1) or above (-1), or by one row.
func (p *pagePane) step(by int) {
	at := p.stopNear(p.stops.At, by)
	if at < 0 {
		at = p.stops.At + by
	}
	p.stops.Go(at)
	p.scroll(by)
}

// stopNear returns the nearest stop below or above a row, or -1 if it is too far away.
func (p *pagePane) stopNear(row, by int) int {
	for n := 1; n <= maxSkipped; n++ {
		if at := row + n*by; at >= 0 && at < len(p.rows) && p.rows[at].stop() {
			return at
		}
	}
	return -1
}

// scroll keeps a line above and below the cursor visible. It shows the head of the page when the cursor has
// moved up to the first stop.
func (p *pagePane) scroll(by int) {
	last := len(p.rows) - 1
	first := p.stops.At
	if by < 0 && !p.stopBefore(first) {
		first = 0
	}
	from, to := max(0, first-1), min(last, p.stops.At+1)
	p.stops.Top = draw.ScrollOffset(p.stops.Top, from, to, p.stops.Height, len(p.rows))
	p.stops.Go(p.stops.At)
}

func (p *pagePane) stopBefore(row int) bool {
	for _, r := range p.rows[:row] {
		if r.stop() {
			return true
		}
	}
	return false
}

// goToValue moves the cursor to the first row of a value, whose identity may have changed. It reports
// whether there is such a row.
func (p *pagePane) goToValue(value *flow) bool {
	i := slices.IndexFunc(p.rows, func(r row) bool { return r.value != nil && r.value.samePlace(value) })
	if i >= 0 {
		p.stops.Go(i)
	}
	return i >= 0
}

// targets returns the visible stops in a pane.
func (p *pagePane) targets(r draw.Rect) []screen.PointAt {
	if r.Empty() {
		return nil
	}
	var all []screen.PointAt
	from, to := p.stops.Visible()
	for i := from; i < to; i++ {
		if p.rows[i].stop() {
			all = append(all, screen.PointAt{X: r.X + 1, Y: r.Y + 1 + i - from})
		}
	}
	return all
}
