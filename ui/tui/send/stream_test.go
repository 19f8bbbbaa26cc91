package send

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// fakeStream takes the place of a stream of a service. The test changes what has arrived.
type fakeStream struct {
	kind    model.StreamKind
	now     usecase.StreamProgress
	sent    []string
	err     error
	stopped int
}

func (f *fakeStream) Kind() model.StreamKind           { return f.kind }
func (f *fakeStream) Progress() usecase.StreamProgress { return f.now }
func (f *fakeStream) Stop()                            { f.stopped++ }
func (f *fakeStream) Send(text string) error {
	f.sent = append(f.sent, text)
	return f.err
}

// arrive adds messages to the stream, of which it keeps the newest ones.
func (f *fakeStream) arrive(kept int, texts ...string) {
	for _, text := range texts {
		at := time.Date(2026, 12, 1, 12, 0, f.now.Total, 0, time.UTC)
		f.now.Messages = append(f.now.Messages, model.StreamMessage{At: at, Data: []byte(text), Size: int64(len(text))})
		f.now.Total++
		f.now.Received += int64(len(text))
	}
	f.now.Messages = f.now.Messages[max(0, len(f.now.Messages)-kept):]
}

// streaming sends a request of an operation, which opens a stream, and moves the focus to the stream.
func streaming(t *testing.T, op model.OpID, s *fakeStream) *driver {
	t.Helper()
	d := drive(t, demo)
	d.do(d.pane.OpenOperation(op, nil))
	d.answer = opened(op, s)
	return d.press("r", "v")
}

// opened returns the result of a request that opens a stream.
func opened(op model.OpID, s usecase.Stream) usecase.SendResult {
	status := 200
	if s.Kind() == model.WebSocket {
		status = 101
	}
	x := model.Exchange{Reply: model.Reply{Status: status, Proto: "HTTP/1.1", Truncated: true}, Took: 3 * time.Millisecond}
	test := model.Test{Calls: []model.Call{{Op: op, Status: status}}}
	return usecase.SendResult{PlayedTest: model.PlayedTest{Test: test, Exchanges: []model.Exchange{x}}, Stream: s}
}

// arrives delivers the next tick of the stream.
func (d *driver) arrives() *driver { return d.take(d.tick) }

func numbers(from, to int) (all []string) {
	for i := from; i < to; i++ {
		all = append(all, fmt.Sprintf("event-%d.", i))
	}
	return all
}

// Events are shown as they arrive. The cursor follows them until the user moves it up, and then stays on its event.
func TestEventsAreShown(t *testing.T) {
	s := &fakeStream{kind: model.EventStream}
	d := streaming(t, health, s).sees("server-sent events ● live · 0 events", "✓ 200  3.0 ms").misses("no body", ", cut")
	s.arrive(50, numbers(0, 30)...)
	d.arrives().sees("30 events", "12:00:29.000 ← event-29.", "▸")
	d.press("up", "up")
	s.arrive(50, numbers(30, 60)...)
	d.arrives()
	if got := string(d.pane.stream.current().Data); got != "event-27." {
		t.Errorf("the cursor is on %q, want event-27.", got)
	}
	d.press("home").sees("… the 10 messages before are not kept", "event-10.").misses("event-9.")
	s.arrive(50, numbers(60, 100)...)
	d.press("end").arrives().sees("event-99.", "100 events")
	s.arrive(50, "last")
	d.arrives().sees("last")
	if d.pane.InFlight() != true || d.pane.Typing() {
		t.Errorf("in flight %t, typing %t", d.pane.InFlight(), d.pane.Typing())
	}
}

// The cursor stays on the oldest message when its own is dropped.
func TestDroppedEvent(t *testing.T) {
	s := &fakeStream{kind: model.EventStream}
	s.arrive(10, numbers(0, 10)...)
	d := streaming(t, health, s).press("up", "up")
	s.arrive(10, numbers(10, 40)...)
	d.arrives()
	if got := string(d.pane.stream.current().Data); got != "event-30." {
		t.Errorf("the cursor is on %q, want the oldest event", got)
	}
}

// The user can open an event, go back to the list, and stop the stream. The events stay until another request is sent.
func TestOpenAndStopStream(t *testing.T) {
	s := &fakeStream{kind: model.EventStream}
	s.arrive(50, `{"a":[1]}`)
	s.now.Messages[0].Event, s.now.Messages[0].ID = "paid", "7"
	d := streaming(t, health, s).sees(`paid  {"a":[1]}`)
	d.press("enter").sees("Answer · JSON", `"a": [`, "event  paid", "id  7", "9 bytes").press("F").sees(`"a": [ 1 value … ]`)
	s.arrive(50, "next")
	d.arrives().sees(`"a": [ 1 value … ]`).press("esc").sees("next")
	d.press("esc")
	if s.stopped != 1 || d.message != "the stream is being closed" {
		t.Errorf("stopped %d times, %q", s.stopped, d.message)
	}
	s.now.End = &model.StreamEnd{Stopped: true}
	d.arrives().sees("server-sent events ended", "✓ you stopped it", "next")
	if d.pane.InFlight() {
		t.Error("a stream that has ended is in flight")
	}
	d.press("a")
	if d.saves != 0 {
		t.Error("a stream was kept as a test")
	}
	d.answer = paid(200, "{}")
	d.press("v", "r").sees("✓ 200").misses("next", "ended")
	d.press("esc")
	if d.pane.Open() {
		t.Error("esc does not close the pane")
	}
}

// The end of a stream says who ended it and why.
func TestStreamEnds(t *testing.T) {
	for want, end := range map[string]model.StreamEnd{
		"✓ the service ended it":                                           {Regular: true},
		"✓ the service ended it with code 1001 (going away): bye":          {Regular: true, Code: 1001, Text: "bye\x1b[2J"},
		"✓ you stopped it with code 1000 (normal)":                         {Stopped: true, Regular: true, Code: 1000},
		"✗ it broke off: the connection broke":                             {Text: "the connection broke"},
		"✓ the service ended it with code 4001: " + strings.Repeat("x", 5): {Regular: true, Code: 4001, Text: strings.Repeat("x", 5)},
	} {
		s := &fakeStream{kind: model.EventStream}
		d := streaming(t, health, s)
		s.now.End = &end
		d.arrives().sees(want).misses("\x1b")
	}
}

// A WebSocket has messages in both directions. It is opened by r if the operation declares it, and by W otherwise.
func TestWebSocket(t *testing.T) {
	s := &fakeStream{kind: model.WebSocket}
	d := streaming(t, chat, s).sees("WebSocket ● live · 0 messages", "101")
	if d.sockets != 1 {
		t.Fatalf("%d requests for a WebSocket, want 1", d.sockets)
	}
	d.press("m").write(`{"a`).sees("broken JSON").write(`":1}`).sees("JSON").misses("broken JSON")
	if !d.pane.Typing() {
		t.Error("the message is not being typed")
	}
	d.press("enter").write("r2").press("enter")
	if want := []string{`{"a":1}`, "r2"}; fmt.Sprint(s.sent) != fmt.Sprint(want) {
		t.Errorf("sent %q, want %q", s.sent, want)
	}
	s.arrive(50, "x")
	s.now.Messages[0].Sent = true
	d.arrives().sees("→ x").press("esc")
	s.err = errors.New("the message was not sent: gone")
	d.press("m", "enter")
	if want := "✗ " + s.err.Error(); d.message != want {
		t.Errorf("got %q, want %q", d.message, want)
	}
	s.now.End = &model.StreamEnd{Regular: true, Code: 1000}
	d.arrives().sees("with code 1000 (normal)")
	if d.pane.Typing() {
		t.Error("a message is typed for a stream that has ended")
	}
	d.press("m")
	if d.message != "needs an open WebSocket" {
		t.Errorf("got %q", d.message)
	}
	d.press("esc")
	d.do(d.pane.OpenOperation(health, nil))
	d.press("W")
	if d.sockets != 2 {
		t.Errorf("%d requests for a WebSocket, want 2", d.sockets)
	}
	d.do(d.pane.OpenOperation(pay, nil))
	d.press("W")
	if d.sockets != 2 || d.message != "a WebSocket begins with GET" {
		t.Errorf("%d requests for a WebSocket, %q", d.sockets, d.message)
	}
}

// An answer that says that the service has a WebSocket names the key that opens it.
func TestWebSocketIsOffered(t *testing.T) {
	d := drive(t, demo)
	d.answer = paid(426, "")
	d.press("r").sees("W opens it")
	d.answer = paid(400, "")
	d.answer.Exchanges[1].Reply.Header["Sec-Websocket-Version"] = []string{"13"}
	d.press("r").sees("W opens it")
	d.answer = paid(400, "")
	d.press("r").misses("W opens it")
}

// A header of the handshake asks for a WebSocket, too.
func TestOpensWebSocket(t *testing.T) {
	get := &model.Operation{Method: "GET"}
	header := model.Call{Args: []model.Arg{{In: model.InHeader, Name: "upgrade", Value: "WebSocket"}}}
	for _, c := range []struct {
		name string
		op   *model.Operation
		call model.Call
		want bool
	}{
		{"a GET", get, model.Call{}, false},
		{"the header", get, header, true},
		{"the header of a POST", &model.Operation{Method: "POST"}, header, false},
		{"a declared 101", &model.Operation{Method: "GET", Responses: []model.Response{{Status: "101"}}}, model.Call{}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := opensWebSocket(c.op, c.call); got != c.want {
				t.Errorf("got %t, want %t", got, c.want)
			}
		})
	}
}

// A stream ends when the pane is closed, when another request is sent, and if its answer comes too late.
func TestStreamsAreStopped(t *testing.T) {
	s := &fakeStream{kind: model.EventStream}
	d := streaming(t, health, s)
	d.pane.Close()
	if s.stopped != 0 || !d.pane.Open() {
		t.Fatal("an open stream was closed with the pane")
	}
	d.take(screen.SpecOpened{Spec: shop()})
	if s.stopped != 1 {
		t.Errorf("stopped %d times with another spec, want 1", s.stopped)
	}
	next := &fakeStream{kind: model.EventStream}
	d = streaming(t, health, next)
	d.press("r")
	if next.stopped != 1 {
		t.Errorf("stopped %d times by another request, want 1", next.stopped)
	}
	late := &fakeStream{kind: model.EventStream}
	d = drive(t, demo)
	d.answer, d.hold = opened(pay, late), true
	d.press("r", "esc").release()
	if late.stopped != 1 {
		t.Errorf("stopped %d times after the request was given up, want 1", late.stopped)
	}
}

// Ticks of an earlier stream change nothing, and the mouse moves the cursor.
func TestStreamMouse(t *testing.T) {
	s := &fakeStream{kind: model.EventStream}
	s.arrive(50, numbers(0, 40)...)
	d := streaming(t, health, s)
	old := streamTicked{id: d.pane.stream.id - 1}
	if cmd := d.pane.stream.ticked(old); cmd != nil {
		t.Error("a tick of an earlier stream has an effect")
	}
	r := d.pane.layout().answer
	d.take(tea.MouseMsg{X: r.X + 2, Y: r.Y + 2, Button: tea.MouseButtonWheelUp})
	d.take(tea.MouseMsg{X: r.X + 2, Y: r.Y + 1, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	if d.pane.stream.follows || d.pane.stream.list.At != d.pane.stream.list.Top {
		t.Errorf("the list is %+v", d.pane.stream.list)
	}
}
