package seqs

import (
	"fmt"

	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// keep adds tests that were made by hand or of a recording, picked. One that mimics an
// exchange takes the place of the one that did before.
func (s *Screen) keep(tests []model.Test) tea.Cmd {
	if s.rows.study == nil {
		return nil
	}
	for _, t := range tests {
		r := s.rows.mimics(t)
		if r == nil {
			r = &row{}
			s.rows.made = append(s.rows.made, r)
			t.ID = s.rows.name(t.Origin)
		} else {
			t.ID = r.ID
		}
		r.SeqItem = s.rows.row(screen.SeqItem{ID: t.ID, Origin: t.Origin, Seq: t.Seq(), Test: &t}).SeqItem
		r.picked = true
	}
	s.rows.weighMade()
	s.narrow()
	return s.picks()
}

// name is the next ID of a test of an origin: "h1" by hand, "r1" of a recording.
func (s *store) name(o model.Origin) string {
	letter := "h"
	if o == model.OriginRecorded {
		letter = "r"
	}
	return fmt.Sprintf("%s%d", letter, len(s.made))
}

// mimics is the row whose test mimics the same exchange, nil where there is none.
func (s *store) mimics(t model.Test) *row {
	for _, r := range s.made {
		if t.Mock != nil && r.Test != nil && r.Test.Mock != nil && r.Test.Mock.Exchange == t.Mock.Exchange {
			return r
		}
	}
	return nil
}

// compose opens the row under the cursor as a request by hand: its last call, behind the
// others.
func (s *Screen) compose() tea.Cmd {
	r := s.shown[s.list.At]
	return s.engine.Queue.ComposeLastCall(r.Seq, r.Test)
}
