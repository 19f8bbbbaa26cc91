// Package tui is the terminal app: a frame that is always the same, and the
// eight screens in it. The frame opens the spec, passes messages on and draws
// the title, the tabs and the keys that matter now; what a screen shows and
// does is in the screen's own package.
package tui

import (
	"context"
	"fmt"

	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Run shows the app on a spec until the person quits or ctx ends. A panic in it restores
// the terminal and comes back as a *Fault.
func Run(ctx context.Context, engine screen.Engine, host screen.Service, of screen.Preferences, source string) error {
	g := &guard{app: newApp(ctx, engine, host, of, source)}
	program := tea.NewProgram(g, tea.WithContext(ctx), tea.WithAltScreen(), tea.WithMouseCellMotion())
	g.kill = program.Kill
	_, err := program.Run()
	if fault := g.failed(); fault != nil {
		return fault
	}
	if kept := g.keep(); err == nil {
		return kept
	}
	return fmt.Errorf("the app ended: %w", err)
}
