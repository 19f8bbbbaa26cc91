package groups

import (
	"fmt"

	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	cmd, _ := keys.Press(s, k)
	return cmd
}

// openFilter gives the focus to the line in which the filter is typed.
func (s *Screen) openFilter() tea.Cmd {
	s.focus = table
	return s.find.Focus()
}

// turnRule lists the seqs that the other rule chooses.
func (s *Screen) turnRule() {
	if s.value() != "" {
		s.members.Go(0)
	}
	s.rule = 1 - s.rule
	s.focus = s.seen(s.focus)
	s.seqs = widget.List{Height: s.seqs.Height}
}

// turnFigure shows the figure as a tree, or as a picture again.
func (s *Screen) turnFigure() {
	tree := !s.tree()
	s.asTree = &tree
}

// askFile asks for the file into which the figure is written.
func (s *Screen) askFile() {
	s.save.Open(fmt.Sprintf("group-%d", s.group()+1), s.export())
}

func (s *Screen) resort() tea.Cmd {
	s.byNo = !s.byNo
	s.sort()
	if s.byNo {
		return screen.ShowStatus("the groups as they are numbered")
	}
	return screen.ShowStatus("the largest groups first")
}

// seen returns the part to focus so that the seqs are in sight.
func (s *Screen) seen(focus part) part {
	if divide(s.width, s.height, len(s.study.Groups), focus)[seqs].Empty() {
		return seqs
	}
	return focus
}

// move moves the cursor of the part that has the focus.
func (s *Screen) move(k tea.KeyMsg) tea.Cmd {
	switch s.focus {
	case table:
		if s.groups.Key(k) {
			s.turn()
			s.fit()
			s.follow()
		}
	case picture:
		s.twigs.Key(k)
	case members:
		if s.members.Key(k) {
			s.follow()
			s.seqs.Go(0)
		}
	case seqs:
		if s.seqs.Key(k) {
			s.follow()
		}
	}
	return nil
}

// scroll moves the window on the figure.
func (s *Screen) scroll(k tea.KeyMsg) tea.Cmd {
	s.drawing().sheet.Key(k, sheet.Arrows, sheet.Letters, sheet.Shifts)
	return nil
}

// jump shows the operation under the cursor on another screen.
func (s *Screen) jump(tab screen.Tab) tea.Cmd {
	op := s.op()
	if op == "" {
		return screen.ShowStatus("that is a value; choose an operation")
	}
	return s.post.ShowScreen(tab, op)
}
