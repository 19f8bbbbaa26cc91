package screen

import (
	"slices"

	"sonde/model"

	"github.com/charmbracelet/bubbles/key"
)

// KeyUsers opens the list of users wherever no screen takes the key.
var KeyUsers = key.NewBinding(key.WithKeys("U"), key.WithHelp("U", "Users and log-ins"))

// Logins are the users who may call the service, as a person sees and adds them. The
// functions may be nil where there is no service.
type Logins struct {
	// All lists the users.
	All func() []Login
	// Begin returns what the form of a new user begins with.
	Begin func() model.UserForm
	// Add takes a user who was typed in. What is secret stays in memory.
	Add func(model.UserForm) error
	// Forget takes a user away for as long as the app runs; files stay as they are.
	Forget func(name string) error
	// Write writes a user into the configuration, secrets as ${NAME}, and returns its
	// path with the variables to set.
	Write func(name string) (path string, set []string, err error)
}

// Login is a user and how it proves who it is, without secrets.
type Login struct {
	Name string
	How  string // such as "header Authorization"
	// Typed reports whether the user was added in the app and is in no file.
	Typed bool
}

// LoginsChanged tells that there are other users now.
type LoginsChanged struct{ Names []string }

// Caller is who makes a call of a user now: the same one, or the first where that one
// is gone or there was none.
func (l LoginsChanged) Caller(user string) string {
	if slices.Contains(l.Names, user) || len(l.Names) == 0 && user == "" {
		return user
	}
	return append(slices.Clip(l.Names), "")[0]
}

// Callers gives the calls of a test, which is not changed, the users that there are now.
func (l LoginsChanged) Callers(calls []model.Call) []model.Call {
	calls = slices.Clone(calls)
	for i := range calls {
		calls[i].User = l.Caller(calls[i].User)
	}
	return calls
}
