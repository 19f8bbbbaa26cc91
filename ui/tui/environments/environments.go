// Package environments is a box with the list of environments of the configuration. The user chooses the one that is
// called from now on.
package environments

import (
	"context"
	"errors"

	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Box is the list of environments. Its methods must not be called by several goroutines at once. The Cmds that they
// return may run in other goroutines.
type Box struct {
	environments screen.Environments
	post         *screen.MessageQueue
	all          []screen.Environment
	listed       bool // the environments were read
	list         widget.List
	err          error
	closed       bool // the user closed the box, or has switched
	busy         bool // a Cmd of the box is in progress
}

// errNoConfiguration is the error if the app has no configuration.
var errNoConfiguration = errors.New("there is no configuration: sonde init writes a sonde.yaml; add environments to it")

// The results of the Cmds of the box.
type (
	environmentsRead struct {
		all []screen.Environment
		err error
	}
	switched struct {
		name    string
		service screen.Service
		users   []string
		err     error
	}
)

// New returns the box, and the Cmd that reads the environments. The Cmd is nil if there is no configuration.
func New(environments screen.Environments, post *screen.MessageQueue) (*Box, tea.Cmd) {
	b := &Box{environments: environments, post: post}
	if environments.All == nil {
		b.listed, b.err = true, errNoConfiguration
		return b, nil
	}
	read := environments.All
	return b, func() tea.Msg {
		all, err := read()
		return environmentsRead{all, err}
	}
}

// Update handles a message. open reports whether the box stays open.
func (b *Box) Update(msg tea.Msg) (open bool, cmd tea.Cmd) {
	switch msg := msg.(type) {
	case environmentsRead:
		b.show(msg)
	case switched:
		cmd = b.switched(msg)
	case tea.KeyMsg:
		if !b.busy {
			cmd, _ = keys.Press(b, msg)
		}
	}
	return !b.closed, cmd
}

// show lists the environments, with the cursor on the current one.
func (b *Box) show(msg environmentsRead) {
	b.listed, b.all, b.err = true, msg.all, msg.err
	b.list.Fit(len(b.all), b.list.Height)
	for i, e := range b.all {
		if e.Current {
			b.list.Go(i)
		}
	}
}

// use switches to the environment under the cursor. On the current one it only closes the box.
func (b *Box) use() tea.Cmd {
	chosen := b.all[b.list.At]
	if chosen.Current {
		b.closed = true
		return nil
	}
	b.busy, b.err = true, nil
	use := b.environments.Use
	return func() tea.Msg {
		service, users, err := use(context.Background(), chosen.Name)
		return switched{chosen.Name, service, users, err}
	}
}

// switched closes the box and informs all screens, or shows why the environment was not changed.
func (b *Box) switched(msg switched) tea.Cmd {
	b.busy = false
	if msg.err != nil {
		b.err = msg.err
		return nil
	}
	b.closed = true
	return tea.Batch(
		b.post.Send(screen.ServiceChanged{Service: msg.service}),
		b.post.Send(screen.UsersChanged{Names: msg.users}),
		screen.ShowStatus("environment "+msg.name+" from now on: "+msg.service.Address()),
	)
}
