package widget

import (
	"sonde/ui/draw"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// List is the cursor and the range of visible rows of a list. The zero value is an empty list.
type List struct {
	At, Top      int // the row of the cursor, the first visible row
	Rows, Height int // number of rows, and number of rows that fit
}

// Keys that move the cursor in every list.
var (
	Up       = key.NewBinding(key.WithKeys("up", "k"), key.WithHelp("↑", "up"))
	Down     = key.NewBinding(key.WithKeys("down", "j"), key.WithHelp("↓", "down"))
	PageUp   = key.NewBinding(key.WithKeys("pgup", "ctrl+u"), key.WithHelp("pgup", "a page up"))
	PageDown = key.NewBinding(key.WithKeys("pgdown", "ctrl+d"), key.WithHelp("pgdn", "a page down"))
	Home     = key.NewBinding(key.WithKeys("home"), key.WithHelp("home", "first"))
	End      = key.NewBinding(key.WithKeys("end"), key.WithHelp("end", "last"))
)

// MoveKeys returns the keys that Key handles.
func MoveKeys() []key.Binding {
	return []key.Binding{Up, Down, PageUp, PageDown, Home, End}
}

// Fit sets the number of rows and the number of rows that fit. The cursor stays visible, and stays on its
// row if that row still exists.
func (l *List) Fit(rows, height int) {
	l.Rows, l.Height = rows, height
	l.Go(l.At)
}

// Go moves the cursor to a row, or to the nearest existing row.
func (l *List) Go(row int) {
	l.At = max(0, min(row, l.Rows-1))
	if l.Height <= 0 {
		l.Top = min(l.Top, l.At)
		return
	}
	l.Top = draw.ScrollOffset(l.Top, l.At, l.At, l.Height, l.Rows)
}

// Key moves the cursor if the key is one of MoveKeys, and reports whether it is.
func (l *List) Key(msg tea.KeyMsg) bool {
	switch {
	case key.Matches(msg, Up):
		l.Go(l.At - 1)
	case key.Matches(msg, Down):
		l.Go(l.At + 1)
	case key.Matches(msg, PageUp):
		l.Go(l.At - max(1, l.Height-1))
	case key.Matches(msg, PageDown):
		l.Go(l.At + max(1, l.Height-1))
	case key.Matches(msg, Home):
		l.Go(0)
	case key.Matches(msg, End):
		l.Go(l.Rows - 1)
	default:
		return false
	}
	return true
}

// Click moves the cursor to the row that is y lines below the first visible row. It reports whether there
// is such a row.
func (l *List) Click(y int) bool {
	if y < 0 || y >= l.Height || l.Top+y >= l.Rows {
		return false
	}
	l.At = l.Top + y
	return true
}

// Visible returns the index of the first visible row, and the index after the last one.
func (l List) Visible() (from, to int) {
	return l.Top, min(l.Rows, l.Top+l.Height)
}

// WheelRows returns the number of rows to scroll for a mouse wheel event, and 0 for other
// mouse events.
func WheelRows(msg tea.MouseMsg) int {
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		return -3
	case tea.MouseButtonWheelDown:
		return 3
	}
	return 0
}

// LeftClick reports whether the left button was pressed.
func LeftClick(msg tea.MouseMsg) bool {
	return msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress
}
