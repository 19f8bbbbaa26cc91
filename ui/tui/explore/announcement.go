package explore

import (
	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// announcement informs the other screens about the operation that this screen shows.
type announcement struct {
	post *screen.MessageQueue
	last model.OpID // the operation that was last sent, or received from another screen
	// deliberate is true if the user opened the operation. It is false if the user only moved the cursor to the
	// operation.
	deliberate bool
}

// send sends an operation if it differs from the last operation. It does nothing if op is "".
func (a *announcement) send(op model.OpID) tea.Cmd {
	deliberate := a.deliberate
	a.deliberate = false
	if op == "" || op == a.last {
		return nil
	}
	a.last = op
	return a.post.Send(screen.OperationSelected{Op: op, InPassing: !deliberate})
}
