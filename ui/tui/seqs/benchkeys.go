package seqs

import (
	"slices"

	"sonde/model"
	"sonde/ui/pane"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

var (
	keyEdit    = key.NewBinding(key.WithKeys("e"), key.WithHelp("e", "build on it"))
	keyAdd     = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "add"))
	keySooner  = key.NewBinding(key.WithKeys("shift+up", "K"), key.WithHelp("⇧↑", "sooner"))
	keyLater   = key.NewBinding(key.WithKeys("shift+down", "J"), key.WithHelp("⇧↓", "later"))
	keyTwice   = key.NewBinding(key.WithKeys("D"), key.WithHelp("D", "twice"))
	keyDrop    = key.NewBinding(key.WithKeys("x"), key.WithHelp("x", "drop"))
	keyRestore = key.NewBinding(key.WithKeys("z"), key.WithHelp("z", "undo"))
	keyBuilt   = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "done"))
)

// buildKeys are those of the bench.
func (s *Screen) buildKeys() []key.Binding {
	keys := []key.Binding{keyBuilt}
	if len(s.bench.undo) > 0 {
		keys = append(keys, keyRestore)
	}
	switch p := s.part(); {
	case p == nil:
	case p.adds != "":
		keys = append([]key.Binding{keyAdd}, keys...)
	default:
		keys = append([]key.Binding{keySooner, keyLater, keyTwice, keyDrop}, keys...)
	}
	return append(keys, pane.Moves()...)
}

// part is the line under the cursor, nil where there is none.
func (s *Screen) part() *part {
	all := s.parts(0)
	if s.bench.list.At >= len(all) {
		return nil
	}
	return &all[s.bench.list.At]
}

// pressBench takes a key on the bench.
func (s *Screen) pressBench(k tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(k, keyBuilt):
		s.bench.open, s.reading = false, false
		return nil
	case key.Matches(k, keyRestore) && len(s.bench.undo) > 0:
		s.restore()
		return s.picks()
	case s.bench.list.Key(k):
		return nil
	}
	p := s.part()
	if p == nil {
		return nil
	}
	if seq, at := p.changed(k, s.bench.on.Seq); at >= 0 {
		s.change(seq)
		s.cursorOn(at)
		return s.picks()
	}
	return nil
}

// changed is a seq after a key on a line of it, and the call that the cursor is on then;
// -1 where the key does nothing there.
func (p *part) changed(k tea.KeyMsg, seq model.Seq) (model.Seq, int) {
	seq = slices.Clone(seq)
	switch {
	case p.adds != "" && key.Matches(k, keyAdd):
		return slices.Insert(seq, p.call, p.adds), p.call
	case p.adds != "":
	case key.Matches(k, keySooner) && p.call > 0:
		seq[p.call-1], seq[p.call] = seq[p.call], seq[p.call-1]
		return seq, p.call - 1
	case key.Matches(k, keyLater) && p.call < len(seq)-1:
		seq[p.call+1], seq[p.call] = seq[p.call], seq[p.call+1]
		return seq, p.call + 1
	case key.Matches(k, keyTwice):
		return slices.Insert(seq, p.call, seq[p.call]), p.call + 1
	case key.Matches(k, keyDrop) && len(seq) > 1:
		return slices.Delete(seq, p.call, p.call+1), min(p.call, len(seq)-2)
	}
	return nil, -1
}
