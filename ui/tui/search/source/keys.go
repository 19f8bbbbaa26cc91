package source

import (
	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

var (
	keyOpen  = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "open"))
	keyFold  = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "fold"))
	keySort  = key.NewBinding(key.WithKeys("u"), key.WithHelp("u", "uncovered first"))
	keyNames = key.NewBinding(key.WithKeys("u"), key.WithHelp("u", "by name"))
	keyClose = key.NewBinding(key.WithKeys("esc", "c"), key.WithHelp("esc", "to the run"))

	keyTest  = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "its test"))
	keyNext  = key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "next uncovered"))
	keyPrev  = key.NewBinding(key.WithKeys("N"), key.WithHelp("N", "previous uncovered"))
	keyRight = key.NewBinding(key.WithKeys("right", "l"), key.WithHelp("→", "scroll right"))
	keyLeft  = key.NewBinding(key.WithKeys("left", "h"), key.WithHelp("←", "scroll left"))
	keyFiles = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "to the files"))
	keyRun   = key.NewBinding(key.WithKeys("c"), key.WithHelp("c", "to the run"))
)

// Keys are the keys that matter now.
func (m Model) Keys() []key.Binding {
	switch {
	case m.reach == nil:
		return []key.Binding{keyClose}
	case m.reading:
		return append([]key.Binding{keyTest, keyNext, keyPrev, keyFiles, keyRun, keyRight, keyLeft}, widget.MoveKeys()...)
	}
	enter, order := keyOpen, keySort
	if m.tree.file() == none {
		enter = keyFold
	}
	if m.tree.byLeft {
		order = keyNames
	}
	return append([]key.Binding{enter, order, keyClose}, widget.MoveKeys()...)
}

// Result is the result of a key: what the screen has to do.
type Result struct {
	Close bool   // show the run again
	Test  string // show the test with this ID, "" for none
	Used  bool   // nothing: the page used the key
}

// Key takes a key.
func (m *Model) Key(msg tea.KeyMsg) (Result, tea.Cmd) {
	switch {
	case m.reach == nil:
		return Result{Close: key.Matches(msg, keyClose)}, nil
	case m.reading:
		return m.keyText(msg)
	case m.tree.list.Key(msg):
	case key.Matches(msg, keyClose):
		return Result{Close: true}, nil
	case key.Matches(msg, keySort):
		m.tree.byLeft = !m.tree.byLeft
		m.tree.arrange(m.reach)
		m.tree.first()
	case key.Matches(msg, keyOpen):
		return Result{Used: true}, m.enter()
	default:
		return Result{}, nil
	}
	return Result{Used: true}, nil
}

// enter opens the file under the cursor, or folds the package.
func (m *Model) enter() tea.Cmd {
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

func (m *Model) keyText(msg tea.KeyMsg) (Result, tea.Cmd) {
	switch {
	case m.text.shown() && m.text.list.Key(msg):
	case key.Matches(msg, keyFiles):
		m.reading = false
	case key.Matches(msg, keyRun):
		return Result{Close: true}, nil
	case key.Matches(msg, keyNext):
		return Result{Used: true}, m.jump(+1)
	case key.Matches(msg, keyPrev):
		return Result{Used: true}, m.jump(-1)
	case key.Matches(msg, keyRight):
		m.text.left = min(m.text.left+8, maxLine)
	case key.Matches(msg, keyLeft):
		m.text.left = max(m.text.left-8, 0)
	case key.Matches(msg, keyTest):
		return m.test()
	default:
		return Result{}, nil
	}
	return Result{Used: true}, nil
}

// jump puts the cursor on the next or previous uncovered line: of several in a row on the first.
func (m *Model) jump(by int) tea.Cmd {
	if !m.text.shown() {
		return nil
	}
	n := len(m.text.code.Lines)
	for step := 1; step <= n; step++ {
		at := ((m.text.list.At+by*step)%n + n) % n
		if m.begins(at) {
			m.text.list.Top = at - m.text.list.Height/2 // in the middle
			m.text.list.Go(at)
			return nil
		}
	}
	return screen.ShowStatus("All of this file is covered")
}

// begins reports whether a line is not covered, and the first of several in a row.
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

// state is the state of a line of the open file.
func (m *Model) state(at int) state {
	if at >= len(m.text.lines) {
		return empty
	}
	return m.text.lines[at].state(m.targets(), m.now().Near)
}

func (m *Model) targets() []model.SourceTarget { return m.reach.Files[m.text.file].Targets }

// now is what the run covered of the open file.
func (m *Model) now() *model.FileCoverage { return m.reach.Reached[m.text.file] }

// test shows the test that covers the line under the cursor, or says why there is none.
func (m *Model) test() (Result, tea.Cmd) {
	if !m.text.shown() {
		return Result{Used: true}, nil
	}
	at := m.text.list.At
	if id := m.keptFor(at); id != "" {
		return Result{Test: id}, nil
	}
	line := "Line " + words.Count(at+1)
	switch m.state(at) {
	case empty:
		return Result{Used: true}, screen.ShowStatus(line + " has no statement")
	case uncovered:
		return Result{Used: true}, screen.ShowStatus("No test has covered line " + words.Count(at+1) + " so far")
	}
	return Result{Used: true}, screen.ShowStatus(
		line + " is covered without a test: by the start, a reset, or a search that reads answers only",
	)
}

// keptFor is the test that is kept for a line: for its statements, or for other targets.
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
