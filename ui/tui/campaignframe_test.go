package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sonde/ui/app/usecase"
	"sonde/ui/app/userdata"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/charmbracelet/x/exp/teatest"
)

// study is one campaign in progress.
func study() usecase.CampaignsView {
	return usecase.CampaignsView{
		Ready: true,
		Campaigns: []usecase.Campaign{{
			ID: "study-1", Kind: "study", Version: "sonde 1.0", Units: 200, Done: 50,
			Coordinator: "desk, process 7", Life: usecase.Alive, Rate: 2,
		}},
		Workers: []usecase.CampaignWorker{{
			ID: "worker-aa", Host: "arm-1", Version: "sonde 1.0", PID: 17, Jobs: 1,
			Doing: []string{"study-1/51"}, Done: 50, Life: usecase.Alive,
		}},
	}
}

// frameDriver drives the frame of campaigns. It runs the commands of keys. The screen looks at the campaigns
// only when the test makes it look.
type frameDriver struct {
	*campaignFrame
	t         *testing.T
	view      usecase.CampaignsView
	cancelled []string
	quit      bool
}

func driveCampaigns(t *testing.T, prefs screen.Preferences, servers string) *frameDriver {
	t.Helper()
	d := &frameDriver{t: t, view: study()}
	d.campaignFrame = newCampaignFrame(usecase.Campaigns{
		Look:   func(string) usecase.CampaignsView { return d.view },
		Cancel: func(id string) error { d.cancelled = append(d.cancelled, id); return nil },
	}, prefs, servers, "", 0)
	d.status.duration = 0
	return d.size(100, 30).look()
}

func (d *frameDriver) size(width, height int) *frameDriver {
	d.Update(tea.WindowSizeMsg{Width: width, Height: height})
	return d
}

func (d *frameDriver) look() *frameDriver {
	d.Update(d.Init()())
	return d
}

func (d *frameDriver) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, statusExpired:
	case tea.QuitMsg:
		d.quit = true
	case tea.BatchMsg:
		for _, one := range msg {
			d.do(one)
		}
	default:
		_, next := d.Update(msg)
		d.do(next)
	}
}

func (d *frameDriver) press(names ...string) *frameDriver {
	for _, name := range names {
		_, cmd := d.Update(keyMessage(name))
		d.do(cmd)
	}
	return d
}

func (d *frameDriver) sees(texts ...string) *frameDriver {
	d.t.Helper()
	for _, text := range texts {
		if !strings.Contains(d.View(), text) {
			d.t.Fatalf("no %q in\n%s", text, d.View())
		}
	}
	return d
}

func TestCampaignFrame(t *testing.T) {
	for _, size := range [][2]int{{20, 5}, {40, 12}, {60, 24}, {80, 24}, {120, 36}, {200, 60}} {
		for name, keys := range map[string][]string{"campaign": nil, "help": {"?"}, "list": {"esc"}} {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				view := driveCampaigns(t, screen.Preferences{}, "nats://host:4222").press(keys...).size(size[0], size[1]).View()
				rows := strings.Split(view, "\n")
				if len(rows) != size[1] {
					t.Errorf("%d lines", len(rows))
				}
				for _, row := range rows {
					if ansi.StringWidth(row) != size[0] {
						t.Errorf("%d cells: %q", ansi.StringWidth(row), row)
					}
				}
				golden.RequireEqual(t, []byte(trimmed(view)))
			})
		}
	}
}

func TestCampaignFrameKeys(t *testing.T) {
	d := driveCampaigns(t, screen.Preferences{}, "nats://host:4222").sees("study-1 · study · 200 units", "● nats  host:4222")
	d.press("?").sees("Keys of Campaigns", "cancel it …", "a worker of another version of Sonde").press("c", "a", "n", "c", "enter")
	d.sees("Cancel the campaign?").press("q").sees("Cancel the campaign?").press("y").sees("campaign study-1 was cancelled")
	if len(d.cancelled) != 1 || d.quit {
		t.Errorf("cancelled %v, quit %t", d.cancelled, d.quit)
	}
	d.press("esc").sees("Campaigns", "watch it")
	d.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("lv")}) // keys in quick succession
	d.sees("next pane")
	d.view.Problem = "gone"
	d.look().sees("✗ nats  host:4222")
	if d.press("q"); !d.quit {
		t.Error("q does not quit")
	}
	d = driveCampaigns(t, screen.Preferences{}, "").press("x")
	if d.press("ctrl+c"); !d.quit {
		t.Error("ctrl+c does not quit while a question is open")
	}
	if all := d.frame.Conflicts(d.campaignFrame); len(all) > 0 {
		t.Error(all)
	}
}

func TestCampaignFrameMouse(t *testing.T) {
	click := func(x, y int) tea.MouseMsg {
		return tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	}
	d := driveCampaigns(t, screen.Preferences{}, "nats://host:4222")
	foot := strings.Split(d.View(), "\n")[29]
	left, _, _ := strings.Cut(foot, "x cancel")
	_, cmd := d.Update(click(ansi.StringWidth(left), 29))
	d.do(cmd)
	d.sees("Cancel the campaign?").press("n")
	d.Update(click(3, 9)) // the first worker
	d.sees("▸● worker-aa")
	d.Update(screen.StatusMessage{Text: "said"})
	d.sees("› said", "next pane").Update(click(3, 28))
	if strings.Contains(d.View(), "said") {
		t.Error("a click on the message does not clear it")
	}
}

// The keys of the user's preferences work on the screen of campaigns. Control characters in the names of servers are
// removed.
func TestCampaignFramePreferences(t *testing.T) {
	prefs := screen.Preferences{Keys: []userdata.KeyBinding{{Screen: "campaigns", Key: "f5", As: "x"}}}
	d := driveCampaigns(t, prefs, "nats://\x1b[2Jevil"+strings.Repeat("長", 300))
	d.sees("f5 cancel it").press("f5").sees("Cancel the campaign?")
	for _, r := range d.View() {
		if r < ' ' && r != '\n' {
			t.Fatalf("%q reached the terminal", r)
		}
	}
	theme.UseASCII(true)
	t.Cleanup(func() { theme.UseASCII(false) })
	d = driveCampaigns(t, screen.Preferences{}, "nats://host:4222")
	if i := strings.IndexFunc(d.View(), func(r rune) bool { return r > '~' }); i >= 0 {
		t.Errorf("not ASCII: %q", d.View()[i:])
	}
}

// bubbletea runs the screen in its own loop. The screen looks at the campaigns again and again without a key press.
func TestCampaignProgram(t *testing.T) {
	looks := 0
	source := usecase.Campaigns{Look: func(string) usecase.CampaignsView {
		looks++
		view := study()
		view.Campaigns[0].Done += looks
		return view
	}}
	f := newCampaignFrame(source, screen.Preferences{}, "nats://host:4222", "study-1", time.Millisecond)
	p := program{t, teatest.NewTestModel(t, f, teatest.WithInitialTermSize(100, 30))}
	p.sees("53 of 200 units").press("q")
	p.FinalModel(t, teatest.WithFinalTimeout(patience))
}
