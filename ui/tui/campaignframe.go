package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/campaign"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// RunCampaigns shows the campaigns on NATS servers until the user quits or ctx ends. servers has the names of the
// servers for the title line. id is the campaign to show first. If id is "", the screen shows the only campaign in
// progress, or the list of all campaigns. After a panic, RunCampaigns restores the terminal and returns a *Panic.
func RunCampaigns(ctx context.Context, source usecase.Campaigns, prefs screen.Preferences, servers, id string) error {
	return runGuarded(ctx, newCampaignFrame(source, prefs, servers, id, widget.ConfirmPause))
}

// campaignFrame is the root model of the app without a spec: a title, the screen of campaigns, and a line of keys.
type campaignFrame struct {
	servers       string
	screen        *campaign.Screen
	remap         keyRemap
	frame         keymap.Map[*campaignFrame]
	width, height int
	overlay       overlay // nil if none covers the screen
	status        statusLine
}

// aroundCampaign is the number of lines that the frame takes above and below the screen.
const aroundCampaign = 2

func newCampaignFrame(source usecase.Campaigns, prefs screen.Preferences, servers, id string, pause time.Duration) *campaignFrame {
	s := campaign.New(source, id, pause)
	remap, _ := newKeyRemap(prefs, nil) // the app shows the problems of the preferences
	return &campaignFrame{
		servers: servers, screen: s, remap: remap, frame: campaignFrameKeys(), status: statusLine{duration: 5 * time.Second},
	}
}

func campaignFrameKeys() keymap.Map[*campaignFrame] {
	return keymap.Map[*campaignFrame]{{Rows: []keymap.Row[*campaignFrame]{
		{Key: keyHelp, Do: keymap.Act(func(f *campaignFrame) { f.overlay = newHelp(f.screen.Name(), nil, f.allKeys(), f.width) })},
		{Key: keyQuit, Do: func(*campaignFrame) tea.Cmd { return tea.Quit }},
	}}}
}

// Init begins to look at the campaigns.
func (f *campaignFrame) Init() tea.Cmd { return f.screen.Begin() }

// Update handles a message.
func (f *campaignFrame) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		f.width, f.height = msg.Width, msg.Height
		return f, f.toScreen(tea.WindowSizeMsg{Width: f.width, Height: max(0, f.height-aroundCampaign)})
	case tea.KeyMsg:
		var cmds []tea.Cmd
		for _, k := range widget.KeyPresses(msg) {
			cmds = append(cmds, f.press(k))
		}
		return f, tea.Batch(cmds...)
	case tea.MouseMsg:
		return f, f.mouse(msg)
	case screen.StatusMessage:
		return f, f.status.show(msg)
	case statusExpired:
		f.status.expire(msg)
		return f, nil
	}
	return f, tea.Batch(f.toScreen(msg), f.toOverlay(msg))
}

func (f *campaignFrame) toScreen(msg tea.Msg) tea.Cmd {
	_, cmd := f.screen.Update(msg)
	return cmd
}

func (f *campaignFrame) toOverlay(msg tea.Msg) (cmd tea.Cmd) {
	if f.overlay != nil {
		f.overlay, cmd = f.overlay.update(msg)
	}
	return cmd
}

// press gives a key to the first of these that uses it: ctrl+c, the overlay, a question, the frame, the screen.
func (f *campaignFrame) press(k tea.KeyMsg) tea.Cmd {
	f.status.clear()
	switch {
	case key.Matches(k, keyForce):
		return tea.Quit
	case f.overlay != nil:
		return f.toOverlay(k)
	case f.screen.Typing():
		return f.toScreen(k)
	}
	k = f.remap.resolve(f.screen, k)
	if cmd, done := f.frame.Press(f, k); done {
		return cmd
	}
	return f.toScreen(k)
}

// mouse handles a mouse event. A click on a status message only clears the message.
func (f *campaignFrame) mouse(msg tea.MouseMsg) tea.Cmd {
	switch {
	case f.status.covers(msg.Y, f.height-1, f.width):
		if widget.LeftClick(msg) {
			f.status.clear()
		}
		return nil
	case msg.Y == f.height-1 && widget.LeftClick(msg):
		keys := f.keys()
		_, spans := keyLine(f.width, keys, 1)
		if i := spanAt(spans, msg.X); i >= 0 {
			return f.press(keyMessage(keys[i].Keys()[0]))
		}
		return nil
	case msg.Y == 0 || msg.Y >= f.height-1:
		return nil
	}
	msg.Y--
	if f.overlay != nil {
		return f.toOverlay(msg)
	}
	return f.toScreen(msg)
}

// keys returns the keys for the key line. The last key is always shown.
func (f *campaignFrame) keys() []key.Binding {
	switch {
	case f.overlay != nil:
		return f.overlay.keys()
	case f.screen.Typing():
		return f.screen.Keys()
	}
	main := slices.DeleteFunc(slices.Clone(f.screen.Keys()), movesCursor)
	return f.remap.named(f.screen, append(main, keyQuit, keyHelp))
}

// allKeys returns the lines of the help page.
func (f *campaignFrame) allKeys() []key.Binding {
	keys := slices.Concat(withHelp(f.screen.Keys()), f.frame.Listed())
	return slices.Concat(f.remap.named(f.screen, keys), legendBindings(f.screen))
}

// View draws the frame in the exact size of the terminal.
func (f *campaignFrame) View() string {
	var picture string
	f.remap.during(f.screen, func() { picture = f.picture() })
	return theme.Draw(picture)
}

func (f *campaignFrame) picture() string {
	switch {
	case f.width <= 0 || f.height <= 0:
		return ""
	case f.width < MinWidth || f.height < MinHeight:
		return tooSmall(f.width, f.height)
	}
	height := f.height - aroundCampaign
	body := f.screen.View(f.width, height)
	if f.overlay != nil {
		body = f.overlay.over(body, f.width, height)
	}
	foot, _ := keyLine(f.width, f.keys(), 1)
	above := draw.JoinRows(titleLine(f.width, f.serversLabel(), f.facts()), body)
	return draw.JoinRows(f.status.over(above, f.width), foot)
}

// facts returns the facts of the title line: the names of the campaign and of the place on its page.
func (f *campaignFrame) facts() (all []titleFact) {
	for i, name := range f.screen.Location() {
		all = append(all, titleFact{text: name, rank: i})
	}
	return all
}

// serversLabel names the servers.
func (f *campaignFrame) serversLabel() draw.Line {
	glyph, style := theme.Live, theme.Good
	if !f.screen.Connected() {
		glyph, style = theme.Failed, theme.Bad
	}
	name := draw.CutMiddle(strings.ReplaceAll(draw.Clean(f.servers), "nats://", ""), max(8, f.width/3))
	return draw.Line{{Text: glyph + " ", Style: style}, {Text: "nats  " + name + " ", Style: theme.Plain}}
}

// tooSmall says that the terminal is too small.
func tooSmall(width, height int) string {
	text := fmt.Sprintf("Sonde needs %d×%d cells, here are %d×%d.", MinWidth, MinHeight, width, height)
	return draw.FitLines(text, width, height)
}
