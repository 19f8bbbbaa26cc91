package seqs

import (
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// minTwoPanes is the minimum width of a screen that shows the details next to the list.
const minTwoPanes = 100

// splitPanes splits a screen into the list and the details. A narrow screen shows only the pane that has
// the focus. reading is true if the details have the focus. A comparison gets more width or, if it has the
// focus, the whole screen.
func splitPanes(width, height int, reading, comparing bool) (list, page draw.Rect) {
	all := draw.Rect{W: width, H: height}
	switch {
	case reading && comparing:
		return draw.Rect{}, all
	case width >= minTwoPanes:
		w := max(58, width*55/100)
		if comparing {
			w = max(36, width*33/100)
		}
		return draw.Rect{W: w, H: height}, draw.Rect{X: w, W: width - w, H: height}
	case reading:
		return draw.Rect{}, all
	}
	return all, draw.Rect{}
}

func (s *Screen) divide() (list, page draw.Rect) {
	if s.calls.Shown() {
		return splitPanes(s.width, s.height, true, false)
	}
	list, page = splitPanes(s.width, s.height, s.details.focused, s.details.left != nil)
	return s.splits.Columns(detailsBorder, list, page)
}

// fit sets the number of lines in each pane, and the number of lines that are visible.
func (s *Screen) fit() {
	list, page := s.divide()
	if list.Empty() {
		list = draw.Rect{W: s.width, H: s.height}
	}
	s.list.fit(max(1, list.H-2-s.list.headLines(list)))
	if s.builder.row != nil && s.builder.open {
		s.builder.fit(page)
	}
	switch {
	case !s.visible: // because fitting may be slow
	case s.calls.Shown():
		s.calls.Fit(page)
	default:
		s.details.fit(s.list.current(), page)
	}
}

// View draws the list and the details, or only one of them on a narrow screen.
func (s *Screen) View(width, height int) string {
	v := *s
	list, details, builder, calls := *s.list, *s.details, *s.builder, *s.calls // copies, because fit changes its receiver
	v.list, v.details, v.builder, v.calls = &list, &details, &builder, &calls
	v.width, v.height = width, height
	v.fit()
	left, right := v.divide()
	var picture string
	switch {
	case left.Empty():
		picture = v.viewDetails(right)
	case right.Empty():
		picture = v.viewList(left)
	default:
		picture = draw.JoinColumns(v.viewList(left), v.viewDetails(right))
	}
	return v.calls.Over(v.player.question.Over(picture, width, height), width, height)
}

func (s *Screen) viewList(r draw.Rect) string {
	focused := !s.details.focused && !s.calls.Shown()
	if s.catalog.empty() {
		return s.list.viewEmpty(r, focused, s.player.host.URL != "")
	}
	return s.list.view(r, focused, s.picks.tally.line(&s.picks.cover, r.W-6).String())
}

func (s *Screen) viewDetails(r draw.Rect) string {
	switch {
	case s.calls.Shown():
		return s.calls.View(r)
	case s.building():
		return s.builder.view(r)
	}
	return s.details.view(s.list.current(), r)
}

// mouse handles the wheel and clicks.
func (s *Screen) mouse(msg tea.MouseMsg) tea.Cmd {
	list, page := s.divide()
	by, clicked := widget.WheelRows(msg), widget.LeftClick(msg)
	switch {
	case s.calls.Shown():
		s.calls.Scroll(by)
	case s.building() && s.builder.edit.open():
	case page.Has(msg.X, msg.Y) && s.building():
		s.builder.mouse(by, clicked, msg.Y-page.Y-1)
	case page.Has(msg.X, msg.Y):
		s.details.scroll.Go(s.details.scroll.At + by)
		s.details.focused = s.details.focused || clicked
	case !list.Has(msg.X, msg.Y):
	case by != 0:
		s.list.scroll(by)
	case clicked:
		s.details.focused = false
		r := s.list.click(msg.Y - list.Y - 1 - s.list.headLines(list))
		if r != nil && msg.X-list.X <= markColumn+1 {
			return s.picks.toggle(r)
		}
	}
	return nil
}

// Targets returns the visible rows, as places to jump to.
func (s *Screen) Targets() []screen.PointAt {
	list, _ := s.divide()
	if list.Empty() {
		return nil
	}
	return s.list.targets(list)
}

// point moves the cursor to the row at a cell.
func (s *Screen) point(at screen.PointAt) {
	list, _ := s.divide()
	if s.list.cursor.Click(at.Y - list.Y - 1 - s.list.headLines(list)) {
		s.details.focused, s.list.pinned, s.list.last = false, true, s.list.cursor.At
	}
}
