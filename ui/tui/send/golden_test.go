package send

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

// states has the states of the pane to draw.
var states = map[string]func(*testing.T) *driver{
	"no service": func(t *testing.T) *driver { return drive(t, screen.Service{}) },
	"form":       func(t *testing.T) *driver { return drive(t, demo).press("down") },
	"network":    func(t *testing.T) *driver { return drive(t, demo).take(outside(0)) },
	"stubs":      func(t *testing.T) *driver { return drive(t, demo).take(outside(2)) },
	"field":      func(t *testing.T) *driver { return drive(t, demo).press("down", "down", "down", "enter") },
	"body":       func(t *testing.T) *driver { return drive(t, demo).at(bodyRow, 0).press("enter") },
	"undeclared": func(t *testing.T) *driver {
		return drivePhotos(t, model.Arg{In: model.InHeader, Name: "X-Trace", Value: "1"}).at(addRow, 0)
	},
	"multipart": func(t *testing.T) *driver {
		d := drivePhotos(t).at(bodyRow, 0).press("right", "right").at(formFieldRow, 0)
		return d.press("enter").write("cat.png").press("enter")
	},
	"path": func(t *testing.T) *driver {
		return drivePhotos(t).at(bodyRow, 0).press("f").write("ca").press("tab")
	},
	"hints": func(t *testing.T) *driver {
		return drivePhotos(t).at(textRow, 1).press("enter", "end").write(`, "state": "`)
	},
	"parameter": func(t *testing.T) *driver { return drivePhotos(t).at(fieldRow, 2).press("enter") },
	"remote": func(t *testing.T) *driver {
		return drive(t, screen.Service{URL: "https://a.example", Remote: true}).press("r")
	},
	"out": func(t *testing.T) *driver {
		d := drive(t, demo)
		d.hold = true
		d.press("r")
		for range ticksPerSecond {
			d.take(ticked{id: d.pane.sender.id})
		}
		return d
	},
	"created": func(t *testing.T) *driver {
		return received(t, paid(201, `{"paymentId":1,"state":"paid","amount":1299}`)).press("v")
	},
	"failed": func(t *testing.T) *driver {
		s := paid(500, `{"error":"internal error"}`)
		s.Faults = []model.Fault{{Oracle: "dependency-error", Severity: "error", Status: 500, Text: "500 while payments.example:80 resets"}}
		return received(t, s).press("v")
	},
	"error": func(t *testing.T) *driver {
		d := drive(t, demo)
		d.err = errors.New("a search is running: stop it first")
		return d.press("r").press("v")
	},
	"details": func(t *testing.T) *driver {
		s := paid(201, `{"paymentId":1}`)
		s.Exchanges[1].Details = detailed()
		s.Exchanges[1].Details.TLS.Expires = time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC) // a date that is always in the past
		return received(t, s).press("v")
	},
	"events": func(t *testing.T) *driver {
		s := &fakeStream{kind: model.EventStream}
		s.arrive(20, numbers(0, 100)...)
		return streaming(t, health, s).press("up")
	},
	"message": func(t *testing.T) *driver {
		s := &fakeStream{kind: model.WebSocket}
		s.arrive(20, "hello", `{"a":1}`)
		s.now.Messages[0].Sent = true
		return streaming(t, chat, s).press("m").write(`{"b":2}`)
	},
	"history":     func(t *testing.T) *driver { return historic(t).press("H", "down") },
	"earlier":     func(t *testing.T) *driver { return historic(t).press("H", "enter") },
	"differences": func(t *testing.T) *driver { return historic(t).press("H", "D") },
	"hostile events": func(t *testing.T) *driver {
		s := &fakeStream{kind: model.EventStream}
		evil := "\x1b]0;owned\x07\x1b[2J\u202e" + strings.Repeat("長", 3000) + "\r\n\x9b\u0301"
		s.arrive(20, evil, "\x00\xff", evil)
		s.now.Messages[0].Event, s.now.Messages[0].Size = evil, 1<<40
		s.now.End = &model.StreamEnd{Text: evil}
		return streaming(t, health, s)
	},
	"hostile": func(t *testing.T) *driver { return received(t, hostile()).press("v") },
}

func outside(stubs int) screen.SurroundingsChanged {
	return screen.SurroundingsChanged{Surroundings: usecase.Surroundings{Net: true, Stubs: make([]model.Stub, stubs)}}
}

func received(t *testing.T, s usecase.SendResult) *driver {
	d := drive(t, demo).take(outside(1))
	d.answer = s
	return d.press("r")
}

// hostile returns an answer with control characters and texts that are too long.
func hostile() usecase.SendResult {
	evil := "\x1b]0;owned\x07\x1b[2J\u202e" + strings.Repeat("長", 300) + "\r\n\x9b\u0301"
	s := paid(200, strings.Repeat(evil, 20))
	s.Test.Stubs[0].Host = evil
	s.Exchanges[1].Reply.Header = map[string][]string{evil: {evil, evil}}
	s.Exchanges[1].Reply.Proto = evil
	s.Faults = []model.Fault{{Oracle: evil, Severity: "error", Text: evil}}
	return s
}

func TestViews(t *testing.T) {
	for name, state := range states {
		for _, size := range [][2]int{{40, 9}, {60, 21}, {80, 21}, {78, 33}, {136, 57}} {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := state(t)
				d.pane.SetSize(size[0], size[1])
				view := d.pane.View(size[0], size[1])
				for _, row := range strings.Split(view, "\n") {
					if ansi.StringWidth(row) != size[0] {
						t.Errorf("a row of %d cells: %q", ansi.StringWidth(row), row)
					}
				}
				golden.RequireEqual(t, []byte(trimmed(view)))
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
