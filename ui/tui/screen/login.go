package screen

import (
	"slices"

	"sonde/model"

	"github.com/charmbracelet/bubbles/key"
)

// KeyUsers opens the list of users on every screen that has no other use for the key.
var KeyUsers = key.NewBinding(key.WithKeys("U"), key.WithHelp("U", "Users and log-ins"))

// UserLogins lists and changes the users who call the service. The functions may be nil
// if there is no service.
type UserLogins struct {
	// All lists the users.
	All func() []UserLogin
	// NewForm returns the initial content of the form for a new user.
	NewForm func() model.UserForm
	// Add adds the user of a form. Secrets stay in memory.
	Add func(model.UserForm) error
	// Remove removes a user until the app ends. No file changes.
	Remove func(name string) error
	// Write writes a user into the configuration, with ${NAME} for each secret. It returns
	// the path of the file and the variables to set.
	Write func(name string) (path string, set []string, err error)
}

// UserLogin is a user and the kind of its credentials, without secrets.
type UserLogin struct {
	Name string
	How  string // such as "header Authorization"
	// AddedHere is true for a user who was added in the app and is in no file.
	AddedHere bool
}

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
