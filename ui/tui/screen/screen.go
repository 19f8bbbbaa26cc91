// Package screen defines what the eight screens of the app have in common: the interface
// of a screen, the messages between screens, and the functions that they call to use the
// rest of Sonde. It draws nothing and does no I/O.
//
// Messages between screens are sent with a MessageQueue or a tea.Cmd, and each comes to all screens. The
// state of screens belongs to the goroutine of bubbletea's Update, unless a comment says otherwise.
package screen

import (
	"sonde/model"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Tab is the index of a screen in the tab line, from 0.
type Tab int

// The screens in the order of their tabs.
const (
	TabExplore Tab = iota
	TabGroups
	TabGraph
	TabSeqs
	TabSearch
	TabExport
	TabNetwork
	TabRecord
)

// Screen is one page of the app. Keys, mouse events and PointAt come only to the visible screen. The cells
// of mouse events and PointAt are counted from the upper left corner of the screen. Messages that are not
// only for the app come to all screens; tea.WindowSizeMsg has the size of the screen's own area.
type Screen interface {
	// Update handles a message. It does no I/O; slow work goes into the Cmd.
	Update(tea.Msg) (Screen, tea.Cmd)
	// View draws exactly height lines of width cells.
	View(width, height int) string
	// Name returns the name in the tab line.
	Name() string
	// TabBadge returns a short text after the name, such as a number, or "".
	TabBadge() string
	// Keys returns the keys that do something now, the most useful first.
	Keys() []key.Binding
	// Typing reports whether a text field or a question has the focus. The screen then gets every key,
	// including q, ? and the digits, but not ctrl+c.
	Typing() bool
}

// LegendEntry is a sign or the head of a column, and its meaning.
type LegendEntry [2]string

// LegendProvider is a Screen with signs or columns that the help page explains.
type LegendProvider interface {
	LegendEntries() []LegendEntry
}

// LocationProvider is a Screen with a position that the title line shows.
type LocationProvider interface {
	// Location returns the selected operation, "" for none, and the names to show for the
	// position, the outermost first.
	Location() (op model.OpID, names []string)
}

// RunStarter is a Screen that starts runs.
type RunStarter interface {
	// RunStarting reports whether a run was requested and has sent no progress yet.
	RunStarting() bool
}

// WorkHolder is a Screen with work in progress that would end with the app.
type WorkHolder interface {
	// UnfinishedWork describes the work, "" if there is none.
	UnfinishedWork() string
}
