package screen

import "github.com/charmbracelet/bubbles/key"

// Action is the action of a key.
type Action struct {
	Key key.Binding
	Why string // the reason why the action is not possible now, "" if it is possible
}

// ActionLister is a Screen that lists the actions of all its keys, including inactive ones.
type ActionLister interface {
	Actions() []Action
}
