// Package campaign is the screen that shows the campaigns on NATS servers. It has a list of the campaigns, and a page
// for each campaign, with its workers, its failed units and the progress of its other units. The screen needs no
// spec.
package campaign

import (
	"slices"
	"strings"
	"time"

	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// lookInterval is the time between two looks. A look reads the state of the campaigns from the servers.
const lookInterval = 250 * time.Millisecond

// Screen shows the campaigns.
type Screen struct {
	source   usecase.Campaigns
	interval time.Duration
	shown    shown

	width, height int
	// undecided is true until the first look has decided whether to show the list.
	undecided bool
	all       widget.List // the cursor in the list of campaigns
	panes     panes
	detail    *detail // nil if none is shown
	question  widget.Question
}

// New returns the screen. If id is not "", it shows the campaign with this ID. Otherwise it shows the only campaign
// in progress or, if there is none or more than one, the list of all campaigns.
func New(source usecase.Campaigns, id string, confirmPause time.Duration) *Screen {
	return &Screen{
		source: source, interval: lookInterval, shown: shown{id: id}, undecided: id == "", question: widget.Question{Pause: confirmPause},
	}
}

// Begin returns the command of the first look. The screen begins the next look after each result.
func (s *Screen) Begin() tea.Cmd {
	id := s.shown.id
	return func() tea.Msg { return looked{id, s.source.Look(id)} }
}

// looked is the result of a look at the servers. view has the failures and the units of only one campaign: the one
// with the ID in campaign. If campaign is "", view has no failures and no units.
type looked struct {
	campaign string
	view     usecase.CampaignsView
}

// cancelled is the result of a cancellation.
type cancelled struct {
	campaign string
	err      error
}

// Update handles a message.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	_, cmd := s.question.Update(msg)
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
		s.fit()
	case looked:
		s.see(msg)
		return s, s.lookLater()
	case cancelled:
		if msg.err != nil {
			return s, screen.ShowError(msg.err)
		}
		return s, screen.ShowStatus("campaign " + msg.campaign + " was cancelled")
	case tea.KeyMsg:
		if cmd == nil {
			cmd, _ = keys.Press(s, msg)
			s.fit()
		}
	case tea.MouseMsg:
		s.mouse(msg)
		s.fit()
	}
	return s, cmd
}

func (s *Screen) lookLater() tea.Cmd {
	id, source := s.shown.id, s.source
	return tea.Tick(s.interval, func(time.Time) tea.Msg { return looked{id, source.Look(id)} })
}

// see shows the result of a look. Each cursor stays on its row, even if the row has moved.
func (s *Screen) see(msg looked) {
	keepWorker, keepFailure, keepUnit := s.selectedWorker().ID, s.selectedFailure().Unit, s.selectedUnit().Unit
	keepCampaign := s.underCursor().ID
	before := s.shown.view
	s.shown.view = msg.view
	if msg.campaign != s.shown.id { // the look began before the user opened another campaign
		s.shown.view.Failures, s.shown.view.Progress = nil, nil
	}
	s.shown.view.Workers = arranged(s.shown.view.Workers)
	if s.undecided && s.shown.view.Ready {
		s.undecided = false
		if running := s.shown.running(); len(running) == 1 {
			s.shown.id = running[0].ID
		}
	}
	if i := slices.IndexFunc(s.shown.view.Campaigns, func(c usecase.Campaign) bool { return c.ID == keepCampaign }); i >= 0 {
		s.all.At = i
	}
	if len(before.Workers) > 0 {
		isKept := func(w usecase.CampaignWorker) bool { return w.ID == keepWorker }
		s.panes.follow(partWorkers, slices.IndexFunc(s.shown.view.Workers, isKept))
	}
	s.panes.follow(partFailures, slices.IndexFunc(s.shown.view.Failures, func(f usecase.UnitFailure) bool { return f.Unit == keepFailure }))
	s.panes.follow(partProgress, slices.IndexFunc(s.shown.view.Progress, func(u usecase.WatchedUnit) bool { return u.Unit == keepUnit }))
	s.fit()
}

// arranged returns the workers in the order of their rows:
//   - the workers that are alive, or that vanished while the screen was open: the row of a worker that vanishes keeps
//     its place
//   - the workers that had vanished before
//   - the workers that have ended
func arranged(all []usecase.CampaignWorker) []usecase.CampaignWorker {
	rank := func(w usecase.CampaignWorker) int {
		switch {
		case w.Life == usecase.Left:
			return 2
		case w.Life == usecase.Vanished && w.Silent == 0:
			return 1
		}
		return 0
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b usecase.CampaignWorker) int {
		if ra, rb := rank(a), rank(b); ra != rb {
			return ra - rb
		}
		return strings.Compare(a.Host+"\x00"+a.ID, b.Host+"\x00"+b.ID)
	})
	return all
}

// underCursor returns the campaign that is shown. If the list is shown, it returns the campaign under the cursor of
// the list.
func (s *Screen) underCursor() usecase.Campaign {
	if s.shown.id != "" {
		c, _ := s.shown.campaign()
		return c
	}
	if s.all.At < len(s.shown.view.Campaigns) {
		return s.shown.view.Campaigns[s.all.At]
	}
	return usecase.Campaign{}
}

// Name returns the name of the screen.
func (s *Screen) Name() string { return "Campaigns" }

// TabBadge returns "": the screen has no tab.
func (s *Screen) TabBadge() string { return "" }

// Typing reports whether a question is open.
func (s *Screen) Typing() bool { return s.question.Open() }

// Location returns the names for the title line.
func (s *Screen) Location() []string {
	if s.shown.id == "" {
		return []string{"campaigns"}
	}
	c, _ := s.shown.campaign()
	names := []string{draw.Clean(c.ID)}
	if c.Kind != "" {
		names = append(names, draw.Clean(c.Kind), words.Plural(c.Units, "unit"))
	}
	return names
}

// Connected reports whether the servers answer.
func (s *Screen) Connected() bool { return s.shown.view.Problem == "" }

// open shows the campaign under the cursor.
func (s *Screen) open() tea.Cmd {
	s.shown.id = s.underCursor().ID
	s.panes = panes{}
	s.shown.view.Failures, s.shown.view.Progress = nil, nil
	return nil
}

// close shows the list of all campaigns.
func (s *Screen) close() {
	at := slices.IndexFunc(s.shown.view.Campaigns, func(c usecase.Campaign) bool { return c.ID == s.shown.id })
	s.shown.id, s.all.At = "", max(0, at)
}

// ask asks whether to cancel the campaign under the cursor.
func (s *Screen) ask() tea.Cmd {
	id, source := s.underCursor().ID, s.source
	text := "Campaign " + draw.CutMiddle(draw.Clean(id), 64) + ": its results are removed from the servers, its coordinator ends, and " +
		"workers finish the units that they have."
	return s.question.Ask("Cancel the campaign?", text, keyYes, keyNo, func() tea.Cmd {
		return func() tea.Msg { return cancelled{id, source.Cancel(id)} }
	})
}
