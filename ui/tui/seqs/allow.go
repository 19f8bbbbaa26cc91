package seqs

import (
	"fmt"

	"sonde/ui/ask"
	"sonde/ui/pane"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

var (
	keySendIt = key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "play it"))
	keyDont   = key.NewBinding(key.WithKeys("n", "esc"), key.WithHelp("n", "send nothing"))
)

// allow plays a row's test in some way; where the service is not on this machine and
// nobody allowed to call it yet, it asks first.
func (s *Screen) allow(r *row, play func(*row) tea.Cmd) tea.Cmd {
	if !s.host.Remote || s.allowed {
		return play(r)
	}
	text := fmt.Sprintf("Sonde will play %s on %s: %s that may create, change and delete.", r.ID, pane.Clean(s.host.URL), words.Plural(len(r.Seq), "call"))
	box, ready := ask.New("Call a service that is not on this machine?", text, keySendIt, keyDont, s.pause)
	s.box, s.yes = &box, func() tea.Cmd { return play(r) }
	return ready
}

// answer takes a message while the question is open.
func (s *Screen) answer(msg tea.Msg) tea.Cmd {
	box, answer := s.box.Update(msg)
	s.box = &box
	switch answer {
	case ask.Yes:
		s.box, s.allowed = nil, true
		return tea.Batch(s.yes(), s.engine.Post.Send(ask.Allowed{URL: s.host.URL}))
	case ask.No:
		s.box = nil
	}
	return nil
}
