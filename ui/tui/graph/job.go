package graph

import (
	"context"

	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// drawingJob draws pictures in the background, one at a time. Each drawing has a number, by which finish
// recognizes the result of an abandoned drawing.
type drawingJob struct {
	number int                // number of the latest drawing
	cancel context.CancelFunc // nil while no drawing is in progress
}

// drawn is a finished picture.
type drawn struct {
	number  int
	asked   view
	picture picture
}

// running reports whether a picture is being drawn.
func (j *drawingJob) running() bool { return j.cancel != nil }

// abandon stops the drawing in progress, if there is one. The result of this drawing will be dropped.
func (j *drawingJob) abandon() {
	j.number++
	if j.cancel != nil {
		j.cancel()
		j.cancel = nil
	}
}

// start abandons the drawing in progress and begins another drawing. The command returns a drawn. It returns nil if
// the new drawing is abandoned before it is finished.
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

// finish reports whether msg is the result of the current drawing. If so, it marks the drawing as finished.
func (j *drawingJob) finish(msg drawn) bool {
	if msg.number != j.number || j.cancel == nil {
		return false
	}
	j.cancel()
	j.cancel = nil
	return true
}
