// Package screen is what the eight screens of the app agree upon: what a screen
// is, the messages that pass between screens, and the few functions that they
// need of the engine. It draws nothing.
package screen

import (
	"sonde/model"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Tab is a screen's place in the tab line, from 0.
type Tab int

// The screens in the order of their tabs.
const (
	Explore Tab = iota
	Groups
	Graph
	Seqs
	Search
	Export
	Network
	Record
)

// Screen is one page of the app. The frame owns it: keys and mouse come only
// to the screen on show, with the mouse's origin at the screen's upper left
// corner; every other message comes to all screens, tea.WindowSizeMsg with
// the size of the screen's own area.
type Screen interface {
	// Update takes a message. It does no I/O; what is slow goes into the Cmd.
	Update(tea.Msg) (Screen, tea.Cmd)
	// View draws exactly height lines of width cells.
	View(width, height int) string
	// Name is the tab's word, Live what stands beside it, such as a number.
	Name() string
	Live() string
	// Keys are the keys that matter now, the most useful first.
	Keys() []key.Binding
	// Typing tells that a text field has the focus: every key is then the
	// screen's, also q, ? and the digits.
	Typing() bool
}

// Sign is a sign or the head of a column, and what it means.
type Sign [2]string

// Explainer is a Screen with columns or signs that the help explains.
type Explainer interface {
	Legend() []Sign
}

// Locator is a Screen that says where on it the person is.
type Locator interface {
	// Where returns the operation looked at, "" for none, and the names that lead
	// to it.
	Where() (op model.OpID, names []string)
}

// Starter is a Screen that starts runs.
type Starter interface {
	// Starting tells that a run was asked for and does not show yet.
	Starting() bool
}

// Holder is a Screen with something that goes on and would end with the app.
type Holder interface {
	// Holds says what that is, "" for nothing.
	Holds() string
}
