package network

import (
	"fmt"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/exp/golden"
)

// states has the states of the screen to draw.
var states = map[string]func(*testing.T) *driver{
	"no network": func(t *testing.T) *driver { return drive(t, screen.Service{URL: "http://127.0.0.1:1"}) },
	"no search":  func(t *testing.T) *driver { return drive(t, demo) },
	"no contact": func(t *testing.T) *driver { return drive(t, demo).show() },
	"real": func(t *testing.T) *driver {
		return drive(t, demo).send(screen.RunProgress{Snapshot: model.Snapshot{Phase: model.PhaseRunning}})
	},
	"map":      running,
	"injected": func(t *testing.T) *driver { return running(t).press("down") },
	"asked":    func(t *testing.T) *driver { return running(t).send(waiting(charge)) },
	"contacts": func(t *testing.T) *driver { return running(t).press("enter", "down") },
	"contact":  func(t *testing.T) *driver { return running(t).press("enter", "down", "down", "enter") },
	"bytes":    func(t *testing.T) *driver { return running(t).press("down", "down", "enter", "enter") },
	"menu":     func(t *testing.T) *driver { return running(t).press("i", "down") },
	"body":     func(t *testing.T) *driver { return running(t).press("i", "enter") },
	"which":    func(t *testing.T) *driver { return running(t).press("down", "down", "down", "i") },
	"editor":   func(t *testing.T) *driver { return running(t).press("e") },
	"no stub":  func(t *testing.T) *driver { return running(t).press("e", "down", "x") },
	"start":    func(t *testing.T) *driver { return drive(t, demo).show(starting()...).press("enter") },
	"query":    func(t *testing.T) *driver { return drive(t, demo).show(starting()...).press("down", "enter", "enter") },
	"prologue": func(t *testing.T) *driver {
		return drive(t, demo).show(starting()...).press("down", "down", "enter", "enter")
	},
	"over":      func(t *testing.T) *driver { return running(t).over() },
	"by hand":   func(t *testing.T) *driver { return drive(t, demo).handed(shop()...).press("i", "enter", "enter") },
	"no host":   func(t *testing.T) *driver { return drive(t, demo).handed() },
	"200 hosts": func(t *testing.T) *driver { return drive(t, demo).show(many(200)...).press("pgdown", "pgdown") },
	"hostile":   func(t *testing.T) *driver { return drive(t, demo).show(hostile(), hostile()).press("enter", "enter") },
}

// waiting returns the message for a stub that was requested but is not active yet.
func waiting(s model.Stub) screen.CommandsPending {
	return screen.CommandsPending{Commands: []model.Command{{Change: &model.TuningChange{}}, {Stub: &s}}}
}

func TestViews(t *testing.T) {
	for name, state := range states {
		for _, size := range [][2]int{{40, 9}, {60, 21}, {80, 21}, {120, 33}, {200, 57}} {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := state(t).size(size[0], size[1])
				golden.RequireEqual(t, []byte(trimmed(d.screen.View(size[0], size[1]))))
			})
		}
	}
}

// trimmed removes blanks at line ends, because editors and git complain about them.
func trimmed(view string) string {
	rows := strings.Split(view, "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	return strings.Join(rows, "\n") + "\n"
}
