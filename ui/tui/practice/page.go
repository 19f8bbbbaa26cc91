// Package practice is a page of the Seqs and Groups screens. It lists seqs by the rules DC and SC and calls each
// listed seq on the service (INVOKE in Algorithm 3 of the distiller paper). The page is updated while the seqs are
// called. It shows how many seqs are practical (completed), failed, barred (not called, because they begin with a seq
// that did not succeed) and open (not called yet), what barred them, and curves for both rules.
//
// Each of the two screens has a Page. Both pages show the same listing, because the messages of a listing go to all
// screens.
package practice

import (
	"context"
	"errors"
	"time"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// Scope is a part of the API whose seqs are listed.
type Scope struct {
	Name string     // name for titles, such as "group 2"; "" for the whole API
	Mode match.Mode // how values are matched
	With model.OpID // if set, only seqs that call this operation are listed
	// Analysis returns the analysis of the operations. It may be slow.
	Analysis func() *analysis.Analysis
}

// same reports whether two scopes of one spec have the same seqs.
func (s Scope) same(other Scope) bool {
	return s.Name == other.Name && s.Mode == other.Mode && s.With == other.With
}

// Page is the state of the page.
type Page struct {
	engine *screen.Engine
	host   screen.Service

	question  widget.Question      // asks whether a remote service may be called
	allowed   bool                 // the user answered yes, on this or another screen
	searching bool                 // a search uses the service
	around    usecase.Surroundings // the surroundings of the service

	// Interval is the time between two snapshots. If it is 0, only the first snapshot is read.
	Interval time.Duration

	spec   string // the hash of the spec, "" if it is unknown
	ops    []model.OpID
	open   bool  // the page is visible
	scope  Scope // what the next listing is about
	budget int   // the index of the next listing's budget in budgets
	byOps  bool  // the curves show operations, not practical seqs
	scroll widget.List

	starting, stopping bool
	listing            listing
	results            Results
}

// listing is the listing that was started last. The zero value means that no listing was started.
type listing struct {
	run   usecase.ListingRun
	scope Scope
	state usecase.ListingSnapshot
}

// budgets are the budgets that the user can choose, in requests.
var budgets = [...]int{500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000}

// usualBudget is the index of the initial budget. The command sonde seqs has the same default.
const usualBudget = 5

// New returns a page that is not open.
func New(engine *screen.Engine, host screen.Service) *Page {
	return &Page{
		engine: engine, host: host, question: widget.Question{Pause: widget.ConfirmPause}, Interval: time.Second / 10, budget: usualBudget,
	}
}

// started is sent when a listing was started, or when the start has failed. page is the page on which the user
// started it.
type started struct {
	page *Page
	spec string // the hash of the spec
	run  usecase.ListingRun
	of   Scope
	err  error
}

// ticked is sent when it is time for the next snapshot.
type ticked struct {
	page *Page
	run  usecase.ListingRun
}

// progressed is sent with a newer snapshot of the listing. page is the page that has read the snapshot.
type progressed struct {
	page  *Page
	run   usecase.ListingRun
	state usecase.ListingSnapshot
}

// Update handles a message. While a question is open, it receives all keys and mouse events, and done is true for them.
func (p *Page) Update(msg tea.Msg) (cmd tea.Cmd, done bool) {
	if p.question.Open() {
		_, cmd = p.question.Update(msg)
		switch msg.(type) {
		case tea.KeyMsg, tea.MouseMsg:
			return cmd, true
		}
	}
	return tea.Batch(cmd, p.update(msg)), false
}

func (p *Page) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.SpecOpened:
		p.openSpec(msg.Spec)
	case screen.RunProgress:
		p.searching = msg.Snapshot.Phase == model.PhaseRunning || msg.Snapshot.Phase == model.PhasePaused
	case screen.SurroundingsChanged:
		p.around = msg.Surroundings
	case widget.HostAllowed:
		p.allowed = p.allowed || msg.URL == p.host.URL
	case screen.ServiceChanged:
		p.host, p.allowed = msg.Service, false
		p.question.Close()
	case started:
		return p.started(msg)
	case ticked:
		if msg.page == p && msg.run == p.listing.run {
			return p.progress(msg.run)
		}
	case progressed:
		return p.progressed(msg)
	}
	return nil
}

// openSpec stops the listing and forgets it if the spec has changed.
func (p *Page) openSpec(analyzed *screen.AnalyzedSpec) {
	if p.spec != "" && p.spec == analyzed.Spec.Hash {
		return
	}
	if p.Running() && p.listing.run != nil {
		p.listing.run.Stop()
	}
	p.spec, p.listing, p.ops = analyzed.Spec.Hash, listing{}, analyzed.Operations()
	p.results.reset()
	p.open = false
}

// Open shows the page for a scope.
func (p *Page) Open(s Scope) { p.open, p.scope, p.scroll.At = true, s, 0 }

// Close hides the page. A listing continues.
func (p *Page) Close() { p.open = false }

// Scroll scrolls the page by some lines.
func (p *Page) Scroll(by int) { p.scroll.Go(p.scroll.At + by) }

// Shown reports whether the page is visible.
func (p *Page) Shown() bool { return p.open }

// Asking reports whether a question is open.
func (p *Page) Asking() bool { return p.question.Open() }

// HasService reports whether there is a service to call.
func (p *Page) HasService() bool { return p.host.URL != "" }

// Running reports whether seqs are being called.
func (p *Page) Running() bool { return p.starting || p.listing.run != nil && !p.listing.state.Done }

// Results returns the results of the seqs that were called.
func (p *Page) Results() *Results { return &p.results }

// UnfinishedWork describes a listing in progress, "" if there is none.
func (p *Page) UnfinishedWork() string {
	if !p.Running() {
		return ""
	}
	return "Seqs are being called. Their results are lost."
}

// start starts a listing of the scope, or shows the reason why it cannot. If the service is on another machine and the
// user has not allowed calls yet, start first asks the user.
func (p *Page) start() tea.Cmd {
	if p.searching {
		return screen.ShowError(errors.New("stop the search first: calling seqs resets the service that it uses"))
	}
	title, text, ask := p.host.ConsentTo(screen.PlannedCalls{
		What:   "call seqs on",
		Effect: ": at most " + words.Plural(budgets[p.budget], "request") + " that may create, change and delete",
		Ops:    p.ops,
	}, p.allowed)
	if !ask {
		return p.begin()
	}
	return p.question.Ask(title, text, keyAllow, keyDecline, func() tea.Cmd {
		p.allowed = true
		return tea.Batch(p.begin(), p.engine.Queue.Send(widget.HostAllowed{URL: p.host.URL}))
	})
}

func (p *Page) begin() tea.Cmd {
	p.starting, p.stopping, p.scroll.At = true, false, 0
	scope, engine := p.scope, p.engine
	spec := p.spec
	s := usecase.ListingSettings{With: scope.With, Calls: budgets[p.budget], Surroundings: p.around}
	return func() tea.Msg {
		s.Analysis = scope.Analysis()
		run, err := engine.Seqs.List(context.Background(), s)
		return started{page: p, spec: spec, run: run, of: scope, err: err}
	}
}

// started stores the listing that was started by any of the pages. The page that started it reads its snapshots.
func (p *Page) started(msg started) tea.Cmd {
	own := msg.page == p
	stopping := own && p.stopping
	if own {
		p.starting, p.stopping = false, false
	}
	switch {
	case msg.err != nil && own:
		return screen.ShowError(msg.err)
	case msg.err != nil:
		return nil
	case msg.spec != p.spec: // another spec was opened meanwhile
		msg.run.Stop()
		return nil
	}
	p.listing = listing{run: msg.run, scope: msg.of}
	p.results.reset()
	if stopping {
		msg.run.Stop()
	}
	if !own {
		return nil
	}
	return p.progress(msg.run)
}

// progress reads a snapshot.
func (p *Page) progress(run usecase.ListingRun) tea.Cmd {
	return func() tea.Msg { return progressed{page: p, run: run, state: run.Snapshot()} }
}

// progressed stores a newer snapshot. The page that has read it reads the next one later, until the listing is done.
func (p *Page) progressed(msg progressed) tea.Cmd {
	if msg.run != p.listing.run {
		return nil
	}
	p.listing.state = msg.state
	p.results.add(msg.state.Called)
	if msg.page != p || msg.state.Done || p.Interval == 0 {
		return nil
	}
	return tea.Tick(p.Interval, func(time.Time) tea.Msg { return ticked{page: p, run: msg.run} })
}

// stop ends the listing.
func (p *Page) stop() {
	if p.starting {
		p.stopping = true
		return
	}
	p.listing.run.Stop()
}

// changeBudget chooses another budget.
func (p *Page) changeBudget(by int) {
	p.budget = max(0, min(p.budget+by, len(budgets)-1))
}
