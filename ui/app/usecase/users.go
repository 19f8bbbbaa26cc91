package usecase

import (
	"sonde/model"
)

// UserLogins lists and changes the users who call the service. The functions may be nil
// if there is no service.
type UserLogins struct {
	// All lists the users.
	All func() []UserLogin
	// NewForm returns the initial content of the form for a new user.
	NewForm func() model.UserForm
	// Add adds the user of a form. Secrets stay in memory.
	Add func(model.UserForm) error
	// Remove removes a user for the rest of the session. It does not change files.
	Remove func(name string) error
	// Write writes a user to the configuration, with ${NAME} for each secret. It returns the path of the
	// file and the variables to set.
	Write func(name string) (path string, set []string, err error)
}

// UserLogin is a user and the kind of its credentials, without secrets.
type UserLogin struct {
	Name string
	How  string // such as "header Authorization"
	// AddedHere is true for a user who was added in the app and is in no file.
	AddedHere bool
}
