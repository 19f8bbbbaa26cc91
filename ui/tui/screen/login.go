package screen

import (
	"slices"

	"sonde/model"

	"github.com/charmbracelet/bubbles/key"
)

// KeyUsers opens the list of users on all screens, unless the screen uses the key itself.
var KeyUsers = key.NewBinding(key.WithKeys("U"), key.WithHelp("U", "Users and log-ins"))

// UsersChanged is sent when users were added or removed. Names are all current users.
type UsersChanged struct{ Names []string }

// CallerFor returns who makes the calls of a user from now on: the same user if this user still exists, and otherwise
// the first user. The first user also makes anonymous calls (""). If there are no users, CallerFor returns "".
func (l UsersChanged) CallerFor(user string) string {
	if slices.Contains(l.Names, user) || len(l.Names) == 0 && user == "" {
		return user
	}
	return append(slices.Clip(l.Names), "")[0]
}

// ReplaceCallers returns a copy of calls in which each user is replaced by the result of CallerFor.
func (l UsersChanged) ReplaceCallers(calls []model.Call) []model.Call {
	calls = slices.Clone(calls)
	for i := range calls {
		calls[i].User = l.CallerFor(calls[i].User)
	}
	return calls
}
