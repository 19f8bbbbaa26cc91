package tui

import (
	"context"
	"fmt"
	"slices"
	"time"

	"sonde/model"
	"sonde/ui/app/userdata"
	"sonde/ui/draw"
	"sonde/ui/tui/commandlog"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/users"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// The minimum size, in cells, of a terminal in which the app is drawn.
const (
	MinWidth  = 40
	MinHeight = 12
)

// above and below are the numbers of lines that the frame takes above and below a screen.
const above, below = 2, 1

// app is the root model. It routes messages between its parts: the screens, the loader of
// the spec, the overlay, the tour and the status line.
type app struct {
	engine screen.Engine
	queue  *screen.MessageQueue
	host   screen.Service
	base   string // see serviceAddress
	prefs  screen.Preferences
	naming draw.Naming // how all lists name operations
	frame  keymap.Map[*app]

	width, height int
	spec          specLoader
	requests      requestLoader
	screens       *screenSet
	nav           navigator
	overlay       overlay // nil if none covers the screen
	tour          tour
	status        statusLine
	saver         placeSaver
	undos         undoer
	drag          dragger
	run           model.Snapshot
	picks         int // number of picked seqs and tests
	places        placeList
	confirmPause  time.Duration // the time for which a question ignores keys
	waiting       []tea.KeyMsg  // the keys pressed on the preview that need the analysis
	early         bool          // a key was pressed before the first spec was open
}

// overlay is a box that covers a part of the screen and receives all keys.
type overlay interface {
	// update handles a message. It returns the overlay to show next, nil for none.
	update(tea.Msg) (overlay, tea.Cmd)
	// over draws the box over picture, which is a drawn screen of the given size, and returns the result.
	over(picture string, width, height int) string
	keys() []key.Binding
}

func newApp(ctx context.Context, e screen.Engine, h screen.Service, prefs screen.Preferences, source string) *app {
	log := commandlog.New(time.Now)
	e = log.Watch(e)
	e.Queue = new(screen.MessageQueue)
	all := newScreens(e, h)
	remap, problems := newKeyRemap(prefs, all)
	prefs.Problems = append(slices.Clip(prefs.Problems), problems...)
	naming := prefs.Names
	if prefs.Place.Names != "" {
		naming = draw.ParseNaming(prefs.Place.Names)
	}
	screens := &screenSet{all: all, remap: remap}
	return &app{
		engine:       e,
		queue:        e.Queue,
		host:         h,
		prefs:        prefs,
		naming:       naming,
		frame:        frameKeys(),
		spec:         specLoader{ctx: ctx, specs: e.Specs, values: e.Corrections, source: source, interval: time.Second},
		requests:     requestLoader{files: e.RequestFiles, interval: time.Second},
		screens:      screens,
		nav:          navigator{screens: screens},
		status:       statusLine{duration: 5 * time.Second},
		undos:        undoer{screens: screens, log: log},
		drag:         dragger{screens: screens, copies: widget.CopyToClipboard},
		saver:        placeSaver{store: prefs.KeepPlace, interval: time.Second},
		confirmPause: widget.ConfirmPause,
	}
}

// Init begins to read the spec and shows the first problem of the preferences.
func (a *app) Init() tea.Cmd { return tea.Batch(a.spec.read(), a.warn(), a.saver.schedule()) }

// Update handles a message, and then all messages in the queue. It records what the user can undo. If the user has done
// the current step of the tour, Update goes to the next step.
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmds := []tea.Cmd{a.handle(msg)}
	for sent, ok := a.queue.Next(); ok; sent, ok = a.queue.Next() {
		cmds = append(cmds, a.handle(sent))
	}
	if a.spec.opened != nil && !a.typing() { // a filter is recorded when its field loses the focus
		a.undos.follow(!changesByItself(msg))
	}
	if a.tour.shown() && a.spec.opened != nil && a.tour.follow(a.scene()) {
		cmds = append(cmds, a.resizeScreens())
	}
	return a, tea.Batch(cmds...)
}

// handle handles one message. A message that the app does not handle, or only records, goes to all screens
// and to the overlay.
func (a *app) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		return a.resize(msg)
	case tea.KeyMsg:
		return a.typed(msg)
	case tea.MouseMsg:
		return a.mouse(msg)
	case screen.PointAt:
		return a.screens.update(a.screens.tab, msg)
	case screen.ShowScreen:
		return a.nav.goTo(msg)
	case screen.StatusMessage:
		return a.status.show(msg)
	case screen.ReadSpecAgain:
		return a.spec.read()
	case screen.TrafficKept:
		return a.spec.observe(msg.Folder)
	case invoke:
		return msg(a)
	case specRead, filesChecked, requestsRead, requestsChecked, trafficObserved, placeSaved, editorClosed, statusExpired, waitingKey:
		return a.handleResult(msg)
	case screen.SaveTest:
		return a.openSave(msg)
	case screen.OperationSelected:
		a.nav.selected(msg)
	case screen.PicksChanged:
		a.picks = len(msg.Items)
	case screen.RunProgress:
		a.run = msg.Snapshot
	case screen.ServiceChanged:
		a.host, a.base = msg.Service, ""
	case screen.RequestSent:
		if n := len(msg.Result.Exchanges); n > 0 && msg.Result.Exchanges[n-1].Base != "" {
			a.base = msg.Result.Exchanges[n-1].Base
		}
	}
	cmd := a.screens.broadcast(msg)
	return tea.Batch(cmd, a.toOverlay(msg), a.requests.follow(msg))
}

// handleResult handles the results of the app's own commands.
func (a *app) handleResult(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case specRead:
		return a.specRead(msg)
	case filesChecked:
		return a.spec.checked(msg)
	case requestsRead:
		return a.requestsRead(msg)
	case requestsChecked:
		return a.requests.checked(msg)
	case trafficObserved:
		return a.spec.observed(msg)
	case placeSaved:
		return a.placeSaved(msg)
	case editorClosed:
		return a.editorClosed(msg)
	case statusExpired:
		a.status.expire(msg)
	case waitingKey:
		return a.pressWaiting()
	}
	return nil
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
		a.overlay = nil // the labels of jump would be in the wrong cells
	}
	return a.resizeScreens()
}

// resizeScreens sends the screens their size, which depends on the tour.
func (a *app) resizeScreens() tea.Cmd {
	return a.screens.broadcast(tea.WindowSizeMsg{Width: a.width, Height: a.screenHeight()})
}

func (a *app) screenHeight() int {
	box, _ := a.tourBox()
	return max(0, a.height-above-below-box.Height)
}

// tourBox returns the box of the tour and its text. The Frame is zero if the tour is not shown.
func (a *app) tourBox() (f draw.Frame, text string) {
	if !a.tour.shown() {
		return draw.Frame{}, ""
	}
	return a.tour.box(a.width, a.height, a.scene())
}

// specRead shows a spec that was read, or the reason why it could not be read. The first spec is shown at
// the place where the user left the app. Later specs are shown at the current place.
func (a *app) specRead(msg specRead) tea.Cmd {
	again, previewed, place := a.spec.opened != nil, a.spec.preview != nil, a.place()
	if !a.spec.accept(msg) {
		return nil
	}
	a.refreshProblems()
	if msg.err == nil {
		msg.spec.Names.Use(a.naming)
	}
	watch := a.spec.watch()
	if msg.err == nil && !msg.spec.IsPreview {
		watch = tea.Batch(watch, a.requests.read())
	}
	switch {
	case msg.err != nil && again:
		return tea.Batch(a.status.show(screen.StatusMessage{Err: msg.err}), watch)
	case msg.err != nil:
		return watch // the whole screen shows the error
	case again:
		return tea.Batch(
			a.status.show(screen.StatusMessage{Text: a.spec.readAgain()}),
			a.screens.broadcast(screen.SpecOpened{Spec: msg.spec}),
			a.screens.bringToFront(a.screens.tab),
			watch,
		)
	case previewed:
		return tea.Batch(a.openFirst(msg.spec, place), a.nextWaiting(), watch)
	case msg.spec.IsPreview:
		a.screens.tab = a.screens.tabOf(a.prefs.Place)
		return tea.Batch(a.screens.update(screen.TabExplore, screen.SpecOpened{Spec: msg.spec, Place: &a.prefs.Place}), msg.analyze)
	}
	return tea.Batch(a.openFirst(msg.spec, a.prefs.Place), watch)
}

// waitingKey makes the app handle the next key that waited for the analysis. Each waiting key gets its own message.
// All effects of a key thus come before the next key.
type waitingKey struct{}

// nextWaiting returns the command for the next key that waited for the analysis, nil if there is none.
func (a *app) nextWaiting() tea.Cmd {
	if len(a.waiting) == 0 {
		return nil
	}
	return func() tea.Msg { return waitingKey{} }
}

// pressWaiting handles the next key that waited for the analysis.
func (a *app) pressWaiting() tea.Cmd {
	k := a.waiting[0]
	a.waiting = a.waiting[1:]
	return tea.Batch(a.pressAll(k), a.nextWaiting())
}

// openFirst shows the first spec, at a place.
func (a *app) openFirst(spec *screen.AnalyzedSpec, place userdata.Place) tea.Cmd {
	return tea.Batch(
		a.screens.setSplits(place.Panes),
		a.screens.broadcast(screen.SpecOpened{Spec: spec, Place: &place}),
		a.screens.bringToFront(a.screens.tabOf(place)),
		a.greet(),
	)
}

// greet shows the welcome, and offers or begins the tour when the app starts, depending on the preferences. A user who has
// pressed a key already gets no welcome, because it would cover what the key has opened.
func (a *app) greet() tea.Cmd {
	if a.prefs.Welcome && !a.early {
		a.overlay = welcome{}
	}
	switch a.prefs.Tour {
	case screen.TourOffered:
		a.tour.offer()
		return a.resizeScreens()
	case screen.TourBegins:
		return a.beginTour()
	}
	return nil
}

func (a *app) beginTour() tea.Cmd {
	a.tour.begin(a.scene())
	return tea.Batch(a.nav.show(screen.TabExplore), a.resizeScreens())
}

// scene returns the state of the app for the tour.
func (a *app) scene() tourScene {
	return tourScene{
		tab:     a.screens.tab,
		op:      a.nav.op,
		filter:  a.place().Filter,
		picks:   a.picks,
		run:     a.run,
		demo:    a.host.Name == "demo",
		url:     a.host.URL,
		typing:  a.typing() || a.overlay != nil,
		where:   a.screens.position(),
		arrows:  a.tour.arrows,
		keyName: a.screens.keyName,
	}
}

// place returns the user's current place or, if no spec is open yet, the place that was stored last.
func (a *app) place() userdata.Place {
	switch {
	case a.spec.opened != nil:
		p := a.screens.place()
		p.Names = a.switchedNaming()
		return p
	case a.spec.preview != nil: // only Explore shows a preview
		p := a.prefs.Place
		p.Tab, p.Names = int(a.screens.tab), a.switchedNaming()
		a.screens.savePlace(screen.TabExplore, &p)
		return p
	}
	return a.prefs.Place
}

// placeSaved handles the result of storing the place. It shows an error and tries again later. If the place was
// stored, and the user has moved since then, placeSaved stores the new place.
func (a *app) placeSaved(msg placeSaved) tea.Cmd {
	switch {
	case msg.err != nil:
		return tea.Batch(a.status.show(screen.StatusMessage{Err: msg.err}), a.saver.schedule())
	case a.spec.shown() == nil:
		return a.saver.schedule()
	}
	return a.saver.save(a.spec.shown().Spec.Title, a.place())
}

// savePlace stores the place when the app ends.
func (a *app) savePlace() error {
	if a.saver.store == nil || a.spec.shown() == nil {
		return nil
	}
	return a.saver.store(a.spec.shown().Spec.Title, a.place())
}

// problems returns the problems of the preferences, of the spec and of the .http files.
func (a *app) problems() []screen.FileProblem {
	return slices.Concat(a.prefs.Problems, a.spec.problems(), a.requests.problems)
}

// refreshProblems updates the list of problems if it is shown.
func (a *app) refreshProblems() {
	if list, ok := a.overlay.(*problemList); ok {
		list.set(a.problems())
	}
}

// warn shows the first problem of the preferences, and the key that lists all problems.
func (a *app) warn() tea.Cmd {
	if len(a.prefs.Problems) == 0 {
		return nil
	}
	first := a.prefs.Problems[0]
	err := fmt.Errorf("%s: %s (%s lists all)", placeOf(first), first.Text, widget.KeyName(keyProblems))
	return a.status.show(screen.StatusMessage{Err: err})
}

// editorClosed reads the spec again, because the user has probably edited it. If the editor failed, editorClosed only
// shows the error. It enables the mouse, because bubbletea does not restore it.
func (a *app) editorClosed(msg editorClosed) tea.Cmd {
	if msg.err != nil {
		err := fmt.Errorf("the editor failed: %w; $EDITOR sets which one is used", msg.err)
		return tea.Batch(tea.EnableMouseCellMotion, a.status.show(screen.StatusMessage{Err: err}))
	}
	return tea.Batch(tea.EnableMouseCellMotion, a.spec.read())
}

// quit ends the app. It first asks the user if a search is starting or in progress, or if a screen has unfinished
// work.
func (a *app) quit() tea.Cmd {
	work := a.screens.unfinishedWork()
	if work == "" && !inProgress(a.run) && !a.screens.startingRun() {
		return tea.Quit
	}
	var cmd tea.Cmd
	a.overlay, cmd = newQuitQuestion(a.run, work, a.confirmPause)
	return cmd
}

// openUsers shows the users of the service.
func (a *app) openUsers() tea.Cmd {
	box, cmd := users.New(a.engine.UserLogins, a.queue)
	a.overlay = usersOverlay{box}
	return cmd
}

// openJump shows labels on the cells to which the cursor can jump, or a message if there are none.
func (a *app) openJump() tea.Cmd {
	a.overlay = newJump(a.screens.visible)
	if a.overlay == nil {
		return screen.ShowStatus("there is nothing to jump to here")
	}
	return nil
}

func inProgress(run model.Snapshot) bool {
	return run.Phase == model.PhaseRunning || run.Phase == model.PhasePaused
}
