package groups

import (
	"slices"

	"sonde/model"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// typed takes a key while the filter has the focus.
func (s *Screen) typed(k tea.KeyMsg) tea.Cmd {
	before := s.find.Text()
	cmd := s.find.Key(k)
	if s.find.Text() != before {
		s.narrow()
	}
	return cmd
}

// narrow shows what fits the filter. The cursor stays on its group, as far as
// that does.
func (s *Screen) narrow() {
	s.sort()
	if s.group() != s.turned {
		s.turn()
	}
	s.members = widget.List{Height: s.members.Height}
	s.fit()
	s.follow()
}

// clear takes the filter away.
func (s *Screen) clear() {
	s.find.Set("")
	s.narrow()
}

// fits reports whether the filter lets a group through.
func (s *Screen) fits(group int) bool {
	g := s.study.Groups[group]
	row := filter.Row{Ops: g.Operations, Words: []string{screen.GroupName(g)}, Values: g.Values}
	if s.find.Asks("status") {
		for _, op := range g.Operations {
			row.Statuses = append(row.Statuses, s.study.Index.Statuses(op, s.run)...)
		}
	}
	return s.find.Fit(row) != filter.No
}

// keep finds the members that the filter lets through: all where it lets the
// group through for another reason.
func (s *Screen) keep() {
	s.kept = nil
	if s.group() < 0 {
		return
	}
	ops := s.study.Groups[s.group()].Operations
	all := span(0, len(ops)+len(s.exchanged()))
	if !s.find.Empty() {
		s.kept = slices.DeleteFunc(slices.Clone(all), func(i int) bool { return s.find.Fit(s.rowOf(ops, i)) == filter.No })
	}
	if len(s.kept) == 0 {
		s.kept = all
	}
}

// rowOf is what the filter sees of a member.
func (s *Screen) rowOf(ops []model.OpID, i int) filter.Row {
	if i < len(ops) {
		return filter.Row{Ops: ops[i : i+1], Statuses: s.study.Index.Statuses(ops[i], s.run)}
	}
	return filter.Row{Values: s.exchanged()[i-len(ops)].names}
}

// member is what stands in a row of the members: an index of the operations and,
// after them, of the values; -1 for none.
func (s *Screen) member(row int) int {
	if row < 0 || row >= len(s.kept) {
		return -1
	}
	return s.kept[row]
}
