package seqs

import (
	"context"
	"errors"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// player plays tests on the service, one at a time. Before it calls a service on another machine for the
// first time, it asks the user.
type player struct {
	engine    *screen.Engine
	host      screen.Service
	list      *rowList
	details   *details             // shows a test that is played call by call
	around    usecase.Surroundings // the surroundings of the service
	question  widget.Question      // asks whether a remote service may be called
	allowed   bool                 // the user answered yes, on this or another screen
	searching bool                 // a search uses the service
	busy      bool                 // a test is being played
}

// replayed is sent when replay has played the test.
type replayed struct {
	row        *row
	sent, test model.Test
	err        error
}

// playable reports whether a row has values and a service is configured. The row may be nil.
func (p *player) playable(r *row) bool {
	return r != nil && p.host.URL != "" && (r.Test != nil || r.file != nil || r.built && r.plain != nil)
}

const notPlayable = "not played yet: pick it, then Export finds its values"

// unplayable returns a command that shows the reason why a row cannot be played now, nil if it can be.
func (p *player) unplayable(r *row) tea.Cmd {
	switch {
	case !p.playable(r):
		return screen.ShowStatus(notPlayable)
	case p.searching:
		return screen.ShowError(errors.New("stop the search first: playing a test resets the service that it uses"))
	case p.busy:
		return screen.ShowStatus("another test is being played")
	}
	return nil
}

// allow calls play for a row. If the service is on another machine and the user has not allowed calls yet, or if the row
// writes to production, allow first asks the user.
func (p *player) allow(r *row, play func(*row) tea.Cmd) tea.Cmd {
	title, text, ask := p.host.ConsentTo(screen.PlannedCalls{
		What:   "play " + r.ID + " on",
		Effect: ": " + words.Plural(len(r.Seq), "call") + " that may create, change and delete",
		Ops:    r.Seq,
	}, p.allowed)
	if !ask {
		return play(r)
	}
	return p.question.Ask(title, text, keyAllow, keyDecline, func() tea.Cmd {
		p.allowed = true
		return tea.Batch(play(r), p.engine.Queue.Send(widget.HostAllowed{URL: p.host.URL}))
	})
}

// replay resets the service and plays the test under the cursor.
func (p *player) replay() tea.Cmd {
	r := p.list.current()
	if why := p.unplayable(r); why != nil {
		return why
	}
	return p.allow(r, p.replayRow)
}

func (p *player) replayRow(r *row) tea.Cmd {
	p.busy = true
	test, engine := *r.playable(), p.engine
	around := p.surroundings(test)
	return func() tea.Msg {
		again, err := engine.Seqs.Replay(context.Background(), test, around)
		return replayed{row: r, sent: test, test: again, err: err}
	}
}

// stepThrough plays the first call of the test under the cursor.
func (p *player) stepThrough() tea.Cmd {
	r := p.list.current()
	if why := p.unplayable(r); why != nil {
		return why
	}
	return p.allow(r, func(r *row) tea.Cmd {
		p.details.startSteps(r)
		return p.step()
	})
}

// step plays the next call of the test. After the last call, it plays the first call again.
func (p *player) step() tea.Cmd {
	s := &p.details.steps
	if s.busy {
		return nil
	}
	at := s.start()
	p.busy = true
	r, test, engine := s.row, s.test, p.engine
	around := p.surroundings(test)
	return func() tea.Msg {
		sent, err := engine.Seqs.Step(context.Background(), test, at, around)
		msg := stepped{row: r, sent: sent, err: err}
		if len(sent.Test.Calls) > 0 {
			msg.request = engine.Seqs.Requests(sent.Test)[0]
		}
		return msg
	}
}

// stepped handles the result of step. The details are shown at r.
func (p *player) stepped(msg stepped, r draw.Rect) {
	p.busy = false
	p.details.stepped(msg, r)
}

// nextStep plays the next call of the test in the details, or shows why it cannot.
func (p *player) nextStep() tea.Cmd {
	s := &p.details.steps
	if s.busy {
		return nil
	}
	if why := p.unplayable(s.row); why != nil {
		return why
	}
	if s.finished() { // the test is played once more
		return p.allow(s.row, func(*row) tea.Cmd { return p.step() })
	}
	return p.step()
}

// setService makes another service the one to call.
func (p *player) setService(service screen.Service) {
	p.host, p.allowed = service, false
	p.question.Close()
}

// surroundings returns the surroundings of the service while a test is played, with the
// test's own stubs.
func (p *player) surroundings(t model.Test) usecase.Surroundings {
	around := p.around
	around.Net, around.Stubs = around.Net || len(t.Stubs) > 0, t.Stubs
	return around
}
