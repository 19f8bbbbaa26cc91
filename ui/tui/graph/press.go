package graph

import (
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	cmd, _ := keys.Press(s, k)
	return cmd
}

// openFind gives the focus to the line in which it is typed what to find.
func (s *Screen) openFind() tea.Cmd {
	s.find.Focus() // its cursor does not blink, so there is nothing to wait for
	return nil
}

// turnTree shows the tree, or the picture again.
func (s *Screen) turnTree() {
	tree := !s.tree()
	s.asTree = &tree
}

// turnMap shows the map of the picture, or hides it.
func (s *Screen) turnMap() {
	picture, _ := divide(s.width, s.height)
	on := !s.mapped(picture.W-2, picture.H-2)
	s.asMap = &on
}

// halt stops the drawing that goes on; what is drawn already is what is wanted.
func (s *Screen) halt() tea.Cmd {
	s.drop()
	if s.picture != nil {
		s.view = s.shown
	}
	return screen.Tell("the drawing was stopped")
}

// moveTree moves the cursor of the tree.
func (s *Screen) moveTree(k tea.KeyMsg) tea.Cmd {
	if s.rows.Key(k) {
		s.chooseLine()
	}
	return nil
}

// toward returns an action that moves the cursor to the next box in a direction.
func toward(dx, dy int) func(*Screen) tea.Cmd {
	return keymap.Act(func(s *Screen) { s.choose(s.picture.sheet.Toward(s.at, dx, dy)) })
}

// scroll moves the window on the picture.
func (s *Screen) scroll(k tea.KeyMsg) tea.Cmd {
	s.picture.sheet.Key(k, sheet.Letters, sheet.Shifts)
	return nil
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
	case s.tree() && widget.LeftClick(msg):
		if s.rows.Click(msg.Y - picture.Y - 1) {
			s.chooseLine()
		}
	case s.tree():
		s.rows.Go(s.rows.At + widget.WheelRows(msg))
		s.chooseLine()
	case widget.LeftClick(msg) && s.mapRect(picture).Has(msg.X, msg.Y):
		m := s.mapRect(picture)
		s.picture.sheet.Show(m.W-2, m.H-2, msg.X-m.X-1, msg.Y-m.Y-1)
	case widget.LeftClick(msg):
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
