package tui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// tabs holds, for each screen in order, the entry in the tab line that marks the screen as visible.
var tabs = []string{"▸1 Explore", "▸2 Groups", "▸3 Graph", "▸4 Seqs", "▸5 Search", "▸6 Export", "▸7 Network", "▸8 Record"}

func TestScreensByKey(t *testing.T) {
	d := open(shop(), nil).size(120, 36)
	for i, mark := range tabs {
		d.press(string(rune('1'+i))).sees(t, mark)
	}
	d.press("tab").sees(t, tabs[0])
	d.press("shift+tab").sees(t, tabs[7])
	d.press("shift+tab").sees(t, tabs[6])
}

func TestScreensByClick(t *testing.T) {
	d := open(shop(), nil)
	d.click(t, "2 Groups").sees(t, tabs[1], "groups per seq")
	d.click(t, "3 Graph").sees(t, tabs[2])
	d.click(t, "1 Explore").sees(t, tabs[0])
	d.press("/").click(t, "2 Groups").sees(t, tabs[1]).click(t, "1 Explore").misses(t, "/ 2") // a click also leaves the field
	d.press("esc")
	d.send(tea.MouseMsg{X: 79, Y: 1, Button: tea.MouseButtonLeft}).sees(t, tabs[0]) // there is no tab at this cell
}

func TestKeyLineIsClickable(t *testing.T) {
	open(shop(), nil).click(t, "? keys").sees(t, "Keys of Explore")
	open(shop(), nil).click(t, "r send a request").sees(t, "send GET /products") // at 80 columns, too
}

func TestHelp(t *testing.T) {
	help := func() *driver {
		d := open(shop(), nil).press("?").sees(t, "Keys of Explore", "⏎          open")
		return d.press("pgdown", "pgdown").sees(t, "1-8        a screen").press("pgup", "pgup")
	}
	help().press("end").write("required").sees(t, "●          required").press("enter").sees(t, "Keys of Explore") // a sign is not a key
	for tab, sign := range map[string]string{
		"2": "cut        how many seqs",
		"3": "◆          the operation",
		"4": "covers cov targets of the search",
		"7": "refused    no stub matches",
		"8": "time       linked by time alone",
	} {
		open(shop(), nil).press(tab, "?").write(sign[:3]).sees(t, sign)
	}
	help().press("esc").misses(t, "Keys of Explore")
	help().press("?").misses(t, "Keys of Explore")
	help().write("in gra").misses(t, "its group").press("enter").sees(t, tabs[2])
	help().write("screen before").press("enter").sees(t, tabs[7])
	help().write("xyzzy").sees(t, "no key does that").press("enter").sees(t, "no key does that")
	help().press("down", "up", "down", "down", "down").press("enter").sees(t, "⏎ to the list") // the fourth line is the key of the filter
	help().click(t, "G          its group").sees(t, tabs[1])
	if d := help().write("quit").press("enter"); !d.quit {
		t.Error("the line that quits did not")
	}
	if d := help().press("ctrl+c"); !d.quit {
		t.Error("ctrl+c did not quit")
	}
}

// keyMessage returns a message whose String is the given name of the key.
func TestPressed(t *testing.T) {
	for _, name := range []string{
		"enter", "esc", "tab", "shift+tab", " ", "up", "shift+left", "ctrl+c", "ctrl+r", "pgdown", "home", "alt+enter",
		"a", "G", "?", "é", "alt+x", "f1", "backspace",
	} {
		if got := keyMessage(name).String(); got != name {
			t.Errorf("got %q, want %q", got, name)
		}
		if !key.Matches(keyMessage(name), key.NewBinding(key.WithKeys(name))) {
			t.Errorf("%q matches no binding", name)
		}
	}
}

func TestQuit(t *testing.T) {
	for _, k := range []string{"q", "ctrl+c"} {
		if !open(shop(), nil).press(k).quit {
			t.Errorf("%s did not quit", k)
		}
		if d := open(shop(), nil).send(halfway).press(k).sees(t, "A search is running, 62% done"); d.quit {
			t.Errorf("%s quit while a search was going on", k)
		}
	}
	asked := func() *driver { return open(shop(), nil).send(halfway).press("q") }
	for _, k := range []string{"y", "enter", "ctrl+c"} {
		if !asked().press(k).quit {
			t.Errorf("%s did not say yes", k)
		}
	}
	for _, k := range []string{"esc", "n", "q"} {
		if asked().press(k).misses(t, "Quit?").quit {
			t.Errorf("%s did not say no", k)
		}
	}
	done := halfway
	done.Snapshot.Phase = model.PhaseDone
	if !open(shop(), nil).send(halfway).send(done).press("q").quit {
		t.Error("asked though the search was over")
	}
}

// The app also asks before it quits while a search is starting.
func TestQuitWhileStarting(t *testing.T) {
	d := open(shop(), nil).press("5")
	_, begin := d.app.Update(keyMessage("enter"))
	d.press("q").sees(t, "Quit?", "A search is starting.").press("esc")
	if d.quit {
		t.Fatal("quit while a search was starting")
	}
	if !d.do(begin).sees(t, "this engine only reads specs").press("q").quit {
		t.Error("asked though the search could not be started")
	}
}

// A question ignores keys at first, because the user may have pressed these keys for the screen before the question
// appeared.
func TestQuestionIsDeafAtFirst(t *testing.T) {
	d := open(shop(), nil).send(halfway)
	d.app.Update(keyMessage("q")) // the Cmd that ends the pause is not run
	for _, k := range []string{"enter", "y", "esc", "ctrl+c"} {
		if d.press(k).sees(t, "Quit?").quit {
			t.Errorf("%s was heard", k)
		}
	}
}

func TestSay(t *testing.T) {
	d := open(shop(), nil)
	d.send(screen.StatusMessage{Text: "written"}).sees(t, "› written", "? keys")
	first := d.silent
	d.send(screen.StatusMessage{Err: errors.New("disk full")}).sees(t, "✗ disk full")
	d.send(first[0]).sees(t, "✗ disk full") // the end of an older message does not remove a newer one
	d.send(d.silent[1]).misses(t, "disk full").sees(t, "? keys")
	d.send(screen.StatusMessage{Text: "again"}).press("down").misses(t, "again")
}

// A click on a status message only clears the message. It does not reach the screen that the message hides.
func TestClickOnStatusMessage(t *testing.T) {
	for _, msg := range []screen.StatusMessage{{Text: strings.Repeat("said ", 16)}, {Err: errors.New(strings.Repeat("said ", 16))}} {
		for x := range 80 {
			d := open(shop(), nil)
			before := d.app.View()
			d.send(msg).send(tea.MouseMsg{X: x, Y: 22, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
			if got := d.app.View(); got != before {
				t.Fatalf("a click in column %d did more than clear it:\n%s", x, got)
			}
		}
	}
}

func TestOpening(t *testing.T) {
	start(engine(shop(), nil), local).sees(t, "Reading shop.yaml …").press("2", "down", "enter").sees(t, "Reading shop.yaml …")
	broken := open(nil, errors.New("no spec")).sees(t, "can't be opened", "no spec", "ctrl+r")
	broken.app.spec.specs = engine(shop(), nil).Specs
	broken.press("ctrl+r").sees(t, "Gear shop", "GET    /products")
}

// If reading the spec again fails, the open spec stays. If it succeeds, the user stays at the same place.
func TestReadingAgain(t *testing.T) {
	d := open(shop(), nil).press(orders...).sees(t, "POST /orders")
	d.app.spec.specs = engine(nil, errors.New("gone")).Specs
	d.press("ctrl+r").sees(t, "✗ gone", "POST /orders")
	d.app.spec.specs = engine(shop(), nil).Specs
	d.press("ctrl+r").misses(t, "gone").sees(t, "╭─ POST /orders ─", "the spec was read again")
}

func TestLateAnswersAreDropped(t *testing.T) {
	d := start(engine(large(5), nil), local)
	late := d.app.Init()
	d.app.spec.specs = engine(shop(), nil).Specs
	d.press("ctrl+r").sees(t, "Gear shop")
	d.do(late).sees(t, "Gear shop")
}

// A panic in a command or a screen is returned as an error.
func TestRunReturnsPanics(t *testing.T) {
	a := newApp(
		context.Background(),
		screen.Engine{Specs: usecase.SpecFiles{Load: func(context.Context, string) (*model.Spec, error) { panic("broken") }}}, local,
		screen.Preferences{}, "x",
	)
	_, err := tea.NewProgram(a, tea.WithInput(strings.NewReader("")), tea.WithOutput(new(strings.Builder)), tea.WithoutSignals()).Run()
	if !errors.Is(err, tea.ErrProgramPanic) {
		t.Errorf("got %v, want %v", err, tea.ErrProgramPanic)
	}
}

func TestSmallTerminal(t *testing.T) {
	open(shop(), nil).size(39, 12).sees(t, "Sonde needs 40×12 cells").size(40, 11).sees(t, "here are 40×11").size(40, 12).sees(t, tabs[0])
}

func TestHostIsAlwaysShown(t *testing.T) {
	for _, width := range []int{40, 60, 80, 200} {
		open(shop(), nil).size(width, 12).sees(t, "● demo  127.0.0.1:41873")
		d := open(shop(), nil).size(width, 12)
		d.app.host = screen.Service{URL: "https://api.example.com/v2", Remote: true}
		d.sees(t, "REMOTE https://api.exam")
		d.app.host = screen.Service{}
		d.sees(t, "no service")
	}
}
