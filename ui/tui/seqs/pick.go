package seqs

import (
	"slices"

	"sonde/ui/tui/screen"

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
		r.picked = picked && !r.isHeading()
	}
	return s.picks()
}

func (s *Screen) allPicked() bool {
	return !slices.ContainsFunc(s.shown, func(r *row) bool { return !r.picked && !r.isHeading() })
}

// picks counts what is picked, tells the other screens, and asks what would
// cover the rest.
func (s *Screen) picks() tea.Cmd {
	rows := s.rows.picks()
	s.keepAdded(rows)
	s.tally = newTally(&s.rows, rows)
	items := make([]screen.SeqItem, len(rows))
	for i, r := range rows {
		items[i] = r.SeqItem
	}
	return tea.Batch(s.engine.Queue.Send(screen.PicksChanged{Items: items}), s.ask())
}

// try asks the search to try what is picked, or else the seq under the cursor.
func (s *Screen) try() tea.Cmd {
	rows := s.rows.picks()
	if len(rows) == 0 {
		rows = s.shown[s.list.At : s.list.At+1]
	}
	return s.engine.Queue.Send(screen.TrySeqs{Seqs: seqsOf(rows)})
}
