// Package past is the page of the Search screen that lists the searches on disk, to open one of them.
// It takes them as rows, which the screen makes.
package past

import (
	"strings"
	"time"

	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// Row is a search.
type Row struct {
	Folder  string
	Started time.Time
	Summary model.Summary
	State   string // how it ended, such as "stopped"
	How     string // its settings, such as "P .60, seed 1"
}

// Model is the page. The zero value waits for its rows.
type Model struct {
	rows          []Row
	known         bool // the rows have arrived
	opening       bool // one is being read
	err           error
	list          widget.List
	folder        *textinput.Model // while a folder is typed
	width, height int
}

var (
	keyOpen = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "open"))
	keyType = key.NewBinding(key.WithKeys("e"), key.WithHelp("e", "type a folder"))

	// Leave closes the page, or the text field on it.
	Leave = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "close"))
)

// Take shows the rows, or why there are none.
func (m *Model) Take(rows []Row, err error) {
	m.rows, m.known, m.err = rows, true, err
	m.Fit(m.width, m.height)
}

// Failed says why one could not be opened.
func (m *Model) Failed(err error) { m.opening, m.err = false, err }

// Typing reports whether a folder is being typed.
func (m Model) Typing() bool { return m.folder != nil }

// Fit arranges the page in width × height cells.
func (m *Model) Fit(width, height int) {
	m.width, m.height = width, height
	m.list.Fit(len(m.rows), m.room())
}

// Key takes a key. It returns the folder of the search to open, "" for none, and whether the page
// used the key.
func (m *Model) Key(msg tea.KeyMsg) (open string, mine bool) {
	switch {
	case m.folder != nil:
		return m.typed(msg), true
	case m.opening:
		return "", m.list.Key(msg)
	case key.Matches(msg, keyType):
		field := widget.ValueField("")
		m.folder, m.err = &field, nil
	case key.Matches(msg, keyOpen) && len(m.rows) > 0:
		return m.open(m.rows[m.list.At].Folder), true
	default:
		return "", m.list.Key(msg)
	}
	return "", true
}

// typed takes a key while a folder is typed.
func (m *Model) typed(msg tea.KeyMsg) (open string) {
	switch {
	case key.Matches(msg, Leave):
		m.folder = nil
	case key.Matches(msg, keyOpen):
		open = strings.TrimSpace(m.folder.Value())
		m.folder = nil
		if open != "" {
			return m.open(open)
		}
	default:
		field, _ := m.folder.Update(msg)
		m.folder = &field
	}
	return ""
}

// open marks the search in a folder as being read.
func (m *Model) open(folder string) string {
	m.opening, m.err = true, nil
	return folder
}

// Keys are the page's own keys that matter now.
func (m Model) Keys() []key.Binding {
	switch {
	case m.folder != nil:
		return []key.Binding{keyOpen, Leave}
	case len(m.rows) == 0:
		return []key.Binding{keyType}
	}
	return append([]key.Binding{keyOpen, keyType}, widget.MoveKeys()...)
}

// Actions are all of the page's own keys.
func Actions() []key.Binding { return []key.Binding{keyOpen, keyType, Leave} }

// Mouse moves the cursor to the row that was clicked, and scrolls.
func (m *Model) Mouse(msg tea.MouseMsg) {
	m.list.Go(m.list.At + widget.WheelRows(msg))
	if widget.LeftClick(msg) {
		m.list.Click(msg.Y - first)
	}
}

// Targets are the cells of the rows in sight.
func (m Model) Targets() (all []screen.PointAt) {
	from, to := m.list.Visible()
	for i := range to - from {
		all = append(all, screen.PointAt{X: 1, Y: first + i})
	}
	return all
}
