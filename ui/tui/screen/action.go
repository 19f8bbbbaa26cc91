package screen

import "github.com/charmbracelet/bubbles/key"

// Action is something that a screen does by a key, now or at other times.
type Action struct {
	Key key.Binding
	Why string // why it can't be done now; empty where it can
}

// Actor is a Screen that lists all that it does by keys, not only what its Keys do now.
type Actor interface {
	Actions() []Action
}

// Barred returns actions that can't be done now, all for the same reason.
func Barred(why string, keys ...key.Binding) []Action {
	all := make([]Action, len(keys))
	for i, k := range keys {
		all[i] = Action{Key: k, Why: why}
	}
	return all
}

// Busy replaces the reasons of actions: while a field or a question takes all keys, that
// is the reason of all of them.
func Busy(why string, all []Action) []Action {
	for i := range all {
		all[i].Why = why
	}
	return all
}
