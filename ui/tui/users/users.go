// Package users is a box that lists the users who call the service, and in which a user
// can be added. It never draws a secret.
package users

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// The keys of the list and of the form.
var (
	keyAdd    = key.NewBinding(key.WithKeys("a", "n"), key.WithHelp("a", "add a user"))
	keyWrite  = key.NewBinding(key.WithKeys("w"), key.WithHelp("w", "write it to sonde.yaml"))
	keyRemove = key.NewBinding(key.WithKeys("d"), key.WithHelp("d", "remove it"))
	keyClose  = key.NewBinding(key.WithKeys("esc", "q"), key.WithHelp("esc", "close"))

	keyNext   = key.NewBinding(key.WithKeys("tab", "down", "enter"), key.WithHelp("⏎", "next"))
	keyPrev   = key.NewBinding(key.WithKeys("shift+tab", "up"), key.WithHelp("↑", "before"))
	keyChoose = key.NewBinding(key.WithKeys("left", "right", " "), key.WithHelp("←→", "choose"))
	keySave   = key.NewBinding(key.WithKeys("ctrl+s"), key.WithHelp("ctrl+s", "add it"))
	keyCancel = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "cancel"))
)

// Box is the list of users, or the form for a new one. Its methods must be called by one
// goroutine; the commands that they return may run in others.
type Box struct {
	logins usecase.UserLogins
	post   *screen.MessageQueue
	all    []usecase.UserLogin
	listed bool // all has been read
	list   widget.List
	form   *form  // nil while the list is shown
	status string // the result of the last action
	err    error
	busy   bool         // a command is running
	queued []tea.KeyMsg // keys that were pressed meanwhile
}

// form is the form for a new user.
type form struct {
	typed model.UserForm
	list  widget.List
	input textinput.Model // of the field under the cursor, if it is a text
}

// New returns the box and the command that reads the users.
func New(logins usecase.UserLogins, post *screen.MessageQueue) (*Box, tea.Cmd) {
	b := &Box{logins: logins, post: post}
	if logins.All == nil {
		b.listed, b.err = true, errNoService
		return b, nil
	}
	return b, b.read("")
}

var errNoService = fmt.Errorf("there is no service: start with --url URL or --demo")

// The results of commands: the users after an action, the form for a new user, an error.
type (
	usersRead struct {
		all    []usecase.UserLogin
		status string
	}
	formRead     struct{ typed model.UserForm }
	actionFailed struct{ err error }
)

// read reads the users, after an action with a result to show.
func (b *Box) read(status string) tea.Cmd {
	all := b.logins.All
	return func() tea.Msg { return usersRead{all(), status} }
}

// Update handles a message, and reports whether the box stays open. Keys that are pressed
// while a command is running are handled after it.
func (b *Box) Update(msg tea.Msg) (open bool, cmd tea.Cmd) {
	open, cmd = b.update(msg)
	for open && !b.busy && len(b.queued) > 0 {
		next := b.queued[0]
		b.queued = b.queued[1:]
		var more tea.Cmd
		open, more = b.update(next)
		cmd = tea.Batch(cmd, more)
	}
	return open, cmd
}

func (b *Box) update(msg tea.Msg) (open bool, cmd tea.Cmd) {
	switch msg := msg.(type) {
	case usersRead:
		return true, b.show(msg)
	case formRead:
		b.busy = false
		b.form = &form{typed: msg.typed}
		b.form.focus(0)
	case actionFailed:
		b.busy, b.err = false, msg.err
	case tea.KeyMsg:
		if b.busy {
			b.queued = append(b.queued, msg)
			return true, nil
		}
		b.status = ""
		if b.logins.All != nil {
			b.err = nil
		}
		if b.form != nil {
			return true, b.pressForm(msg)
		}
		return b.pressList(msg)
	}
	return true, nil
}

// show shows the users. If they have changed, all screens are informed.
func (b *Box) show(msg usersRead) tea.Cmd {
	changed := b.listed
	b.busy, b.listed, b.form = false, true, nil
	b.all, b.status = msg.all, msg.status
	b.list.Fit(len(b.all), b.list.Height)
	if !changed {
		return nil
	}
	names := make([]string, len(b.all))
	for i, l := range b.all {
		names[i] = l.Name
	}
	return b.post.Send(screen.UsersChanged{Names: names})
}

func (b *Box) pressList(msg tea.KeyMsg) (open bool, cmd tea.Cmd) {
	switch {
	case key.Matches(msg, keyClose):
		return false, nil
	case b.logins.All == nil:
	case key.Matches(msg, keyAdd):
		begin := b.logins.NewForm
		return true, b.run(func() tea.Msg { return formRead{begin()} })
	case key.Matches(msg, keyRemove) && len(b.all) > 0:
		return true, b.remove(b.all[b.list.At].Name)
	case key.Matches(msg, keyWrite) && len(b.all) > 0:
		return true, b.write(b.all[b.list.At])
	default:
		b.list.Key(msg)
	}
	return true, nil
}

// run runs a command. Keys are queued until its result has arrived.
func (b *Box) run(do tea.Cmd) tea.Cmd {
	b.busy = true
	return do
}

func (b *Box) remove(name string) tea.Cmd {
	remove, all := b.logins.Remove, b.logins.All
	return b.run(func() tea.Msg {
		if err := remove(name); err != nil {
			return actionFailed{err}
		}
		return usersRead{all(), draw.Clean(name) + " is removed; files are unchanged"}
	})
}

func (b *Box) write(l usecase.UserLogin) tea.Cmd {
	if !l.AddedHere {
		b.err = fmt.Errorf("%q was not added in the app: only users who were can be written", draw.Clean(l.Name))
		return nil
	}
	write, all := b.logins.Write, b.logins.All
	return b.run(func() tea.Msg {
		path, set, err := write(l.Name)
		if err != nil {
			return actionFailed{err}
		}
		text := path + " is written"
		if len(set) > 0 {
			text += ": set " + strings.Join(set, " and ") + " before the next start"
		}
		return usersRead{all(), text}
	})
}

func (b *Box) pressForm(msg tea.KeyMsg) (cmd tea.Cmd) {
	f := b.form
	at := f.field()
	switch {
	case key.Matches(msg, keyCancel):
		b.form = nil
	case key.Matches(msg, keySave), msg.Type == tea.KeyEnter && f.list.At == f.list.Rows-1:
		return b.save()
	case key.Matches(msg, keyNext):
		f.focus(f.list.At + 1)
	case key.Matches(msg, keyPrev):
		f.focus(f.list.At - 1)
	case at.choices != nil && key.Matches(msg, keyChoose):
		step := 1
		if msg.Type == tea.KeyLeft {
			step = -1
		}
		at.next(&f.typed, step)
		f.focus(f.list.At)
	case at.choices == nil:
		f.input, cmd = f.input.Update(msg)
		*at.text(&f.typed) = f.input.Value()
		f.hide(at)
	}
	return cmd
}

func (f *form) field() field { return fields(f.typed.Method)[f.list.At] }

// focus puts the cursor on a field.
func (f *form) focus(row int) {
	f.list.Fit(len(fields(f.typed.Method)), f.list.Height)
	f.list.Go(row)
	if at := f.field(); at.choices == nil {
		f.input = widget.ValueField(*at.text(&f.typed))
		f.hide(at)
		f.input.CursorEnd()
	}
}

// hide masks the text field if it has a secret.
func (f *form) hide(at field) {
	f.input.EchoMode = textinput.EchoNormal
	if at.secret && !variable.MatchString(strings.TrimSpace(f.input.Value())) {
		f.input.EchoMode, f.input.EchoCharacter = textinput.EchoPassword, '•'
	}
}

// save adds the user of the form.
func (b *Box) save() tea.Cmd {
	typed, add, all := b.form.typed, b.logins.Add, b.logins.All
	return b.run(func() tea.Msg {
		if err := add(typed); err != nil {
			return actionFailed{err}
		}
		return usersRead{all(), draw.Clean(typed.Name) + " is used from now on; it is kept in memory only"}
	})
}

// Keys returns the keys that do something now.
func (b *Box) Keys() []key.Binding {
	switch {
	case b.form != nil && b.form.field().choices != nil:
		return []key.Binding{keySave, keyChoose, keyNext, keyPrev, keyCancel}
	case b.form != nil:
		return []key.Binding{keySave, keyNext, keyPrev, keyCancel}
	case b.logins.All == nil:
		return []key.Binding{keyClose}
	case len(b.all) == 0:
		return []key.Binding{keyAdd, keyClose}
	}
	return []key.Binding{keyAdd, keyWrite, keyRemove, widget.Down, widget.Up, keyClose}
}
