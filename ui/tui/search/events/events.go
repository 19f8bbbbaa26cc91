// Package events is the page of the Search screen that lists what happened in a
// run, the newest last, and has a filter. What the events mean is for the screen
// to say.
package events

import (
	"time"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Row is one thing that happened.
type Row struct {
	At     time.Duration // since the run began
	Call   int
	Kind   string // such as "fault", for the filter as well
	Glyph  string
	Style  theme.Style // of the glyph and the kind
	Text   string      // clean
	Op     model.OpID  // that it is about, "" for none
	Status string      // that an operation answered, "" for none
}

// Model is the page. The zero value is not ready: use New.
type Model struct {
	find          finder.Finder
	rows          []Row
	gone          int   // that happened before the rows, and are not kept
	shown         []int // the rows that fit the filter
	list          pane.List
	scrolled      bool // away from the newest
	width, height int
}

// New returns a page without events.
func New() Model { return Model{find: finder.New("kind:fault, status:5xx, !not", "kind")} }

// Look has the filter look at the operations of another spec.
func (m *Model) Look(index *filter.Index) {
	m.find.Look(index)
	m.sift()
}

// Clear forgets what happened: another run begins.
func (m *Model) Clear() { m.rows, m.gone, m.scrolled = nil, 0, false; m.sift() }

// Take shows the newest rows; so many came before them. Unless somebody scrolled,
// the cursor stays on the newest.
func (m *Model) Take(rows []Row, gone int) {
	at, ok := m.chosen()
	at += m.gone
	m.rows, m.gone = rows, gone
	m.sift()
	if !m.scrolled || !ok {
		return
	}
	for i, row := range m.shown {
		if row+gone >= at {
			m.list.Go(i)
			return
		}
	}
}

// Total is how many events there were up to the newest on show.
func (m Model) Total() int { return m.gone + len(m.rows) }

// Typing tells that the filter has the focus.
func (m Model) Typing() bool { return m.find.Typing() }

// Fit arranges the page in width × height cells.
func (m *Model) Fit(width, height int) {
	m.width, m.height = width, height
	m.list.Fit(len(m.shown), m.lay().rows)
	if !m.scrolled {
		m.list.Go(len(m.shown) - 1)
	}
}

// sift finds the rows that fit: those that have what the filter says in their own
// names or, where none has, in values and schemas.
func (m *Model) sift() {
	var named, within []int
	for i, r := range m.rows {
		switch m.find.Fit(r.asked()) {
		case filter.Named:
			named = append(named, i)
		case filter.Within:
			within = append(within, i)
		}
	}
	m.shown = named
	if len(named) == 0 {
		m.shown = within
	}
	m.Fit(m.width, m.height)
}

// asked is what a filter sees of the row.
func (r Row) asked() filter.Row {
	row := filter.Row{Words: []string{r.Text, r.Kind}, Fact: func(string) []string { return []string{r.Kind} }}
	if r.Op != "" {
		row.Ops = []model.OpID{r.Op}
	}
	if r.Status != "" {
		row.Statuses = []string{r.Status}
	}
	return row
}

// chosen is the row under the cursor, as its place among all.
func (m Model) chosen() (int, bool) {
	if m.list.At >= len(m.shown) {
		return 0, false
	}
	return m.shown[m.list.At], true
}

// Operation is what the event under the cursor is about, "" for none.
func (m Model) Operation() model.OpID {
	if at, ok := m.chosen(); ok {
		return m.rows[at].Op
	}
	return ""
}

// Mouse moves the cursor to what was clicked, and scrolls.
func (m *Model) Mouse(msg tea.MouseMsg) {
	if wheel := pane.Wheel(msg); wheel != 0 {
		m.list.Go(m.list.At + wheel)
		m.moved()
	}
	if pane.Clicked(msg) {
		m.Point(screen.Point{X: msg.X, Y: msg.Y})
	}
}

// Targets are the rows in sight, to be pointed at.
func (m Model) Targets() (all []screen.Point) {
	from, to := m.list.Visible()
	for i := range to - from {
		all = append(all, screen.Point{X: 1, Y: m.lay().first + i})
	}
	return all
}

// Point puts the cursor on the row at a cell.
func (m *Model) Point(at screen.Point) {
	if m.list.Click(at.Y - m.lay().first) {
		m.moved()
	}
}

// moved notes whether the cursor is on the newest row.
func (m *Model) moved() { m.scrolled = m.list.At < len(m.shown)-1 }

// Focus gives the filter the focus.
func (m *Model) Focus() tea.Cmd { return m.find.Focus() }

// Typed takes a key while the filter has the focus.
func (m *Model) Typed(msg tea.KeyMsg) tea.Cmd {
	before := m.find.Text()
	cmd := m.find.Key(msg)
	if m.find.Text() != before {
		m.scrolled = false
		m.sift()
	}
	return cmd
}

// Key takes a key that moves, or takes the filter away, and reports whether it is one.
func (m *Model) Key(msg tea.KeyMsg) bool {
	switch {
	case m.list.Key(msg):
		m.moved()
	case key.Matches(msg, finder.Clear) && m.find.Text() != "":
		m.find.Set("")
		m.scrolled = false
		m.sift()
	default:
		return false
	}
	return true
}

// Keys are the page's own keys that matter now.
func (m Model) Keys() []key.Binding {
	switch {
	case m.find.Typing():
		return m.find.Keys()
	case m.find.Text() != "":
		return append([]key.Binding{finder.Open, finder.Clear}, pane.Moves()...)
	}
	return append([]key.Binding{finder.Open}, pane.Moves()...)
}
