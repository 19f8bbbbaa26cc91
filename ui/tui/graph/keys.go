package graph

import (
	"sonde/ui/pane"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

var (
	keyLeft    = key.NewBinding(key.WithKeys("left"), key.WithHelp("←", "box left"))
	keyRight   = key.NewBinding(key.WithKeys("right"), key.WithHelp("→", "box right"))
	keyUp      = key.NewBinding(key.WithKeys("up"), key.WithHelp("↑", "box above"))
	keyDown    = key.NewBinding(key.WithKeys("down"), key.WithHelp("↓", "box below"))
	keyCentre  = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "to the middle"))
	keyOpen    = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "in explore"))
	keyExplore = key.NewBinding(key.WithKeys("e"), key.WithHelp("e", "in explore"))
	keyGroup   = key.NewBinding(key.WithKeys("G"), key.WithHelp("G", "its group"))
	keyBack    = key.NewBinding(key.WithKeys("backspace"), key.WithHelp("⌫", "back"))
	keyMore    = key.NewBinding(key.WithKeys("+", "="), key.WithHelp("+", "2 hops"))
	keyLess    = key.NewBinding(key.WithKeys("-"), key.WithHelp("-", "1 hop"))
	keyAll     = key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "all values"))
	keyIDs     = key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "ids only"))
	keyTree    = key.NewBinding(key.WithKeys("t"), key.WithHelp("t", "as a tree"))
	keyPicture = key.NewBinding(key.WithKeys("t"), key.WithHelp("t", "as a picture"))
)

// Keys are the keys that matter now.
func (s *Screen) Keys() []key.Binding {
	if s.picture == nil {
		return nil
	}
	keys := []key.Binding{keyCentre}
	if s.op() == s.centre {
		keys = []key.Binding{keyOpen}
	}
	if s.hops == 1 {
		keys = append(keys, keyMore)
	} else {
		keys = append(keys, keyLess)
	}
	switch {
	case s.picture.narrowed:
		keys = append(keys, keyAll)
	case s.all:
		keys = append(keys, keyIDs)
	}
	if len(s.history) > 0 {
		keys = append(keys, keyBack)
	}
	if s.op() != s.centre {
		keys = append(keys, keyExplore)
	}
	if s.tree() {
		return append(append(keys, keyPicture, keyGroup), pane.Moves()...)
	}
	keys = append(keys, keyTree, keyGroup, keyLeft, keyRight, keyUp, keyDown)
	return append(keys, s.scrolls()...)
}

// scrolls are the keys that move the window on the picture, where it is smaller.
func (s *Screen) scrolls() []key.Binding {
	var keys []key.Binding
	picture, _ := divide(s.width, s.height)
	left, down, up, right := sheet.Letters[0], sheet.Letters[1], sheet.Letters[2], sheet.Letters[3]
	if s.picture.sheet.Figure.W > picture.W-2 {
		keys = append(keys, left, right)
	}
	if s.picture.sheet.Figure.H > picture.H-2 {
		keys = append(keys, down, up)
	}
	return keys
}

func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	if s.picture == nil {
		return nil
	}
	switch {
	case key.Matches(k, keyCentre):
		return s.enter()
	case key.Matches(k, keyExplore):
		return s.jump(screen.Explore)
	case key.Matches(k, keyGroup):
		return s.jump(screen.Groups)
	case key.Matches(k, keyBack):
		return s.back()
	case key.Matches(k, keyMore):
		return s.reach(2)
	case key.Matches(k, keyLess):
		return s.reach(1)
	case key.Matches(k, keyAll) && (s.picture.narrowed || s.all):
		s.all = !s.all
		return s.draw()
	case key.Matches(k, keyTree):
		tree := !s.tree()
		s.asTree = &tree
	default:
		s.move(k)
	}
	return nil
}

// move moves the cursor, or the window on the picture.
func (s *Screen) move(k tea.KeyMsg) {
	if s.tree() {
		if s.rows.Key(k) {
			s.choose(s.picture.node(s.lines[s.rows.At].op))
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

// enter puts the operation under the cursor in the middle; from there it leads
// to its page.
func (s *Screen) enter() tea.Cmd {
	op := s.op()
	if op == s.centre {
		return s.jump(screen.Explore)
	}
	return tea.Batch(s.turn(op), func() tea.Msg { return screen.Selected{Op: op} })
}

func (s *Screen) jump(tab screen.Tab) tea.Cmd {
	to := screen.Goto{Tab: tab, Op: s.op()}
	return func() tea.Msg { return to }
}

// back returns to what was in the middle before.
func (s *Screen) back() tea.Cmd {
	n := len(s.history)
	if n == 0 {
		return func() tea.Msg { return screen.Say{Text: "this is where you began"} }
	}
	op := s.history[n-1]
	s.history = s.history[:n-1]
	s.centre = op
	return tea.Batch(s.draw(), func() tea.Msg { return screen.Selected{Op: op} })
}

// reach sets how far the picture reaches.
func (s *Screen) reach(hops int) tea.Cmd {
	s.hops = hops
	return s.draw()
}

func (s *Screen) mouse(msg tea.MouseMsg) tea.Cmd {
	picture, _ := divide(s.width, s.height)
	if s.picture == nil || !picture.Has(msg.X, msg.Y) {
		return nil
	}
	switch {
	case s.tree() && pane.Clicked(msg):
		if s.rows.Click(msg.Y - picture.Y - 1) {
			s.choose(s.picture.node(s.lines[s.rows.At].op))
		}
	case s.tree():
		s.rows.Go(s.rows.At + pane.Wheel(msg))
		s.choose(s.picture.node(s.lines[s.rows.At].op))
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
