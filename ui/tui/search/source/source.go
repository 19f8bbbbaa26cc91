// Package source is a page of the Search screen: what a run covered of the service's source, by file
// and by line.
package source

import (
	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Model is the page. It shows the state that Take was last given, and reads the text of a file when
// it is opened.
type Model struct {
	reach *model.SourceCoverage // nil where nothing is known of the source
	read  Read
	why   string // nothing is known of the source, and what to do

	tree    tree
	text    text
	reading bool // the text has the focus, not the list
	width   int
	height  int
}

// Read reads a source file. It is slow, and is called in a Cmd.
type Read func(model.SourceFile) (string, error)

// Take shows a newer state of a run. Where reach is nil, the page says why.
func (m *Model) Take(reach *model.SourceCoverage, read Read, why string) {
	changed := reach == nil || m.reach == nil || reach.Source != m.reach.Source
	m.reach, m.read, m.why = reach, read, why
	if changed {
		m.reading, m.text, m.tree = false, text{gen: m.text.gen + 1, file: none}, tree{}
		m.tree.arrange(reach)
		m.tree.first()
	}
}

// none is no file.
const none = -1

// Fit sizes the page. The Cmd reads the file under the cursor where it is in sight, and highlights
// its text.
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

// size sizes the lists.
func (m *Model) size(width, height int) {
	m.width, m.height = width, height
	l := m.layout()
	m.tree.list.Fit(len(m.tree.rows), max(1, l.list.H-3)) // border, head of the columns
	m.text.fit(m.textRows(l))
}

// Update takes the result of one of the page's Cmds.
func (m *Model) Update(msg tea.Msg) {
	switch msg := msg.(type) {
	case loaded:
		m.text.take(msg)
	case lit:
		m.text.light(msg)
	}
}

// open asks for a file.
func (m *Model) open(file int) tea.Cmd {
	m.text = text{gen: m.text.gen + 1, file: file, busy: true}
	if m.read == nil {
		m.text.busy, m.text.err = false, errElsewhere
		return nil
	}
	return m.text.load(m.read, m.reach.Files[file])
}

// Mouse moves the cursor to the row that was clicked, and scrolls.
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

// Targets are the cells of the list's rows in sight.
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

// point moves the cursor of one of the lists to the mouse.
func (m *Model) point(msg tea.MouseMsg, list *widget.List, reading bool, first int) {
	list.Go(list.At + widget.WheelRows(msg))
	if widget.LeftClick(msg) && (!reading || m.text.shown()) {
		m.reading = reading
		list.Click(msg.Y - first)
	}
}
