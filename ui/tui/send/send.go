// Package send is the pane in which the user sends a request manually. It has a form for the values, shows
// the answer, and can keep the request as a test. It is part of the Explore screen. Its state must only be
// used in Update. Requests run in a tea.Cmd.
package send

import (
	"slices"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// Pane is a form for a request, with the answer to the request. It is initially closed.
type Pane struct {
	queue         *screen.MessageQueue
	calls         usecase.ManualCalls
	requests      func(t model.Test) []model.Request // see usecase.SeqCalls
	host          screen.Service
	width, height int
	spec          *model.Spec
	op            *model.Operation // nil while the pane is closed

	form      formView
	readID    int // number of the last request whose files are read
	answer    answerPane
	stream    streamView
	memory    formMemory
	sender    sender
	searching bool     // a search is using the service, or is starting
	given     []string // the variables in the initial request, which the user did not type
	savedAs   screen.SavedAs
	saves     bool // there is a project to save requests in

	question widget.Question // asks whether a remote service may be called
	allowed  bool            // the user answered yes, on this or another screen
	copies   func(text string) error
}

// drafted is sent with the initial request of a form.
type drafted struct {
	op    model.OpID
	draft usecase.RequestDraft
	err   error
}

// New returns a closed pane.
func New(engine screen.Engine, host screen.Service) *Pane {
	return &Pane{
		queue:    engine.Queue,
		calls:    engine.Manual,
		requests: engine.Seqs.Requests,
		host:     host,
		saves:    engine.RequestFiles.Save != nil,
		form:     formView{hasNetwork: host.Net != usecase.NetworkUnavailable, tasks: formTasks{calls: engine.Manual}},
		answer:   answerPane{answerView: newAnswerView(nil), queue: engine.Queue, load: engine.Manual.Sent},
		stream:   streamView{interval: time.Second / streamTicksPerSecond},
		sender:   sender{queue: engine.Queue, calls: engine.Manual, interval: time.Second / ticksPerSecond},
		question: widget.Question{Pause: widget.ConfirmPause},
		copies:   widget.CopyToClipboard,
		memory:   formMemory{kept: map[model.OpID]form{}},
	}
}

// Open reports whether the pane is open.
func (p *Pane) Open() bool { return p.op != nil }

// Operation returns the operation of the request, "" while the pane is closed.
func (p *Pane) Operation() model.OpID {
	if p.op == nil {
		return ""
	}
	return p.op.ID
}

// Typing reports whether a field or a question has the focus.
func (p *Pane) Typing() bool {
	return p.form.edit.open() || p.question.Open() || p.answer.typing() || p.stream.input != nil
}

// InFlight reports whether a request is in progress, or a stream is open.
func (p *Pane) InFlight() bool { return p.sender.inFlight() || p.stream.live() }

// OpenOperation opens the pane with a request of an operation: with the values that the user typed when the pane was last
// open for it, or else with those of a draft. Tests of a search may provide values for the draft. OpenOperation does nothing
// if the spec does not have the operation.
func (p *Pane) OpenOperation(op model.OpID, tests []model.Test) tea.Cmd {
	if !p.begin(op) {
		return nil
	}
	if f, ok := p.memory.formFor(p.op); ok {
		p.form.reset(f)
		return nil
	}
	return p.draft(op, tests)
}

// begin opens the pane for an operation, with an empty form. It returns false if the spec does not have the operation.
func (p *Pane) begin(op model.OpID) bool {
	found := p.spec.Operation(op)
	if found == nil {
		return false
	}
	p.close()
	p.op, p.memory.initial, p.savedAs = found, model.Test{}, screen.SavedAs{}
	return true
}

// draft returns a command that makes the initial request of a form.
func (p *Pane) draft(op model.OpID, tests []model.Test) tea.Cmd {
	draft := p.calls.Draft
	return func() tea.Msg {
		d, err := draft(op, tests)
		return drafted{op: op, draft: d, err: err}
	}
}

// OpenTest opens the pane with the last call of a test. savedAs is where the test was saved.
func (p *Pane) OpenTest(t model.Test, savedAs screen.SavedAs) tea.Cmd {
	op := t.Calls[len(t.Calls)-1].Op
	if !p.begin(op) {
		return nil
	}
	p.savedAs = savedAs
	cmd := p.draft(op, []model.Test{t})
	return func() tea.Msg {
		d, ok := cmd().(drafted)
		if ok && d.err == nil {
			d.draft.Test, d.draft.Ready = unsent(t), false
		}
		return d
	}
}

// Update handles a message.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case screen.SpecOpened:
		p.close()
		p.op, p.spec, p.form.seqNames = nil, msg.Spec.Spec, msg.Spec.Names
	case screen.UsersChanged:
		p.form.setUsers(msg)
		p.memory.setUsers(msg)
	case screen.SurroundingsChanged:
		p.form.around = msg.Surroundings
	case screen.RequestSent:
		if len(msg.Result.Exchanges) > 0 {
			cmd = p.form.tasks.readValues(p.Operation())
		}
	case screen.RunStarting:
		p.searching = bool(msg)
	case screen.RunProgress:
		phase := msg.Snapshot.Phase
		p.searching = phase == model.PhaseRunning || phase == model.PhasePaused
	case widget.HostAllowed:
		p.allowed = p.allowed || msg.URL == p.host.URL
	case screen.ServiceChanged:
		p.setService(msg.Service)
	case drafted:
		cmd = p.drafted(msg)
	case answered:
		cmd = p.answered(msg)
	case ticked:
		cmd = p.sender.ticked(msg)
	case historyLoaded:
		if p.awaits(msg.op) {
			cmd = p.answer.historyLoaded(msg)
		}
	case answersCompared:
		if p.awaits(msg.op) {
			cmd = p.answer.answersCompared(msg)
		}
	case streamTicked:
		cmd = p.stream.ticked(msg)
	case messageSent:
		if msg.err != nil {
			cmd = screen.ShowError(msg.err)
		}
	case hostsSeen:
		cmd = p.sender.hostsSeen(msg)
	case tea.KeyMsg:
		cmd = p.press(msg)
	case tea.MouseMsg:
		p.mouse(msg)
	case filesRead:
		cmd = p.filesRead(msg)
	default:
		var done bool
		if cmd, done = p.form.update(msg); !done {
			_, cmd = p.question.Update(msg)
		}
	}
	p.form.address = addressOf(p.form.form, p.requests, p.host.URL, p.form.around.Net)
	p.fit()
	return cmd
}

// Close closes the pane, unless a request is in progress or a stream is open.
func (p *Pane) Close() {
	if !p.InFlight() {
		p.close()
	}
}

// close cancels a request in progress, stops the stream and clears the form. The state of the service after earlier
// requests remains.
func (p *Pane) close() {
	if p.op != nil {
		p.memory.keep(p.op.ID, p.form.form)
	}
	p.sender.reset()
	p.stream.begin(nil) // returns no command without a stream
	p.op = nil
	p.readID++
	p.form.reset(form{})
	p.answer.show(newAnswerView(nil))
	p.question.Close()
}

// drafted fills in the form, or shows why there is no draft.
func (p *Pane) drafted(msg drafted) tea.Cmd {
	switch {
	case p.op == nil || msg.op != p.op.ID:
	case msg.err != nil:
		p.sender.err = msg.err
	default:
		p.form.reset(newForm(p.op, msg.draft))
		p.memory.initial = p.form.form.outline()
		p.given = msg.draft.Test.Variables()
		return p.form.tasks.readValues(msg.op)
	}
	return nil
}

// awaits reports whether the pane may show something for an operation that was read in the background. It does not if the user
// has sent a request or closed the pane meanwhile.
func (p *Pane) awaits(op model.OpID) bool { return p.Operation() == op && !p.sender.inFlight() }

// send sends the request. It asks for a WebSocket if the operation says so.
func (p *Pane) send() tea.Cmd { return p.transmit(wantsWebSocket(&p.form.form)) }

// useVariables lets the request take variables from the process environment that the user typed.
func useVariables(p *Pane) {
	isGiven := func(name string) bool { return slices.Contains(p.given, name) }
	typed := slices.DeleteFunc(p.form.form.outline().Variables(), isGiven)
	if len(typed) > 0 {
		p.calls.UseVariables(typed)
	}
}

// transmit sends the request, or shows why the request cannot be sent. If the service is remote and the user has not
// allowed calls yet, transmit first asks the user.
func (p *Pane) transmit(webSocket bool) tea.Cmd {
	switch {
	case p.form.form.empty():
		return nil
	case p.host.URL == "":
		return screen.ShowError(errNoService)
	case p.searching:
		return screen.ShowError(errSearching)
	}
	ops := screen.OperationsOf(p.form.form.outline().Calls)
	return p.withConsent(screen.PlannedCalls{What: "send " + words.Plural(len(ops), "request") + " to", Ops: ops}, func() tea.Cmd {
		p.showAnswer()
		p.answer.asides = nil
		p.stream.begin(nil)
		useVariables(p)
		return p.sendForm(webSocket)
	})
}

// withConsent makes calls. It first asks the user if the service is remote and the user has not allowed calls yet, or if
// they write to production.
func (p *Pane) withConsent(planned screen.PlannedCalls, call func() tea.Cmd) tea.Cmd {
	title, text, ask := p.host.ConsentTo(planned, p.allowed)
	if !ask {
		return call()
	}
	return p.question.Ask(title, text, keyAllow, keyDecline, func() tea.Cmd {
		p.allowed = true
		return tea.Batch(call(), p.queue.Send(widget.HostAllowed{URL: p.host.URL}))
	})
}

// setService makes another service the one to call. It cancels a request in progress.
func (p *Pane) setService(service screen.Service) {
	p.host, p.allowed = service, false
	p.form.hasNetwork = service.Net != usecase.NetworkUnavailable
	p.question.Close()
	p.sender.reset()
	p.readID++ // a request whose files are still read was for the other service
	p.answer.show(newAnswerView(nil))
	p.stream.begin(nil)
}

// sendForm sends the form. If it has files, they are read first, in the background.
func (p *Pane) sendForm(webSocket bool) tea.Cmd {
	f := p.form.form.snapshot()
	if b := f.sentBody(); b != nil && len(b.files()) > 0 {
		p.readID++
		return p.form.tasks.readFiles(f, p.readID)
	}
	t, err := f.test(nil)
	if err != nil {
		return screen.ShowError(err)
	}
	return p.sender.send(t, p.form.around, webSocket)
}

// filesRead sends the test whose files were read, or shows why they could not be read.
func (p *Pane) filesRead(msg filesRead) tea.Cmd {
	switch {
	case msg.id != p.readID || p.op == nil || p.InFlight():
		return nil
	case msg.err != nil:
		return screen.ShowError(msg.err)
	}
	return p.sender.send(msg.test, p.form.around, false)
}

// keep makes a test from the last request.
func (p *Pane) keep() tea.Cmd {
	if p.searching {
		return screen.ShowError(errSearching)
	}
	ops, ok := p.calls.SentOperations()
	if !ok {
		return screen.ShowError(errCalling)
	}
	planned := screen.PlannedCalls{What: "repeat the last request, and earlier ones that it needs, at least twice on", Ops: ops}
	return p.withConsent(planned, func() tea.Cmd {
		p.showAnswer()
		return p.sender.keep()
	})
}

// showAnswer moves the focus to the answer if there is room for only one pane.
func (p *Pane) showAnswer() {
	p.answer.focused = p.answer.focused || p.layout().answer.Empty()
}

// answered shows the answer to the request in progress.
func (p *Pane) answered(msg answered) tea.Cmd {
	cmd, shown := p.sender.answered(msg)
	if shown {
		focused := p.answer.focused
		p.answer.show(newAnswerView(msg.body))
		p.answer.focused = focused
		cmd = tea.Batch(cmd, p.stream.begin(msg.result.Stream))
	}
	return cmd
}
