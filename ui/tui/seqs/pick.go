package seqs

import (
	"fmt"
	"slices"

	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// pick picks a row, or takes the pick back.
func (s *Screen) pick(r *row) tea.Cmd {
	r.picked = !r.picked
	return s.picks()
}

// pickShown picks all rows that fit the filter, or none of them where all are
// picked.
func (s *Screen) pickShown() tea.Cmd {
	picked := !s.allPicked()
	for _, r := range s.shown {
		r.picked = picked
	}
	return s.picks()
}

func (s *Screen) allPicked() bool {
	return !slices.ContainsFunc(s.shown, func(r *row) bool { return !r.picked })
}

// picks counts what is picked, and tells the other screens.
func (s *Screen) picks() tea.Cmd {
	rows := s.rows.picks()
	s.tally = newTally(&s.rows, rows)
	items := make([]screen.Item, len(rows))
	for i, r := range rows {
		items[i] = r.Item
	}
	return func() tea.Msg { return screen.Picks{Items: items} }
}

// tally is what the picks reach of the spec.
type tally struct {
	picked                   int
	groups, ofGroups         int
	operations, ofOperations int
}

func newTally(s *store, picks []*row) tally {
	t := tally{picked: len(picks)}
	if s.study == nil {
		return t
	}
	groups, ops := map[int]bool{}, map[model.OpID]bool{}
	for _, r := range picks {
		s.groups(groups, r.Seq)
		for _, op := range r.Seq {
			ops[op] = true
		}
	}
	t.groups, t.ofGroups = len(groups), len(s.study.Groups)
	t.operations, t.ofOperations = len(ops), len(s.study.Spec.Operations)
	return t
}

// text is the tally in at most width cells.
func (t tally) text(width int) string {
	switch {
	case t.picked == 0:
		return "none picked"
	case width < 56:
		return fmt.Sprintf("%s picked: %d/%d groups, %d/%d ops", words.Count(t.picked), t.groups, t.ofGroups, t.operations, t.ofOperations)
	}
	return fmt.Sprintf("%s picked: %d of %d groups, %d of %d operations",
		words.Count(t.picked), t.groups, t.ofGroups, t.operations, t.ofOperations)
}
