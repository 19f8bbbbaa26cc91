// Package groups is the Groups screen. It shows the value-sharing groups of a spec, the clusters of large
// groups, and details of one of them: operations, values, seqs and a figure.
//
// Finding clusters, counting seqs and drawing figures happen in the background; seqs and figures are
// computed for visible rows only. Everything else runs in the app's Update.
package groups

import (
	"sonde/analysis"
	"sonde/analysis/cluster"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/practice"
	"sonde/ui/tui/save"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the Groups screen.
type Screen struct {
	post       *screen.MessageQueue
	onShow     bool
	view       groupView
	paths      *draw.PathShortener // shortens the paths of the operations
	regrouping regrouping
	save       *save.FileNameLine
	calls      *practice.Page // lists seqs while it calls them
}

// New returns the screen. It counts and draws nothing until it is shown.
func New(e screen.Engine, host screen.Service) *Screen {
	return &Screen{
		post: e.Queue, view: newGroupView(), save: save.New(e.TestFiles.WritePicture), calls: practice.New(&e, host),
	}
}

// Name returns the word in the tab line.
func (s *Screen) Name() string { return "Groups" }

// TabBadge returns the number of groups and, for an API with a large group, the number of its areas.
func (s *Screen) TabBadge() string {
	if s.view.analyzed == nil {
		return ""
	}
	if areas := s.view.table.sections.areas(); areas > 0 {
		return words.Count(len(s.view.analyzed.Groups)) + ", " + words.Plural(areas, "area")
	}
	return words.Count(len(s.view.analyzed.Groups))
}

// Typing reports whether the user is typing the filter or a file name, or a question is open.
func (s *Screen) Typing() bool {
	return s.view.table.find.Typing() || s.save.Typing() || s.calls.Asking()
}

// Update handles a message.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	called, done := s.calls.Update(msg)
	if done {
		return s, called
	}
	return s, tea.Batch(called, s.update(msg))
}

func (s *Screen) update(msg tea.Msg) (cmd tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.view.width, s.view.height = msg.Width, msg.Height
	case screen.SpecOpened:
		s.regrouping.reset(msg.Spec.Matcher.Mode)
		cmd = s.open(msg.Spec)
	case regrouped:
		cmd = s.regrouped(msg)
	case screen.Shown:
		s.onShow = msg.Tab == screen.TabGroups
	case screen.ShowScreen:
		if msg.Tab == screen.TabGroups {
			s.view.visit(msg.Op)
		}
	case screen.OperationSelected:
		if !msg.InPassing || !s.view.table.onAreas() {
			s.view.visit(msg.Op)
		}
	case screen.RunProgress:
		s.view.progress(msg.Snapshot)
	case divided:
		if msg.analyzed == s.view.analyzed {
			s.view.divide(msg.clusters, msg.profiler)
		}
	case counted:
		s.view.results.addTally(msg)
	case drawn:
		s.view.addDrawing(msg)
	case screen.SetSplits:
		s.view.splits = msg.Splits
	case screen.RestoreSetting:
		restoreSetting(s, msg.Setting)
	case screen.NamingSwitched:
		s.view.results.forgetDrawings()
	case screen.PointAt:
		s.view.point(msg)
	case tea.KeyMsg:
		cmd = s.press(msg)
	case tea.MouseMsg:
		cmd = s.mouse(msg)
	}
	if _, isKey := msg.(tea.KeyMsg); !isKey {
		cmd = tea.Batch(cmd, s.save.Update(msg))
	}
	s.view.fit()
	if s.onShow && s.calls.Shown() {
		s.calls.Fit(s.view.rects().right(s.view.width, s.view.height))
	}
	if s.onShow {
		cmd = tea.Batch(cmd, s.view.compute())
	}
	return cmd
}

// openCalls opens the page that lists seqs and calls them on the service. It lists the seqs of the current section
// or, if the figure shows all groups, of the whole API.
func (s *Screen) openCalls() {
	analyzed, shown := s.view.analyzed, s.view.table.sections.list[s.view.table.section()]
	scope := practice.Scope{Mode: analyzed.Matcher.Mode, Analysis: func() *analysis.Analysis { return analyzed.Analysis }}
	if !s.view.figure.whole {
		scope.Name = shown.title()
		if shown.depth > 0 {
			scope.Name = "area " + scope.Name
		}
		scope.Analysis = func() *analysis.Analysis { return analyzed.Analysis.Subset(operationsOf(analyzed.Spec, shown.ops)) }
	}
	s.calls.Open(scope)
}

// open shows a new spec, or the open spec with groups of another mode.
func (s *Screen) open(analyzed *screen.AnalyzedSpec) tea.Cmd {
	s.paths = draw.NewPathShortener(analyzed.IDs())
	s.view.open(analyzed)
	if !s.view.table.sections.anyLarge() {
		return nil
	}
	return func() tea.Msg {
		return divided{analyzed, analyzed.Analysis.Clusters(), analyzed.Analysis.Profiler()}
	}
}

// divided is sent when the clusters of a spec with a large group were found.
type divided struct {
	analyzed *screen.AnalyzedSpec
	clusters []*cluster.Cluster
	profiler *cluster.Profiler
}

// regrouped shows the groups of another mode. The cursor stays on its operation.
func (s *Screen) regrouped(msg regrouped) tea.Cmd {
	if !s.regrouping.finish(msg) {
		return nil
	}
	before, focus, op := s.view.analyzed, s.view.focus, s.view.op()
	if at := s.view.table.section(); op == "" && at >= 0 {
		op = s.view.table.sections.list[at].ops[0]
	}
	msg.analyzed.Names = before.Names // share the naming of the app
	cmd := s.open(msg.analyzed)
	s.regrouping.changes = compare(before, msg.analyzed)
	s.view.visit(op)
	s.view.focus = focus
	return tea.Batch(cmd, screen.ShowStatus(s.regrouping.report(before, msg.analyzed)))
}

// Location returns the operation under the cursor, and its group.
func (s *Screen) Location() (model.OpID, []string) {
	at := s.view.table.section()
	if at < 0 {
		return "", nil
	}
	names := []string{s.view.table.sections.list[at].title()}
	op := s.view.op()
	if op != "" {
		names = append(names, string(op))
	}
	return op, names
}

// Targets returns the rows of the lists, and the boxes of the figure.
func (s *Screen) Targets() []screen.PointAt { return s.view.targets() }

// View draws the table, the members, the figure and the seqs, or as many of them as fit.
func (s *Screen) View(width, height int) string {
	return s.calls.Over(s.save.OverlayQuestion(s.painter().draw(width, height), width, height), width, height)
}

// painter returns a painter for the current state of the screen.
func (s *Screen) painter() painter {
	return painter{
		analyzed:   s.view.analyzed,
		paths:      s.paths,
		focus:      s.view.focus,
		splits:     s.view.splits,
		section:    s.view.table.section(),
		table:      &s.view.table,
		members:    &s.view.members,
		figure:     &s.view.figure,
		seqs:       &s.view.seqs,
		results:    &s.view.results,
		regrouping: &s.regrouping,
		save:       s.save,
		calls:      s.calls,
	}
}
