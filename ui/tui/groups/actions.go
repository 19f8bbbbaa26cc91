package groups

import (
	"fmt"

	"sonde/model/match"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	cmd, _ := keys.Press(s, k)
	return cmd
}

// mouse handles a click, or scrolls the pane under the pointer. A second click on a row opens its
// operation.
func (s *Screen) mouse(msg tea.MouseMsg) tea.Cmd {
	if s.view.analyzed == nil {
		return nil
	}
	if s.calls.Shown() {
		s.calls.Scroll(widget.WheelRows(msg))
		return nil
	}
	r := s.view.rects()
	over := r.at(msg.X, msg.Y)
	if over == panes {
		return nil
	}
	x, y := msg.X-r[over].X-1, msg.Y-r[over].Y-1
	switch {
	case !widget.LeftClick(msg):
		s.view.wheel(over, msg)
	case over == table && y == 0:
		s.view.focus = table
		return s.view.table.find.Focus()
	case s.view.click(over, x, y):
		return s.jump(screen.TabExplore)
	}
	return nil
}

// openFilter moves the focus to the filter.
func (s *Screen) openFilter() tea.Cmd {
	s.view.focus = table
	return s.view.table.find.Focus()
}

// typeFilter handles a key while the filter has the focus.
func (s *Screen) typeFilter(k tea.KeyMsg) tea.Cmd {
	before := s.view.table.find.Text()
	cmd := s.view.table.find.HandleKey(k)
	if s.view.table.find.Text() != before {
		s.view.narrow()
	}
	return cmd
}

// clearFilter clears the filter.
func (s *Screen) clearFilter() {
	s.view.table.find.SetText("")
	s.view.narrow()
}

// switchMode groups the operations again, in another mode of reading and matching values.
func (s *Screen) switchMode(change func(match.Mode) match.Mode) tea.Cmd {
	return s.regrouping.start(s.view.analyzed.Spec, change(s.regrouping.mode))
}

// switchOrder switches between sorting the table by size and by number.
func (s *Screen) switchOrder() tea.Cmd {
	s.view.table.byNumber = !s.view.table.byNumber
	s.view.table.sort()
	if s.view.table.byNumber {
		return screen.ShowStatus("the groups by number")
	}
	return screen.ShowStatus("the largest groups first")
}

// openExport asks for the file name for the figure.
func (s *Screen) openExport() {
	name := s.view.table.sections.list[s.view.shown].fileName()
	if s.view.figure.whole {
		name = "groups"
	}
	s.save.Open(name, s.export())
}

// export returns the figure of the current section, or of all groups.
func (s *Screen) export() usecase.GraphPicture {
	if s.view.figure.whole {
		return s.view.figure.drawing.export(s.view.analyzed.Spec.Title + ": value-sharing groups")
	}
	shown := s.view.table.sections.list[s.view.shown]
	return s.view.figure.drawing.export(fmt.Sprintf("%s: %s, %s", s.view.analyzed.Spec.Title, shown.title(), shown.name))
}

// jump shows the operation under the cursor on another screen.
func (s *Screen) jump(tab screen.Tab) tea.Cmd {
	op := s.view.op()
	if op == "" {
		return screen.ShowStatus("this is a value; choose an operation")
	}
	return s.post.ShowScreen(tab, op)
}

// area returns the index of the area under the cursor of the table or of the overview. It returns -1 if the cursor is
// not on an area, for example on a group.
func (s *Screen) area() int {
	section := s.view.table.section()
	switch {
	case section < 0:
		return -1
	case s.view.focus == picture:
		return s.view.figure.area()
	case s.view.focus == table && s.view.table.sections.list[section].depth > 0:
		return section
	}
	return -1
}

// showInGraph shows the area or the operation under the cursor on the Graph screen.
func (s *Screen) showInGraph() tea.Cmd {
	if area := s.area(); area >= 0 {
		return s.post.ShowArea(s.view.table.sections.list[area].name)
	}
	return s.jump(screen.TabGraph)
}

// showSeqs lists the seqs of the group, area or operation under the cursor on the Seqs screen.
func (s *Screen) showSeqs() tea.Cmd {
	section := s.area()
	if section < 0 && s.view.focus == table {
		section = s.view.table.section()
	}
	if section >= 0 {
		return s.post.ShowSeqs(s.view.table.sections.list[section].scope())
	}
	return s.post.ShowSeqsOf(s.view.op())
}
