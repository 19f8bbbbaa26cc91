package tui

import (
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
)

// guard is the model that bubbletea runs. If the app or one of its commands panics, guard
// stops the program, so that the terminal is restored before the panic is reported.
type guard struct {
	app  tea.Model
	kill func() // stops the program

	mu    sync.Mutex
	panic *Panic // the first panic
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

// guarded returns a command that catches panics of cmd and of the commands in its result.
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

// caught stops the program after a panic. It must be deferred.
func (g *guard) caught() {
	value := recover()
	if value == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.panic == nil {
		g.panic = &Panic{Value: value, Stack: debug.Stack()}
	}
	g.kill()
}

// firstPanic returns the first panic, nil if there was none.
func (g *guard) firstPanic() *Panic {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.panic
}

// Panic is the error of an app that panicked, which is a bug in Sonde.
type Panic struct {
	Value any
	Stack []byte // the stack of the goroutine that panicked
}

func (p *Panic) Error() string {
	return fmt.Sprintf("the app crashed because of a bug in Sonde: %v: please report it with the output above", p.Value)
}
