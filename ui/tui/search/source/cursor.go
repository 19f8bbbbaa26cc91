package source

import (
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// Keys that appear in texts of the page. The screen has the table of all keys.
var (
	KeyTest  = keymap.Bind("⏎", "its test", "enter")
	KeyClose = keymap.Bind("esc", "to the run", "esc", "c")
)

// Known reports whether anything is known of the source.
func (m Model) Known() bool { return m.reach != nil }

// Reading reports whether the text has the focus, not the list of files.
func (m Model) Reading() bool { return m.reading }

// OnFile reports whether the cursor of the list is on a file, not on a package.
func (m Model) OnFile() bool { return m.tree.file() != none }

// UncoveredFirst reports whether files with the most uncovered statements come first.
func (m Model) UncoveredFirst() bool { return m.tree.byUncovered }

// ToggleOrder sorts the files by name or by their uncovered statements, and moves the cursor to the first
// file.
func (m *Model) ToggleOrder() {
	m.tree.byUncovered = !m.tree.byUncovered
	m.tree.arrange(m.reach)
	m.tree.first()
}

// Move moves the cursor of the list or of the text, whichever has the focus.
func (m *Model) Move(k tea.KeyMsg) {
	switch {
	case !m.reading:
		m.tree.list.Key(k)
	case m.text.shown():
		m.text.list.Key(k)
	}
}

// Enter opens the file under the cursor, or folds or unfolds the package.
func (m *Model) Enter() tea.Cmd {
	at := m.tree.file()
	if at == none {
		if len(m.tree.rows) > 0 {
			m.tree.fold(m.reach)
		}
		return nil
	}
	m.reading = true
	if at == m.text.file && m.text.err == nil {
		return nil
	}
	return m.open(at)
}

// CloseText moves the focus back to the list of files.
func (m *Model) CloseText() { m.reading = false }

// ScrollText scrolls the text to the right by steps of 8 cells, to the left if steps is negative.
func (m *Model) ScrollText(steps int) { m.text.left = max(0, min(m.text.left+8*steps, maxLine)) }

// GoToUncovered moves the cursor to the next line that is uncovered or half covered, or to the previous such line if
// by is -1. In a series of uncovered lines, it goes to the first line. It wraps around at the ends of the file.
func (m *Model) GoToUncovered(by int) tea.Cmd {
	if !m.text.shown() {
		return nil
	}
	n, file := len(m.text.code.Lines), m.coverage()
	for step := 1; step <= n; step++ {
		at := ((m.text.list.At+by*step)%n + n) % n
		if file.begins(at) {
			m.text.list.Top = at - m.text.list.Height/2 // shows the line in the middle
			m.text.list.Go(at)
			return nil
		}
	}
	return screen.ShowStatus("All of this file is covered")
}

// TestOfLine returns the ID of the test that is kept for the line under the cursor. If there is no such
// test, whyNone shows the reason. If no file is shown, both results are zero.
func (m *Model) TestOfLine() (id string, whyNone tea.Cmd) {
	if !m.text.shown() {
		return "", nil
	}
	at, file := m.text.list.At, m.coverage()
	if id := file.keptFor(at); id != "" {
		return id, nil
	}
	line := "Line " + words.Count(at+1)
	switch file.state(at) {
	case empty:
		return "", screen.ShowStatus(line + " has no statement")
	case uncovered:
		return "", screen.ShowStatus("No test has covered line " + words.Count(at+1) + " so far")
	}
	return "", screen.ShowStatus(line + " is covered without a test: by the start, a reset, or a search that reads answers only")
}
