package screen

import (
	"sonde/model"

	tea "github.com/charmbracelet/bubbletea"
)

// Post takes what a screen tells the others at once. The app hands it out before it takes
// the next key: what a Cmd brings may be overtaken by keys, and by another Cmd. A nil Post
// is for a screen on its own, and leaves it to a Cmd.
type Post struct{ waiting []tea.Msg }

// Send tells all screens. It is for Update alone, not for what runs beside it.
func (p *Post) Send(msg tea.Msg) tea.Cmd {
	if p == nil {
		return func() tea.Msg { return msg }
	}
	p.waiting = append(p.waiting, msg)
	return nil
}

// Next takes out what was sent first; it is false where there is nothing any more.
func (p *Post) Next() (msg tea.Msg, ok bool) {
	if len(p.waiting) == 0 {
		return nil, false
	}
	msg, p.waiting = p.waiting[0], p.waiting[1:]
	return msg, true
}

// Show goes to a screen, and to an operation there if one is meant.
func (p *Post) Show(tab Tab, op model.OpID) tea.Cmd { return p.Send(Goto{Tab: tab, Op: op}) }

// ByHand opens the last call of a seq as a request by hand, behind the others where there
// is a test of it, else one of its operation.
func (p *Post) ByHand(seq model.Seq, t *model.Test) tea.Cmd {
	last := seq[len(seq)-1]
	return tea.Batch(p.Send(Compose{Op: last, Test: t}), p.Show(Explore, last))
}

// StepThrough asks for a test to be played call by call, where that is done.
func (p *Post) StepThrough(t model.Test) tea.Cmd {
	return tea.Batch(p.Send(Steps{t}), p.Show(Seqs, ""))
}
