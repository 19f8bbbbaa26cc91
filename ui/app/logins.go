package app

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/command"
	"sonde/ui/app/service"
	"sonde/ui/app/usecase"
)

// loginManager lists, adds and removes the users who may call the service.
type loginManager struct {
	session *session
	calling *sync.Mutex // held while the service is called
	rest    func()      // stops the service for manual calls; its mutex calling must be locked

	mu    sync.Mutex
	typed []string // names of users who are in no file
}

func (l *loginManager) names() []string { return userNames(l.session.state().service.Users) }

func userNames(users []model.User) (all []string) {
	for _, u := range users {
		all = append(all, u.Name)
	}
	return all
}

// all lists the users, without secrets.
func (l *loginManager) all() (all []usecase.UserLogin) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, u := range l.session.state().service.Users {
		all = append(all, usecase.UserLogin{Name: u.Name, How: credentialKind(u), AddedHere: slices.Contains(l.typed, u.Name)})
	}
	return all
}

// credentialKind returns how a user authenticates, such as "header X-Key".
func credentialKind(u model.User) string {
	switch {
	case u.Login != nil && u.Login.URL != "":
		return "log-in " + u.Login.Method + " " + command.WithoutCredentials(u.Login.URL)
	case u.Login != nil:
		return "log-in " + u.Login.Method + " " + u.Login.Path
	case u.Header != "":
		return "header " + u.Header
	case len(u.Sends) == 0:
		return "nothing"
	case u.Sends[0].Basic:
		return "basic authentication"
	}
	return string(u.Sends[0].In) + " " + u.Sends[0].Name
}

// begin returns the form of a new user with its defaults.
func (l *loginManager) begin() model.UserForm {
	now := l.session.state()
	return config.NewUserForm(now.spec, now.service.Users)
}

// add adds the user of a form. The secret stays in memory.
func (l *loginManager) add(form model.UserForm) error {
	return l.change(func(users []model.User) ([]model.User, error) {
		u, err := config.UserFromForm(form, users, os.Environ())
		if err != nil {
			return nil, err
		}
		l.setTyped(u.Name, true)
		return append(slices.Clip(users), u), nil
	})
}

// addFromFiles adds users whose credentials are in .http files. They stay in memory.
func (l *loginManager) addFromFiles(added []model.User) error {
	return l.change(func(users []model.User) ([]model.User, error) {
		for _, u := range added {
			l.setTyped(u.Name, true)
		}
		return service.MergeUsers(users, added), nil
	})
}

// forget removes a user for the rest of the session. It does not change files.
func (l *loginManager) forget(name string) error {
	return l.change(func(users []model.User) ([]model.User, error) {
		l.setTyped(name, false)
		return slices.DeleteFunc(slices.Clone(users), func(u model.User) bool { return u.Name == name }), nil
	})
}

// change replaces the users for all later calls. A running search keeps its users.
func (l *loginManager) change(change func([]model.User) ([]model.User, error)) error {
	l.calling.Lock() // waits for a call in progress
	defer l.calling.Unlock()
	err := l.session.changeUsers(change)
	if err == nil {
		l.rest() // the next call starts the service with the new users
	}
	return err
}

func (l *loginManager) setTyped(name string, typed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.typed = slices.DeleteFunc(slices.Clone(l.typed), func(n string) bool { return n == name })
	if typed {
		l.typed = append(l.typed, name)
	}
}

// write writes a user of the session to the configuration file. It returns the file's path and the
// environment variables of the user's secrets that are not set yet.
func (l *loginManager) write(name string) (path string, unset []string, err error) {
	now := l.session.state()
	if l.session.options.Source == service.DemoSource {
		return "", nil, errors.New("the demo has no configuration: users who are added to it stay in memory")
	}
	if now.config.Environment != "" {
		return "", nil, fmt.Errorf(
			"users of environment %s stay in memory: add the user by hand, under environments in %s",
			now.config.Environment, now.config.Path,
		)
	}
	at := slices.IndexFunc(now.service.Users, func(u model.User) bool { return u.Name == name })
	if at < 0 {
		return "", nil, fmt.Errorf("there is no user %q any more", name)
	}
	u := now.service.Users[at]
	path, err = l.session.changeConfig(func(text []byte) ([]byte, error) { return config.InsertUser(text, u) })
	if err != nil {
		return "", nil, err
	}
	l.setTyped(name, false)
	for _, name := range service.SecretVariables([]model.User{u}) {
		if os.Getenv(name) == "" {
			unset = append(unset, name)
		}
	}
	return path, unset, nil
}
