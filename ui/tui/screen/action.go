package screen

import "github.com/charmbracelet/bubbles/key"

// Action is what a key of a screen does.
type Action struct {
	Key key.Binding
	Why string // why it can't be done now, "" if it can
}

// ActionLister is a Screen that lists the actions of all its keys, including those that
// can't be done now.
type ActionLister interface {
	Actions() []Action
}
