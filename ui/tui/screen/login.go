package screen

import (
	"slices"

	"sonde/model"

	"github.com/charmbracelet/bubbles/key"
)

// KeyUsers opens the list of users on every screen that has no other use for the key.
var KeyUsers = key.NewBinding(key.WithKeys("U"), key.WithHelp("U", "Users and log-ins"))

// UsersChanged is sent when users were added or removed. Names are all users now.
type UsersChanged struct{ Names []string }

// CallerFor returns who makes a call of a user now: the same user, or the first of all
// users if that one was removed or the call was anonymous. "" is anonymous.
func (l UsersChanged) CallerFor(user string) string {
	if slices.Contains(l.Names, user) || len(l.Names) == 0 && user == "" {
		return user
	}
	return append(slices.Clip(l.Names), "")[0]
}

// ReplaceCallers returns a copy of calls in which CallerFor has replaced every user.
func (l UsersChanged) ReplaceCallers(calls []model.Call) []model.Call {
	calls = slices.Clone(calls)
	for i := range calls {
		calls[i].User = l.CallerFor(calls[i].User)
	}
	return calls
}
