package screen

import "github.com/charmbracelet/bubbles/key"

// Action is something that a screen does at other times than now.
type Action struct {
	Key key.Binding
	Why string // it can't be done now
}

// Actor is a Screen that tells what else it does than what its keys do now. Of
// an action that is among them nothing is taken.
type Actor interface {
	Actions() []Action
}

// Barred are actions that one reason keeps from being done.
func Barred(why string, keys ...key.Binding) []Action {
	all := make([]Action, len(keys))
	for i, k := range keys {
		all[i] = Action{k, why}
	}
	return all
}

// Busy gives actions another reason: what has the focus takes all keys.
func Busy(why string, all []Action) []Action {
	for i := range all {
		all[i].Why = why
	}
	return all
}
