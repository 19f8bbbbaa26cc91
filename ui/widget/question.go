package widget

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// RemoteHostTitle is the title of the question before calls to a host on another machine.
const RemoteHostTitle = "Call a service that is not on this machine?"

// Question holds the open Confirm of a screen, and the action for the answer yes. If no box is open, it holds
// nothing. The zero value has no open box, and opens boxes without a pause.
type Question struct {
	Pause time.Duration // time in which a new box ignores keys
	box   *Confirm
	then  func() tea.Cmd
}

// Ask opens a box. If the user answers yes, the function then is called, unless it is nil. The returned Cmd ends the
// pause of the box.
func (q *Question) Ask(title, text string, yes, no key.Binding, then func() tea.Cmd) tea.Cmd {
	box, ready := NewConfirm(title, text, yes, no, q.Pause)
	q.box, q.then = &box, then
	return ready
}

// Open reports whether a box is open.
func (q *Question) Open() bool { return q.box != nil }

// Close closes the box without an answer.
func (q *Question) Close() { q.box, q.then = nil, nil }

// Update handles a message. If the message is an answer, Update closes the box and returns the answer. For
// Yes, it also returns the Cmd of the action.
func (q *Question) Update(msg tea.Msg) (Answer, tea.Cmd) {
	if q.box == nil {
		return NoAnswer, nil
	}
	box, answer := q.box.Update(msg)
	q.box = &box
	if answer == NoAnswer {
		return NoAnswer, nil
	}
	then := q.then
	q.Close()
	if answer == Yes && then != nil {
		return Yes, then()
	}
	return answer, nil
}

// Keys returns the keys for the answers, or none if no box is open.
func (q *Question) Keys() []key.Binding {
	if q.box == nil {
		return nil
	}
	return q.box.Keys()
}

// Over draws the box over a picture of width × height cells, if one is open.
func (q *Question) Over(picture string, width, height int) string {
	if q.box == nil {
		return picture
	}
	return q.box.Over(picture, width, height)
}
