package explore

import (
	"fmt"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// View draws the tree and the page, or one of them where room is short.
func (s *Screen) View(width, height int) string {
	if s.study == nil {
		return draw.FitLines("", width, height)
	}
	tree, page := s.divide(width, height)
	switch {
	case tree.Empty():
		return s.viewPage(page)
	case page.Empty():
		return s.viewTree(tree)
	}
	return draw.JoinColumns(s.viewTree(tree), s.viewPage(page))
}

func (s *Screen) viewTree(r draw.Rect) string {
	f := draw.Frame{
		Title: "Operations", Width: r.W, Height: r.H, Focused: !s.reading,
		Note: s.count(),
	}
	w, _ := f.Inner()
	lines := append([]string{s.find.View(w)}, s.find.Complaint(w)...)
	from, to := s.rows.Visible()
	for i := from; i < to; i++ {
		at := i == s.rows.At
		row := s.find.Mark(s.treeRow(s.tree.nodes[i], at, w))
		lines = append(lines, row.Render(w, at && !s.reading))
	}
	if len(s.tree.nodes) == 0 {
		lines = append(lines, theme.Dim.Render("   "+s.nothing()))
	}
	return f.Render(strings.Join(lines, "\n"))
}

// count is how many operations the filter lets through: by their names, and by
// what is in them.
func (s *Screen) count() string {
	text := fmt.Sprintf("%d of %d", s.tree.named, len(s.study.Spec.Operations))
	if n := s.tree.within; n > 0 {
		text += fmt.Sprintf(", %d by value", n)
	}
	return text
}

// nothing says why the tree is empty, and what to do.
func (s *Screen) nothing() string {
	if s.tree.filtered() {
		return "nothing fits; esc clears"
	}
	return "this spec has no operations"
}

func (s *Screen) treeRow(n node, at bool, width int) draw.Line {
	line := draw.TextLine(cursor(at, !s.reading), theme.Active)
	f := s.tree.folders[n.folder]
	if n.op == nil {
		return s.folderRow(line, f, n, width)
	}
	glyph, style := theme.Answers(s.run.Grid[n.op.ID])
	if s.run.Phase == "" {
		glyph = " " // no run yet
	}
	line = line.At(3, draw.Span{Text: draw.Clean(n.op.Method), Style: theme.Method(n.op.Method)})
	return line.At(
		10, draw.Span{Text: s.paths.Path(string(n.op.ID), width-14), Style: theme.Plain},
	).At(width-2, draw.Span{Text: glyph, Style: style})
}

func (s *Screen) folderRow(line draw.Line, f folder, row node, width int) draw.Line {
	glyph, open := theme.Closed, s.tree.unfolded(row.folder)
	if open {
		glyph = theme.Open
	}
	line = append(line, draw.Span{Text: glyph + " " + draw.Clean(f.name), Style: theme.Strong})
	switch {
	case row.within:
		return append(line, draw.Span{Text: " · by value", Style: theme.Dim})
	case open:
		return line
	}
	n := fmt.Sprint(len(f.ops))
	return line.At(width-1-len(n), draw.Span{Text: n, Style: theme.Dim})
}

// cursor marks the row with the cursor, more clearly in the pane that has the
// focus.
func cursor(at, focused bool) string {
	switch {
	case at && focused:
		return theme.Cursor
	case at:
		return "›"
	}
	return " "
}

func (s *Screen) viewPage(r draw.Rect) string {
	if s.send.Open() {
		return s.send.View(r.W, r.H)
	}
	f := draw.Frame{Title: s.pageTitle(r.W - 6), Width: r.W, Height: r.H, Focused: s.reading}
	from, to := s.stops.Visible()
	if len(s.page) > s.stops.Height {
		f.Note = fmt.Sprintf("%d-%d of %d", from+1, to, len(s.page))
	}
	w, _ := f.Inner()
	var lines []string
	for i := from; i < to; i++ {
		at := i == s.stops.At && s.reading
		line := s.find.Mark(s.page[i].line)
		if at {
			line = append(draw.TextLine(theme.Cursor, theme.Active), line.Drop(1)...)
		}
		lines = append(lines, line.Render(w, at && s.page[i].stop()))
	}
	if s.foot(r) > 0 && s.stops.At < len(s.page) {
		lines = append(lines, make([]string, max(0, s.stops.Height-len(lines)))...)
		lines = append(lines, draw.Line{}.At(1, s.page[s.stops.At].about...).Render(w, false))
	}
	return f.Render(strings.Join(lines, "\n"))
}

// footed is the height from which on a page that is read has a line at its foot
// that says more of the row under the cursor.
const footed = 12

// foot is the height of that line.
func (s *Screen) foot(page draw.Rect) int {
	if s.reading && page.H >= footed {
		return 1
	}
	return 0
}

func (s *Screen) pageTitle(width int) string {
	switch n := s.node(); {
	case s.shown != "":
		return draw.OperationLine(string(s.shown), width).String()
	case n != nil:
		return draw.Clean(s.tree.folders[n.folder].name)
	}
	return ""
}

// mouse chooses what is clicked and turns what the wheel is over.
func (s *Screen) mouse(msg tea.MouseMsg) tea.Cmd {
	if s.study == nil {
		return nil
	}
	tree, page := s.divide(s.width, s.height)
	wheel := widget.WheelRows(msg)
	switch {
	case s.send.Open() && page.Has(msg.X, msg.Y):
		msg.X, msg.Y = msg.X-page.X, msg.Y-page.Y
		return s.send.Update(msg)
	case s.send.Typing():
	case tree.Has(msg.X, msg.Y) && wheel != 0:
		s.rows.Go(s.rows.At + wheel)
		s.settle()
	case tree.Has(msg.X, msg.Y) && widget.LeftClick(msg):
		return s.clickTree(tree, msg.Y-tree.Y)
	case page.Has(msg.X, msg.Y) && wheel != 0:
		s.stops.Go(s.stops.At + wheel)
	case page.Has(msg.X, msg.Y) && widget.LeftClick(msg):
		return s.clickPage(msg.Y - page.Y)
	}
	return nil
}

func (s *Screen) clickTree(tree draw.Rect, y int) tea.Cmd {
	if y == 1 {
		s.reading = false
		return s.find.Focus()
	}
	again := s.rows.At
	if !s.rows.Click(y - 2 - len(s.find.Complaint(tree.W-2))) {
		return nil
	}
	s.find.Blur()
	n := s.node()
	switch {
	case n.op == nil:
		s.tree.fold(n.folder, !s.tree.unfolded(n.folder))
	case again == s.rows.At:
		s.reading = true
	default:
		s.reading = false
	}
	s.settle()
	return nil
}

func (s *Screen) clickPage(y int) tea.Cmd {
	s.reading = true
	s.find.Blur()
	if s.stops.Click(y-1) && s.page[s.stops.At].stop() {
		return s.enter()
	}
	return nil
}
