// Package past is the page of the Search screen that lists the searches on disk. The screen provides the
// rows, and opens the search that the user chooses.
package past

import (
	"strings"
	"time"

	"sonde/model"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// Row is a search on disk.
type Row struct {
	Folder  string
	Started time.Time
	Summary model.Summary
	State   string // how the search ended, such as "stopped"
	How     string // the settings of the search, such as "P .60, seed 1"
}

// Model is the page. The zero value waits for its rows.
type Model struct {
	rows          []Row
	known         bool // the rows have arrived
	opening       bool // a search is being read
	err           error
	list          widget.List
	folder        *textinput.Model // the text field for a folder, nil while none is typed
	width, height int
}

// The keys of the page. The screen's key table has their actions.
var (
	KeyOpen  = keymap.Bind("⏎", "open", "enter")
	KeyType  = keymap.Bind("e", "type a folder")
	KeyClose = keymap.Bind("esc", "close") // closes the page, or the text field on it
)

// Take sets the rows. If reading the rows failed, err is the error.
func (m *Model) Take(rows []Row, err error) {
	m.rows, m.known, m.err = rows, true, err
	m.Fit(m.width, m.height)
}

// Failed shows the error of opening a search.
func (m *Model) Failed(err error) { m.opening, m.err = false, err }

// Typing reports whether a folder is being typed.
func (m Model) Typing() bool { return m.folder != nil }

// Fit arranges the page in width × height cells.
func (m *Model) Fit(width, height int) {
	m.width, m.height = width, height
	m.list.Fit(len(m.rows), m.room())
}

// Empty reports whether no search is listed.
func (m Model) Empty() bool { return len(m.rows) == 0 }

// Opening reports whether a search is being read.
func (m Model) Opening() bool { return m.opening }

// Open marks the search under the cursor as being read, and returns its folder.
func (m *Model) Open() (folder string) { return m.open(m.rows[m.list.At].Folder) }

func (m *Model) open(folder string) string {
	m.opening, m.err = true, nil
	return folder
}

// TypeFolder opens the text field for a folder.
func (m *Model) TypeFolder() {
	field := widget.ValueField("")
	m.folder, m.err = &field, nil
}

// TypeKey handles a key in the text field.
func (m *Model) TypeKey(k tea.KeyMsg) {
	field, _ := m.folder.Update(k)
	m.folder = &field
}

// CancelFolder closes the text field.
func (m *Model) CancelFolder() { m.folder = nil }

// AcceptFolder closes the text field. It marks the search in the typed folder as being
// read, and returns the folder; "" if none was typed.
func (m *Model) AcceptFolder() (folder string) {
	folder = strings.TrimSpace(m.folder.Value())
	m.folder = nil
	if folder == "" {
		return ""
	}
	return m.open(folder)
}

// Move moves the cursor.
func (m *Model) Move(k tea.KeyMsg) { m.list.Key(k) }

// Mouse moves the cursor to the row that was clicked, and scrolls.
func (m *Model) Mouse(msg tea.MouseMsg) {
	m.list.Go(m.list.At + widget.WheelRows(msg))
	if widget.LeftClick(msg) {
		m.list.Click(msg.Y - first)
	}
}

// Targets returns the cells of the visible rows.
func (m Model) Targets() (all []screen.PointAt) {
	from, to := m.list.Visible()
	for i := range to - from {
		all = append(all, screen.PointAt{X: 1, Y: first + i})
	}
	return all
}
