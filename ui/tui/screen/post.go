package screen

import (
	"sonde/model"

	tea "github.com/charmbracelet/bubbletea"
)

// MessageQueue has messages from one screen to all screens. The app delivers them before the next key,
// whereas the message of a Cmd may arrive after later keys. A nil queue sends each message by a Cmd
// instead, for screens without the app. A queue must only be used in Update.
type MessageQueue struct{ waiting []tea.Msg }

// Send appends a message to the queue and returns nil. If the queue is nil, Send returns a Cmd with the
// message.
func (p *MessageQueue) Send(msg tea.Msg) tea.Cmd {
	if p == nil {
		return func() tea.Msg { return msg }
	}
	p.waiting = append(p.waiting, msg)
	return nil
}

// Next removes and returns the first message; ok is false if the queue is empty.
func (p *MessageQueue) Next() (msg tea.Msg, ok bool) {
	if len(p.waiting) == 0 {
		return nil, false
	}
	msg, p.waiting = p.waiting[0], p.waiting[1:]
	return msg, true
}

// ShowScreen switches to a screen and selects an operation there; "" selects none.
func (p *MessageQueue) ShowScreen(tab Tab, op model.OpID) tea.Cmd {
	return p.Send(ShowScreen{Tab: tab, Op: op})
}

// FindOperation switches to the Explore screen and opens the filter of the operations there.
func (p *MessageQueue) FindOperation() tea.Cmd {
	return tea.Batch(p.Send(FindOperation{}), p.ShowScreen(TabExplore, ""))
}

// ShowArea switches to the Graph screen and unfolds an area there.
func (p *MessageQueue) ShowArea(name string) tea.Cmd {
	return tea.Batch(p.Send(ShowArea{name}), p.ShowScreen(TabGraph, ""))
}

// ShowSeqs switches to the Seqs screen and lists the seqs of a scope there.
func (p *MessageQueue) ShowSeqs(scope ScopeSeqs) tea.Cmd {
	return tea.Batch(p.Send(scope), p.ShowScreen(TabSeqs, ""))
}

// ShowSeqsOf switches to the Seqs screen and lists the seqs of an operation there.
func (p *MessageQueue) ShowSeqsOf(op model.OpID) tea.Cmd {
	return p.ShowSeqs(ScopeSeqs{Name: string(op), Operations: []model.OpID{op}})
}

// ComposeLastCall opens the form for a manual request of the last operation of a seq. If t is not nil, the
// request is the last call of t, and the form includes the calls before it.
func (p *MessageQueue) ComposeLastCall(seq model.Seq, t *model.Test) tea.Cmd {
	last := seq[len(seq)-1]
	return tea.Batch(p.Send(ComposeRequest{Op: last, Test: t}), p.ShowScreen(TabExplore, last))
}

// StepThrough opens a test on the Seqs screen, to be played call by call.
func (p *MessageQueue) StepThrough(t model.Test) tea.Cmd {
	return tea.Batch(p.Send(StepThroughTest{t}), p.ShowScreen(TabSeqs, ""))
}
