// Package users is a box in which a person sees who may call the service, and adds
// users. It draws no secret.
package users

import (
	"fmt"
	"strings"

	"sonde/model"
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
	keyForget = key.NewBinding(key.WithKeys("d"), key.WithHelp("d", "forget it"))
	keyClose  = key.NewBinding(key.WithKeys("esc", "q"), key.WithHelp("esc", "close"))

	keyNext = key.NewBinding(key.WithKeys("tab", "down", "enter"), key.WithHelp("⏎", "next"))
	keyPrev = key.NewBinding(key.WithKeys("shift+tab", "up"), key.WithHelp("↑", "before"))
	keyTurn = key.NewBinding(key.WithKeys("left", "right", " "), key.WithHelp("←→", "choose"))
	keySave = key.NewBinding(key.WithKeys("ctrl+s"), key.WithHelp("ctrl+s", "take it"))
	keyDrop = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "leave it"))
)

// Box is the list of users, or the form of a new one. Its methods are for one
// goroutine; what they return as Cmds may run on others.
type Box struct {
	logins screen.UserLogins
	post   *screen.MessageQueue
	all    []screen.UserLogin
	listed bool // all was read
	list   widget.List
	form   *form // nil while the list is on show
	said   string
	err    error
	busy   bool         // something is under way
	ahead  []tea.KeyMsg // keys that came meanwhile
}

// form is a user who is being typed.
type form struct {
	typed model.UserForm
	list  widget.List
	input textinput.Model // of the field under the cursor, if that is a text
}

// New returns the box, and what reads the users.
func New(logins screen.UserLogins, post *screen.MessageQueue) (*Box, tea.Cmd) {
	b := &Box{logins: logins, post: post}
	if logins.All == nil {
		b.listed, b.err = true, errNoService
		return b, nil
	}
	return b, b.read("")
}

var errNoService = fmt.Errorf("there is no service: start with --url URL or --demo")

// What Cmds bring.
type (
	read struct {
		all  []screen.UserLogin
		said string
	}
	begun  struct{ typed model.UserForm }
	failed struct{ err error }
)

// read lists the users anew, after something that is said.
func (b *Box) read(said string) tea.Cmd {
	all := b.logins.All
	return func() tea.Msg { return read{all(), said} }
}

// Update takes a message, and reports whether the box stays open. Keys that come while
// something is under way are taken after it.
func (b *Box) Update(msg tea.Msg) (open bool, cmd tea.Cmd) {
	open, cmd = b.update(msg)
	for open && !b.busy && len(b.ahead) > 0 {
		next := b.ahead[0]
		b.ahead = b.ahead[1:]
		var more tea.Cmd
		open, more = b.update(next)
		cmd = tea.Batch(cmd, more)
	}
	return open, cmd
}

func (b *Box) update(msg tea.Msg) (open bool, cmd tea.Cmd) {
	switch msg := msg.(type) {
	case read:
		return true, b.take(msg)
	case begun:
		b.busy = false
		b.form = &form{typed: msg.typed}
		b.form.focus(0)
	case failed:
		b.busy, b.err = false, msg.err
	case tea.KeyMsg:
		if b.busy {
			b.ahead = append(b.ahead, msg)
			return true, nil
		}
		b.said = ""
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

// take shows the users, and tells the screens where they changed.
func (b *Box) take(msg read) tea.Cmd {
	changed := b.listed
	b.busy, b.listed, b.form = false, true, nil
	b.all, b.said = msg.all, msg.said
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
		return true, b.begin(func() tea.Msg { return begun{begin()} })
	case key.Matches(msg, keyForget) && len(b.all) > 0:
		return true, b.forget(b.all[b.list.At].Name)
	case key.Matches(msg, keyWrite) && len(b.all) > 0:
		return true, b.write(b.all[b.list.At])
	default:
		b.list.Key(msg)
	}
	return true, nil
}

// begin lets something run in the background; until it is over no key does anything.
func (b *Box) begin(do tea.Cmd) tea.Cmd {
	b.busy = true
	return do
}

func (b *Box) forget(name string) tea.Cmd {
	forget, all := b.logins.Remove, b.logins.All
	return b.begin(func() tea.Msg {
		if err := forget(name); err != nil {
			return failed{err}
		}
		return read{all(), draw.Clean(name) + " is forgotten; files stay as they are"}
	})
}

func (b *Box) write(l screen.UserLogin) tea.Cmd {
	if !l.AddedHere {
		b.err = fmt.Errorf("%q was not added here: only users who were can be written", draw.Clean(l.Name))
		return nil
	}
	write, all := b.logins.Write, b.logins.All
	return b.begin(func() tea.Msg {
		path, set, err := write(l.Name)
		if err != nil {
			return failed{err}
		}
		text := path + " is written"
		if len(set) > 0 {
			text += ": set " + strings.Join(set, " and ") + " before the next start"
		}
		return read{all(), text}
	})
}

func (b *Box) pressForm(msg tea.KeyMsg) (cmd tea.Cmd) {
	f := b.form
	at := f.field()
	switch {
	case key.Matches(msg, keyDrop):
		b.form = nil
	case key.Matches(msg, keySave), msg.Type == tea.KeyEnter && f.list.At == f.list.Rows-1:
		return b.save()
	case key.Matches(msg, keyNext):
		f.focus(f.list.At + 1)
	case key.Matches(msg, keyPrev):
		f.focus(f.list.At - 1)
	case at.choices != nil && key.Matches(msg, keyTurn):
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

// hide masks what is typed where that is a secret.
func (f *form) hide(at field) {
	f.input.EchoMode = textinput.EchoNormal
	if at.secret && !variable.MatchString(strings.TrimSpace(f.input.Value())) {
		f.input.EchoMode, f.input.EchoCharacter = textinput.EchoPassword, '•'
	}
}

// save takes the user who was typed.
func (b *Box) save() tea.Cmd {
	typed, add, all := b.form.typed, b.logins.Add, b.logins.All
	return b.begin(func() tea.Msg {
		if err := add(typed); err != nil {
			return failed{err}
		}
		return read{all(), draw.Clean(typed.Name) + " calls from now on; it is kept in memory only"}
	})
}

// Keys are the keys that matter now.
func (b *Box) Keys() []key.Binding {
	switch {
	case b.form != nil && b.form.field().choices != nil:
		return []key.Binding{keySave, keyTurn, keyNext, keyPrev, keyDrop}
	case b.form != nil:
		return []key.Binding{keySave, keyNext, keyPrev, keyDrop}
	case b.logins.All == nil:
		return []key.Binding{keyClose}
	case len(b.all) == 0:
		return []key.Binding{keyAdd, keyClose}
	}
	return []key.Binding{keyAdd, keyWrite, keyForget, widget.Down, widget.Up, keyClose}
}
