// Package source is a page of the Search screen: what a run reached of the
// service's source, file by file and line by line.
package source

import (
	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Model is the page. It shows what it was last given; to open a file it asks for
// its text.
type Model struct {
	reach *model.Reach // nil where nothing is seen of the source
	read  Read
	why   string // what to do where nothing is seen

	tree    tree
	text    text
	reading bool // the text has the focus, not the list
	width   int
	height  int
}

// Read reads a source file. It is slow, and is called in a Cmd.
type Read func(model.SourceFile) (string, error)

// Take shows a newer state of a run. Why says what to do where nothing is seen of
// its source.
func (m *Model) Take(reach *model.Reach, read Read, why string) {
	anew := reach == nil || m.reach == nil || reach.Source != m.reach.Source
	m.reach, m.read, m.why = reach, read, why
	if anew {
		m.reading, m.text, m.tree = false, text{gen: m.text.gen + 1, file: none}, tree{}
		m.tree.arrange(reach)
		m.tree.first()
	}
}

// none is no file.
const none = -1

// Fit tells the page how large it is, and asks for what is then in sight: the
// file under the cursor, and colours for its text.
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

// size tells the lists how much of them is in sight.
func (m *Model) size(width, height int) {
	m.width, m.height = width, height
	l := m.layout()
	m.tree.list.Fit(len(m.tree.rows), max(1, l.list.H-3)) // border, head of the columns
	m.text.fit(m.textRows(l))
}

// Update takes the answer to a Cmd of the page's.
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

// Mouse takes a click, or a turn of the wheel.
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

// Targets are the rows of the list in sight, to be pointed at.
func (m Model) Targets() (all []screen.Point) {
	l := m.layout()
	if m.reach == nil || l.list.Empty() {
		return nil
	}
	from, to := m.tree.list.Visible()
	for i := range to - from {
		all = append(all, screen.Point{X: l.list.X + 1, Y: l.list.Y + 2 + i})
	}
	return all
}

// point moves a cursor to where the mouse points.
func (m *Model) point(msg tea.MouseMsg, list *pane.List, reading bool, first int) {
	list.Go(list.At + pane.Wheel(msg))
	if pane.Clicked(msg) && (!reading || m.text.shown()) {
		m.reading = reading
		list.Click(msg.Y - first)
	}
}
