// Package events is the page of the Search screen that lists the events of a run, the newest last, with a
// filter. The screen makes the rows from the run's log.
package events

import (
	"time"

	"sonde/model"
	"sonde/ui/theme"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Row is an event.
type Row struct {
	At     time.Duration // the time since the run began
	Call   int
	Kind   string // a word such as "fault"; the filter also searches it
	Glyph  string
	Style  theme.Style // the style of the glyph and the kind
	Text   string      // a text without control characters
	Op     model.OpID  // the operation of the event, "" for none
	Status string      // the status of the answer, "" for none
}

// Model is the page. The zero value is not ready: use New.
type Model struct {
	find          finder.FilterLine
	rows          []Row
	unkept        int   // number of events before the rows; these events are not kept
	shown         []int // the indexes of the rows that match the filter
	list          widget.List
	scrolled      bool // the cursor was moved away from the newest row
	width, height int
}

// New returns a page without events.
func New() Model { return Model{find: finder.New("kind:fault, status:5xx, !not", "kind")} }

// Filter returns the text of the filter.
func (m Model) Filter() string { return m.find.Text() }

// SetFilter lists the events that match another filter.
func (m *Model) SetFilter(text string) {
	m.find.SetText(text)
	m.scrolled = false
	m.sift()
}

// SetIndex sets the index in which the filter looks up operations, after a spec was opened.
func (m *Model) SetIndex(index *filter.Index) {
	m.find.SetIndex(index)
	m.sift()
}

// Clear removes all events. The screen calls it before it shows another run.
func (m *Model) Clear() {
	m.rows, m.unkept, m.scrolled = nil, 0, false
	m.sift()
}

// Take sets the rows. unkept is the number of events before the first row. If the user has moved the cursor away from
// the newest row, the cursor stays on its event. Otherwise it moves to the new newest row.
func (m *Model) Take(rows []Row, unkept int) {
	at, ok := m.chosen()
	at += m.unkept
	m.rows, m.unkept = rows, unkept
	m.sift()
	if !m.scrolled || !ok {
		return
	}
	for i, row := range m.shown {
		if row+unkept >= at {
			m.list.Go(i)
			return
		}
	}
}

// Total returns the number of events, including those that are not kept.
func (m Model) Total() int { return m.unkept + len(m.rows) }

// Typing reports whether the filter has the focus.
func (m Model) Typing() bool { return m.find.Typing() }

// Fit arranges the page in width × height cells.
func (m *Model) Fit(width, height int) {
	m.width, m.height = width, height
	m.list.Fit(len(m.shown), m.lay().rows)
	if !m.scrolled {
		m.list.Go(len(m.shown) - 1)
	}
}

// sift selects the rows whose own names match the filter. If no row has such names, it selects the rows that match in
// values and schemas.
func (m *Model) sift() {
	var named, within []int
	for i, r := range m.rows {
		switch m.find.Match(r.filterRow()) {
		case filter.NameMatch:
			named = append(named, i)
		case filter.ContentMatch:
			within = append(within, i)
		}
	}
	m.shown = named
	if len(named) == 0 {
		m.shown = within
	}
	m.Fit(m.width, m.height)
}

// filterRow returns the row in the form that the filter needs.
func (r Row) filterRow() filter.Row {
	row := filter.Row{Words: []string{r.Text, r.Kind}, FactValues: func(string) []string { return []string{r.Kind} }}
	if r.Op != "" {
		row.Operations = []model.OpID{r.Op}
	}
	if r.Status != "" {
		row.Statuses = []string{r.Status}
	}
	return row
}

// chosen returns the index of the row under the cursor; false if no row is shown.
func (m Model) chosen() (int, bool) {
	if m.list.At >= len(m.shown) {
		return 0, false
	}
	return m.shown[m.list.At], true
}

// Operation returns the operation of the event under the cursor, "" for none.
func (m Model) Operation() model.OpID {
	if at, ok := m.chosen(); ok {
		return m.rows[at].Op
	}
	return ""
}

// Text returns the text of the event under the cursor, "" for none.
func (m Model) Text() string {
	if at, ok := m.chosen(); ok {
		return m.rows[at].Text
	}
	return ""
}

// GoToCall moves the cursor to the last event at or before a call, or to the first event.
func (m *Model) GoToCall(call int) {
	at := 0
	for i, row := range m.shown {
		if m.rows[row].Call <= call {
			at = i
		}
	}
	m.list.Go(at)
	m.moved()
}

// Mouse moves the cursor to the row that was clicked, and scrolls.
func (m *Model) Mouse(msg tea.MouseMsg) {
	if wheel := widget.WheelRows(msg); wheel != 0 {
		m.list.Go(m.list.At + wheel)
		m.moved()
	}
	if widget.LeftClick(msg) {
		m.Point(screen.PointAt{X: msg.X, Y: msg.Y})
	}
}

// Targets returns the cells of the visible rows.
func (m Model) Targets() (all []screen.PointAt) {
	from, to := m.list.Visible()
	for i := range to - from {
		all = append(all, screen.PointAt{X: 1, Y: m.lay().first + i})
	}
	return all
}

// Point moves the cursor to the row at a cell.
func (m *Model) Point(at screen.PointAt) {
	if m.list.Click(at.Y - m.lay().first) {
		m.moved()
	}
}

// moved records whether the cursor is away from the newest row.
func (m *Model) moved() { m.scrolled = m.list.At < len(m.shown)-1 }

// Focus moves the focus to the filter.
func (m *Model) Focus() tea.Cmd { return m.find.Focus() }

// TypeKey handles a key while the filter has the focus.
func (m *Model) TypeKey(k tea.KeyMsg) tea.Cmd {
	before := m.find.Text()
	cmd := m.find.HandleKey(k)
	if m.find.Text() != before {
		m.scrolled = false
		m.sift()
	}
	return cmd
}

// Filtered reports whether the filter has a text.
func (m Model) Filtered() bool { return m.find.Text() != "" }

// ClearFilter removes the filter, and moves the cursor to the newest event.
func (m *Model) ClearFilter() { m.SetFilter("") }

// Move moves the cursor.
func (m *Model) Move(k tea.KeyMsg) {
	m.list.Key(k)
	m.moved()
}
