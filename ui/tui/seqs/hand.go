package seqs

import (
	"fmt"

	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// keep adds a test that was made by hand, picked.
func (s *Screen) keep(t model.Test) tea.Cmd {
	if s.rows.study == nil {
		return nil
	}
	t.ID = fmt.Sprintf("h%d", len(s.rows.made)+1)
	r := s.rows.row(screen.Item{ID: t.ID, Origin: t.Origin, Seq: t.Seq(), Test: &t})
	r.picked = true
	s.rows.made = append(s.rows.made, r)
	s.narrow()
	return s.picks()
}

// compose opens the row under the cursor as a request by hand: its last call, behind the
// others.
func (s *Screen) compose() tea.Cmd {
	r := s.shown[s.list.At]
	ask := screen.Compose{Op: r.Seq[len(r.Seq)-1], Test: r.Test}
	return tea.Batch(func() tea.Msg { return ask }, func() tea.Msg { return screen.Goto{Tab: screen.Explore, Op: ask.Op} })
}
