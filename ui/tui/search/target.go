package search

import (
	"slices"

	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Targets are the rows in sight: of the settings, of all lists of the run, of the
// source's files, or of what happened.
func (m Model) Targets() []screen.Point {
	switch {
	case m.question.Open() || m.form.typing():
		return nil
	case m.inPast:
		return m.past.Targets()
	case m.setup:
		_, first := m.setupLines()
		return rowsAt(1, first+1, m.form.list.Visible)
	case m.inCode:
		return m.code.Targets()
	case m.inEvents:
		return m.events.Targets()
	}
	return m.runTargets()
}

// runTargets are the rows of the panes that are lists.
func (m Model) runTargets() (all []screen.Point) {
	l := m.layout()
	for p, r := range l.part {
		if _, text := m.text(part(p), 1); r.Empty() || text || !slices.Contains(l.visible, part(p)) || part(p) == partChart {
			continue
		}
		all = append(all, rowsAt(r.X+1, r.Y+firstRow(part(p)), m.lists[p].Visible)...)
	}
	return all
}

// rowsAt are the rows of a list that begins at a cell.
func rowsAt(x, y int, visible func() (from, to int)) (all []screen.Point) {
	from, to := visible()
	for i := range to - from {
		all = append(all, screen.Point{X: x, Y: y + i})
	}
	return all
}

// point puts the cursor on the row at a cell, as a click there does.
func (m *Model) point(at screen.Point) {
	m.mouse(tea.MouseMsg{X: at.X, Y: at.Y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
}
