package tui

import (
	"cmp"
	"context"
	"slices"
	"time"

	"sonde/model"
	"sonde/ui/app/userdata"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

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
	post    *screen.MessageQueue
	host    screen.Service
	home    screen.Preferences
	frame   keymap.Map[*app]
	rebound rebound
	screens []screen.Screen
	tab     screen.Tab

	width, height int
	opening       opening
	study         *screen.AnalyzedSpec // nil until the spec was opened
	run           model.Snapshot
	picks         int        // number of seqs and tests
	op            model.OpID // looked at last, on any screen
	trail         trail
	overlay       overlay        // nil where none lies over the screen
	tour          *tour          // nil where none goes on
	kept          userdata.Place // last
	said          screen.StatusMessage
	saidNo        int // grows with each thing said

	pause, patience, glance time.Duration // see newApp
}

// overlay is a box over the screen that takes all keys while it is there.
type overlay interface {
	// update returns what is to lie over the screen next, nil for nothing.
	update(tea.Msg) (overlay, tea.Cmd)
	// over draws the box on the picture of a screen of the given size.
	over(picture string, width, height int) string
	keys() []key.Binding
}

func newApp(ctx context.Context, e screen.Engine, h screen.Service, of screen.Preferences, source string) *app {
	e.Queue = new(screen.MessageQueue)
	all := screens(e, h)
	keys, wrong := rebind(of, all)
	of.Problems = append(slices.Clip(of.Problems), wrong...)
	return &app{
		engine:   e,
		post:     e.Queue,
		host:     h,
		home:     of,
		frame:    frameKeys(),
		rebound:  keys,
		screens:  all,
		opening:  opening{ctx: ctx, source: source},
		pause:    widget.ConfirmPause, // in which a question ignores keys
		patience: 5 * time.Second,     // for which something said is shown
		glance:   time.Second,         // after which it is looked whether the spec or the place has changed
	}
}

// Init begins to read the spec, and says what is wrong with the preferences.
func (a *app) Init() tea.Cmd { return tea.Batch(a.open(), a.warn(), a.remember()) }

// Update takes a message, and goes on with a tour where that was what it waited for.
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, cmd := a.take(msg)
	return a, tea.Batch(cmd, a.deliver(), a.follow())
}

// deliver takes what the screens tell each other.
func (a *app) deliver() tea.Cmd {
	var cmds []tea.Cmd
	for msg, ok := a.post.Next(); ok; msg, ok = a.post.Next() {
		_, cmd := a.take(msg)
		cmds = append(cmds, cmd)
	}
	return tea.Batch(cmds...)
}

// take takes a message and passes on what the frame doesn't keep for itself.
func (a *app) take(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		return a, a.resize(msg)
	case tea.KeyMsg:
		return a, a.typed(msg)
	case tea.MouseMsg:
		return a, a.mouse(msg)
	case loaded:
		return a, a.loaded(msg)
	case screen.PointAt:
		return a, a.toScreen(msg)
	case invoke:
		return a, msg(a)
	case looked:
		return a, a.looked(msg)
	case glanced:
		return a, a.glanced(msg)
	case edited:
		return a, a.edited(msg)
	case screen.StatusMessage:
		return a, a.say(msg)
	case silence:
		if msg.no == a.saidNo {
			a.said = screen.StatusMessage{}
		}
		return a, nil
	case screen.ShowScreen:
		return a, a.goTo(msg)
	case screen.OperationSelected:
		a.selected(msg)
	case screen.PicksChanged:
		a.picks = len(msg.Items)
	case screen.RunProgress:
		a.run = msg.Snapshot
	}
	cmd := a.broadcast(msg)
	return a, tea.Batch(cmd, a.toOverlay(msg))
}

// broadcast passes a message to all screens.
func (a *app) broadcast(msg tea.Msg) tea.Cmd {
	cmds := make([]tea.Cmd, len(a.screens))
	for i := range a.screens {
		a.rebound.speak(a.screens[i], func() { a.screens[i], cmds[i] = a.screens[i].Update(msg) })
	}
	return tea.Batch(cmds...)
}

// toScreen passes a message to the screen on show.
func (a *app) toScreen(msg tea.Msg) (cmd tea.Cmd) {
	tab := a.tab
	a.rebound.speak(a.screens[tab], func() { a.screens[tab], cmd = a.screens[tab].Update(msg) })
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
	if _, ok := a.overlay.(*jump); ok {
		a.overlay = nil // its letters stand elsewhere now
	}
	return a.fit()
}

// show goes to a screen; after the last comes the first.
func (a *app) show(tab screen.Tab) tea.Cmd {
	n := screen.Tab(len(a.screens))
	tab = (tab + n) % n
	a.trail.here = a.at(a.tab)
	a.trail.jump(a.at(tab))
	return a.front(tab)
}

// goTo goes to a screen, and to an operation there if one is meant.
func (a *app) goTo(msg screen.ShowScreen) tea.Cmd {
	a.trail.here = a.at(a.tab)
	a.op = cmp.Or(msg.Op, a.op)
	cmd := a.broadcast(msg)
	a.trail.jump(a.at(msg.Tab))
	return tea.Batch(cmd, a.front(msg.Tab))
}

// front brings a screen to the front.
func (a *app) front(tab screen.Tab) tea.Cmd {
	a.tab = tab
	return a.broadcast(screen.ScreenShown{Tab: a.tab})
}

// running reports whether a search is going on, or about to. It asks the screens,
// because what they do with a key shows in the run only later.
func (a *app) running() bool {
	return ongoing(a.run) || slices.ContainsFunc(a.screens, func(s screen.Screen) bool {
		starter, ok := s.(screen.RunStarter)
		return ok && starter.RunStarting()
	})
}

// held is what goes on in a screen and would end with the app, "" for nothing.
func (a *app) held() string {
	for _, s := range a.screens {
		if h, ok := s.(screen.WorkHolder); ok && h.UnfinishedWork() != "" {
			return h.UnfinishedWork()
		}
	}
	return ""
}

func ongoing(run model.Snapshot) bool {
	return run.Phase == model.PhaseRunning || run.Phase == model.PhasePaused
}

// silence ends what was said, unless something else was said since.
type silence struct{ no int }

// say shows one line in place of the keys, for a few seconds or until the next
// key.
func (a *app) say(msg screen.StatusMessage) tea.Cmd {
	a.said = msg
	a.saidNo++
	no := a.saidNo
	return tea.Tick(a.patience, func(time.Time) tea.Msg { return silence{no} })
}
