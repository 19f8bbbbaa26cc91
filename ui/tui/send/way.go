package send

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// errNowhere is the error of a request that nobody would get.
var errNowhere = errors.New("there is no service to send it to: start Sonde with --url")

// errSearch is the error of a request that would disturb a search.
var errSearch = errors.New("stop the search first (5, x): this would disturb it")

// Out tells that a request is on its way.
func (p *Pane) Out() bool { return p.way.stop != nil }

// send sends the request, or says why not. Before the first call to another machine
// it asks.
func (p *Pane) send() tea.Cmd {
	switch {
	case p.form.empty():
		return nil
	case p.host.URL == "":
		return screen.ShowError(errNowhere)
	case p.busy:
		return screen.ShowError(errSearch)
	case p.host.Remote && !p.allowed:
		text := fmt.Sprintf("Sonde will send %s to %s.", words.Plural(len(p.form.test().Calls), "request"), draw.Clean(p.host.URL))
		return p.question.Ask(widget.RemoteHostTitle, text, keySend, keyDont, p.allow)
	}
	test := p.form.test()
	p.way.around = p.around
	p.way.around.Stubs = slices.Concat(p.around.Stubs, test.Stubs)
	test.Stubs = nil
	send, around := p.engine.Send, p.way.around
	return p.leave(false, func(ctx context.Context) (screen.SendResult, error) { return send(ctx, test, around) })
}

// keep has what was sent last made a test.
func (p *Pane) keep() tea.Cmd {
	if p.busy {
		return screen.ShowError(errSearch)
	}
	keep, around := p.engine.KeepSent, p.way.around
	return p.leave(true, func(ctx context.Context) (screen.SendResult, error) { return keep(ctx, around) })
}

// copy puts what was sent last on the clipboard, as a command.
func (p *Pane) copy() tea.Cmd {
	line, copies, last := p.engine.CurlCommand, p.copies, p.way.sent.Exchanges[len(p.way.sent.Exchanges)-1]
	return func() tea.Msg {
		text, err := line(last)
		if err == nil {
			err = copies(text)
		}
		if err != nil {
			return screen.StatusMessage{Err: err}
		}
		return screen.StatusMessage{Text: "copied as a command of curl, with what it has of secrets"}
	}
}

// leave does something with the service in the background.
func (p *Pane) leave(keeping bool, do func(context.Context) (screen.SendResult, error)) tea.Cmd {
	ctx, stop := context.WithCancel(context.Background())
	w := &p.way
	w.gen++
	w.stop, w.keeping, w.since, w.err = stop, keeping, 0, nil
	p.reading = p.reading || p.layout().answer.Empty()
	gen := w.gen
	return tea.Batch(func() tea.Msg {
		defer stop()
		sent, err := do(ctx)
		return answered{gen: gen, sent: sent, kept: keeping, err: err, doc: docOf(sent)}
	}, p.tick(gen))
}

// ticks is how often in a second it is looked what becomes of a request.
const ticks = 4

// tick is how time passes.
func (p *Pane) tick(gen int) tea.Cmd {
	return tea.Tick(p.every, func(time.Time) tea.Msg { return passed{gen} })
}

// passed looks which hosts the service turns to while a request is on its way.
func (p *Pane) passed(msg passed) tea.Cmd {
	if msg.gen != p.way.gen || !p.Out() {
		return nil
	}
	p.way.since++
	if !p.way.around.Net {
		return p.tick(msg.gen)
	}
	hosts := p.engine.Hosts
	return tea.Batch(p.tick(msg.gen), func() tea.Msg { return meanwhile{msg.gen, hosts()} })
}

// meanwhile hands on which hosts the service turned to, unless all is known by now.
func (p *Pane) meanwhile(msg meanwhile) tea.Cmd {
	if msg.gen != p.way.gen || !p.Out() {
		return nil
	}
	return p.engine.Queue.Send(screen.RequestSent{Result: screen.SendResult{Net: true, Hosts: msg.hosts}})
}

// giveUp does not wait any more for what is on its way.
func (p *Pane) giveUp() {
	if p.Out() {
		p.way.stop()
		p.way.stop = nil
	}
}

// answered takes what came of a request. What was seen of hosts is told also of one
// that was given up.
func (p *Pane) answered(msg answered) tea.Cmd {
	cmd := p.engine.Queue.Send(screen.RequestSent{Result: msg.sent})
	if msg.gen != p.way.gen || !p.Out() {
		return cmd
	}
	w := &p.way
	w.stop, w.err = nil, msg.err
	w.up = w.up || msg.err == nil
	if msg.err == nil && msg.kept {
		return tea.Batch(cmd, p.kept(msg.sent))
	}
	if len(msg.sent.Exchanges) > 0 {
		w.sent, p.page, p.body = &msg.sent, widget.List{}, newBody(msg.doc)
	}
	return cmd
}

// kept hands a test on, and says where it is answered otherwise than by hand.
func (p *Pane) kept(s screen.SendResult) tea.Cmd {
	calls, was := s.Test.Calls, p.way.sent.Test.Calls
	before, now := was[len(was)-1].Status, calls[len(calls)-1].Status
	said := screen.ShowStatus(fmt.Sprintf("Kept as a test of %s, and picked: 4 shows it, 6 writes it", words.Plural(len(calls), "call")))
	switch {
	case now != before:
		said = screen.ShowStatus(fmt.Sprintf(
			"Kept and picked (4), but from the service's first state it is answered %s, not %d", status(now),
			before,
		))
	case s.Test.Flaky != "":
		said = screen.ShowStatus("Kept and picked (4), but it is not the same each time: " + s.Test.Flaky)
	}
	return tea.Batch(p.engine.Queue.Send(screen.TestsKept{Tests: []model.Test{s.Test}}), said)
}

// status is a status as a sentence has it.
func status(code int) string {
	if code == 0 {
		return "nothing"
	}
	return fmt.Sprint(code)
}

// begun is a test that was not sent yet.
func begun(t model.Test) model.Test {
	b := model.Test{Origin: model.OriginManual, Links: t.Links, Stubs: t.Stubs, Calls: slices.Clone(t.Calls)}
	for i := range b.Calls {
		b.Calls[i].Status = 0
	}
	return b
}
