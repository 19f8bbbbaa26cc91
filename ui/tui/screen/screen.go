// Package screen defines what the eight screens of the app have in common: the interface of a screen, the
// messages between screens, and the functions through which they use the rest of Sonde. It draws nothing
// and does no I/O.
//
// Messages between screens are sent with a MessageQueue or a tea.Cmd, and all screens receive them. The
// state of screens must be used only in bubbletea's Update, unless a comment says otherwise.
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

// Screen is a page of the app. Only the visible screen receives keys, mouse events and PointAt. The cells of mouse
// events and PointAt are counted from the upper left corner of the screen. All screens receive other messages, except
// messages that are only for the app. tea.WindowSizeMsg has the size of the screen's area.
type Screen interface {
	// Update handles a message. It does no I/O; slow work must be in the returned Cmd.
	Update(tea.Msg) (Screen, tea.Cmd)
	// View draws exactly height lines of width cells.
	View(width, height int) string
	// Name returns the name in the tab line.
	Name() string
	// TabBadge returns a short text after the name, such as a number, or "".
	TabBadge() string
	// Keys returns the keys that are active now, the most useful first.
	Keys() []key.Binding
	// Typing reports whether a text field or a question has the focus. The screen then receives all keys
	// except ctrl+c, including q, ? and the digits.
	Typing() bool
}

// LegendEntry is a sign or the title of a column, with its meaning.
type LegendEntry [2]string

// LegendProvider is a Screen whose signs or columns the help page explains.
type LegendProvider interface {
	LegendEntries() []LegendEntry
}

// LocationProvider is a Screen with a position that the title line shows.
type LocationProvider interface {
	// Location returns the selected operation, "" for none, and the names that describe the position, the
	// outermost first.
	Location() (op model.OpID, names []string)
}

// RunStarter is a Screen that starts runs.
type RunStarter interface {
	// RunStarting reports whether a run was started and has sent no progress yet.
	RunStarting() bool
}

// WorkHolder is a Screen with work in progress that would be lost if the app ended.
type WorkHolder interface {
	// UnfinishedWork describes the work, "" if there is none.
	UnfinishedWork() string
}
