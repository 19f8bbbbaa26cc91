package search

import (
	"strings"

	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
)

// denied reports whether the run is paused because its first calls were refused.
func (w *watch) denied() bool { return w.snap.Denied != nil && w.halted() && w.active() }

// wayIn says how a run gets to call as a user.
func (w *watch) wayIn() string {
	if end := w.snap.Denied.Ended; end != nil && end.By != "" {
		return "Restore the user in the service and go on: that request is not sent again. Or stop, and exclude the operation."
	}
	if w.users {
		return "There are other users now: stop this search and start a new one."
	}
	return "Add a user here, start again with --header or --user, or write a log-in into sonde.yaml with sonde init."
}

// mostDenied is the width of the box at most.
const mostDenied = 64

// overDenied draws over the run why it paused by itself, and the ways out.
func (m Model) overDenied(picture string) string {
	if !m.watch.denied() {
		return picture
	}
	d := m.watch.snap.Denied
	width := min(mostDenied, m.width)
	text, why := d.String()+": "+d.Cause(), "nearly all calls are refused"
	if d.Ended != nil {
		text, why = d.String(), "the user is refused"
	}
	text = pane.Clean(text)
	rows := wrapped(text, width-4, theme.Plain)
	rows = append(rows, "")
	rows = append(rows, wrapped(m.watch.wayIn(), width-4, theme.Plain)...)
	rows = rows[:max(0, min(len(rows), m.height-4))] // the keys stay in sight
	rows = append(rows, "", " "+pane.Does(screen.KeyUsers)+"   "+pane.Does(keyStop)+"   "+pane.Does(keyResume))
	title := theme.Warn.Render(theme.Paused + " Paused: " + why)
	frame := pane.Frame{Title: title, Width: width, Height: min(len(rows)+2, m.height), Focused: true}
	return pane.Over(picture, frame.Render(strings.Join(rows, "\n")), (m.width-width)/2, max(0, (m.height-frame.Height)/2))
}
