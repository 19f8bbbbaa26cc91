package source

import (
	"sonde/model"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// Keys that are named in texts of the page. The screen has the table of all keys.
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

// ToggleOrder lists the files by name or by their uncovered statements, and puts the
// cursor on the first file.
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

// CloseText gives the focus back to the list of files.
func (m *Model) CloseText() { m.reading = false }

// ScrollText scrolls the text sideways by steps of 8 cells.
func (m *Model) ScrollText(steps int) { m.text.left = max(0, min(m.text.left+8*steps, maxLine)) }

// GoToUncovered puts the cursor on the next line that is not or only half covered, or on the previous one
// if by is -1. Of several uncovered lines in a row it goes to the first.
func (m *Model) GoToUncovered(by int) tea.Cmd {
	if !m.text.shown() {
		return nil
	}
	n := len(m.text.code.Lines)
	for step := 1; step <= n; step++ {
		at := ((m.text.list.At+by*step)%n + n) % n
		if m.begins(at) {
			m.text.list.Top = at - m.text.list.Height/2 // shows the line in the middle
			m.text.list.Go(at)
			return nil
		}
	}
	return screen.ShowStatus("All of this file is covered")
}

// begins reports whether a line is half covered, or the first of uncovered lines in a row. Lines without a
// statement may be between them.
func (m *Model) begins(at int) bool {
	s := m.state(at)
	if s != uncovered {
		return s == half
	}
	for at--; at >= 0; at-- {
		if before := m.state(at); before != empty {
			return before != uncovered
		}
	}
	return true
}

// state returns the state of a line of the open file.
func (m *Model) state(at int) state {
	if at >= len(m.text.lines) {
		return empty
	}
	return m.text.lines[at].state(m.targets(), m.now().Near)
}

// targets returns the targets of the open file.
func (m *Model) targets() []model.SourceTarget { return m.reach.Files[m.text.file].Targets }

// now returns what the run has covered of the open file.
func (m *Model) now() *model.FileCoverage { return m.reach.Reached[m.text.file] }

// TestOfLine returns the ID of the test that is kept for the line under the cursor. If there is no such
// test, whyNone shows the reason. If no file is shown, both results are zero.
func (m *Model) TestOfLine() (id string, whyNone tea.Cmd) {
	if !m.text.shown() {
		return "", nil
	}
	at := m.text.list.At
	if id := m.keptFor(at); id != "" {
		return id, nil
	}
	line := "Line " + words.Count(at+1)
	switch m.state(at) {
	case empty:
		return "", screen.ShowStatus(line + " has no statement")
	case uncovered:
		return "", screen.ShowStatus("No test has covered line " + words.Count(at+1) + " so far")
	}
	return "", screen.ShowStatus(line + " is covered without a test: by the start, a reset, or a search that reads answers only")
}

// keptFor returns the ID of the test that is kept for a line, "" if there is none. Tests
// that cover its statements come before those that cover its other targets.
func (m *Model) keptFor(at int) string {
	if at >= len(m.text.lines) {
		return ""
	}
	l := m.text.lines[at]
	for _, some := range [][]int32{l.blocks, l.begun} {
		for _, i := range some {
			if id := m.now().Tests[i]; id != "" {
				return id
			}
		}
	}
	return ""
}
