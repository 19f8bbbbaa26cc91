// Package tui is the terminal app: a frame that is always the same, and the
// eight screens in it. The frame opens the spec, passes messages on and draws
// the title, the tabs and the keys that matter now; what a screen shows and
// does is in the screen's own package.
package tui

import (
	"context"
	"errors"
	"fmt"

	"sonde/model"
	"sonde/ui/home"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Run shows the app on a spec until the person quits or ctx ends, and returns where
// they were then. A panic in it restores the terminal and comes back as an error.
func Run(ctx context.Context, engine screen.Engine, host screen.Host, of screen.Home, source string) (Left, error) {
	app := newApp(ctx, engine, host, of, source)
	_, err := tea.NewProgram(app, tea.WithContext(ctx), tea.WithAltScreen(), tea.WithMouseCellMotion()).Run()
	if errors.Is(err, tea.ErrProgramPanic) {
		return Left{}, fmt.Errorf("the app ended: %w", err)
	}
	left := Left{Place: app.place()}
	if app.study != nil {
		left.Spec = app.study.Spec
	}
	if err != nil {
		err = fmt.Errorf("the app ended: %w", err)
	}
	return left, err
}

// Left is the spec as a person left it, nil where none could be opened.
type Left struct {
	Spec  *model.Spec
	Place home.Place
}

// New returns the app on a spec, for a program or a test of the caller's own.
func New(engine screen.Engine, host screen.Host, source string) tea.Model {
	return newApp(context.Background(), engine, host, screen.Home{}, source)
}
