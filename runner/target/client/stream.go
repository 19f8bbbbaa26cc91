package client

import (
	"bufio"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"sync/atomic"
	"time"

	"sonde/model"
)

// Stream is an answer that stays open after its header. One goroutine at a time may call Next; all other methods may be
// called by any goroutine.
type Stream interface {
	// Kind returns the protocol of the stream.
	Kind() model.StreamKind
	// Next waits for the next message of the service. If the stream has ended, Next returns how it ended. The secrets
	// of the users are masked in the message.
	Next() (model.StreamMessage, *model.StreamEnd)
	// Send sends a text to the service. The error is ErrOneWay if the protocol has no messages to the service.
	Send(text string) error
	// Received returns the number of bytes that the service has sent so far.
	Received() int64
	// Close ends the stream. A waiting Next then returns.
	Close()
}

// ErrOneWay is the error of Stream.Send for a stream in which only the service sends messages.
var ErrOneWay = errors.New("only the service sends messages in this stream")

// maxMessage is the number of bytes of a message that are kept.
const maxMessage = 64 << 10

// isEventStream reports whether an answer is a stream of server-sent events.
func isEventStream(res *http.Response) bool {
	media, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	return err == nil && media == "text/event-stream" && res.StatusCode == http.StatusOK && res.ContentLength < 0
}

// eventStream is a stream of server-sent events. It does not reconnect.
type eventStream struct {
	body    countingReader
	close   func()
	stopped atomic.Bool
	mask    *mask
	encoded string       // the Content-Encoding of the answer
	events  *eventReader // nil before the first Next
}

// newEventStream returns the stream of events of an answer. cancel ends the request.
func newEventStream(res *http.Response, cancel context.CancelCauseFunc, m *mask) *eventStream {
	return &eventStream{
		body: countingReader{in: res.Body},
		close: func() {
			cancel(nil)
			res.Body.Close()
		},
		mask:    m,
		encoded: res.Header.Get("Content-Encoding"),
	}
}

func (e *eventStream) Kind() model.StreamKind { return model.EventStream }
func (e *eventStream) Send(string) error      { return ErrOneWay }
func (e *eventStream) Received() int64        { return e.body.n.Load() }

func (e *eventStream) Close() {
	e.stopped.Store(true)
	e.close()
}

func (e *eventStream) Next() (model.StreamMessage, *model.StreamEnd) {
	if e.events == nil {
		e.events = newEventReader(e.decoded())
	}
	m, err := e.events.next()
	if err == nil {
		m.At, m.Data = time.Now(), e.mask.body(m.Data, m.Size > int64(len(m.Data)))
		m.Event, m.ID = e.mask.text(m.Event), e.mask.text(m.ID)
		return m, nil
	}
	end := &model.StreamEnd{Stopped: e.stopped.Load(), Regular: errors.Is(err, io.EOF)}
	switch {
	case end.Stopped || end.Regular:
	case errors.Is(err, io.ErrUnexpectedEOF):
		end.Text = "the connection broke"
	default:
		end.Text = e.mask.err(err).Error()
	}
	e.close()
	return model.StreamMessage{}, end
}

// decoded returns a reader of the decompressed body. It may wait for the first bytes.
func (e *eventStream) decoded() io.Reader {
	open := decoderOf(e.encoded)
	if open == nil {
		return &e.body
	}
	in := bufio.NewReader(&e.body)
	if out := open(in); out != nil {
		return out
	}
	return in
}

// countingReader counts the bytes that are read.
type countingReader struct {
	in io.Reader
	n  atomic.Int64
}

func (r *countingReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.n.Add(int64(n))
	return n, err
}
