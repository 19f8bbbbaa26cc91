package explore

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/x/ansi"
)

// painter draws the tree and the page. It does not change their state.
type painter struct {
	names   draw.SeqNames
	paths   *draw.PathShortener
	run     model.Snapshot
	tree    *treePane
	page    *pagePane
	changes *changes
}

func (p painter) treePane(r draw.Rect) string {
	f := draw.Frame{
		Title:   p.treeTitle(),
		Note:    p.tree.count(),
		Width:   r.W,
		Height:  r.H,
		Focused: !p.page.focused,
	}
	w, _ := f.Inner()
	lines := append([]string{p.tree.find.View(w)}, p.tree.find.ProblemLines(w)...)
	from, to := p.tree.rows.Visible()
	for i := from; i < to; i++ {
		at := i == p.tree.rows.At
		row := p.tree.find.Highlight(p.treeRow(p.tree.ops.nodes[i], at, w))
		lines = append(lines, row.Render(w, at && !p.page.focused))
	}
	if len(p.tree.ops.nodes) == 0 {
		lines = append(lines, theme.Dim.Render("   "+p.tree.absence()))
	}
	return f.Render(strings.Join(lines, "\n"))
}

// treeTitle returns the title of the tree. If operations are not named by path, the title has the key that changes
// their names, and how they are named now.
func (p painter) treeTitle() string {
	if by := p.names.Naming(); by != draw.ByPath {
		return "Operations" + theme.Dim.Render(fmt.Sprintf(" · %s: %s", widget.KeyName(screen.KeyNaming), by))
	}
	return "Operations"
}

// treeRow draws a folder or an operation. After the name of an operation are its answers in the search: as many
// statuses as there is room for.
func (p painter) treeRow(n node, at bool, width int) draw.Line {
	if p.page.focused && n.op != nil && n.op.ID != p.page.op {
		at = false // the filter hides the operation on the page
	}
	line := draw.TextLine(cursor(at, !p.page.focused), theme.Active)
	if n.op == nil {
		return p.folderRow(line, n, width)
	}
	line = append(line, p.changes.mark(n.op.ID))
	room := width - 12
	if p.run.Phase != "" {
		room -= statusWidth
	}
	path := func() string { return p.paths.Path(string(n.op.ID), room) }
	if n.removed {
		line = line.At(3, draw.Span{Text: draw.Clean(n.op.Method), Style: theme.Dim})
		return line.At(10, draw.Span{Text: path(), Style: theme.Dim})
	}
	line = line.At(3, draw.Span{Text: draw.Clean(n.op.Method), Style: theme.Method(n.op.Method)})
	if n.webhook {
		return line.At(10, draw.Span{Text: draw.Clean(webhookName(n.op)), Style: theme.Plain}).Cut(width)
	}
	line = line.At(10, p.names.AfterMethod(n.op.ID, room, path))
	if p.run.Phase == "" { // there was no run yet
		return line
	}
	answers := draw.Answers(p.run.Grid[n.op.ID], width-line.Width()-2)
	return line.At(width-1-answers.Width(), answers...)
}

// statusWidth is the width of a glyph and a status, such as "✓ 201".
const statusWidth = 5

func (p painter) folderRow(line draw.Line, row node, width int) draw.Line {
	glyph, open := theme.Closed, p.tree.unfolded(&row)
	if open {
		glyph = theme.Open
	}
	if row.heading() {
		return append(line, draw.Span{Text: glyph + " " + p.tree.ops.section(row).listed.name, Style: theme.Accent})
	}
	f := p.tree.ops.folders[row.folder]
	line = append(line, draw.Span{Text: glyph + " " + draw.Clean(f.name), Style: theme.Strong})
	switch s := p.tree.ops.section(row); {
	case s != nil:
		return append(line, draw.Span{Text: " · " + s.by, Style: theme.Dim})
	case open:
		return line
	}
	n := fmt.Sprint(len(f.ops))
	if gone := len(f.removed); gone > 0 {
		n += fmt.Sprintf(" -%d", gone)
	}
	return line.At(width-1-len(n), draw.Span{Text: n, Style: theme.Dim})
}

// cursor returns the cursor mark for a row. It is more prominent in the pane with the focus.
func cursor(at, focused bool) string {
	switch {
	case at && focused:
		return theme.Cursor
	case at:
		return "›"
	}
	return " "
}

func (p painter) pagePane(r draw.Rect) string {
	f := draw.Frame{Title: p.pageTitle(r.W - 6), Width: r.W, Height: r.H, Focused: p.page.focused}
	from, to := p.page.stops.Visible()
	if len(p.page.rows) > p.page.stops.Height {
		f.Note = fmt.Sprintf("%d-%d of %d", from+1, to, len(p.page.rows))
	}
	w, _ := f.Inner()
	var lines []string
	for i := from; i < to; i++ {
		at := i == p.page.stops.At && p.page.focused
		line := p.tree.find.Highlight(p.page.rows[i].line)
		if at {
			line = append(draw.TextLine(theme.Cursor, theme.Active), line.Drop(1)...)
		}
		lines = append(lines, line.Render(w, at && p.page.rows[i].stop()))
	}
	if foot := p.page.foot(r, p.page.focused); len(foot) > 0 {
		lines = append(lines, make([]string, max(0, p.page.stops.Height-len(lines)))...)
		for _, l := range foot {
			lines = append(lines, l.Render(w, false))
		}
	}
	return f.Render(strings.Join(lines, "\n"))
}

func (p painter) pageTitle(width int) string {
	if p.page.op != "" {
		before, after := p.page.question.view.title()
		room := width - ansi.StringWidth(before+after)
		return before + draw.OperationLine(string(p.page.op), room).String() + theme.Dim.Render(after)
	}
	if gone := p.tree.removedOperation(); gone != nil {
		return draw.OperationLine(string(gone.ID), width).String()
	}
	if sent := p.tree.webhook(); sent != nil {
		return draw.OperationLine(string(sent.ID), width).String()
	}
	f, _ := p.tree.folder()
	return draw.Clean(f.name)
}
