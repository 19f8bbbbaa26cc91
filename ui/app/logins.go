package app

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/command"
	"sonde/ui/app/paths"
	"sonde/ui/app/service"
	"sonde/ui/app/usecase"

	"github.com/google/renameio/v2/maybe"
)

// loginManager lists, adds and removes the users who may call the service.
type loginManager struct {
	session *session
	calling *sync.Mutex // held while the service is called
	rest    func()      // ends the service that is up for calls by hand; calling must be held

	mu    sync.Mutex
	typed []string // the names of users who are in no file
}

// names returns the names of the users.
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

// forget removes a user until the app ends. Files stay as they are.
func (l *loginManager) forget(name string) error {
	return l.change(func(users []model.User) ([]model.User, error) {
		l.setTyped(name, false)
		return slices.DeleteFunc(slices.Clone(users), func(u model.User) bool { return u.Name == name }), nil
	})
}

// change replaces the users for all calls from now on. A search that is running keeps its users.
func (l *loginManager) change(change func([]model.User) ([]model.User, error)) error {
	l.calling.Lock() // a call that is under way ends first
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

// write writes a user who was typed into the configuration file, and returns the file's path and
// the environment variables that are not set yet.
func (l *loginManager) write(name string) (path string, unset []string, err error) {
	now := l.session.state()
	if l.session.options.Source == service.DemoSource {
		return "", nil, errors.New("the demo has no configuration: users who are added to it stay in memory")
	}
	at := slices.IndexFunc(now.service.Users, func(u model.User) bool { return u.Name == name })
	if at < 0 {
		return "", nil, fmt.Errorf("there is no user %q any more", name)
	}
	u := now.service.Users[at]
	path = cmp.Or(now.config.Path, config.FileName)
	text, err := l.textWith(u, path, now)
	if err != nil {
		return "", nil, err
	}
	if err := maybe.WriteFile(path, text, 0o644); err != nil {
		return "", nil, fmt.Errorf("%q cannot be written: %w", path, paths.WithoutPath(err))
	}
	l.session.setConfigPath(path)
	l.setTyped(name, false)
	for _, name := range service.SecretVariables([]model.User{u}) {
		if os.Getenv(name) == "" {
			unset = append(unset, name)
		}
	}
	return path, unset, nil
}

// textWith returns the text of a configuration file with one more user. The text for a file that does
// not exist begins with the spec and the service. A file that Sonde did not read gives an error.
func (l *loginManager) textWith(u model.User, path string, now openSpec) ([]byte, error) {
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		source := service.RelativeSpec(l.session.options.Source, filepath.Dir(path))
		text = config.Draft{Title: now.title(), Config: config.Config{Spec: source, URL: now.service.URL}}.Text()
	case err != nil:
		return nil, fmt.Errorf("%q cannot be read: %w", path, paths.WithoutPath(err))
	case now.config.Path == "":
		return nil, fmt.Errorf("%s is about another spec or service and was not read: write the user into it by hand", path)
	}
	out, err := config.InsertUser(text, u)
	if err != nil {
		return nil, fmt.Errorf("%s stays as it is: %w", path, err)
	}
	return out, nil
}

// title returns the title of the API, "" without one.
func (s openSpec) title() string {
	if s.spec == nil {
		return ""
	}
	return s.spec.Title
}
