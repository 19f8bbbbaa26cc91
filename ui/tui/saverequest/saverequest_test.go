package saverequest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/muesli/termenv"
)

func TestMain(m *testing.M) {
	lipgloss.SetColorProfile(termenv.Ascii)
	os.Exit(m.Run())
}

// driver has the box and presses keys. The project has the file shop.http with the request Taken.
type driver struct {
	box    *Box
	open   bool
	saved  []usecase.SavedRequest
	forced []bool
	result usecase.SaveResult // the last result, with the file and the name that were typed
	err    error
	sent   []tea.Msg
}

func drive(of screen.SavedAs, calls int, files ...string) *driver {
	d := &driver{open: true}
	test := model.Test{Calls: make([]model.Call, calls)}
	d.box = New(usecase.RequestFiles{Save: d.save}, nil, screen.SaveTest{Test: test, SavedAs: of}, files)
	return d
}

func (d *driver) save(s usecase.SavedRequest, force bool) (usecase.SaveResult, error) {
	d.saved, d.forced = append(d.saved, s), append(d.forced, force)
	r := d.result
	r.Path, r.Name, r.Replaced = "/p/requests/"+s.File, s.Name, force
	switch {
	case d.err != nil:
		return r, d.err
	case s.Name == "Taken" && !force:
		return r, fmt.Errorf("exists: %w", fs.ErrExist)
	}
	return r, nil
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
	case screen.TestSaved, screen.StatusMessage:
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

var special = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "up": tea.KeyUp, "down": tea.KeyDown, "tab": tea.KeyTab,
	"ctrl+u": tea.KeyCtrlU, "ctrl+s": tea.KeyCtrlS,
}

func (d *driver) press(keys ...string) *driver {
	for _, k := range keys {
		if t, ok := special[k]; ok {
			d.update(tea.KeyMsg{Type: t})
			continue
		}
		d.update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)})
	}
	return d
}

func (d *driver) view(width, height int) string {
	return ansi.Strip(d.box.Over(draw.FitLines("", width, height), width, height))
}

// The file and the name may be typed. Enter on the name saves.
func TestSave(t *testing.T) {
	d := drive(screen.SavedAs{Name: "GET /a"}, 1, "orders.http", "shop.http")
	d.press("ctrl+u", "First", "up", "ctrl+u", "sh", "tab", "tab", "enter")
	want := []usecase.SavedRequest{{File: "shop.http", Name: "First"}}
	if diff := cmp.Diff(want, d.saved, cmpopts.IgnoreFields(usecase.SavedRequest{}, "Test")); diff != "" || d.open {
		t.Fatalf("open: %t, (-want +got):\n%s", d.open, diff)
	}
	messages := []tea.Msg{
		screen.TestSaved{Path: "/p/requests/shop.http", Name: "First"},
		screen.StatusMessage{Text: `Saved "First" in requests/shop.http: 4 shows it`},
	}
	if diff := cmp.Diff(messages, d.sent); diff != "" {
		t.Error(diff)
	}
}

// A request is replaced only after a question.
func TestReplace(t *testing.T) {
	d := drive(screen.SavedAs{File: "shop.http", Name: "Taken"}, 2).press("enter")
	if !d.open || !strings.Contains(d.view(80, 24), `shop.http has "Taken" already`) {
		t.Fatalf("nothing was asked:\n%s", d.view(80, 24))
	}
	d.press("n", "2", "ctrl+s")
	if d.open || d.saved[1].Name != "Taken2" {
		t.Errorf("saved %+v", d.saved)
	}
	d = drive(screen.SavedAs{File: "shop.http", Name: "Taken"}, 2).press("enter", "x", "y")
	if d.open || len(d.forced) != 2 || !d.forced[1] {
		t.Errorf("saved %+v", d.forced)
	}
	if got := d.sent[1].(screen.StatusMessage).Text; !strings.HasPrefix(got, `Replaced "Taken"`) {
		t.Errorf("said %q", got)
	}
}

func TestResult(t *testing.T) {
	d := drive(screen.SavedAs{Name: "A"}, 1)
	d.result = usecase.SaveResult{Variables: []string{"TOKEN"}, Notes: []string{"call 2 has a fixed id\x1b[2J"}}
	d.press("enter")
	const want = `Saved "A" in requests/requests.http: 4 shows it; ` +
		`1 secret left out: set {{TOKEN}} in the environment; call 2 has a fixed id`
	if got := d.sent[1].(screen.StatusMessage).Text; !strings.HasPrefix(got, want) || strings.Contains(got, "\x1b") {
		t.Errorf("got %q, want %q", got, want)
	}
	d = drive(screen.SavedAs{Name: "A"}, 1).press("esc")
	if d.open || len(d.saved) > 0 {
		t.Error("esc does not cancel")
	}
}

func TestViews(t *testing.T) {
	at := screen.SavedAs{File: "shop.http", Name: "Taken"}
	for name, state := range map[string]func() *driver{
		"new file": func() *driver { return drive(screen.SavedAs{Name: "POST /carts"}, 1) },
		"file":     func() *driver { return drive(at, 3, "orders.http", "shop.http").press("up") },
		"replace":  func() *driver { return drive(at, 3).press("enter") },
		"error": func() *driver {
			d := drive(screen.SavedAs{File: "a/b", Name: "x"}, 1)
			d.err = errors.New(`"a/b.http" is no name of a file in requests: write one such as shop.http`)
			return d.press("enter")
		},
	} {
		for _, size := range [][2]int{{40, 12}, {60, 21}, {80, 24}, {120, 33}} {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				rows := strings.Split(state().view(size[0], size[1]), "\n")
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
