package record

import (
	"fmt"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/exp/golden"
)

// states has the states of the screen to draw.
var states = map[string]func(*testing.T) *driver{
	"form": func(t *testing.T) *driver { return drive(t, demo) },
	"form typing": func(t *testing.T) *driver {
		return drive(t, demo).press("down", "down", "e").types("127.0.0.1:9001=http://pay:80")
	},
	"form wrong": func(t *testing.T) *driver { return drive(t, demo).press("down", "e").types("nonsense").press("enter") },
	"form built": func(t *testing.T) *driver {
		return drive(t, screen.Service{Name: "demo", URL: "http://127.0.0.1:1", Net: usecase.NetworkAvailable})
	},
	"form demo":    func(t *testing.T) *driver { return drive(t, screen.Service{Name: "demo", URL: "http://127.0.0.1:1"}) },
	"no recording": func(t *testing.T) *driver { return drive(t, demo).press("o").types("nowhere").press("enter") },
	"live":         func(t *testing.T) *driver { return drive(t, demo).press("enter") },
	"no client yet": func(t *testing.T) *driver {
		d := drive(t, demo)
		d.started.traffic.Recording, d.started.traffic.Seen = model.Recording{}, 0
		return d.press("enter")
	},
	"opened":    recorded,
	"operation": func(t *testing.T) *driver { return recorded(t).press("end", "up", "up", "up", "up") },
	"exchange":  func(t *testing.T) *driver { return toPayment(t).press("enter") },
	"outward":   func(t *testing.T) *driver { return toPayment(t).press("enter", "down", "down") },
	"uncertain": func(t *testing.T) *driver { return toPayment(t).press("down", "enter", "end") },
	"picked":    func(t *testing.T) *driver { return toPayment(t).press(" ", "home", " ") },
	"every":     func(t *testing.T) *driver { return recorded(t).press("f") },
	"filter":    func(t *testing.T) *driver { return recorded(t).press("/").types("payments 5xx").press("enter") },
	"nothing":   func(t *testing.T) *driver { return recorded(t).press("/").types("xyzzy").press("enter") },
	"preview":   func(t *testing.T) *driver { return toPayment(t).press("p") },
	"one oracle": func(t *testing.T) *driver {
		return toPayment(t).press("p", "O", "P", "t", "v")
	},
	"no test":  func(t *testing.T) *driver { return recorded(t).press("end", "p") },
	"folder":   func(t *testing.T) *driver { return toPayment(t).press("g") },
	"written":  func(t *testing.T) *driver { return toPayment(t).press("g", "enter") },
	"report":   func(t *testing.T) *driver { return toPayment(t).press("g", "enter", "m") },
	"warnings": func(t *testing.T) *driver { return recorded(t).press("w") },
	"functions": func(t *testing.T) *driver {
		d := toPayment(t)
		d.invoked = invoked()
		return d.press("F", "v")
	},
	"no functions": func(t *testing.T) *driver { return toPayment(t).press("F") },
	"replace":      func(t *testing.T) *driver { d := toPayment(t); d.exists = true; return d.press("g", "enter") },
	"hostile": func(t *testing.T) *driver {
		d := drive(t, demo)
		d.disk = hostile()
		return d.press("o").types("rec").press("enter", "down", "enter", "down")
	},
	"200 operations": func(t *testing.T) *driver {
		d := drive(t, demo)
		d.disk = many(200)
		d.send(screen.SpecOpened{Spec: &screen.AnalyzedSpec{Spec: &model.Spec{}}})
		return d.press("o").types("rec").press("enter", "pgdown")
	},
}

// toPayment returns a driver with the cursor on the first exchange of a payment.
func toPayment(t *testing.T) *driver { return recorded(t).press("end", "up", "up", "up") }

// many returns a recording with exchanges of n operations.
func many(n int) (r model.Recording) {
	for i := range n {
		r.Served = append(r.Served, served(i, i, fmt.Sprintf("GET /things%d", i), "/", 200))
	}
	return r
}

func TestViews(t *testing.T) {
	for name, state := range states {
		for _, size := range [][2]int{{40, 9}, {60, 21}, {80, 21}, {120, 33}, {200, 57}} {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				if testing.Short() && size[0] != 80 {
					t.Skip("one size is enough: left out by -short")
				}
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
