// Package graph is the third screen: the operations around one of them, and
// the values that pass between them, as a picture or as an indented tree.
package graph

import (
	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the Graph screen.
type Screen struct {
	width, height int
	study         *screen.Study
	run           model.Snapshot

	onShow bool
	view
	history []model.OpID

	no      int      // of the newest drawing; older ones are dropped
	picture *picture // the newest that is finished
	at      int      // node
	rows    pane.List
	lines   []line
	asTree  *bool // what the person wants; nil: what fits
}

// New returns the screen. It draws when it is shown for the first time.
func New() *Screen { return &Screen{view: view{hops: 1}} }

// Name is the tab's word.
func (s *Screen) Name() string { return "Graph" }

// Live says nothing: the picture's size is on its frame.
func (s *Screen) Live() string { return "" }

// Typing is never true here.
func (s *Screen) Typing() bool { return false }

// drawn is a finished picture.
type drawn struct {
	no      int
	picture picture
}

// Update takes a message.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case screen.Opened:
		cmd = s.opened(msg.Study)
	case screen.Shown:
		s.onShow = msg.Tab == screen.Graph
		cmd = s.draw()
	case screen.Selected:
		cmd = s.turn(msg.Op)
	case screen.Goto:
		if msg.Tab == screen.Graph && msg.Op != "" {
			cmd = s.turn(msg.Op)
		}
	case screen.Progress:
		s.run = msg.Snapshot
	case drawn:
		s.drawn(msg)
	case tea.KeyMsg:
		cmd = s.press(msg)
	case tea.MouseMsg:
		cmd = s.mouse(msg)
	}
	s.fit()
	return s, cmd
}

// opened takes another spec; the operation in the middle stays if it has it.
func (s *Screen) opened(study *screen.Study) tea.Cmd {
	s.study, s.picture, s.history = study, nil, nil
	s.no++ // drawings under way are of the spec before
	if study.Spec.Operation(s.centre) == nil {
		s.centre = ""
		if len(study.Spec.Operations) > 0 {
			s.centre = study.Spec.Operations[0].ID
		}
	}
	return s.draw()
}

// turn puts an operation in the middle.
func (s *Screen) turn(op model.OpID) tea.Cmd {
	if s.study == nil || op == s.centre || s.study.Spec.Operation(op) == nil {
		return nil
	}
	if s.picture != nil && s.picture.centre == s.centre { // it was looked at
		s.history = append(s.history, s.centre)
	}
	s.centre = op
	return s.draw()
}

// draw begins a picture, if the screen is on show and has none of this.
func (s *Screen) draw() tea.Cmd {
	if !s.onShow || s.study == nil || s.centre == "" {
		return nil
	}
	s.no++ // also where nothing is to be drawn: what is under way is of no use then
	if p := s.picture; p != nil && p.view == s.view {
		return nil
	}
	study, v, no, wrap := s.study, s.view, s.no, s.width-4
	return func() tea.Msg { return drawn{no, draw(study, v, wrap)} }
}

// drawn takes a picture; the cursor is in its middle.
func (s *Screen) drawn(msg drawn) {
	if msg.no != s.no {
		return
	}
	s.picture = &msg.picture
	s.lines = s.picture.lines()
	s.rows = pane.List{}
	s.fit()
	s.choose(s.picture.node(s.centre))
	s.picture.sheet.Centre(s.at)
}

// choose puts the cursor on a node, in the picture and in the tree.
func (s *Screen) choose(node int) {
	if node < 0 || node >= len(s.picture.ops) {
		return
	}
	s.at = node
	s.picture.sheet.Follow(node)
	if row := s.rows.At; row < len(s.lines) && s.lines[row].op == s.op() {
		return
	}
	for i, l := range s.lines {
		if l.op == s.op() {
			s.rows.Go(i)
			return
		}
	}
}

// op is the operation under the cursor.
func (s *Screen) op() model.OpID {
	if s.picture == nil || s.at >= len(s.picture.ops) {
		return s.centre
	}
	return s.picture.ops[s.at]
}

// fit gives picture and tree the size of their pane.
func (s *Screen) fit() {
	if s.picture == nil {
		return
	}
	picture, _ := divide(s.width, s.height)
	w, h := max(0, picture.W-2), max(0, picture.H-2)
	s.picture.sheet.Fit(w, h)
	s.rows.Fit(len(s.lines), h)
}

// tree tells whether the tree is shown and not the picture.
func (s *Screen) tree() bool {
	if s.asTree != nil {
		return *s.asTree
	}
	return s.width < roomy
}
