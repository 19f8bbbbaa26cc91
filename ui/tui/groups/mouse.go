package groups

import (
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// wheel moves the cursor of a pane, or scrolls the drawing.
func (v *groupView) wheel(over pane, msg tea.MouseMsg) {
	by := widget.WheelRows(msg)
	switch over {
	case table:
		v.table.rows.Go(v.table.rows.At + by)
		v.showSection()
	case members:
		v.members.rows.Go(v.members.rows.At + by)
		v.follow()
	case seqs:
		v.seqs.rows.Go(v.seqs.rows.At + by)
	case picture:
		v.figure.wheel(msg)
	}
}

// click handles a click on a cell inside a pane. again reports whether the click opens an operation. A click opens an
// operation if it is on the row under the cursor of the members or of the seqs, and if that pane had the focus before
// the click.
func (v *groupView) click(over pane, x, y int) (again bool) {
	focused := v.focus == over
	v.table.find.Blur()
	v.focus = over
	switch over {
	case table:
		if v.table.click(v.rects()[table], x, y) {
			v.showSection()
		}
	case members:
		at := v.members.rows.At
		clicked := v.members.rows.Click(y)
		switch {
		case clicked && v.members.onHeading():
			v.toggleByValue()
		case clicked && at == v.members.rows.At && focused:
			return true
		}
		v.follow()
	case seqs:
		at := v.seqs.rows.At
		return v.seqs.rows.Click(y) && at == v.seqs.rows.At && focused
	case picture:
		v.clickFigure(x, y)
	}
	return false
}

// clickFigure moves the members' cursor to the member whose box is at a cell inside the figure. If the figure is
// shown as a tree, it moves the cursor of the tree. In the figure of all groups, a box of another group moves the
// table's cursor, too.
func (v *groupView) clickFigure(x, y int) {
	node := v.figure.click(x, y)
	if v.figure.whole && node >= 0 && node < len(v.figure.drawing.ops) {
		v.visit(v.figure.drawing.ops[node])
		return
	}
	for row := range v.members.kept {
		if node >= 0 && v.members.node(v.figure.drawing, row) == node {
			v.members.rows.Go(row)
		}
	}
}

// point moves the cursor to the target at a cell.
func (v *groupView) point(at screen.PointAt) {
	if v.analyzed == nil {
		return
	}
	r := v.rects()
	over := r.at(at.X, at.Y)
	if over == panes {
		return
	}
	v.focus = over
	x, y := at.X-r[over].X-1, at.Y-r[over].Y-1
	switch over {
	case table:
		v.table.rows.Click(y - v.table.head(r[table]))
		v.showSection()
		v.fit()
		v.follow()
	case members:
		v.members.rows.Click(y)
		v.seqs.rows.Go(0)
		v.follow()
	case seqs:
		v.seqs.rows.Click(y)
	case picture:
		v.clickFigure(x, y)
	}
}

// targets returns the rows of the lists, and the boxes of the figure.
func (v *groupView) targets() []screen.PointAt {
	if v.table.section() < 0 {
		return nil
	}
	r := v.rects()
	all := rowTargets(r[table], v.table.head(r[table]), v.table.rows)
	all = append(all, rowTargets(r[members], 0, v.members.rows)...)
	if v.figure.tree() {
		all = append(all, rowTargets(r[picture], 0, v.figure.rows)...)
	} else if d := v.figure.drawing; d != nil && !r[picture].Empty() {
		for _, b := range d.sheet.BoxCorners() {
			all = append(all, screen.PointAt{X: r[picture].X + 1 + b[0], Y: r[picture].Y + 1 + b[1]})
		}
	}
	return append(all, rowTargets(r[seqs], 0, v.seqs.rows)...)
}

// rowTargets returns the visible rows of a list in a pane at r. head is the number of lines above the list in the
// pane.
func rowTargets(r draw.Rect, head int, l widget.List) []screen.PointAt {
	if r.Empty() {
		return nil
	}
	var all []screen.PointAt
	from, to := l.Visible()
	for i := range to - from {
		all = append(all, screen.PointAt{X: r.X + 1, Y: r.Y + 1 + head + i})
	}
	return all
}
