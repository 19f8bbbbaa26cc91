package explore

import (
	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

var (
	keyOpen   = key.NewBinding(key.WithKeys("enter", "right", "l"), key.WithHelp("⏎", "open"))
	keyFollow = key.NewBinding(key.WithKeys("enter", "right", "l"), key.WithHelp("⏎", "go to, unfold"))
	keyFold   = key.NewBinding(key.WithKeys("left", "h"), key.WithHelp("←", "fold"))
	keyTree   = key.NewBinding(key.WithKeys("left", "h", "esc"), key.WithHelp("←", "operations"))
	keyToggle = key.NewBinding(key.WithKeys(" "), key.WithHelp("space", "fold"))
	keyPane   = key.NewBinding(key.WithKeys("v"), key.WithHelp("v", "other pane"))
	keyBack   = key.NewBinding(key.WithKeys("backspace"), key.WithHelp("⌫", "back"))
	keyAll    = key.NewBinding(key.WithKeys(":"), key.WithHelp(":", "all"))
	keyGraph  = key.NewBinding(key.WithKeys("g"), key.WithHelp("g", "in graph"))
	keyGroup  = key.NewBinding(key.WithKeys("G"), key.WithHelp("G", "its group"))
	keySend   = key.NewBinding(key.WithKeys("r"), key.WithHelp("r", "send a request"))
)

// Keys are the keys that matter now.
func (s *Screen) Keys() []key.Binding {
	var keys []key.Binding
	switch {
	case s.send.Open():
		return s.send.Keys()
	case s.Typing():
		return s.find.Keys()
	case s.reading:
		keys = []key.Binding{keyFollow, keyTree}
	case s.tree.filtered():
		keys = []key.Binding{keyOpen, finder.Clear}
	case s.foldable():
		keys = []key.Binding{keyOpen, keyFold}
	default:
		keys = []key.Binding{keyOpen}
	}
	if len(s.history) > 0 {
		keys = append(keys, keyBack)
	}
	if s.shown != "" {
		keys = append(keys, keySend)
	}
	keys = append(keys, finder.Open, keyGraph, keyGroup)
	if s.shown != "" {
		keys = append(keys, screen.KeyAppend)
	}
	if !s.reading && !s.tree.filtered() {
		keys = append(keys, keyAll, keyToggle)
	}
	return append(append(keys, keyPane), pane.Moves()...)
}

// foldable reports whether there is something to fold at the tree's cursor.
func (s *Screen) foldable() bool {
	n := s.node()
	return n != nil && (n.op != nil || s.tree.unfolded(n.folder))
}

func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.study == nil:
		return nil
	case s.send.Open():
		return s.send.Update(k)
	case s.Typing():
		return s.typed(k)
	}
	if cmd, done := s.anywhere(k); done {
		return cmd
	}
	if s.reading {
		return s.onPage(k)
	}
	s.onTree(k)
	return nil
}

// anywhere does what a key means in both panes, and reports whether it was one
// of those.
func (s *Screen) anywhere(k tea.KeyMsg) (cmd tea.Cmd, done bool) {
	switch {
	case key.Matches(k, finder.Open):
		s.reading = false
		return s.find.Focus(), true
	case key.Matches(k, keyBack):
		return s.back(), true
	case key.Matches(k, keySend):
		return s.request(), true
	case key.Matches(k, screen.KeyAppend) && s.shown != "":
		return s.post.Send(screen.Append{Op: s.shown}), true
	case key.Matches(k, keyGraph):
		return s.jump(screen.Graph), true
	case key.Matches(k, keyGroup):
		return s.jump(screen.Groups), true
	case key.Matches(k, keyPane):
		s.read(!s.reading)
	default:
		return nil, false
	}
	return nil, true
}

// jump shows the operation on another screen.
func (s *Screen) jump(tab screen.Tab) tea.Cmd {
	if s.shown == "" {
		return screen.Tell("choose an operation first")
	}
	return s.post.Show(tab, s.shown)
}

// foldAll folds or unfolds all folders; the cursor stays on its folder.
func (s *Screen) foldAll() {
	n := s.node()
	if n == nil {
		return
	}
	folder, op := n.folder, n.op
	s.tree.foldAll()
	s.rows.Fit(len(s.tree.nodes), s.rows.Height)
	for i, n := range s.tree.nodes {
		if n.folder == folder && (n.op == nil || n.op == op) {
			s.rows.Go(i)
		}
	}
}

// typed takes a key while the filter has the focus.
func (s *Screen) typed(k tea.KeyMsg) tea.Cmd {
	before := s.find.Text()
	cmd := s.find.Key(k)
	switch now := s.find.Text(); {
	case now == "" && before != "":
		s.sift()
	case now != before:
		s.narrow()
	}
	return cmd
}

// sift has the tree show what fits the filter; the cursor stays on its operation
// as far as that is in sight.
func (s *Screen) sift() {
	at := s.node()
	s.tree.filter(s.fits())
	s.rows.Fit(len(s.tree.nodes), s.rows.Height)
	if at != nil && at.op != nil {
		s.rows.Go(s.tree.row(at.op.ID, s.rows.At))
	}
}

// fits tells how an operation fits the filter; nil where there is none.
func (s *Screen) fits() func(*model.Operation) filter.Rank {
	if s.find.Empty() {
		return nil
	}
	return func(op *model.Operation) filter.Rank {
		return s.find.Fit(filter.Row{Ops: []model.OpID{op.ID}, Statuses: s.study.Index.Statuses(op.ID, s.run)})
	}
}

// narrow filters the tree by what was typed, and puts the cursor on the first
// operation.
func (s *Screen) narrow() {
	s.tree.filter(s.fits())
	s.rows.Fit(len(s.tree.nodes), s.rows.Height)
	s.rows.Go(min(1, len(s.tree.nodes)-1))
	s.settle()
}

// settle shows what is under the tree's cursor.
func (s *Screen) settle() {
	switch n := s.node(); {
	case n == nil:
	case n.op == nil:
		s.turn("")
	case n.op.ID != s.shown:
		s.turn(n.op.ID)
	}
}

func (s *Screen) onTree(k tea.KeyMsg) {
	n := s.node()
	switch {
	case s.rows.Key(k):
		s.settle()
	case key.Matches(k, finder.Clear) && s.tree.filtered():
		s.find.Set("")
		s.sift()
	case key.Matches(k, keyAll) && !s.tree.filtered():
		s.foldAll()
	case n == nil || s.tree.filtered() && n.op == nil:
	case n.op != nil && key.Matches(k, keyOpen):
		s.read(true)
	case n.op != nil && key.Matches(k, keyFold, keyToggle):
		s.rows.Go(s.tree.parent(s.rows.At))
		s.settle()
	case n.op == nil:
		s.foldKey(k, n.folder)
	}
}

// foldKey folds and unfolds the folder under the cursor.
func (s *Screen) foldKey(k tea.KeyMsg, folder int) {
	open := s.tree.unfolded(folder)
	switch {
	case key.Matches(k, keyToggle), k.Type == tea.KeyEnter:
		s.tree.fold(folder, !open)
	case key.Matches(k, keyFold):
		s.tree.fold(folder, false)
	case key.Matches(k, keyOpen) && open:
		s.rows.Go(s.rows.At + 1)
		s.settle()
	case key.Matches(k, keyOpen):
		s.tree.fold(folder, true)
	}
}

func (s *Screen) onPage(k tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(k, keyTree):
		s.reading = false
	case key.Matches(k, keyFollow), key.Matches(k, keyToggle):
		return s.enter()
	default:
		s.walk(k)
	}
	return nil
}

// read moves the focus to the page, there to its first stop, or back.
func (s *Screen) read(page bool) {
	s.reading = page
	s.refresh()
	if page && s.stops.At == 0 && s.stopNear(0, 1) > 0 {
		s.step(1)
	}
}

// enter goes to the neighbour under the cursor, or unfolds.
func (s *Screen) enter() tea.Cmd {
	if s.stops.At >= len(s.page) {
		return nil
	}
	switch r := s.page[s.stops.At]; {
	case r.to != "":
		s.visit(r.to)
		return nil
	case r.fold != "":
		s.open[r.fold] = !s.open[r.fold]
		return nil
	case r.about != nil:
		return screen.Tell("no other operation has this value")
	}
	return screen.Tell("nothing to open in this line; ↓ goes to the next that has")
}
