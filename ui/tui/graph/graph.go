// Package graph is the third screen: the operations of an API, or its resources,
// and the values that pass between them, around one of them or as a whole, as a
// picture or as an indented tree.
package graph

import (
	"context"

	"sonde/model"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/save"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the Graph screen.
type Screen struct {
	width, height int
	study         *screen.Study
	run           model.Snapshot

	onShow bool
	view
	history []spot

	no      int                // of the newest drawing; older ones are dropped
	stop    context.CancelFunc // ends the drawing that goes on; nil where none does
	picture *picture           // the newest that is finished
	shown   view               // what was asked for when that was begun
	want    model.OpID         // where the cursor is to be in the next one
	at      int                // node
	rows    widget.List
	lines   []line
	asTree  *bool // what the person wants; nil: what fits
	asMap   *bool // the same
	find    seen
	save    *save.Line
	post    *screen.Post
}

// spot is where a person was before.
type spot struct {
	centre model.OpID
	whole  bool
}

// New returns the screen. It draws when it is shown for the first time.
func New(e screen.Engine) *Screen {
	return &Screen{view: view{hops: 1}, find: seen{Finder: finder.New("what to find")}, save: save.New(e.Draw), post: e.Post}
}

// Name is the tab's word.
func (s *Screen) Name() string { return "Graph" }

// Live says nothing: the picture's size is on its frame.
func (s *Screen) Live() string { return "" }

// Typing reports whether it is typed what to find, or where to export to.
func (s *Screen) Typing() bool { return s.find.Typing() || s.save.Typing() }

// drawn is a finished picture.
type drawn struct {
	no      int
	asked   view
	picture picture
}

// Update takes a message.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
		cmd = s.resized()
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
		cmd = s.resized() // where the window changed in the meantime
	case screen.Point:
		s.point(msg)
	case tea.KeyMsg:
		cmd = s.press(msg)
	case tea.MouseMsg:
		cmd = s.mouse(msg)
	}
	if _, isKey := msg.(tea.KeyMsg); !isKey {
		cmd = tea.Batch(cmd, s.save.Update(msg))
	}
	s.seek()
	s.fit()
	return s, cmd
}

// opened takes another spec; the operation in the middle stays if it has it.
func (s *Screen) opened(study *screen.Study) tea.Cmd {
	s.study, s.picture, s.history, s.folded = study, nil, nil, nil
	s.drop()
	s.find.Look(study.Index)
	if study.Spec.Operation(s.centre) == nil {
		s.centre = ""
		if len(study.Spec.Operations) > 0 {
			s.centre = study.Spec.Operations[0].ID
		}
	}
	s.want = s.centre
	return s.draw()
}

// turn puts an operation in the middle. A picture of the whole stays, with the
// cursor on it.
func (s *Screen) turn(op model.OpID) tea.Cmd {
	if s.study == nil || op == s.centre || s.study.Spec.Operation(op) == nil {
		return nil
	}
	if s.whole {
		s.centre, s.want = op, op
		if s.picture != nil {
			s.choose(s.picture.node(op))
		}
		return nil
	}
	return s.goTo(spot{centre: op})
}

// goTo goes to a spot, and remembers the one before if it was looked at.
func (s *Screen) goTo(to spot) tea.Cmd {
	if s.picture != nil && s.picture.view == s.view.normal() {
		from := spot{s.centre, s.whole}
		if s.whole {
			from.centre = s.op()
		}
		s.history = append(s.history, from)
	}
	return s.stand(to)
}

func (s *Screen) stand(at spot) tea.Cmd {
	s.centre, s.whole, s.want = at.centre, at.whole, at.centre
	return s.draw()
}

// change draws what is in sight in another way; the cursor stays.
func (s *Screen) change(how func(*view)) tea.Cmd {
	s.want = s.op()
	how(&s.view)
	return s.draw()
}

// resized draws anew what has other words in a window of this width; the cursor stays.
func (s *Screen) resized() tea.Cmd {
	if s.picture == nil || s.stop != nil || s.picture.suits(s.wrap()) {
		return nil
	}
	s.want = s.op()
	return s.draw()
}

// wrap is the width that a picture may have.
func (s *Screen) wrap() int { return s.width - 4 }

// drop gives up the drawing that goes on, of which nothing is wanted any more.
func (s *Screen) drop() {
	s.no++
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
}

// draw begins a picture, if the screen is on show and has none of this.
func (s *Screen) draw() tea.Cmd {
	if !s.onShow || s.study == nil || s.centre == "" {
		return nil
	}
	s.drop()
	v := s.view.normal()
	if p := s.picture; p != nil && p.view == v && p.suits(s.wrap()) {
		s.shown = s.view
		s.choose(p.node(s.want))
		return nil
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	study, asked, no, wrap := s.study, s.view, s.no, s.wrap()
	return func() tea.Msg {
		p, err := drawPicture(ctx, study, v, wrap)
		if err != nil {
			return nil // nobody wants it any more
		}
		return drawn{no: no, asked: asked, picture: p}
	}
}

// drawn takes a picture, with the cursor in sight.
func (s *Screen) drawn(msg drawn) {
	if msg.no != s.no {
		return
	}
	s.stop()
	s.stop = nil
	s.picture, s.shown = &msg.picture, msg.asked
	s.lines = s.picture.lines()
	s.rows = widget.List{}
	s.fit()
	s.choose(max(0, s.picture.node(s.want)))
	s.picture.sheet.Centre(s.at)
	if s.find.Typing() {
		s.seek()
		s.next(0)
	}
}

// choose puts the cursor on a node, in the picture and in the tree.
func (s *Screen) choose(node int) {
	if node < 0 || node >= len(s.picture.nodes) {
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
	if s.picture == nil || s.at >= len(s.picture.nodes) {
		return s.centre
	}
	return s.picture.nodes[s.at].lead()
}

// middle reports whether the cursor is on what is in the middle.
func (s *Screen) middle() bool { return s.op() == s.picture.middle() }

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

// narrowed reports whether what is drawn leaves out what is no id.
func (s *Screen) narrowed() bool { return s.picture != nil && s.picture.narrowed }

// tree reports whether the tree is shown and not the picture.
func (s *Screen) tree() bool {
	if s.asTree != nil {
		return *s.asTree
	}
	return s.width < roomy
}
