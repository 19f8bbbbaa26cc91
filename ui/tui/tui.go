// Package tui is the terminal app: a frame with eight screens. The frame reads the spec, routes messages,
// and draws the title, the tabs and the line of keys. It also has the parts that all screens share: the
// palette, the help page, the tour, the list of problems and the trail of visited places. Each screen has
// its own package. The screen of campaigns has a frame of its own, because campaigns have no spec.
//
// All state belongs to the goroutine of bubbletea's Update. Slow work runs in commands, which return
// messages and change no state.
package tui

import (
	"context"
	"errors"
	"fmt"

	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Run shows the app until the user quits or ctx ends. source is the file or URL of the spec. After a
// panic, Run restores the terminal and returns a *Panic.
func Run(
	ctx context.Context,
	engine screen.Engine,
	service screen.Service,
	prefs screen.Preferences,
	source string,
) error {
	a := newApp(ctx, engine, service, prefs, source)
	err := runGuarded(ctx, a)
	if _, crashed := errors.AsType[*Panic](err); crashed {
		return err
	}
	if saved := a.savePlace(); err == nil {
		return saved
	}
	return err
}

// runGuarded runs a model on the whole terminal until it quits or ctx ends.
func runGuarded(ctx context.Context, m tea.Model) error {
	g := &guard{app: m}
	program := tea.NewProgram(g, tea.WithContext(ctx), tea.WithAltScreen(), tea.WithMouseCellMotion())
	g.kill = program.Kill
	_, err := program.Run()
	if p := g.firstPanic(); p != nil {
		return p
	}
	if err != nil {
		return fmt.Errorf("the app ended: %w", err)
	}
	return nil
}
