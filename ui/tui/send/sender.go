package send

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

var (
	errNoService = errors.New("there is no service to send it to: ctrl+e lists the addresses in the spec; or start Sonde with --url")
	errCalling   = errors.New("wait for the call in progress: another screen uses the service")
	errSearching = errors.New("stop the search first (5, x): this would disturb it")
)

// sender sends requests in the background, one at a time, and stores the result of the last one.
type sender struct {
	queue    *screen.MessageQueue
	calls    usecase.ManualCalls
	interval time.Duration // time between two ticks

	id      int                // number of the latest request; answers to older requests are dropped
	stop    context.CancelFunc // nil while no request is in progress
	keeping bool               // the request in progress will be kept as a test
	ticks   int                // number of ticks since the request was sent
	around  usecase.Surroundings
	result  *usecase.SendResult // result of the last request, nil before the first one
	err     error
	started bool // the service was started and has answered
}

// ticksPerSecond is the number of updates per second while a request is in progress.
const ticksPerSecond = 4

// answered is sent when a request has a result. kept is true if the request is to be kept as a test.
type answered struct {
	id     int
	result usecase.SendResult
	kept   bool
	err    error
	body   *widget.Payload // body of the last answer, nil for none
}

// ticked is sent regularly while a request is in progress.
type ticked struct{ id int }

// hostsSeen has the hosts that the service has contacted so far, while a request is in progress.
type hostsSeen struct {
	id    int
	hosts []model.HostSummary
}

func (s *sender) inFlight() bool { return s.stop != nil }

// reset cancels the request in progress and removes the result.
func (s *sender) reset() {
	s.cancel()
	*s = sender{queue: s.queue, calls: s.calls, interval: s.interval, id: s.id, started: s.started}
}

// cancel stops waiting for the request in progress.
func (s *sender) cancel() {
	if s.inFlight() {
		s.stop()
		s.stop = nil
	}
}

// giveUp cancels the request in progress for the user.
func (s *sender) giveUp() tea.Cmd {
	s.cancel()
	return screen.ShowStatus("given up; the service may still process it")
}

// send sends a test to a service in the given surroundings. It adds the stubs of the test to the stubs of the
// surroundings.
//
// If webSocket is true, the last call asks the service for a WebSocket.
func (s *sender) send(t model.Test, around usecase.Surroundings, webSocket bool) tea.Cmd {
	around.Stubs = slices.Concat(around.Stubs, t.Stubs)
	s.around, t.Stubs = around, nil
	send := s.calls.Send
	if webSocket {
		send = s.calls.OpenWebSocket
	}
	return s.start(false, func(ctx context.Context) (usecase.SendResult, error) { return send(ctx, t, around) })
}

// keep resets the service and plays the last request, to keep it as a test.
func (s *sender) keep() tea.Cmd {
	keep, around := s.calls.KeepSent, s.around
	return s.start(true, func(ctx context.Context) (usecase.SendResult, error) { return keep(ctx, around) })
}

// start calls the service in the background.
func (s *sender) start(keeping bool, call func(context.Context) (usecase.SendResult, error)) tea.Cmd {
	ctx, stop := context.WithCancel(context.Background())
	s.id++
	s.stop, s.keeping, s.ticks, s.err = stop, keeping, 0, nil
	id := s.id
	return tea.Batch(func() tea.Msg {
		defer stop()
		result, err := call(ctx)
		return answered{id: id, result: result, kept: keeping, err: err, body: bodyOf(result)}
	}, s.tick(id))
}

func (s *sender) tick(id int) tea.Cmd {
	return tea.Tick(s.interval, func(time.Time) tea.Msg { return ticked{id: id} })
}

// ticked counts a tick of a request in progress, and returns the command for the next one. In a virtual network,
// the command also reads the hosts that the service has contacted.
func (s *sender) ticked(msg ticked) tea.Cmd {
	if msg.id != s.id || !s.inFlight() {
		return nil
	}
	s.ticks++
	if !s.around.Net {
		return s.tick(msg.id)
	}
	hosts := s.calls.Hosts
	return tea.Batch(s.tick(msg.id), func() tea.Msg { return hostsSeen{id: msg.id, hosts: hosts()} })
}

// hostsSeen reports the hosts to the other screens, unless the request already has a result.
func (s *sender) hostsSeen(msg hostsSeen) tea.Cmd {
	if msg.id != s.id || !s.inFlight() {
		return nil
	}
	return s.queue.Send(screen.RequestSent{Result: usecase.SendResult{Net: true, Hosts: msg.hosts}})
}

// answered stores the result of a request. shown reports whether there is a new answer to show. The hosts
// that the service contacted are reported even for a canceled request.
func (s *sender) answered(msg answered) (cmd tea.Cmd, shown bool) {
	cmd = s.queue.Send(screen.RequestSent{Result: msg.result})
	if msg.id != s.id || !s.inFlight() {
		if stream := msg.result.Stream; stream != nil {
			stream.Stop()
		}
		return cmd, false
	}
	s.stop, s.err = nil, msg.err
	s.started = s.started || msg.err == nil
	if msg.err == nil && msg.kept {
		return tea.Batch(cmd, s.kept(msg.result)), false
	}
	if len(msg.result.Exchanges) == 0 {
		return cmd, false
	}
	s.result = &msg.result
	return cmd, true
}

// kept adds the test to the Seqs screen. If the answer differs from the answer that the user has seen, or if the test
// is flaky, the status line says so.
func (s *sender) kept(result usecase.SendResult) tea.Cmd {
	calls, sent := result.Test.Calls, s.result.Test.Calls
	before, now := sent[len(sent)-1].Status, calls[len(calls)-1].Status
	count := words.Plural(len(calls), "call")
	text := fmt.Sprintf("Kept as a test of %s, and picked: 4 shows it, 6 writes it", count)
	switch {
	case now != before:
		text = fmt.Sprintf(
			"Kept and picked (4), but from the service's first state the answer is %s, not %d",
			statusText(now), before,
		)
	case result.Test.Flaky != "":
		text = "Kept and picked (4), but it is not the same each time: " + result.Test.Flaky
	}
	kept := s.queue.Send(screen.TestsKept{Tests: []model.Test{result.Test}})
	return tea.Batch(kept, screen.ShowStatus(text))
}

// copyCommand copies the last request as a curl command.
func (s *sender) copyCommand(copies func(text string) error) tea.Cmd {
	command, last := s.calls.CurlCommand, s.result.Exchanges[len(s.result.Exchanges)-1]
	return func() tea.Msg {
		text, err := command(last)
		if err == nil {
			err = copies(text)
		}
		if err != nil {
			return screen.StatusMessage{Err: err}
		}
		return screen.StatusMessage{Text: "copied as a curl command, with its secrets"}
	}
}

// statusText returns a status as text, "nothing" for 0.
func statusText(code int) string {
	if code == 0 {
		return "nothing"
	}
	return fmt.Sprint(code)
}

// unsent returns a test without its answers.
func unsent(t model.Test) model.Test {
	u := model.Test{
		Origin: model.OriginManual, Links: t.Links, Stubs: t.Stubs, Calls: slices.Clone(t.Calls), AfterRedirect: t.AfterRedirect,
	}
	for i := range u.Calls {
		u.Calls[i].Status = 0
	}
	return u
}

// bodyOf returns the body of the last answer. It returns nil if there is no answer, or if the exchange had an error.
func bodyOf(r usecase.SendResult) *widget.Payload {
	if len(r.Exchanges) == 0 {
		return nil
	}
	return bodyOfExchange(r.Exchanges[len(r.Exchanges)-1])
}

// bodyOfExchange returns the body of an answer. It returns nil if there is none, or if the exchange had an error.
func bodyOfExchange(x model.Exchange) *widget.Payload {
	if x.Err != nil || len(x.Reply.Body) == 0 {
		return nil
	}
	return widget.ReadPayload(x.Reply.Body)
}
