package graph

import (
	"sonde/ui/pane"
	"sonde/ui/tui/save"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// press takes a key.
func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.find.Typing():
		return s.typed(k)
	case s.save.Typing():
		return s.save.Update(k)
	case s.centre == "":
		return nil // there are no operations
	case key.Matches(k, keyStop) && s.stop != nil:
		return s.halt()
	case s.picture == nil && s.stop == nil && key.Matches(k, keyAgain):
		return s.draw()
	case key.Matches(k, keyExplore):
		return s.jump(screen.Explore)
	case key.Matches(k, keyGroup):
		return s.jump(screen.Groups)
	case key.Matches(k, screen.KeyAppend) && !s.things:
		return s.post.Send(screen.Append{Op: s.op()})
	case key.Matches(k, keyBack):
		return s.back()
	case key.Matches(k, keyFind):
		s.find.Focus() // its cursor stands still, so that there is nothing to wait for
		return nil
	}
	if how := s.another(k); how != nil {
		return s.change(how)
	}
	if s.picture == nil {
		return nil
	}
	return s.within(k)
}

// within takes a key that is about what is drawn.
func (s *Screen) within(k tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(k, keyCentre):
		return s.enter()
	case !s.inside(k):
		s.move(k)
	}
	return nil
}

// inside does what a key does to what is drawn, and reports whether it did.
func (s *Screen) inside(k tea.KeyMsg) bool {
	switch {
	case key.Matches(k, keyTree):
		tree := !s.tree()
		s.asTree = &tree
	case key.Matches(k, keyMap):
		picture, _ := divide(s.width, s.height)
		on := !s.mapped(picture.W-2, picture.H-2)
		s.asMap = &on
	case key.Matches(k, save.Key):
		s.save.Open("graph", s.export())
	case key.Matches(k, keyNext):
		s.next(1)
	case key.Matches(k, keyBefore):
		s.next(-1)
	case key.Matches(k, keyForget):
		s.forget()
	default:
		return false
	}
	return true
}

// another is what a key makes of the view, nil where it makes nothing of it.
func (s *Screen) another(k tea.KeyMsg) func(*view) {
	switch {
	case key.Matches(k, keyMore) && !s.whole && s.hops < farthest:
		return func(v *view) { v.hops++ }
	case key.Matches(k, keyLess) && !s.whole && s.hops > 1:
		return func(v *view) { v.hops-- }
	case key.Matches(k, keyAll) && !s.things && (s.narrowed() || s.all):
		return func(v *view) { v.all = !v.all }
	case key.Matches(k, keyWhole):
		return func(v *view) { v.whole = !v.whole }
	case key.Matches(k, keyThings):
		return func(v *view) { v.things = !v.things }
	case key.Matches(k, keyCloser) && !s.tree() && s.zoom < facts:
		return func(v *view) { v.zoom++ }
	case key.Matches(k, keyFarther) && !s.tree() && s.zoom > dots:
		return func(v *view) { v.zoom-- }
	}
	if s.picture == nil {
		return nil
	}
	return s.refolds(k)
}

// refolds is what a key makes of what is folded, nil where it makes nothing of it.
func (s *Screen) refolds(k tea.KeyMsg) func(*view) {
	circle, inCircle := s.circle()
	group, inGroup := s.group()
	circles, groups := s.picture.circles, s.study.GroupOf
	switch {
	case s.things:
		return nil
	case key.Matches(k, keyFold) && inGroup:
		return refold(func(f *folding) { f.groups = f.groups.toggled(group) })
	case key.Matches(k, keyFolds):
		return refold(func(f *folding) { f.groups = f.groups.unless(groups) })
	case key.Matches(k, keyCircle) && inCircle:
		return refold(func(f *folding) { f.circles = f.circles.toggled(circle) })
	case key.Matches(k, keyCircles):
		return refold(func(f *folding) { f.circles = f.circles.unless(circles) })
	}
	return nil
}

// halt stops the drawing that goes on; what is drawn already is what is wanted.
func (s *Screen) halt() tea.Cmd {
	s.drop()
	if s.picture != nil {
		s.view = s.shown
	}
	return screen.Tell("the drawing was stopped")
}

// move moves the cursor, or the window on the picture.
func (s *Screen) move(k tea.KeyMsg) {
	if s.tree() {
		if s.rows.Key(k) {
			s.chooseLine()
		}
		return
	}
	toward := func(dx, dy int) { s.choose(s.picture.sheet.Toward(s.at, dx, dy)) }
	switch {
	case key.Matches(k, keyLeft):
		toward(-1, 0)
	case key.Matches(k, keyRight):
		toward(1, 0)
	case key.Matches(k, keyUp):
		toward(0, -1)
	case key.Matches(k, keyDown):
		toward(0, 1)
	default:
		s.picture.sheet.Key(k, sheet.Letters, sheet.Shifts)
	}
}

// chooseLine puts the cursor on the node of the tree's row.
func (s *Screen) chooseLine() {
	if s.rows.At < len(s.lines) {
		s.choose(s.picture.node(s.lines[s.rows.At].op))
	}
}

// enter shows what is around the node under the cursor; from the middle it leads
// to its page.
func (s *Screen) enter() tea.Cmd {
	op := s.op()
	if s.middle() {
		return s.jump(screen.Explore)
	}
	return tea.Batch(s.goTo(spot{centre: op}), s.post.Send(screen.Selected{Op: op}))
}

func (s *Screen) jump(tab screen.Tab) tea.Cmd {
	return s.post.Show(tab, s.op())
}

// back returns to what was in the middle before.
func (s *Screen) back() tea.Cmd {
	n := len(s.history)
	if n == 0 {
		return screen.Tell("this is where you began")
	}
	to := s.history[n-1]
	s.history = s.history[:n-1]
	return tea.Batch(s.stand(to), s.post.Send(screen.Selected{Op: to.centre}))
}

func (s *Screen) mouse(msg tea.MouseMsg) tea.Cmd {
	picture, _ := divide(s.width, s.height)
	if s.picture == nil || !picture.Has(msg.X, msg.Y) {
		return nil
	}
	switch {
	case s.tree() && pane.Clicked(msg):
		if s.rows.Click(msg.Y - picture.Y - 1) {
			s.chooseLine()
		}
	case s.tree():
		s.rows.Go(s.rows.At + pane.Wheel(msg))
		s.chooseLine()
	case pane.Clicked(msg) && s.mapRect(picture).Has(msg.X, msg.Y):
		m := s.mapRect(picture)
		s.picture.sheet.Show(m.W-2, m.H-2, msg.X-m.X-1, msg.Y-m.Y-1)
	case pane.Clicked(msg):
		return s.click(s.picture.sheet.At(msg.X-picture.X-1, msg.Y-picture.Y-1))
	default:
		s.picture.sheet.Wheel(msg)
	}
	return nil
}

// click chooses a box; a second click on it is enter.
func (s *Screen) click(node int) tea.Cmd {
	if node >= 0 && node == s.at {
		return s.enter()
	}
	s.choose(node)
	return nil
}
