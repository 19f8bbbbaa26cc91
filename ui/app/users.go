package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/command"
	"sonde/ui/app/paths"
	"sonde/ui/app/service"
	"sonde/ui/tui/screen"

	"github.com/google/renameio/v2/maybe"
)

// logins are the users of the app's service.
func (w *Workspace) logins() screen.UserLogins {
	return screen.UserLogins{All: w.allLogins, NewForm: w.beginLogin, Add: w.addLogin, Remove: w.forgetLogin, Write: w.writeLogin}
}

func (w *Workspace) allLogins() (all []screen.UserLogin) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, u := range w.Service.Users {
		all = append(all, screen.UserLogin{Name: u.Name, How: howOf(u), AddedHere: slices.Contains(w.typed, u.Name)})
	}
	return all
}

// howOf says how a user proves who it is.
func howOf(u model.User) string {
	switch {
	case u.Login != nil && u.Login.URL != "":
		return "log-in " + u.Login.Method + " " + command.Redacted(u.Login.URL)
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

func (w *Workspace) beginLogin() model.UserForm {
	w.mu.Lock()
	defer w.mu.Unlock()
	return config.NewUserForm(w.spec, w.Service.Users)
}

func (w *Workspace) addLogin(t model.UserForm) error {
	return w.changeUsers(func(users []model.User) ([]model.User, error) {
		u, err := config.UserFromForm(t, users, os.Environ())
		if err != nil {
			return nil, err
		}
		w.typed = append(w.typed, u.Name)
		return append(slices.Clip(users), u), nil
	})
}

func (w *Workspace) forgetLogin(name string) error {
	return w.changeUsers(func(users []model.User) ([]model.User, error) {
		w.typed = slices.DeleteFunc(slices.Clone(w.typed), func(n string) bool { return n == name })
		return slices.DeleteFunc(slices.Clone(users), func(u model.User) bool { return u.Name == name }), nil
	})
}

// changeUsers gives the service other users: for what is called from now on. A search
// that is going on keeps its own.
func (w *Workspace) changeUsers(change func([]model.User) ([]model.User, error)) error {
	w.calling.Lock() // what is being called ends first
	defer w.calling.Unlock()
	w.mu.Lock()
	users, err := w.Service.Users, errNoService
	if w.Service.URL != "" {
		users, err = change(users)
	}
	if err == nil {
		w.Service.Users, w.Config.Users = users, users
		w.drafts, w.bare, w.mimics.latest = nil, nil, nil
	}
	w.mu.Unlock()
	if err == nil {
		w.manual.rest() // it is raised with the new ones
	}
	return err
}

// writeLogin writes a user who was typed into the configuration: one that is there
// keeps all else that is in it.
func (w *Workspace) writeLogin(name string) (path string, set []string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.Source == service.DemoSource {
		return "", nil, errors.New("the demo has no configuration: users who are added to it stay in memory")
	}
	at := slices.IndexFunc(w.Service.Users, func(u model.User) bool { return u.Name == name })
	if at < 0 {
		return "", nil, fmt.Errorf("there is no user %q any more", name)
	}
	u := w.Service.Users[at]
	path = w.Config.Path
	if path == "" {
		path = config.FileName
	}
	text, err := w.withUser(path, u)
	if err != nil {
		return "", nil, err
	}
	if err := maybe.WriteFile(path, text, 0o644); err != nil {
		return "", nil, fmt.Errorf("%q cannot be written: %w", path, paths.Reason(err))
	}
	w.Config.Path = path // from where commands that repeat a run read it
	w.typed = slices.DeleteFunc(slices.Clone(w.typed), func(n string) bool { return n == name })
	for _, name := range service.SecretVariables([]model.User{u}) {
		if os.Getenv(name) == "" {
			set = append(set, name)
		}
	}
	return path, set, nil
}

// withUser is the text of a configuration with one more user; a new one where there is
// none yet.
func (w *Workspace) withUser(path string, u model.User) ([]byte, error) {
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		source := service.RelativeSpec(w.Source, filepath.Dir(path))
		text = config.Draft{Title: w.title(), Config: config.Config{Spec: source, URL: w.Service.URL}}.Text()
	case err != nil:
		return nil, fmt.Errorf("%q cannot be read: %w", path, paths.Reason(err))
	case w.Config.Path == "":
		return nil, fmt.Errorf("%s is about another spec or service and was left out: write the user into it by hand", path)
	}
	out, err := config.InsertUser(text, u)
	if err != nil {
		return nil, fmt.Errorf("%s stays as it is: %w", path, err)
	}
	return out, nil
}

// title is what the API is called.
func (w *Workspace) title() string {
	if w.spec == nil {
		return ""
	}
	return w.spec.Title
}
