package groups

import (
	"fmt"

	"sonde/ui/pane"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/save"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// press takes a key: it is a line's in which something is typed, the screen's, or the
// part's that has the focus.
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
		s.follow()
		if s.focus == members {
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
	return s.post.Show(tab, op)
}
