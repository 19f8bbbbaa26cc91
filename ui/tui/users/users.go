// Package users is a box with the list of users who call the service. The user can add and remove entries,
// and write them to sonde.yaml. The box never shows a secret.
package users

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Box is the list of users, or the form for a new user. Its methods must not be called by several
// goroutines at once. The Cmds that they return may run in other goroutines.
type Box struct {
	logins usecase.UserLogins
	post   *screen.MessageQueue
	all    []usecase.UserLogin
	listed bool // the users were read
	list   widget.List
	form   *widget.Form[model.UserForm] // nil while the list is shown
	status string                       // the result of the last action
	err    error
	closed bool         // the user closed the box
	busy   bool         // a Cmd of the box is in progress
	queued []tea.KeyMsg // keys that were pressed while busy
}

// New returns the box, and the Cmd that reads the users. The Cmd is nil if there is no service.
func New(logins usecase.UserLogins, post *screen.MessageQueue) (*Box, tea.Cmd) {
	b := &Box{logins: logins, post: post}
	if logins.All == nil {
		b.listed, b.err = true, errNoService
		return b, nil
	}
	return b, b.read("")
}

var errNoService = fmt.Errorf("there is no service: start with --url URL or --demo")

// The results of the Cmds of the box: the users, at first and after each action; the form for a new user; or the error
// of an action.
type (
	usersRead struct {
		all    []usecase.UserLogin
		status string
	}
	formRead     struct{ typed model.UserForm }
	actionFailed struct{ err error }
)

// read reads the users. status is the result of the last action, to be shown below the users.
func (b *Box) read(status string) tea.Cmd {
	all := b.logins.All
	return func() tea.Msg { return usersRead{all(), status} }
}

// Update handles a message. open reports whether the box stays open. Keys that are pressed while a Cmd of
// the box is in progress are handled after its result.
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
		b.form = widget.NewForm(msg.typed, fields)
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
		cmd, _ = keys.Press(b, msg)
		return !b.closed, cmd
	}
	return true, nil
}

// show shows the users. After an action, it informs all screens, because the users may have changed.
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

// begin marks the box as busy and returns the given Cmd. Keys are queued until the result of the Cmd has arrived.
func (b *Box) begin(do tea.Cmd) tea.Cmd {
	b.busy = true
	return do
}

// add opens the form for a new user after its initial content was read.
func (b *Box) add() tea.Cmd {
	newForm := b.logins.NewForm
	return b.begin(func() tea.Msg { return formRead{newForm()} })
}

// remove removes the user under the cursor.
func (b *Box) remove() tea.Cmd {
	name, remove, all := b.all[b.list.At].Name, b.logins.Remove, b.logins.All
	return b.begin(func() tea.Msg {
		if err := remove(name); err != nil {
			return actionFailed{err}
		}
		return usersRead{all(), draw.Clean(name) + " is removed; files are unchanged"}
	})
}

// write writes the user under the cursor to sonde.yaml, if the user was added in the app.
func (b *Box) write() tea.Cmd {
	l := b.all[b.list.At]
	if !l.AddedHere {
		b.err = fmt.Errorf("user %q was not added in the app: only users who were added in the app can be written", draw.Clean(l.Name))
		return nil
	}
	write, all := b.logins.Write, b.logins.All
	return b.begin(func() tea.Msg {
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

// typeKey handles a key for the form.
func (b *Box) typeKey(k tea.KeyMsg) tea.Cmd { return b.form.Type(k) }

// next moves to the next field. Enter on the last field saves the user.
func (b *Box) next(k tea.KeyMsg) tea.Cmd {
	if k.Type == tea.KeyEnter && b.form.OnLast() {
		return b.save()
	}
	b.form.Move(1)
	return nil
}

// choose selects the next choice of the field under the cursor or, for the left key, the previous one.
func (b *Box) choose(k tea.KeyMsg) tea.Cmd {
	step := 1
	if k.Type == tea.KeyLeft {
		step = -1
	}
	b.form.Choose(step)
	return nil
}

// save adds the user of the form.
func (b *Box) save() tea.Cmd {
	typed, add, all := b.form.Typed, b.logins.Add, b.logins.All
	return b.begin(func() tea.Msg {
		if err := add(typed); err != nil {
			return actionFailed{err}
		}
		return usersRead{all(), draw.Clean(typed.Name) + " is used from now on; it is kept in memory only"}
	})
}
