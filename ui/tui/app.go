package tui

import (
	"context"
	"slices"
	"time"

	"sonde/model"
	"sonde/ui/ask"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// The least terminal that the app can be drawn in.
const minWidth, minHeight = 40, 12

// Lines of the frame above and below a screen.
const above, below = 2, 1

// app is the root model.
type app struct {
	engine  screen.Engine
	host    screen.Host
	screens []screen.Screen
	tab     screen.Tab

	width, height int
	opening       opening
	study         *screen.Study // nil until the spec was opened
	run           model.Snapshot
	overlay       overlay // nil where none lies over the screen
	said          screen.Say
	saidNo        int // grows with each thing said

	pause, patience time.Duration // see newApp
}

// overlay is a box over the screen that takes all keys while it is there.
type overlay interface {
	// update returns what is to lie over the screen next, nil for nothing.
	update(tea.Msg) (overlay, tea.Cmd)
	// over draws the box on the picture of a screen of the given size.
	over(picture string, width, height int) string
	keys() []key.Binding
}

func newApp(ctx context.Context, e screen.Engine, h screen.Host, source string) *app {
	return &app{
		engine: e, host: h, screens: screens(e, h), opening: opening{ctx: ctx, source: source},
		pause:    ask.Pause,       // in which a question ignores keys
		patience: 5 * time.Second, // for which something said is shown
	}
}

// Init begins to read the spec.
func (a *app) Init() tea.Cmd { return a.open() }

// Update takes a message and passes on what the frame doesn't keep for itself.
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		return a, a.resize(msg)
	case tea.KeyMsg:
		return a, a.typed(msg)
	case tea.MouseMsg:
		return a, a.mouse(msg)
	case loaded:
		return a, a.loaded(msg)
	case screen.Say:
		return a, a.say(msg)
	case silence:
		if msg.no == a.saidNo {
			a.said = screen.Say{}
		}
		return a, nil
	case screen.Goto:
		return a, tea.Batch(a.broadcast(msg), a.show(msg.Tab))
	case screen.Progress:
		a.run = msg.Snapshot
	}
	return a, tea.Batch(a.toOverlay(msg), a.broadcast(msg))
}

// broadcast passes a message to all screens.
func (a *app) broadcast(msg tea.Msg) tea.Cmd {
	cmds := make([]tea.Cmd, len(a.screens))
	for i := range a.screens {
		a.screens[i], cmds[i] = a.screens[i].Update(msg)
	}
	return tea.Batch(cmds...)
}

// toScreen passes a message to the screen on show.
func (a *app) toScreen(msg tea.Msg) (cmd tea.Cmd) {
	a.screens[a.tab], cmd = a.screens[a.tab].Update(msg)
	return cmd
}

func (a *app) toOverlay(msg tea.Msg) (cmd tea.Cmd) {
	if a.overlay != nil {
		a.overlay, cmd = a.overlay.update(msg)
	}
	return cmd
}

func (a *app) resize(msg tea.WindowSizeMsg) tea.Cmd {
	a.width, a.height = msg.Width, msg.Height
	return a.broadcast(tea.WindowSizeMsg{Width: msg.Width, Height: max(0, msg.Height-above-below)})
}

// show brings a screen to the front; after the last comes the first.
func (a *app) show(tab screen.Tab) tea.Cmd {
	n := screen.Tab(len(a.screens))
	a.tab = (tab + n) % n
	return a.broadcast(screen.Shown{Tab: a.tab})
}

// running tells whether a search is going on, or about to. It asks the screens,
// because what they do with a key shows in the run only later.
func (a *app) running() bool {
	return ongoing(a.run) || slices.ContainsFunc(a.screens, func(s screen.Screen) bool {
		starter, ok := s.(screen.Starter)
		return ok && starter.Starting()
	})
}

func ongoing(run model.Snapshot) bool {
	return run.Phase == model.Running || run.Phase == model.Paused
}

// silence ends what was said, unless something else was said since.
type silence struct{ no int }

// say shows one line in place of the keys, for a few seconds or until the next
// key.
func (a *app) say(msg screen.Say) tea.Cmd {
	a.said = msg
	a.saidNo++
	no := a.saidNo
	return tea.Tick(a.patience, func(time.Time) tea.Msg { return silence{no} })
}
