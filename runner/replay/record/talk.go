package record

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sonde/model"
)

// exchangeInFlight is a request with its reply in flight. It ends once, when the end of the reply has come and
// before that is relayed: an exchange that the client has received is on disk.
type exchangeInFlight struct {
	at       time.Time
	clock    clock
	exchange model.Exchange // without bodies
	masker   *masker
	over     func(model.Exchange, *masked)
	visit    *trackedRequest // nil for calls of the service
	conn     net.Conn        // of the client
	note     func(string)
	unsent   *requestBody // nil if the request has no body
	flush    func()       // relays what came of the reply
	behind   atomic.Pointer[watched]

	mu       sync.Mutex // the request's body and the reply are read by different goroutines
	request  capture
	early    *masked // the request, masked while the reply is awaited; nil if it was not
	reply    capture
	expected int64 // bytes of the reply's body, -1 if unknown
	ended    bool
	whole    bool // all of the request's body was read
	broke    bool // the reply ended before its end
}

// talkKey is the key of a talk in the context of its request.
type talkKey struct{}

func talkOf(ctx context.Context) *exchangeInFlight {
	t, _ := ctx.Value(talkKey{}).(*exchangeInFlight)
	return t
}

// newTalk begins a talk with a request; over is called when it ends.
func (m *Monitor) newTalk(base string, r *http.Request, over func(model.Exchange, *masked)) *exchangeInFlight {
	t := &exchangeInFlight{clock: m.clock, at: m.clock.now(), masker: m.masker, over: over, note: m.once}
	t.conn, _ = r.Context().Value(connKey{}).(net.Conn)
	t.exchange = model.Exchange{
		Base:    base,
		At:      t.at,
		Request: model.Request{Method: r.Method, URL: r.URL.RequestURI(), Header: untraced(r.Header)},
	}
	t.whole = r.Body == nil || r.Body == http.NoBody
	if !t.whole {
		t.unsent = &requestBody{ReadCloser: r.Body, expected: r.ContentLength, t: t}
		r.Body = t.unsent
	}
	return t
}

// on returns the request with the talk in its context.
func (t *exchangeInFlight) on(r *http.Request) *http.Request {
	ctx := context.WithValue(r.Context(), talkKey{}, t)
	return r.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:      func(g httptrace.GotConnInfo) { t.behind.Store(watchedIn(g.Conn)) },
		WroteRequest: func(httptrace.WroteRequestInfo) { t.ahead() },
	}))
}

// ahead masks the request while the reply is awaited.
func (t *exchangeInFlight) ahead() {
	t.mu.Lock()
	defer t.mu.Unlock()
	q := t.exchange.Request
	if t.ended || !t.whole || first(q.Header, "Content-Encoding") != "" {
		return
	}
	q.Body = t.request.data
	t.early = t.masker.request(q)
}

// requestBody is the body of a request in flight.
type requestBody struct {
	io.ReadCloser
	expected int64
	t        *exchangeInFlight
}

func (s *requestBody) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	s.t.mu.Lock()
	defer s.t.mu.Unlock()
	s.t.request.take(p[:n])
	s.t.whole = s.t.whole || err == io.EOF || s.t.request.read == s.expected
	return n, err
}

// maxUnsent is how much of a body is kept that the host does not read: as much as net/http's server
// reads.
const maxUnsent = 256 << 10

// fails ends a talk without a reply, and breaks the connection of the client.
func (t *exchangeInFlight) fails(r *http.Request, err error) {
	if t.unsent != nil && r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, t.unsent, maxUnsent) // an error means that the rest is missing
	}
	if w := t.behind.Load(); w != nil && !abrupt(err) {
		err = w.why(err)
	}
	if unknown := new(tls.CertificateVerificationError); errors.As(err, &unknown) {
		t.note(distrusted(t.exchange.Base, unknown.Err))
	}
	t.end(plain(err))
	breakOff(r.Context(), err)
}

// answers records the header of a reply.
func (t *exchangeInFlight) answers(r *http.Response) {
	t.expected = r.ContentLength
	t.exchange.Reply = model.Reply{Status: r.StatusCode, Proto: r.Proto, Header: untraced(r.Header)}
	if r.Body == http.NoBody {
		t.end(nil)
	} else {
		r.Body = &replyBody{r.Body, t}
	}
	if t.visit != nil && t.visit.own != nil {
		r.Header = r.Header.Clone()
		t.visit.own.restore(r.Header, t.visit.id)
	}
}

// replyBody is the body of a reply in flight.
type replyBody struct {
	io.ReadCloser
	t *exchangeInFlight
}

// Read relays what has come before it waits for more.
func (c *replyBody) Read(p []byte) (int, error) {
	t := c.t
	if t.reply.read > 0 {
		t.flush()
	}
	n, err := c.ReadCloser.Read(p)
	t.mu.Lock()
	t.reply.take(p[:n])
	whole := t.reply.read == t.expected
	t.mu.Unlock()
	switch {
	case err != nil && err != io.EOF:
		t.broke = true
		if t.conn != nil && abrupt(err) {
			reset(t.conn)
		}
		t.end(fmt.Errorf("the reply broke off after %d bytes: %w", t.reply.read, plain(err)))
	case err == io.EOF || whole:
		t.end(nil)
	}
	return n, err
}

// errLeft is the error of a reply that the client did not read to its end.
var errLeft = errors.New("the client did not wait for the complete answer")

func (c *replyBody) Close() error {
	err := c.ReadCloser.Close()
	c.t.end(errLeft)
	return err
}

// end ends the talk; err says what is missing.
func (t *exchangeInFlight) end(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return
	}
	t.ended = true
	x := t.exchange
	x.Took, x.Err = t.clock.now().Sub(t.at), err
	x.Request.Body, x.Request.Truncated, x.Request.Header = t.body(&t.request, x.Request.Header)
	x.Request.Truncated = x.Request.Truncated || !t.whole
	x.Reply.Body, x.Reply.Truncated, x.Reply.Header = t.body(&t.reply, x.Reply.Header)
	t.over(x, t.early)
}

// name describes the request for people.
func (t *exchangeInFlight) name() string {
	path, _, _ := strings.Cut(t.exchange.Request.URL, "?")
	return t.exchange.Request.Method + " " + t.exchange.Base + path
}

// body returns a captured body as it is kept, and its headers.
func (t *exchangeInFlight) body(c *capture, h http.Header) ([]byte, bool, http.Header) {
	encoding := first(h, "Content-Encoding")
	data, cut, err := decoded(*c, encoding)
	if err != nil {
		t.note(fmt.Sprintf("%s: a body in %.20q is not kept completely: %v", t.name(), encoding, err))
	} else if cut {
		t.note(fmt.Sprintf("%s: only the first %d MB of a body are kept", t.name(), maxBody>>20))
	}
	if encoding == "" || len(c.data) == 0 {
		return data, cut, h
	}
	h = h.Clone()
	h.Del("Content-Encoding")
	h.Del("Content-Length")
	return data, cut, h
}
