package groups

import (
	"fmt"
	"slices"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/save"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

var (
	keyMembers = key.NewBinding(key.WithKeys("enter", "right"), key.WithHelp("⏎", "operations"))
	keyExplore = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "in explore"))
	keyWhy     = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "why it is one"))
	keyGraph   = key.NewBinding(key.WithKeys("g"), key.WithHelp("g", "in graph"))
	keyTable   = key.NewBinding(key.WithKeys("esc", "left"), key.WithHelp("esc", "groups"))
	keyLeave   = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "groups"))
	keyPane    = key.NewBinding(key.WithKeys("v"), key.WithHelp("v", "next pane"))
	keyTree    = key.NewBinding(key.WithKeys("t"), key.WithHelp("t", "as a tree"))
	keyPicture = key.NewBinding(key.WithKeys("t"), key.WithHelp("t", "as a figure"))
	keySort    = key.NewBinding(key.WithKeys("s"), key.WithHelp("s", "sort by size or number"))
	keyBlocks  = key.NewBinding(key.WithKeys("b"), key.WithHelp("b", "groups as a treemap"))
	keyRows    = key.NewBinding(key.WithKeys("b"), key.WithHelp("b", "groups as a list"))
	keyMatch   = key.NewBinding(key.WithKeys("m"))
	keyValues  = key.NewBinding(key.WithKeys("V"))
	keyRule    = key.NewBinding(key.WithKeys("d"), key.WithHelp("d", "seqs by DC or SC"))
)

// Keys are the keys that matter now.
func (s *Screen) Keys() []key.Binding {
	switch {
	case s.save.Typing():
		return s.save.Keys()
	case s.Typing():
		return s.find.Keys()
	case s.study != nil && s.group() < 0:
		return s.narrowing()
	case s.focus == table:
		return slices.Concat([]key.Binding{keyMembers, keyPane, keyRule}, s.narrowing(), s.ways(), []key.Binding{keySort, keyGraph}, s.exports(), s.moves())
	case s.focus == picture && s.study != nil && s.tree():
		return append([]key.Binding{keyExplore, keyPicture, keyLeave, keyPane, keyRule, keyGraph, finder.Open, save.Key}, pane.Moves()...)
	case s.focus == picture:
		keys := append([]key.Binding{keyExplore, keyTree, keyLeave, keyPane, keyRule, keyGraph, finder.Open}, s.exports()...)
		return append(keys, s.scrolls(sheet.Arrows, sheet.Letters)...)
	case s.focus == members && s.value() != "":
		return append([]key.Binding{keyWhy, keyTable, keyPane, keyRule, finder.Open}, s.moves()...)
	}
	return append([]key.Binding{keyExplore, keyGraph, keyTable, keyPane, keyRule, finder.Open}, s.moves()...)
}

// ways are the keys that group in another way, and show the groups in another.
func (s *Screen) ways() []key.Binding {
	match, values := keyMatch, keyValues
	match.SetHelp("m", "match: "+string(names(s.read.way).Match))
	values.SetHelp("V", "values: "+string(depths(s.read.way).Values))
	if s.asMap {
		return []key.Binding{match, values, keyRows}
	}
	return []key.Binding{match, values, keyBlocks}
}

// exports is the key that exports the figure, where there is one.
func (s *Screen) exports() []key.Binding {
	if s.drawing() == nil {
		return nil
	}
	return []key.Binding{save.Key}
}

// narrowing are the keys of the filter, in the table.
func (s *Screen) narrowing() []key.Binding {
	if s.find.Text() != "" {
		return []key.Binding{finder.Open, finder.Clear}
	}
	return []key.Binding{finder.Open}
}

// moves are the keys of lists, and those of the figure beside them.
func (s *Screen) moves() []key.Binding {
	return append(pane.Moves(), s.scrolls(sheet.Shifts)...)
}

// scrolls are the keys that scroll the figure, if there is more of it than is
// in sight.
func (s *Screen) scrolls(sets ...sheet.Keys) []key.Binding {
	if d := s.drawing(); d == nil || s.tree() || d.sheet.Whole() {
		return nil
	}
	return sheet.Bindings(sets...)
}

func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.study == nil:
		return nil
	case s.save.Typing():
		return s.save.Update(k)
	case s.Typing():
		return s.typed(k)
	case key.Matches(k, finder.Open):
		s.focus = table
		return s.find.Focus()
	case key.Matches(k, finder.Clear) && s.focus == table && s.find.Text() != "":
		s.clear()
	case s.group() < 0:
	case key.Matches(k, keyPane):
		s.focus = (s.focus + 1) % parts
	case key.Matches(k, keyRule):
		if s.value() != "" {
			s.members.Go(0)
		}
		s.rule = 1 - s.rule
		s.focus = s.seen(s.focus)
		s.seqs = pane.List{Height: s.seqs.Height}
	case key.Matches(k, keySort):
		return s.resort()
	case key.Matches(k, keyMatch):
		return s.restudy(names)
	case key.Matches(k, keyValues):
		return s.restudy(depths)
	case key.Matches(k, keyBlocks):
		s.asMap = !s.asMap
	case key.Matches(k, save.Key) && s.drawing() != nil:
		s.save.Open(fmt.Sprintf("group-%d", s.group()+1), s.export())
	case key.Matches(k, keyGraph):
		return s.jump(screen.Graph)
	case key.Matches(k, keyTree):
		tree := !s.tree()
		s.asTree = &tree
	case key.Matches(k, keyWhy) && s.focus == members && s.value() != "":
		s.focus = seqs
	case key.Matches(k, keyExplore) && s.focus != table:
		return s.jump(screen.Explore)
	case s.focus == picture:
		s.onPicture(k)
	case s.focus == table:
		s.onTable(k)
	default:
		s.onList(k)
	}
	return nil
}

func (s *Screen) resort() tea.Cmd {
	s.byNo = !s.byNo
	s.sort()
	if s.byNo {
		return screen.Tell("the groups as they are numbered")
	}
	return screen.Tell("the largest groups first")
}

// seen returns the part to focus so that the seqs are in sight.
func (s *Screen) seen(focus part) part {
	if divide(s.width, s.height, len(s.study.Groups), focus)[seqs].Empty() {
		return seqs
	}
	return focus
}

func (s *Screen) onTable(k tea.KeyMsg) {
	switch {
	case key.Matches(k, keyMembers):
		s.focus = members
	case s.groups.Key(k):
		s.turn()
		s.fit()
		s.follow()
	default:
		s.scroll(k)
	}
}

// scroll moves the figure from another pane, with shift.
func (s *Screen) scroll(k tea.KeyMsg) {
	if d := s.drawing(); d != nil {
		d.sheet.Key(k, sheet.Shifts)
	}
}

func (s *Screen) onPicture(k tea.KeyMsg) {
	d := s.drawing()
	switch {
	case key.Matches(k, keyLeave):
		s.focus = table
	case s.tree():
		s.twigs.Key(k)
	case d != nil:
		d.sheet.Key(k, sheet.Arrows, sheet.Letters, sheet.Shifts)
	}
}

// onList is for the members and the seqs.
func (s *Screen) onList(k tea.KeyMsg) {
	list := &s.members
	if s.focus == seqs {
		list = &s.seqs
	}
	switch {
	case key.Matches(k, keyTable):
		s.focus = table
	case list.Key(k):
		if s.follow(); s.focus == members {
			s.seqs.Go(0)
		}
	default:
		s.scroll(k)
	}
}

// jump shows the operation under the cursor on another screen.
func (s *Screen) jump(tab screen.Tab) tea.Cmd {
	op := s.op()
	if op == "" {
		return screen.Tell("that is a value; choose an operation")
	}
	return goTo(tab, op)
}

func goTo(tab screen.Tab, op model.OpID) tea.Cmd {
	return func() tea.Msg { return screen.Goto{Tab: tab, Op: op} }
}

// mouse chooses what is clicked and turns what the wheel is over.
func (s *Screen) mouse(msg tea.MouseMsg) tea.Cmd {
	if s.study == nil {
		return nil
	}
	r := divide(s.width, s.height, len(s.study.Groups), s.focus)
	over := r.at(msg.X, msg.Y)
	if over == parts {
		return nil
	}
	x, y := msg.X-r[over].X-1, msg.Y-r[over].Y-1
	if pane.Clicked(msg) {
		return s.click(over, x, y)
	}
	by := pane.Wheel(msg)
	switch over {
	case table:
		s.groups.Go(s.groups.At + by)
		s.turn()
	case members:
		s.members.Go(s.members.At + by)
		s.follow()
	case seqs:
		s.seqs.Go(s.seqs.At + by)
	case picture:
		s.turnPicture(msg, by)
	}
	return nil
}

func (s *Screen) turnPicture(msg tea.MouseMsg, by int) {
	d := s.drawing()
	switch {
	case s.tree():
		s.twigs.Go(s.twigs.At + by)
	case d != nil:
		d.sheet.Wheel(msg)
	}
}

// click takes a position inside a part. A second click on a line opens it.
func (s *Screen) click(over part, x, y int) tea.Cmd {
	again := s.focus == over
	s.find.Blur()
	s.focus = over
	switch over {
	case table:
		return s.clickTable(x, y)
	case members:
		at := s.members.At
		if s.members.Click(y) && at == s.members.At && again {
			return s.jump(screen.Explore)
		}
		s.follow()
	case seqs:
		at := s.seqs.At
		if s.seqs.Click(y) && at == s.seqs.At && again {
			return s.jump(screen.Explore)
		}
	case picture:
		s.clickPicture(x, y)
	}
	return nil
}

// clickTable takes a line inside the table: the filter's, or a group's.
func (s *Screen) clickTable(x, y int) tea.Cmd {
	if y == 0 {
		return s.find.Focus()
	}
	r := divide(s.width, s.height, len(s.study.Groups), table)[table]
	if s.asMap && s.clickBlock(x, y-s.head(r)+1) || !s.asMap && s.groups.Click(y-s.head(r)) {
		s.turn()
	}
	return nil
}

// clickPicture puts the members' cursor on the box that was clicked.
func (s *Screen) clickPicture(x, y int) {
	d := s.drawing()
	if d == nil {
		return
	}
	if s.tree() {
		s.twigs.Click(y)
		return
	}
	node := d.sheet.At(x, y)
	for at := range s.rows() {
		if node >= 0 && s.node(at) == node {
			s.members.Go(at)
		}
	}
}
