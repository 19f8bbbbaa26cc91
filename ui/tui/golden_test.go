package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/exp/golden"
)

// halfway is a run that has called some operations.
var halfway = screen.RunProgress{Snapshot: model.Snapshot{
	Phase: model.PhaseRunning, Used: 0.62,
	Grid: map[model.OpID]map[int]int{
		"POST /orders":            {201: 14, 400: 31, 500: 2},
		"GET /products":           {200: 40},
		"PATCH /orders/{orderId}": {404: 3},
	},
	Faults: []model.Fault{{Op: "POST /orders", Oracle: "server-error", Status: 500, Text: "the parcels do not fit", Calls: 3, At: 212}},
}}

// orders holds the keys that lead from the first screen to POST /orders.
var orders = []string{"/", "o", "r", "d", "e", "r", "s", "enter", "esc"}

// states has the states of the app to draw.
var states = map[string]func(*testing.T) *driver{
	"loading": func(*testing.T) *driver {
		return start(screen.Engine{}, local)
	},
	"error": func(*testing.T) *driver {
		return open(
			nil,
			errors.New(`open "shop.yaml": no such file; give the path of an OpenAPI document, an http(s) URL, or - for standard input`),
		)
	},
	"explore":               func(*testing.T) *driver { return open(shop(), nil) },
	"explore filter":        func(*testing.T) *driver { return open(shop(), nil).press("/").write("cart item") },
	"explore filter within": func(*testing.T) *driver { return open(shop(), nil).press("/").write("price !get") },
	"explore filter wrong":  func(*testing.T) *driver { return open(shop(), nil).press("/").write("colour:red") },
	"explore page":          func(*testing.T) *driver { return open(shop(), nil).press(orders...).press("enter", "down", "down") },
	"explore schema": func(*testing.T) *driver {
		return open(shop(), nil).press(orders...).press("enter", "end", "up", "up", "up", "up", "enter")
	},
	"explore tag":    func(*testing.T) *driver { return open(shop(), nil).press("left") },
	"explore run":    func(*testing.T) *driver { return open(shop(), nil).press(orders...).send(halfway) },
	"health":         func(*testing.T) *driver { return open(hostile(), nil).press("!") },
	"explore send":   func(*testing.T) *driver { return open(shop(), nil).press(orders...).press("r") },
	"groups":         func(*testing.T) *driver { return open(shop(), nil).press("2") },
	"groups filter":  func(*testing.T) *driver { return open(shop(), nil).press("2", "/").write("value:id customer") },
	"groups figure":  func(*testing.T) *driver { return open(shop(), nil).press("2", "down", "v", "v") },
	"groups seqs":    func(*testing.T) *driver { return open(shop(), nil).press("2", "d") },
	"graph":          func(*testing.T) *driver { return open(shop(), nil).press(orders...).press("g", "right") },
	"graph 2 hops":   func(*testing.T) *driver { return open(shop(), nil).press(orders...).press("g", "+") },
	"graph other":    func(*testing.T) *driver { return open(shop(), nil).press(orders...).press("g", "t") },
	"help":           func(*testing.T) *driver { return open(shop(), nil).press("?") },
	"help filter":    func(*testing.T) *driver { return open(shop(), nil).press("?").write("gr") },
	"palette":        func(*testing.T) *driver { return open(shop(), nil).press("ctrl+p").write("moveorder") },
	"palette barred": func(*testing.T) *driver { return open(shop(), nil).press("ctrl+p").write("pause") },
	"quit":           func(*testing.T) *driver { return open(shop(), nil).send(halfway).press("q") },
	"remote": func(*testing.T) *driver {
		d := open(shop(), nil)
		d.app.host = screen.Service{URL: "https://api.example.com/v2", Remote: true}
		return d
	},
	"groups practical": func(*testing.T) *driver {
		return open(shop(), nil).press("2", "P", "enter")
	},
	"groups called": func(*testing.T) *driver {
		return open(shop(), nil).press("2", "P", "enter", "esc", "d")
	},
}

func TestViews(t *testing.T) {
	for name, state := range states {
		for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 36}, {200, 60}} {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := state(t).size(size[0], size[1])
				golden.RequireEqual(t, []byte(trimmed(d.app.View())))
			})
		}
	}
}

// trimmed removes blanks at line ends, because editors and git complain about them.
func trimmed(view string) string {
	rows := strings.Split(view, "\n")
	for i, row := range rows {
		rows[i] = strings.TrimRight(row, " ")
	}
	return strings.Join(rows, "\n") + "\n"
}

// hostile returns a spec in which every text has control characters and is too long.
func hostile() *model.Spec {
	evil := []string{
		"\x1b]0;owned\x07\x1b[2Jcleared\x1b[31m", "שלום \u202eevil\u2066 עולם", "東京都渋谷区" + strings.Repeat("長", 60),
		strings.Repeat("averylongname", 40), "👩\u200d🔬👍🏽🇩🇪", "z̡̛̗͎a̡̛̗͎l̡̛̗͎g̡̛̗͎o", "tab\tnew\nline\r\x00\x7f\u0085", "",
	}
	loop := &model.Schema{Name: evil[2], Type: "object"}
	loop.Properties = []model.Property{{Name: evil[0], Required: true, Schema: loop}, {Name: evil[3], Schema: &model.Schema{Items: loop}}}
	loop.AllOf = []*model.Schema{loop}
	spec := &model.Spec{Title: evil[0], Version: evil[1], Format: evil[5]}
	for i, s := range evil {
		op := &model.Operation{
			Method: []string{"GET", "POST", "FROB\x1b[5m"}[i%3], Path: "/" + s + "/{" + s + "}", Name: s,
			Summary: s, Description: strings.Repeat(s+"\n", 3), Tags: []string{s}, Secured: i%2 == 0,
			Params: []model.Parameter{
				{Name: s, In: model.InPath, Required: true, Description: s, Schema: &model.Schema{Type: s, Format: s, Pattern: s}},
			},
			Body: &model.RequestBody{Name: s, Contents: []model.Content{{Media: s, Schema: loop}}},
			Responses: []model.Response{{
				Status: "200", Description: s, Contents: []model.Content{{Media: s, Schema: loop}},
				Headers: []model.Parameter{{Name: s, Schema: loop}},
			}, {Status: s, Description: s}},
		}
		op.ID = model.OpID(op.Method + " " + op.Path)
		spec.Operations = append(spec.Operations, op)
		spec.Problems = append(spec.Problems, model.Problem{Pointer: "/" + s, Line: i, Text: s})
	}
	return spec
}

func TestHostileTextNeverReachesTheTerminal(t *testing.T) {
	d := start(engine(hostile(), nil), screen.Service{Name: "\x1b[2J", URL: "http://\x1b]0;x\x07evil"})
	d.app.spec.source = "\x1b[2Jspec"
	check := func() {
		t.Helper()
		for _, r := range d.app.View() {
			if r < ' ' && r != '\n' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Fatalf("%q reached the terminal:\n%q", r, d.app.View())
			}
		}
	}
	check()
	d.do(d.app.Init())
	for _, k := range []string{
		":", "enter", "down", "end", "p", "esc", "r", "enter", "esc", "r", "esc", "esc", "2", "v", "v", "d", "3",
		"+", "t", "w", "o", "t", "z", "?", "esc", "1",
	} {
		d.press(k)
		check()
	}
	d.send(screen.StatusMessage{Text: "\x1b[2Jsaid"})
	check()
	d.send(screen.StatusMessage{Err: errors.New("\x1b[2Jfailed")})
	check()
}
