// Package source is the page of the Search screen that shows a run's coverage of the service's source, by
// file and by line.
package source

import (
	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Model is the page. It shows the state from the last call of Take. It reads the text of a file when the user opens
// the file.
type Model struct {
	reach *model.SourceCoverage // nil if nothing is known of the source
	read  Read
	why   string // why nothing is known of the source, and what the user can do

	tree    tree
	text    text
	reading bool // the text has the focus, not the list
	width   int
	height  int
}

// Read reads a source file. It is slow, and is called in a Cmd.
type Read func(model.SourceFile) (string, error)

// Take shows a newer state of a run. If reach is nil, the page shows the text in why instead of the files.
func (m *Model) Take(reach *model.SourceCoverage, read Read, why string) {
	changed := reach == nil || m.reach == nil || reach.Source != m.reach.Source
	m.reach, m.read, m.why = reach, read, why
	if changed {
		m.reading, m.text, m.tree = false, text{gen: m.text.gen + 1, file: none}, tree{}
		m.tree.arrange(reach)
		m.tree.first()
	}
}

// none is a file index that means no file.
const none = -1

// Fit sets the size of the page. If the text is visible, the Cmd reads the file under the cursor or
// highlights the text.
func (m *Model) Fit(width, height int) tea.Cmd {
	m.size(width, height)
	l := m.layout()
	if at := m.tree.file(); l.both && !m.reading && at != none && at != m.text.file {
		return m.open(at)
	}
	if l.text.Empty() {
		return nil
	}
	return m.text.highlight()
}

// size sets the sizes of the lists.
func (m *Model) size(width, height int) {
	m.width, m.height = width, height
	l := m.layout()
	m.tree.list.Fit(len(m.tree.rows), max(1, l.list.H-3)) // border, head of the columns
	m.text.fit(m.textRows(l))
}

// Update handles the results of the page's Cmds.
func (m *Model) Update(msg tea.Msg) {
	switch msg := msg.(type) {
	case loaded:
		m.text.take(msg)
	case lit:
		m.text.light(msg)
	}
}

// open reads a file in the background.
func (m *Model) open(file int) tea.Cmd {
	m.text = text{gen: m.text.gen + 1, file: file, busy: true}
	if m.read == nil {
		m.text.busy, m.text.err = false, errElsewhere
		return nil
	}
	return m.text.load(m.read, m.reach.Files[file])
}

// Mouse handles a click on a row and the wheel.
func (m *Model) Mouse(msg tea.MouseMsg) {
	l := m.layout()
	switch {
	case m.reach == nil:
	case l.list.Has(msg.X, msg.Y):
		m.point(msg, &m.tree.list, false, l.list.Y+2)
	case l.text.Has(msg.X, msg.Y):
		m.point(msg, &m.text.list, true, l.text.Y+1)
	}
}

// Targets returns the cells of the visible rows of the list.
func (m Model) Targets() (all []screen.PointAt) {
	l := m.layout()
	if m.reach == nil || l.list.Empty() {
		return nil
	}
	from, to := m.tree.list.Visible()
	for i := range to - from {
		all = append(all, screen.PointAt{X: l.list.X + 1, Y: l.list.Y + 2 + i})
	}
	return all
}

// point handles a mouse event on one of the lists. The parameter first is the line of the list's first row. A click
// moves the focus to the list. If no text is shown, a click cannot move the focus to the text.
func (m *Model) point(msg tea.MouseMsg, list *widget.List, reading bool, first int) {
	list.Go(list.At + widget.WheelRows(msg))
	if widget.LeftClick(msg) && (!reading || m.text.shown()) {
		m.reading = reading
		list.Click(msg.Y - first)
	}
}
