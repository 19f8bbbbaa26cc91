package graph

import (
	"context"

	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// drawingJob is the drawing in the background, at most one at a time. Jobs have
// numbers, so that the result of one that was abandoned is recognised.
type drawingJob struct {
	number int
	cancel context.CancelFunc // nil while none is running
}

// drawn is a finished picture.
type drawn struct {
	number  int
	asked   view
	picture picture
}

// running reports whether a picture is being drawn.
func (j *drawingJob) running() bool { return j.cancel != nil }

// abandon stops the job that is running, if any. Its result is not wanted.
func (j *drawingJob) abandon() {
	j.number++
	if j.cancel != nil {
		j.cancel()
		j.cancel = nil
	}
}

// start abandons the job before and draws a view. The command returns a drawn, or
// nil if the job is abandoned.
func (j *drawingJob) start(analyzed *screen.AnalyzedSpec, asked view, wrap int) tea.Cmd {
	j.abandon()
	ctx, cancel := context.WithCancel(context.Background())
	j.cancel = cancel
	number := j.number
	return func() tea.Msg {
		p, err := drawPicture(ctx, analyzed, asked.normal(), wrap)
		if err != nil {
			return nil
		}
		return drawn{number: number, asked: asked, picture: p}
	}
}

// finish reports whether a picture is that of the job that is running, which has
// ended then.
func (j *drawingJob) finish(msg drawn) bool {
	if msg.number != j.number || j.cancel == nil {
		return false
	}
	j.cancel()
	j.cancel = nil
	return true
}
