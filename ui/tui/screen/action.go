package screen

import "github.com/charmbracelet/bubbles/key"

// Action is the action of a key.
type Action struct {
	Key key.Binding
	Why string // why it can't be done now, "" if it can
}

// ActionLister is a Screen that lists the actions of all its keys, including inactive ones.
type ActionLister interface {
	Actions() []Action
}
