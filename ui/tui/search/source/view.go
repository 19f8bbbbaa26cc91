package source

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// View draws exactly height lines of width cells.
func (m Model) View(width, height int) string {
	m.size(width, height)
	if m.reach == nil {
		return m.viewNothing()
	}
	l := m.layout()
	switch {
	case l.both:
		return draw.JoinColumns(m.viewList(l.list), m.viewText(l.text, l))
	case m.reading:
		return m.viewText(l.text, l)
	}
	return m.viewList(l.list)
}

// viewNothing draws the reason why nothing is known of the source, and what the user can do.
func (m Model) viewNothing() string {
	f := draw.Frame{Title: "Source", Width: m.width, Height: m.height, Focused: true}
	w, _ := f.Inner()
	rows := []string{""}
	for _, paragraph := range strings.Split(m.why, "\n") {
		for _, r := range words.Wrap(draw.Clean(paragraph), min(76, w-2)) {
			rows = append(rows, " "+r)
		}
		rows = append(rows, "")
	}
	return f.Render(strings.Join(append(rows, " "+widget.KeyAndHelp(KeyClose)), "\n"))
}

// columns holds the cell at which each column of the list begins, -1 if the column is left out, and the
// width of the bars.
type columns struct{ bar, wide, statements, left, branches int }

func newColumns(width int) columns {
	c := columns{branches: width - 7, left: width - 15, statements: width - 23, bar: -1}
	if width < 50 {
		c = columns{branches: -1, left: width - 7, statements: width - 15, bar: -1}
	}
	if width >= 60 {
		c.wide = min(40, width-50)
		c.bar = c.statements - c.wide - 2
	}
	return c
}

// name returns the width of the column of names.
func (c columns) name() int {
	if c.bar >= 0 {
		return c.bar - 1
	}
	return c.statements - 1
}

func (m Model) viewList(r draw.Rect) string {
	f := draw.Frame{Title: m.listTitle(), Note: m.listNote(r.W), Width: r.W, Height: r.H, Focused: !m.reading}
	w, _ := f.Inner()
	c := newColumns(w)
	rows := []string{c.head().Render(w, false)}
	from, to := m.tree.list.Visible()
	for i := from; i < to; i++ {
		rows = append(rows, m.viewRow(i, c).Render(w, i == m.tree.list.At && !m.reading))
	}
	return f.Render(strings.Join(rows, "\n"))
}

func (c columns) head() draw.Line {
	line := draw.TextLine("  file", theme.Dim)
	line = line.At(c.statements, draw.Span{Text: " stmts", Style: theme.Dim}).At(c.left, draw.Span{Text: "  left", Style: theme.Dim})
	if c.branches >= 0 {
		line = line.At(c.branches, draw.Span{Text: "branch", Style: theme.Dim})
	}
	return line
}

// listTitle returns the number of files, and the number of files without probes. If files are not ordered by name, it
// also returns their order.
func (m Model) listTitle() string {
	parts := []string{"Source", words.Plural(len(m.reach.Files), "file")}
	if m.tree.byUncovered {
		parts = append(parts, "uncovered first")
	}
	if n := len(m.reach.Plain); n > 0 {
		parts = append(parts, theme.Warn.Render(theme.Refused)+" "+words.Count(n)+" without probes")
	}
	return strings.Join(parts, theme.Dim.Render(" · "))
}

func (m Model) listNote(width int) string {
	all := make([]int, len(m.reach.Files))
	for i := range all {
		all[i] = i
	}
	statements, branches := figures(m.reach, all)
	note := "statements " + percent(statements) + theme.Dim.Render(" · ") + "branches " + percent(branches)
	if l := m.tree.list; l.Rows > l.Height && width >= 60 {
		note += theme.Dim.Render(" · ") + fmt.Sprintf("%d of %d", l.At+1, l.Rows)
	}
	return note
}

// percent formats a share. It is 100.0% only if everything is covered.
func percent(p model.CoverageCount) string {
	share := 100 * p.Fraction()
	if p.Covered < p.All {
		share = min(share, 99.9)
	}
	return fmt.Sprintf("%.1f%%", share)
}

// viewRow draws a package or a file with its figures.
func (m Model) viewRow(i int, c columns) draw.Line {
	row := m.tree.rows[i]
	line := draw.Line{{Text: "  "}}
	if i == m.tree.list.At && !m.reading {
		line = draw.TextLine(theme.Cursor+" ", theme.Active)
	}
	name, style := "  "+draw.Clean(row.name), theme.Plain
	if row.head {
		open := theme.Open
		if m.tree.folded[row.name] {
			open = theme.Closed
		}
		name, style = open+" "+draw.ShortPath(draw.Clean(row.name), max(1, c.name()-4)), theme.Strong
	}
	line = append(line, draw.Span{Text: name, Style: style}).Cut(max(1, c.name()))
	return m.viewFigures(line, row, c)
}

func (m Model) viewFigures(line draw.Line, row row, c columns) draw.Line {
	statements, branches := figures(m.reach, row.files)
	if c.bar >= 0 {
		line = line.At(c.bar, draw.BarSpans(statements.Fraction(), c.wide)...)
	}
	left, style := "", theme.Dim
	if n := statements.All - statements.Covered; n > 0 {
		left, style = words.Count(n), theme.Warn
	}
	line = line.At(
		c.statements, draw.Span{Text: fmt.Sprintf("%6s", percent(statements))},
	).At(c.left, draw.Span{Text: fmt.Sprintf("%6s", left), Style: style})
	if c.branches >= 0 && branches.All > 0 {
		line = line.At(c.branches, draw.Span{Text: fmt.Sprintf("%6s", percent(branches)), Style: theme.Dim})
	}
	return line
}
