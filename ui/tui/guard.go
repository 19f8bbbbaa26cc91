package tui

import (
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
)

// guard is the app as a program has it: where something in it panics, the program ends,
// and what it was can be told when the terminal is as it was before.
type guard struct {
	*app
	kill func() // the program

	mu    sync.Mutex
	fault *Fault // the first
}

func (g *guard) Init() tea.Cmd { return g.guarded(g.app.Init()) }

func (g *guard) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer g.caught()
	_, cmd = g.app.Update(msg)
	return g, g.guarded(cmd)
}

func (g *guard) View() string {
	defer g.caught()
	return g.app.View()
}

// guarded is what is done in the background, and what that wants done.
func (g *guard) guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		defer g.caught()
		msg := cmd()
		if all, ok := msg.(tea.BatchMsg); ok {
			all = slices.Clone(all)
			for i := range all {
				all[i] = g.guarded(all[i])
			}
			return all
		}
		return msg
	}
}

// caught ends the program where something panics.
func (g *guard) caught() {
	what := recover()
	if what == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.fault == nil {
		g.fault = &Fault{What: what, Stack: debug.Stack()}
	}
	g.kill()
}

// failed is what something panicked with, nil where nothing did.
func (g *guard) failed() *Fault {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.fault
}

// Fault is a mistake of Sonde's own: what something panicked with, and where.
type Fault struct {
	What  any
	Stack []byte
}

func (f *Fault) Error() string {
	return fmt.Sprintf("the app ended by a mistake of its own: %v: please report it with what stands above", f.What)
}
