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

// UnavailableActions returns an action for each key, none of which can be done now.
func UnavailableActions(why string, keys ...key.Binding) []Action {
	all := make([]Action, len(keys))
	for i, k := range keys {
		all[i] = Action{Key: k, Why: why}
	}
	return all
}

// BlockActions sets the reason of all actions and returns them. It is for the time in
// which a text field or a question takes every key.
func BlockActions(why string, all []Action) []Action {
	for i := range all {
		all[i].Why = why
	}
	return all
}
