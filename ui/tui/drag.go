package tui

import (
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// drag is what the user does with the pressed left button: dragging a border between panes, or selecting text. The zero
// value is no drag. Cells are counted from the upper left corner of the screen's area.
type drag struct {
	pressed bool           // the button is pressed, and the drag is not for the screen
	border  *screen.Border // the border that is dragged, nil for none
	pane    draw.Rect      // the space inside the pane in which the text is selected
	from    cell           // where the button was pressed
	to      cell           // where the mouse is now
}

// cell is a cell of the screen.
type cell struct{ x, y int }

// selecting reports whether text is selected.
func (d drag) selecting() bool { return d.pressed && d.border == nil && d.from != d.to }

// before reports whether a cell comes before another one in the order of reading.
func (c cell) before(other cell) bool { return c.y < other.y || c.y == other.y && c.x < other.x }

// span returns the selected columns of a row, or an empty span. The text of several rows is selected to the end of the
// pane in all rows but the last, as in a text.
func (d drag) span(y int) span {
	first, last := d.from, d.to
	if last.before(first) {
		first, last = last, first
	}
	s := span{from: d.pane.X, to: d.pane.X + d.pane.W}
	if y < first.y || y > last.y {
		return span{}
	}
	if y == first.y {
		s.from = first.x
	}
	if y == last.y {
		s.to = last.x + 1
	}
	return s
}

// text returns the selected text of a picture, without blanks at the ends of lines.
func (d drag) text(picture string) string {
	var lines []string
	for y, row := range strings.Split(picture, "\n") {
		if s := d.span(y); s.to > s.from {
			lines = append(lines, strings.TrimRight(ansi.Strip(ansi.Cut(row, s.from, s.to)), " "))
		}
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// over marks the selected text in a picture.
func (d drag) over(picture string) string {
	if !d.selecting() {
		return picture
	}
	rows := strings.Split(picture, "\n")
	for y, row := range rows {
		if s := d.span(y); s.to > s.from {
			marked := theme.Selected.Render(ansi.Strip(ansi.Cut(row, s.from, s.to)))
			rows[y] = draw.Overlay(row, marked, s.from, 0)
		}
	}
	return strings.Join(rows, "\n")
}

// moveTo moves the mouse to a cell inside of the pane.
func (d *drag) moveTo(x, y int) {
	d.to = cell{
		max(d.pane.X, min(x, d.pane.X+d.pane.W-1)),
		max(d.pane.Y, min(y, d.pane.Y+d.pane.H-1)),
	}
}

// paneAt returns the space inside the smallest frame of a picture that has a cell, or the whole picture if no frame has
// it.
func paneAt(picture string, x, y int) draw.Rect {
	rows := strings.Split(ansi.Strip(picture), "\n")
	best := draw.Rect{W: ansi.StringWidth(rows[0]), H: len(rows)}
	for top, row := range rows[:min(y, len(rows))] {
		for _, s := range edges(row, "╭", "╮") {
			inner := draw.Rect{X: s.from + 1, Y: top + 1, W: s.to - s.from - 1}
			inner.H = bottomOf(rows[top+1:], s.from)
			if inner.Has(x, y) && inner.W*inner.H < best.W*best.H {
				best = inner
			}
		}
	}
	return best
}

// edges returns the columns of the left and right corners of frames in a row.
func edges(row, left, right string) (all []span) {
	at := 0
	for {
		begin := strings.Index(row[at:], left)
		if begin < 0 {
			return all
		}
		begin += at
		end := strings.Index(row[begin:], right)
		if end < 0 {
			return all
		}
		end += begin
		all = append(all, span{ansi.StringWidth(row[:begin]), ansi.StringWidth(row[:end])})
		at = end + len(right)
	}
}

// bottomOf returns the number of rows before the row that has the lower left corner of a frame in a column, 0 if there is
// none.
func bottomOf(rows []string, column int) int {
	for i, row := range rows {
		switch ansi.Cut(row, column, column+1) {
		case "╰":
			return i
		case "│":
		default:
			return 0
		}
	}
	return 0
}

// onFrame reports whether a cell of a picture is a part of the border of a frame.
func onFrame(picture string, x, y int) bool {
	rows := strings.Split(ansi.Strip(picture), "\n")
	return y < 0 || y >= len(rows) || strings.ContainsAny(ansi.Cut(rows[y], x, x+1), "╭╮╰╯│─")
}

// dragger handles the events of the mouse with the pressed left button.
type dragger struct {
	drag
	screens *screenSet
	copies  func(text string) error
}

// handle handles an event, which is relative to the screen. picture returns what is drawn there. covered reports whether
// an overlay is drawn over the screen, so that no border can be dragged. done reports whether the event is not for the
// screen.
func (d *dragger) handle(msg tea.MouseMsg, picture func() string, covered bool) (cmd tea.Cmd, done bool) {
	switch {
	case widget.LeftClick(msg):
		return nil, d.begin(msg.X, msg.Y, picture(), covered)
	case msg.Action == tea.MouseActionRelease:
		done = d.border != nil
		return d.end(picture), done
	case msg.Action != tea.MouseActionMotion || !d.pressed:
		return nil, false
	case d.border != nil:
		return d.moveBorder(msg.X, msg.Y), true
	}
	d.moveTo(msg.X, msg.Y)
	return nil, false
}

// begin begins to drag a border, or to select text. It reports whether there is a border at the cell.
func (d *dragger) begin(x, y int, picture string, covered bool) bool {
	d.drag = drag{}
	if border := d.borderAt(x, y); border != nil && !covered {
		d.drag = drag{pressed: true, border: border}
		return true
	}
	if !onFrame(picture, x, y) {
		d.drag = drag{pressed: true, pane: paneAt(picture, x, y), from: cell{x, y}, to: cell{x, y}}
	}
	return false
}

// borderAt returns the border of the visible screen at a cell, nil for none.
func (d *dragger) borderAt(x, y int) *screen.Border {
	keeper, ok := d.screens.visible().(screen.Keeper)
	if !ok {
		return nil
	}
	for _, b := range keeper.Kept().Borders() {
		if b.Has(x, y) {
			return &b
		}
	}
	return nil
}

// moveBorder moves the border that is dragged to a cell.
func (d *dragger) moveBorder(x, y int) tea.Cmd {
	keeper, ok := d.screens.visible().(screen.Keeper)
	if !ok {
		return nil
	}
	return d.screens.update(d.screens.tab, screen.SetSplits{Splits: keeper.Kept().Splits.Moved(*d.border, x, y)})
}

// end ends the drag, and copies the selected text. It does nothing else if no text is selected.
func (d *dragger) end(picture func() string) tea.Cmd {
	ended := d.drag
	d.drag = drag{}
	if !ended.selecting() {
		return nil
	}
	text := ended.text(picture())
	if text == "" {
		return nil
	}
	copies := d.copies
	return func() tea.Msg {
		if err := copies(text); err != nil {
			return screen.StatusMessage{Err: err}
		}
		if n := strings.Count(text, "\n") + 1; n > 1 {
			return screen.StatusMessage{Text: "copied " + words.Plural(n, "line")}
		}
		return screen.StatusMessage{Text: "copied: " + text}
	}
}

// toScreen passes an event of the mouse to the visible screen. If the event moves the pressed mouse and the screen
// changes, such as by a slider, the drag is for the screen, and selects no text.
func (d *dragger) toScreen(msg tea.MouseMsg, picture func() string) tea.Cmd {
	if !d.selecting() {
		return d.screens.update(d.screens.tab, msg)
	}
	before := picture()
	cmd := d.screens.update(d.screens.tab, msg)
	if picture() != before {
		d.drag = drag{}
	}
	return cmd
}

// splits returns the shares of panes on all screens, by the names of the screens.
func (s *screenSet) splits() map[string]map[string]int {
	var all map[string]map[string]int
	for _, one := range s.all {
		k, ok := one.(screen.Keeper)
		if !ok || len(k.Kept().Splits) == 0 {
			continue
		}
		if all == nil {
			all = map[string]map[string]int{}
		}
		all[strings.ToLower(one.Name())] = k.Kept().Splits
	}
	return all
}

// setSplits sets the shares of panes on all screens.
func (s *screenSet) setSplits(all map[string]map[string]int) tea.Cmd {
	var cmds []tea.Cmd
	for i, one := range s.all {
		if shares := all[strings.ToLower(one.Name())]; len(shares) > 0 {
			cmds = append(cmds, s.update(screen.Tab(i), screen.SetSplits{Splits: shares}))
		}
	}
	return tea.Batch(cmds...)
}
