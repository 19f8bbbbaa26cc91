// Package send is a request that a person sends by hand: a form of its values, what
// came of it, and the key that keeps it as a test.
package send

import (
	"context"
	"time"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Pane is the part of a screen in which a request is made and answered.
type Pane struct {
	engine        screen.Engine
	host          screen.Service
	width, height int
	spec          *model.Spec
	names         draw.SeqNames

	op   *model.Operation // nil while the pane is closed
	form form
	list widget.List // the cursor in the form
	edit edit

	way     way
	around  screen.Surroundings // as it is now
	busy    bool                // a search calls the service, or is about to
	reading bool                // the answer has the focus, not the form
	page    widget.List         // the lines of the answer, those of the body last
	body    body

	question widget.Question
	allowed  bool          // to call a remote host
	every    time.Duration // of a tick
	copies   func(text string) error
}

// way is a request on its way, or what came of the last.
type way struct {
	gen     int // grows with each; answers to older ones are dropped
	stop    context.CancelFunc
	keeping bool // it is to be kept as a test
	since   int  // ticks that it takes so far
	sent    *screen.SendResult
	around  screen.Surroundings // in which it was sent
	err     error
	up      bool // the service answered once
	kept    string
}

// drafted is a request to begin with.
type drafted struct {
	op    model.OpID
	draft screen.RequestDraft
	err   error
}

// answered is what came of a request; kept tells that it was to be kept.
type answered struct {
	gen  int
	sent screen.SendResult
	kept bool
	err  error
	doc  *widget.Payload // the last body, nil where there is none
}

// passed tells that time passed for a request on its way.
type passed struct{ gen int }

// meanwhile are the hosts that the service turned to while a request is on its way.
type meanwhile struct {
	gen   int
	hosts []model.HostSummary
}

// New returns a pane that is closed.
func New(engine screen.Engine, host screen.Service) *Pane {
	return &Pane{
		engine:   engine,
		host:     host,
		body:     newBody(nil),
		question: widget.Question{Pause: widget.ConfirmPause},
		every:    time.Second / ticks,
		copies:   widget.CopyToClipboard,
	}
}

// Open tells that the pane is there.
func (p *Pane) Open() bool { return p.op != nil }

// Operation is the one whose request is made.
func (p *Pane) Operation() model.OpID {
	if p.op == nil {
		return ""
	}
	return p.op.ID
}

// Typing tells that a field or a question has the focus.
func (p *Pane) Typing() bool { return p.edit.open() || p.question.Open() || p.body.typing() }

// Draft opens the pane with a request of an operation, to which tests of a search may
// give values.
func (p *Pane) Draft(op model.OpID, tests []model.Test) tea.Cmd {
	found := p.spec.Operation(op)
	if found == nil {
		return nil
	}
	p.close()
	p.op = found
	draft := p.engine.Draft
	return func() tea.Msg {
		d, err := draft(op, tests)
		return drafted{op: op, draft: d, err: err}
	}
}

// Take opens the pane with the last call of a test.
func (p *Pane) Take(t model.Test) tea.Cmd {
	op := t.Calls[len(t.Calls)-1].Op
	cmd := p.Draft(op, []model.Test{t})
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		d, ok := cmd().(drafted)
		if ok && d.err == nil {
			d.draft.Test, d.draft.Ready = begun(t), false
		}
		return d
	}
}

// Update takes a message.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case screen.SpecOpened:
		p.close()
		p.op, p.spec, p.names = nil, msg.Spec.Spec, msg.Spec.Names
	case screen.UsersChanged:
		p.form.users, p.form.user, p.form.draft.Calls = msg.Names, msg.CallerFor(p.form.user), msg.ReplaceCallers(p.form.draft.Calls)
	case screen.SurroundingsChanged:
		p.around = msg.Surroundings
	case screen.RunStarting:
		p.busy = bool(msg)
	case screen.RunProgress:
		phase := msg.Snapshot.Phase
		p.busy = phase == model.PhaseRunning || phase == model.PhasePaused
	case widget.HostAllowed:
		p.allowed = p.allowed || msg.URL == p.host.URL
	case drafted:
		p.drafted(msg)
	case answered:
		cmd = p.answered(msg)
	case passed:
		cmd = p.passed(msg)
	case meanwhile:
		cmd = p.meanwhile(msg)
	case tea.KeyMsg:
		cmd = p.press(msg)
	case tea.MouseMsg:
		p.mouse(msg)
	default:
		_, cmd = p.question.Update(msg)
	}
	p.fit()
	return cmd
}

// Fit gives the pane its size.
func (p *Pane) Fit(width, height int) {
	p.width, p.height = width, height
	p.fit()
}

// Close closes the pane, unless something is on its way.
func (p *Pane) Close() {
	if !p.Out() {
		p.close()
	}
}

// close gives up what is on its way and forgets the form. What the service said to
// requests before it still knows.
func (p *Pane) close() {
	p.giveUp()
	p.op, p.form, p.list, p.edit, p.reading, p.page = nil, form{}, widget.List{}, edit{}, false, widget.List{}
	p.question.Close()
	p.body = newBody(nil)
	p.way = way{gen: p.way.gen, up: p.way.up}
}

// drafted fills the form.
func (p *Pane) drafted(msg drafted) {
	if p.op == nil || msg.op != p.op.ID {
		return
	}
	if msg.err != nil {
		p.way.err = msg.err
		return
	}
	p.form = newForm(p.op, msg.draft)
	p.list = widget.List{}
}

// allow calls the host that is not on this machine, and tells the other screens that it may be.
func (p *Pane) allow() tea.Cmd {
	p.allowed = true
	return tea.Batch(p.send(), p.engine.Queue.Send(widget.HostAllowed{URL: p.host.URL}))
}
