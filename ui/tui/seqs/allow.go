package seqs

import (
	"fmt"

	"sonde/ui/draw"
	"sonde/ui/widget"
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
	text := fmt.Sprintf(
		"Sonde will play %s on %s: %s that may create, change and delete.", r.ID, draw.Clean(s.host.URL),
		words.Plural(len(r.Seq), "call"),
	)
	return s.question.Ask(widget.RemoteHostTitle, text, keySendIt, keyDont, func() tea.Cmd {
		s.allowed = true
		return tea.Batch(play(r), s.engine.Queue.Send(widget.HostAllowed{URL: s.host.URL}))
	})
}
