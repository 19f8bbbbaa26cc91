package seqs

import (
	"slices"

	"sonde/ui/widget"

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
	keyType    = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "edit"))
	keyAs      = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "another user"))
	keyBuilt   = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "done"))

	keyAccept = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "take it"))
	keyTake   = key.NewBinding(key.WithKeys("ctrl+s"), key.WithHelp("ctrl+s", "take it"))
	keyCancel = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "leave it"))
)

// buildKeys are those of the bench.
func (s *Screen) buildKeys() []key.Binding {
	switch e := s.bench.edit; {
	case e.area != nil:
		return []key.Binding{keyTake, keyCancel}
	case e.field != nil:
		return []key.Binding{keyAccept, keyCancel}
	}
	keys := slices.Concat([]key.Binding{keyBuilt, keyDry}, s.againKeys())
	if len(s.bench.undo) > 0 {
		keys = append(keys, keyRestore)
	}
	return slices.Concat(s.part().keys(), keys, widget.MoveKeys())
}

// keys are those of a line.
func (p *part) keys() []key.Binding {
	steps := []key.Binding{keySooner, keyLater, keyTwice, keyDrop}
	switch {
	case p == nil:
		return nil
	case p.adds != "":
		return []key.Binding{keyAdd}
	case p.user:
		return append([]key.Binding{keyAs}, steps...)
	case p.value != nil:
		return append([]key.Binding{keyType}, steps...)
	}
	return steps
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
	case s.bench.edit.open():
		return s.typedOn(k)
	case key.Matches(k, keyBuilt):
		s.bench.open, s.reading = false, false
		return nil
	case key.Matches(k, keyDry):
		return s.dryRun()
	case key.Matches(k, keyAgain):
		return s.replay()
	case key.Matches(k, keyStep):
		return s.stepThrough()
	case key.Matches(k, keyRestore) && len(s.bench.undo) > 0:
		return s.restore()
	case s.bench.list.Key(k):
		return nil
	}
	return s.pressPart(k, s.part())
}

// pressPart takes a key on a line of the bench.
func (s *Screen) pressPart(k tea.KeyMsg, p *part) tea.Cmd {
	if p == nil {
		return nil
	}
	if p.user && key.Matches(k, keyAs) {
		return s.nextUser(p.call)
	}
	if p.value != nil && key.Matches(k, keyType) {
		s.bench.begin(p.call, *p.value)
		return nil
	}
	steps, at := p.changed(k, s.bench.on.steps)
	if at < 0 {
		return nil
	}
	cmd := s.change(steps)
	s.cursorOn(at)
	return cmd
}

// nextUser has another user make a call: each in turn, then nobody.
func (s *Screen) nextUser(at int) tea.Cmd {
	all := append([]string{""}, s.users...)
	steps, call := slices.Clone(s.bench.on.steps), s.bench.on.draft().Calls[at]
	call.User = all[(slices.Index(all, call.User)+1)%len(all)]
	steps[at].call = &call
	return s.change(steps)
}

// changed are steps after a key on a line of it, and the call that the cursor is on then;
// -1 where the key does nothing there.
func (p *part) changed(k tea.KeyMsg, seq []step) ([]step, int) {
	seq = slices.Clone(seq)
	switch {
	case p.adds != "" && key.Matches(k, keyAdd):
		return slices.Insert(seq, p.call, step{op: p.adds}), p.call
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
