package search

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/exp/golden"
)

// states has the states of the screen to draw.
var states = map[string]func(*testing.T) *driver{
	"setup":   func(t *testing.T) *driver { return drive(t, demo) },
	"typing":  func(t *testing.T) *driver { return drive(t, demo).press("down", "e", "x", "enter") },
	"no host": func(t *testing.T) *driver { return drive(t, screen.Service{}) },
	"remote": func(t *testing.T) *driver {
		return drive(t, screen.Service{URL: "https://api.example.com/v2", Remote: true}).press("enter")
	},
	"not started": func(t *testing.T) *driver {
		d := drive(t, demo)
		d.startErr = errors.New(`"http://127.0.0.1:41873" is not reachable: start the service or name another with --url`)
		return d.press("enter")
	},
	"first moment": func(t *testing.T) *driver { return drive(t, demo).press("enter") },
	"running":      func(t *testing.T) *driver { return drive(t, demo).press("enter").show(running()) },
	"asked": func(t *testing.T) *driver {
		return drive(t, demo).press("enter").show(running()).press("right", "right")
	},
	"tuned": func(t *testing.T) *driver {
		return drive(t, demo).press("enter").show(running()).press(toTuned...).show(tuned())
	},
	"faults": func(t *testing.T) *driver {
		return drive(t, demo).press("enter").show(running()).press(toTuned...).show(tuned()).press("v", "v", "down")
	},
	"fault": func(t *testing.T) *driver {
		return drive(t, demo).press("enter").show(running()).press(toTuned...).show(tuned()).press("v", "v", "down", "enter")
	},
	"done": func(t *testing.T) *driver {
		return drive(t, demo).press("enter").show(running()).press(toTuned...).show(done())
	},
	"muted": func(t *testing.T) *driver {
		return drive(t, demo).press("enter").show(running()).press(toTuned...).press("v", "down", "down", "t").show(steered())
	},
	"wished": func(t *testing.T) *driver {
		return drive(t, demo).press("enter").show(running()).press(toTuned...).show(steered()).press(
			"v", "down", "m", "down", "t", "b", "v", "v",
		)
	},
	"open":  func(t *testing.T) *driver { return drive(t, demo).press("enter").show(running()).press("V", "V") },
	"notes": func(t *testing.T) *driver { return drive(t, demo).press("enter").show(steered()).press("v", "v", "v") },
	"stepped": func(t *testing.T) *driver {
		return drive(t, demo).press("enter").show(running()).press(".").show(halted())
	},
	"kept": func(t *testing.T) *driver {
		return drive(t, demo).press("enter").show(running()).press(toTuned...).show(steered()).press("v", "v", "v", "v", "down", "down")
	},
	"to fix": func(t *testing.T) *driver {
		s := steered()
		s.Phase, s.Used = model.PhaseDone, 1
		return drive(t, demo).press("enter").show(running()).press(toTuned...).show(s).press("end")
	},
	"events": func(t *testing.T) *driver { return atEvents(t).press("up", "up", "up") },
	"failed": func(t *testing.T) *driver { return drive(t, demo).press("enter").show(failed()) },
	"denied": func(t *testing.T) *driver { return drive(t, demo).press("enter").show(denied()) },
	"ended":  func(t *testing.T) *driver { return drive(t, demo).press("enter").show(endedUser()) },
}

// endedUser returns a run that paused because a call ended the session of its user.
func endedUser() model.Snapshot {
	s := denied()
	s.Denied = &model.AccessDenied{Ended: &model.EndedUser{User: "admin", EndedBy: "POST /user/{id}", Request: "POST /user/1"}}
	return s
}

// denied returns a run that paused because its first calls were refused.
func denied() model.Snapshot {
	return model.Snapshot{
		Phase:   model.PhasePaused,
		Tuning:  model.DefaultTuning(),
		Applied: model.DefaultTuning(),
		Denied:  &model.AccessDenied{Refused: 49, Calls: 50},
		Summary: model.Summary{Calls: 50, Budget: 20000, Operations: 28, Targets: 96, Covered: 12},
	}
}

// halted returns a run that is paused.
func halted() model.Snapshot {
	s := steered()
	s.Phase = model.PhasePaused
	return s
}

// toTuned holds the keys that change the knobs to the values of the tuned snapshot.
var toTuned = []string{"right", "right", "right", "right"}

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
