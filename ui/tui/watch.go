package tui

import (
	"time"

	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// looked tells how the files of the spec are now; No is that of the attempt to read them.
type looked struct {
	no    int
	stamp string
}

// watch looks at the files of the spec after a while.
func (a *app) watch() tea.Cmd {
	engine, no, files := a.engine, a.opening.no, a.opening.files
	if engine.FileStamp == nil {
		return nil
	}
	return tea.Tick(a.glance, func(time.Time) tea.Msg { return looked{no, engine.FileStamp(files)} })
}

// looked reads the spec again where a file of it has changed. One that is gone for a
// moment is being written.
func (a *app) looked(msg looked) tea.Cmd {
	switch {
	case msg.no != a.opening.no: // it is being read already, or is watched anew
		return nil
	case msg.stamp == "" || msg.stamp == a.opening.stamp:
		return a.watch()
	}
	return a.open()
}

func stampOf(e screen.Engine, files []string) string {
	if e.FileStamp == nil {
		return ""
	}
	return e.FileStamp(files)
}
