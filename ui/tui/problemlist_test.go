package tui

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// ill returns a driver with problems in the spec and in the preferences.
func ill() *driver {
	spec := *shop()
	spec.Problems = []model.Problem{{Pointer: "/paths/~1a", Line: 12, Text: "two bodies"}}
	d := start(engine(&spec, nil), local)
	d.app.prefs = screen.Preferences{
		Problems: []screen.FileProblem{
			{File: "/home/me/.config/sonde/config.yaml", Problem: model.Problem{Line: 3, Text: `theme is "drak": take one of auto, dark`}},
		},
	}
	return d.size(120, 36).do(d.app.Init())
}

// Problems are shown at the start and counted in the title. On every screen, the key ! lists the problems. The app
// works although there are problems.
func TestHealth(t *testing.T) {
	d := ill().sees(t, `config.yaml line 3: theme is "drak"`, "! lists all", "2 problems", "POST   /products")
	d.press("down").size(200, 36).sees(t, "! problems").size(120, 36).press("3", "!").sees(
		t, "config.yaml line 3", "shop.yaml line 12", "1 of 2 problems", "e edit it",
	)
	d.press("down").sees(t, "/paths/~1a", "2 of 2 problems").press("esc").misses(t, "two bodies")
	d.press("!").click(t, "shop.yaml line 12").sees(t, "/paths/~1a").press("!").misses(t, "two bodies")
	d = open(shop(), nil).misses(t, "! problems").press("!").sees(t, "Nothing is wrong")
	d.press("enter", "e").sees(t, "Nothing is wrong").press("esc").misses(t, "Nothing is wrong")
}

// Key e opens the editor at the line of the problem. After the editor has closed, the spec is read
// again.
func TestHealthOpensTheEditor(t *testing.T) {
	var opened []string
	d := ill()
	d.app.engine.Specs.Edit = func(file string, line int) (*exec.Cmd, error) {
		opened = append(opened, fmt.Sprint(file, ":", line))
		return exec.Command("true"), errors.New("no editor")
	}
	d.press("!", "e").sees(t, "✗ no editor").press("down", "enter")
	if got := fmt.Sprint(opened); got != "[/home/me/.config/sonde/config.yaml:3 shop.yaml:12]" {
		t.Errorf("opened %s", got)
	}
	reads := 0
	d.app.spec.specs.Load = func(context.Context, string) (*model.Spec, error) { reads++; return shop(), nil }
	d.send(editorClosed{}).sees(t, "1 of 1 problem")
	d.send(editorClosed{errors.New("exit status 1")}).sees(t, "the editor failed: exit status 1")
	if reads != 1 {
		t.Errorf("read the spec %d times", reads)
	}
}

// The mouse has no effect on the screen while the list of problems is open.
func TestHealthByMouse(t *testing.T) {
	d := ill().press("!")
	for y := range 35 { // all lines except the line of keys
		d.send(tea.MouseMsg{
			X:      40,
			Y:      y,
			Button: tea.MouseButtonLeft,
			Action: tea.MouseActionPress,
		}).send(tea.MouseMsg{X: 40, Y: y, Button: tea.MouseButtonWheelDown})
	}
	d.sees(t, "2 of 2 problems")
}
