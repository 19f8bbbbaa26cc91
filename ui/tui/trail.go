package tui

import (
	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// spot is where a person can be: a screen, and the operation looked at.
type spot struct {
	tab screen.Tab
	op  model.OpID
}

// trail is the spots where a person was, and at which of them they are. As in a
// browser, going on from one that was gone back to forgets those after it. The
// zero value is a trail at the first screen.
type trail struct {
	before, after []spot
	here          spot
}

// farthest is how many spots are remembered.
const farthest = 200

// jump goes on to a spot.
func (t *trail) jump(to spot) {
	if to == t.here {
		return
	}
	t.before = append(t.before, t.here)
	t.before = t.before[max(0, len(t.before)-farthest):]
	t.here, t.after = to, nil
}

// back and on return to the nearest spot that is another than here; they tell
// whether there is one.
func (t *trail) back() bool { return t.step(&t.before, &t.after) }
func (t *trail) on() bool   { return t.step(&t.after, &t.before) }

func (t *trail) step(from, to *[]spot) bool {
	n := len(*from)
	for n > 0 && (*from)[n-1] == t.here {
		n--
	}
	*from = (*from)[:n]
	if n == 0 {
		return false
	}
	*to = append(*to, t.here)
	t.here, *from = (*from)[n-1], (*from)[:n-1]
	return true
}

// at is the spot that going to a screen leads to.
func (a *app) at(tab screen.Tab) spot {
	if l, ok := a.screens[tab].(screen.LocationProvider); ok {
		op, _ := l.Location()
		return spot{tab, op}
	}
	if tab == screen.TabGraph {
		return spot{tab, a.op}
	}
	return spot{tab: tab}
}

// selected notes which operation is looked at: on the screen on show, the person
// is at another spot then.
func (a *app) selected(msg screen.OperationSelected) {
	a.op = msg.Op
	switch to := a.at(a.tab); {
	case msg.InPassing:
		a.trail.here = to
	default:
		a.trail.jump(to)
	}
}

// step goes along the trail, and shows what was there.
func (a *app) step(along func(*trail) bool, nothing string) tea.Cmd {
	a.trail.here = a.at(a.tab)
	if !along(&a.trail) {
		return screen.ShowStatus(nothing)
	}
	to := a.trail.here
	if to.op == "" {
		return a.front(to.tab)
	}
	a.op = to.op
	return tea.Batch(a.broadcast(screen.OperationSelected{Op: to.op}), a.front(to.tab))
}

// crumbs are where the person is: the screen, and what on it.
func (a *app) crumbs() []string {
	if a.study == nil {
		return nil
	}
	s := a.screens[a.tab]
	if l, ok := s.(screen.LocationProvider); ok {
		_, names := l.Location()
		return append([]string{s.Name()}, names...)
	}
	if op := a.at(a.tab).op; op != "" {
		return []string{s.Name(), string(op)}
	}
	return []string{s.Name()}
}
