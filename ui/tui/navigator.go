package tui

import (
	"cmp"

	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// navigator goes to screens and operations, and records the spots that the user visits.
type navigator struct {
	screens *screenSet
	trail   trail
	op      model.OpID // the operation that was selected last, on any screen
}

// show goes to a screen. Tabs wrap around: the screen after the last is the first, and the screen before
// the first is the last.
func (n *navigator) show(tab screen.Tab) tea.Cmd {
	count := screen.Tab(len(n.screens.all))
	tab = (tab + count) % count
	n.trail.here = n.spotOn(n.screens.tab)
	n.trail.visit(n.spotOn(tab))
	return n.screens.bringToFront(tab)
}

// goTo goes to a screen. If the message has an operation, it selects the operation there.
func (n *navigator) goTo(msg screen.ShowScreen) tea.Cmd {
	n.trail.here = n.spotOn(n.screens.tab)
	n.op = cmp.Or(msg.Op, n.op)
	cmd := n.screens.broadcast(msg)
	n.trail.visit(n.spotOn(msg.Tab))
	return tea.Batch(cmd, n.screens.bringToFront(msg.Tab))
}

// selected records the operation that the user has selected on the visible screen. It adds a spot to the trail,
// unless the user only moved the cursor over the operation.
func (n *navigator) selected(msg screen.OperationSelected) {
	n.op = msg.Op
	to := n.spotOn(n.screens.tab)
	if msg.InPassing {
		n.trail.here = to
		return
	}
	n.trail.visit(to)
}

// step moves along the trail and shows the spot there. At the end of the trail it shows the text atEnd.
func (n *navigator) step(move func(*trail) bool, atEnd string) tea.Cmd {
	n.trail.here = n.spotOn(n.screens.tab)
	if !move(&n.trail) {
		return screen.ShowStatus(atEnd)
	}
	to := n.trail.here
	if to.op == "" {
		return n.screens.bringToFront(to.tab)
	}
	n.op = to.op
	return tea.Batch(n.screens.broadcast(screen.OperationSelected{Op: to.op}), n.screens.bringToFront(to.tab))
}

func (n *navigator) spotOn(tab screen.Tab) spot { return n.screens.spotOn(tab, n.op) }
