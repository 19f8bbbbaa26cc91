package environments

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"
)

func TestMain(m *testing.M) {
	lipgloss.SetColorProfile(termenv.Ascii)
	os.Exit(m.Run())
}

// driver has the box and presses keys.
type driver struct {
	t    *testing.T
	box  *Box
	open bool
	used []string
	err  error // returned by Use
	sent []tea.Msg
}

var places = []screen.Environment{
	{Name: "default", Address: "started by Sonde on a free port"},
	{Name: "staging", Address: "https://staging.example.com/v1", Users: []string{"ann", "bob"}, Current: true},
	{
		Name: "production-of-all-\x1b[31mcontinents", Address: "https://api.example.com/a/long/path/of/it",
		Users: []string{"ann"}, Production: true,
	},
}

func drive(t *testing.T, all []screen.Environment, err error) *driver {
	t.Helper()
	d := &driver{t: t, open: true}
	box, cmd := New(screen.Environments{
		All: func() ([]screen.Environment, error) { return all, err },
		Use: func(_ context.Context, name string) (screen.Service, []string, error) {
			d.used = append(d.used, name)
			return screen.Service{URL: "http://" + name, Environment: name}, []string{"ann"}, d.err
		},
	}, nil)
	d.box = box
	d.do(cmd)
	return d
}

// do runs a command and handles its messages. It stores those that are not for the box.
func (d *driver) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			d.do(c)
		}
	case screen.ServiceChanged, screen.UsersChanged, screen.StatusMessage:
		d.sent = append(d.sent, msg)
	default:
		d.update(msg)
	}
}

func (d *driver) update(msg tea.Msg) {
	var cmd tea.Cmd
	d.open, cmd = d.box.Update(msg)
	d.do(cmd)
}

var special = map[string]tea.KeyType{"enter": tea.KeyEnter, "esc": tea.KeyEsc, "up": tea.KeyUp, "down": tea.KeyDown}

func (d *driver) press(keys ...string) *driver {
	for _, k := range keys {
		d.update(tea.KeyMsg{Type: special[k]})
	}
	return d
}

func (d *driver) view(width, height int) string {
	return ansi.Strip(d.box.Over(draw.FitLines("", width, height), width, height))
}

func TestViews(t *testing.T) {
	for name, state := range map[string]func(*testing.T) *driver{
		"none":         func(t *testing.T) *driver { return drive(t, nil, nil) },
		"environments": func(t *testing.T) *driver { return drive(t, places, nil) },
		"wrong file":   func(t *testing.T) *driver { return drive(t, nil, errors.New(`line 3: unknown key "link"`)) },
		"refused": func(t *testing.T) *driver {
			d := drive(t, places, nil)
			d.err = errors.New("a search is running: stop it first")
			return d.press("down", "enter")
		},
	} {
		for _, size := range [][2]int{{40, 12}, {60, 21}, {80, 24}, {120, 33}} {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				rows := strings.Split(state(t).view(size[0], size[1]), "\n")
				for i, row := range rows {
					if ansi.StringWidth(row) != size[0] || len(rows) != size[1] {
						t.Fatalf("row %d of %d has %d cells", i, len(rows), ansi.StringWidth(row))
					}
					rows[i] = strings.TrimRight(row, " ")
				}
				golden.RequireEqual(t, []byte(strings.Join(rows, "\n")))
			})
		}
	}
}

// A chosen environment closes the box, and all screens get its service and its users.
func TestSwitch(t *testing.T) {
	d := drive(t, places, nil).press("up", "enter")
	if d.open || len(d.used) != 1 || d.used[0] != "default" || len(d.sent) != 3 {
		t.Fatalf("open %t, used %q, sent %v", d.open, d.used, d.sent)
	}
	if got := d.sent[0].(screen.ServiceChanged).Service.URL; got != "http://default" {
		t.Errorf("the service is %q", got)
	}
	if got := d.sent[2].(screen.StatusMessage).Text; got != "environment default from now on: http://default" {
		t.Errorf("the status is %q", got)
	}
}

// The current environment is not entered again, and a refusal leaves the box open.
func TestNoSwitch(t *testing.T) {
	if d := drive(t, places, nil).press("enter"); d.open || len(d.used) > 0 || len(d.sent) > 0 {
		t.Errorf("open %t, used %q, sent %v", d.open, d.used, d.sent)
	}
	d := drive(t, places, nil)
	d.err = errors.New("a search is running: stop it first")
	d.press("down", "enter")
	if view := d.view(80, 24); !d.open || len(d.sent) > 0 || !strings.Contains(view, "a search is running") {
		t.Errorf("open %t, sent %v\n%s", d.open, d.sent, view)
	}
	if d.press("esc"); d.open {
		t.Error("esc leaves the box open")
	}
}

func TestWithoutConfiguration(t *testing.T) {
	box, cmd := New(screen.Environments{}, nil)
	if cmd != nil {
		t.Error("something is read where there is nothing")
	}
	view := ansi.Strip(box.Over(draw.FitLines("", 80, 24), 80, 24))
	if !strings.Contains(view, "there is no configuration: sonde init writes a sonde.yaml") {
		t.Error(view)
	}
}
