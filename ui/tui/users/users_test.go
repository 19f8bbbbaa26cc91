package users

import (
	"errors"
	"fmt"
	"os"
	"slices"
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
	"github.com/muesli/termenv"
)

func TestMain(m *testing.M) {
	lipgloss.SetColorProfile(termenv.Ascii)
	os.Exit(m.Run())
}

// driver has the box and the users of a service, and presses keys.
type driver struct {
	t       *testing.T
	box     *Box
	open    bool
	all     []usecase.UserLogin
	added   []model.UserForm
	written []string
	err     error // returned by Add, Remove and Write
	changed [][]string
}

func drive(t *testing.T, all ...usecase.UserLogin) *driver {
	t.Helper()
	d := &driver{t: t, all: all, open: true}
	box, cmd := New(usecase.UserLogins{
		All: func() []usecase.UserLogin { return slices.Clone(d.all) },
		NewForm: func() model.UserForm {
			return model.UserForm{
				Name: "default", Method: model.AuthByBearer, Key: "X-API-Key", In: model.InHeader, LoginMethod: "POST", LoginPath: "/login",
				UsernameField: "username", PasswordField: "password", Token: "/token", Send: "Authorization: Bearer {token}",
			}
		},
		Add: func(u model.UserForm) error {
			if d.err != nil {
				return d.err
			}
			d.added = append(d.added, u)
			d.all = append(d.all, usecase.UserLogin{Name: u.Name, How: string(u.Method), AddedHere: true})
			return nil
		},
		Remove: func(name string) error {
			d.all = slices.DeleteFunc(d.all, func(l usecase.UserLogin) bool { return l.Name == name })
			return d.err
		},
		Write: func(name string) (string, []string, error) {
			d.written = append(d.written, name)
			return "sonde.yaml", []string{"SONDE_ANN_TOKEN"}, d.err
		},
	}, nil)
	d.box = box
	return d.do(cmd)
}

func (d *driver) do(cmd tea.Cmd) *driver {
	if cmd == nil {
		return d
	}
	msg := cmd()
	if c, ok := msg.(screen.UsersChanged); ok {
		d.changed = append(d.changed, c.Names)
		return d
	}
	open, next := d.box.Update(msg)
	d.open = open
	return d.do(next)
}

var special = map[string]tea.KeyType{
	"enter": tea.KeyEnter,
	"esc":   tea.KeyEsc,
	"up":    tea.KeyUp,
	"down":  tea.KeyDown,
	"left":  tea.KeyLeft,
	"right": tea.KeyRight,
	"save":  tea.KeyCtrlS,
}

// press presses keys. A text that is not the name of a key is typed.
func (d *driver) press(keys ...string) *driver {
	for _, k := range keys {
		msgs := []tea.KeyMsg{{Type: special[k]}}
		if _, ok := special[k]; !ok {
			msgs = nil
			for _, r := range k {
				msgs = append(msgs, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
			}
		}
		for _, msg := range msgs {
			open, cmd := d.box.Update(msg)
			d.open = open
			d.do(cmd)
		}
	}
	return d
}

func (d *driver) view(width, height int) string {
	return d.box.Over(draw.FitLines("", width, height), width, height)
}

func (d *driver) sees(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if view := ansi.Strip(d.view(80, 24)); !strings.Contains(view, text) {
			d.t.Errorf("%q is missing in\n%s", text, view)
		}
	}
	return d
}

func TestViews(t *testing.T) {
	ann, bob := usecase.UserLogin{
		Name: "ann",
		How:  "header Authorization",
	}, usecase.UserLogin{Name: "bob \x1b[31m", How: "log-in POST /login", AddedHere: true}
	for name, state := range map[string]func(*testing.T) *driver{
		"no users": func(t *testing.T) *driver { return drive(t) },
		"users":    func(t *testing.T) *driver { return drive(t, ann, bob).press("down") },
		"bearer":   func(t *testing.T) *driver { return drive(t).press("a", "down", "down", "open barley") },
		"variable": func(t *testing.T) *driver { return drive(t).press("a", "down", "down", "${TOKEN}") },
		"log-in": func(t *testing.T) *driver {
			return drive(t).press("a", "down", "left", "down", "down", "down", "right")
		},
		"wrong": func(t *testing.T) *driver {
			d := drive(t)
			d.err = errors.New(`there is a user "ann" already: give this one another name`)
			return d.press("a", "save")
		},
		"written": func(t *testing.T) *driver { return drive(t, bob).press("w") },
	} {
		for _, size := range [][2]int{{40, 12}, {60, 21}, {80, 24}, {120, 33}, {200, 57}} {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				view := state(t).view(size[0], size[1])
				rows := strings.Split(view, "\n")
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

// Keys fill in the form for a new user. The user is added, other screens get a message, and the secret is
// never drawn.
func TestAUserIsTyped(t *testing.T) {
	d := drive(t).press("a")
	for range len("default") {
		d.box.Update(tea.KeyMsg{Type: tea.KeyBackspace})
	}
	d.press("ann", "enter", "enter", "open barley").sees("•••••••••••", "stays in memory")
	if strings.Contains(d.view(120, 33), "barley") {
		t.Error("the secret is drawn as it is typed")
	}
	d.press("up")
	if strings.Contains(d.view(120, 33), "barley") {
		t.Error("the secret is drawn after it was typed")
	}
	d.press("down", "enter").sees("ann is used from now on", "in memory")
	if len(d.added) != 1 || d.added[0].Name != "ann" || d.added[0].Secret != "open barley" || d.added[0].Method != model.AuthByBearer {
		t.Errorf("added %+v", d.added)
	}
	if len(d.changed) != 1 || !slices.Equal(d.changed[0], []string{"ann"}) {
		t.Errorf("told %v", d.changed)
	}
}

// Keys that are pressed before the form is ready are typed into it.
func TestKeysAreTypedAhead(t *testing.T) {
	d := drive(t)
	_, begin := d.box.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a")})
	for _, r := range "-2" {
		d.box.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	d.box.Update(tea.KeyMsg{Type: tea.KeyDown})
	d.do(begin).sees("default-2", "◂ bearer token ▸")
}

// An error is shown, and the typed values remain.
func TestAUserIsTypedWrongly(t *testing.T) {
	d := drive(t)
	d.err = errors.New("the token is empty")
	d.press("a", "save").sees("the token is empty", "A new user")
	d.press("q").sees("defaultq")
	d.press("esc", "esc")
	if d.open || len(d.added) > 0 {
		t.Errorf("open %t, added %v", d.open, d.added)
	}
}

// Each way to authenticate has its own fields. Common fields keep their values.
func TestWays(t *testing.T) {
	d := drive(t).press("a", "down")
	for _, want := range [][]string{
		{"user name", "password"},
		{"header", "value"},
		{"sent in", "key name", "key"},
		{"method", "path", "body", "token at", "send as"},
		{"token"},
	} {
		d.press("right").sees(want...)
	}
}

func TestUsersAreForgottenAndWritten(t *testing.T) {
	d := drive(
		t,
		usecase.UserLogin{Name: "ann", How: "header Authorization"},
		usecase.UserLogin{Name: "bob", How: "basic", AddedHere: true},
	)
	d.press("w").sees("only users who were added in the")
	d.press("down", "w").sees("sonde.yaml is written", "SONDE_ANN_TOKEN")
	if !slices.Equal(d.written, []string{"bob"}) {
		t.Errorf("written %v", d.written)
	}
	d.press("d").sees("bob is removed")
	if len(d.all) != 1 || d.all[0].Name != "ann" {
		t.Errorf("left %v", d.all)
	}
}

func TestWithoutAService(t *testing.T) {
	box, cmd := New(usecase.UserLogins{}, nil)
	if cmd != nil {
		t.Error("something is read where there is nothing")
	}
	if open, _ := box.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a")}); !open {
		t.Error("the box closed")
	}
	if view := ansi.Strip(box.Over(draw.FitLines("", 80, 24), 80, 24)); !strings.Contains(view, "there is no service") {
		t.Error(view)
	}
}
