// Package graph is the Graph screen. It shows the operations of an API, or its resources, and the values
// that pass between them. It shows the surroundings of one operation or the whole API, as a drawing or as
// an indented tree.
//
// Pictures are laid out in the background, and only the latest picture is shown. Everything else runs in
// the app's Update.
package graph

import (
	"sonde/model"
	"sonde/ui/tui/save"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the Graph screen. The embedded view is the view that the user has chosen. The display may still show the
// picture of an older view.
type Screen struct {
	analyzed *screen.AnalyzedSpec
	coverage coverage
	run      model.Snapshot

	onShow bool
	view
	history []spot     // the earlier spots, the newest last
	target  model.OpID // the operation that gets the cursor in the next picture
	job     drawingJob // draws the view
	shown   view       // the view of the picture in display
	display display    // the newest picture
	matches matches    // the nodes of display that match the search text
	save    *save.FileNameLine
	post    *screen.MessageQueue
}

// spot is a part of the API in the history.
type spot struct {
	centre model.OpID
	whole  bool
}

// New returns the screen. It draws nothing until it is shown for the first time.
func New(e screen.Engine) *Screen {
	return &Screen{
		view:    view{hops: 1},
		matches: newMatches(),
		save:    save.New(e.TestFiles.WritePicture),
		post:    e.Queue,
	}
}

// Name returns the word in the tab line.
func (s *Screen) Name() string { return "Graph" }

// TabBadge returns "": the size of the picture is on its frame.
func (s *Screen) TabBadge() string { return "" }

// Typing reports whether a search text or a file name is being typed.
func (s *Screen) Typing() bool { return s.matches.Typing() || s.save.Typing() }

// Update handles a message.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.display.resize(msg.Width, msg.Height)
		cmd = s.redraw()
	case screen.SpecOpened:
		cmd = s.open(msg.Spec)
	case screen.Shown:
		s.onShow = msg.Tab == screen.TabGraph
		cmd = s.draw()
	case screen.OperationSelected:
		cmd = s.visit(msg.Op)
	case screen.ShowScreen:
		if msg.Tab == screen.TabGraph && msg.Op != "" {
			cmd = s.visit(msg.Op)
		}
	case screen.ShowArea:
		cmd = s.showArea(msg.Name)
	case screen.RunProgress:
		s.run, s.coverage = msg.Snapshot, msg.Snapshot.Grid
	case screen.SetSplits:
		s.display.splits = msg.Splits
		s.display.fit()
	case screen.RestoreSetting:
		restoreSetting(s, msg.Setting)
	case screen.NamingSwitched:
		if s.analyzed != nil {
			cmd = s.change(func(v *view) { v.naming = s.analyzed.Names.Naming() })
		}
	case drawn:
		s.take(msg)
		cmd = s.redraw() // the window may have changed in the meantime
	case screen.PointAt:
		s.display.point(msg)
	case tea.KeyMsg:
		cmd = s.press(msg)
	case tea.MouseMsg:
		cmd = s.mouse(msg)
	}
	if _, isKey := msg.(tea.KeyMsg); !isKey {
		cmd = tea.Batch(cmd, s.save.Update(msg))
	}
	s.findMatches()
	s.display.fit()
	return s, cmd
}

// open shows a new spec. The centre stays the same operation if the new spec has it.
func (s *Screen) open(analyzed *screen.AnalyzedSpec) tea.Cmd {
	s.analyzed, s.history, s.folded = analyzed, nil, nil
	s.naming = analyzed.Names.Naming()
	s.display.clear()
	s.job.abandon()
	s.matches.Look(analyzed.Index)
	if analyzed.Spec.Operation(s.centre) == nil {
		s.centre = ""
		if len(analyzed.Spec.Operations) > 0 {
			s.centre = analyzed.Spec.Operations[0].ID
		}
	}
	s.target = s.centre
	return s.draw()
}

// visit shows the surroundings of an operation. In a picture of the whole API it only moves the cursor to
// the operation.
func (s *Screen) visit(op model.OpID) tea.Cmd {
	if s.analyzed == nil || op == s.centre || s.analyzed.Spec.Operation(op) == nil {
		return nil
	}
	if s.whole {
		s.centre, s.target = op, op
		s.display.choose(s.display.nodeOf(op))
		return nil
	}
	return s.goTo(spot{centre: op})
}

// goTo shows a spot, and adds the current spot to the history.
func (s *Screen) goTo(to spot) tea.Cmd {
	s.remember()
	return s.showSpot(to)
}

// showArea shows the whole API with an area unfolded and the cursor on its first operation.
func (s *Screen) showArea(name string) tea.Cmd {
	if s.analyzed == nil {
		return nil
	}
	around := areasAround(s.analyzed.Analysis.Clusters(), name)
	if around == nil {
		return nil
	}
	s.remember()
	s.folded, s.things = s.folded.value().opening(around), false
	return s.showSpot(spot{centre: around[len(around)-1].Operations[0], whole: true})
}

// remember adds the current spot to the history, if its picture was shown.
func (s *Screen) remember() {
	if p := s.display.picture; p != nil && p.view == s.view.normal() {
		from := spot{centre: s.centre, whole: s.whole}
		if s.whole {
			from.centre = s.op()
		}
		s.history = append(s.history, from)
	}
}

func (s *Screen) showSpot(at spot) tea.Cmd {
	s.centre, s.whole, s.target = at.centre, at.whole, at.centre
	return s.draw()
}

// change changes the view by calling the function how, and draws it. The cursor stays on its operation.
func (s *Screen) change(how func(*view)) tea.Cmd {
	s.target = s.op()
	how(&s.view)
	return s.draw()
}

// redraw draws the picture again if it would have other texts at the current width. The cursor stays on its
// operation.
func (s *Screen) redraw() tea.Cmd {
	if p := s.display.picture; p == nil || s.job.running() || p.suits(s.display.wrap()) {
		return nil
	}
	s.target = s.op()
	return s.draw()
}

// draw starts to draw the view, unless the screen is hidden or already shows the view.
func (s *Screen) draw() tea.Cmd {
	if !s.onShow || s.analyzed == nil || s.centre == "" {
		return nil
	}
	s.job.abandon()
	if p := s.display.picture; p != nil && p.view == s.view.normal() && p.suits(s.display.wrap()) {
		s.shown = s.view
		s.display.choose(p.node(s.target))
		return nil
	}
	return s.job.start(s.analyzed, s.view, s.display.wrap())
}

// take shows a finished picture.
func (s *Screen) take(msg drawn) {
	if !s.job.finish(msg) {
		return
	}
	s.shown = msg.asked
	s.display.show(&msg.picture, s.target)
	if s.matches.Typing() {
		s.findMatches()
		s.display.choose(s.matches.nearest(s.display.node))
	}
}

// op returns the operation under the cursor, or the centre if there is none.
func (s *Screen) op() model.OpID {
	if op := s.display.op(); op != "" {
		return op
	}
	return s.centre
}

// painter returns a painter for the current state of the screen.
func (s *Screen) painter() painter {
	return painter{
		analyzed: s.analyzed,
		view:     s.view,
		display:  &s.display,
		op:       s.op(),
		matches:  &s.matches,
		coverage: s.coverage,
		drawing:  s.job.running(),
		stopped:  s.analyzed != nil && s.onShow && !s.job.running(),
		save:     s.save,
	}
}

// View draws the picture or the tree, and below it the texts about the operation
// under the cursor.
func (s *Screen) View(width, height int) string {
	return s.save.OverlayQuestion(s.painter().draw(width, height), width, height)
}

// Targets returns the visible boxes that the map does not cover, or the rows of the tree.
func (s *Screen) Targets() []screen.PointAt { return s.display.targets() }
