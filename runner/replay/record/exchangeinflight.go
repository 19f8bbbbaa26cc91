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

	"sonde/assets/wire"
	"sonde/model"
)

// exchangeInFlight is an exchange that is being relayed. It is reported once: when it has failed, or when the end of
// the reply was read and is not relayed yet. So the exchange is reported before the client has the whole reply.
type exchangeInFlight struct {
	at         time.Time
	clock      clock
	exchange   model.Exchange // the request and the reply, without their bodies
	masker     *masker
	report     func(model.Exchange, *masked) // called once when the exchange ends
	tracked    *trackedRequest               // nil for a call of the service
	clientConn net.Conn                      // nil if unknown
	warn       func(string)
	body       *requestBody                // nil if the request has no body
	flush      func()                      // relays what was read of the reply
	hostConn   atomic.Pointer[watchedConn] // connection on which the request was sent

	mu              sync.Mutex // one goroutine reads the request's body, another one the reply
	request         capture
	early           *masked // the masked request, nil if it was not masked before the reply
	reply           capture
	expected        int64              // bytes of the reply's body, -1 if unknown
	trailer         func() http.Header // returns the trailer of the reply, which is complete at the end of the body; nil before the reply
	ended           bool
	requestComplete bool // the request's body was read completely
	brokeOff        bool // the reply broke off
}

// exchangeKey is the key of an exchangeInFlight in the context of its request.
type exchangeKey struct{}

// exchangeOf returns the exchange in the context of a request, nil if there is none.
func exchangeOf(ctx context.Context) *exchangeInFlight {
	e, _ := ctx.Value(exchangeKey{}).(*exchangeInFlight)
	return e
}

// beginExchange begins an exchange whose request goes to the URL base. report is called when the exchange ends.
// beginExchange makes the body of r capture what is read from it.
func (m *Monitor) beginExchange(base string, r *http.Request, report func(model.Exchange, *masked)) *exchangeInFlight {
	e := &exchangeInFlight{clock: m.clock, at: m.clock.now(), masker: m.masker, report: report, warn: m.warnOnce}
	e.clientConn, _ = r.Context().Value(connKey{}).(net.Conn)
	e.exchange = model.Exchange{
		Base:    base,
		At:      e.at,
		Request: model.Request{Method: r.Method, URL: r.URL.RequestURI(), Header: withoutTrace(r.Header)},
	}
	e.requestComplete = r.Body == nil || r.Body == http.NoBody
	if !e.requestComplete {
		e.body = &requestBody{ReadCloser: r.Body, expected: r.ContentLength, exchange: e}
		r.Body = e.body
	}
	return e
}

// withContext returns the request with the exchange in its context. When the request is sent, the exchange notes the
// connection to the host, and masks the request; see maskEarly.
func (e *exchangeInFlight) withContext(r *http.Request) *http.Request {
	ctx := context.WithValue(r.Context(), exchangeKey{}, e)
	return r.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:      func(g httptrace.GotConnInfo) { e.hostConn.Store(watchedConnIn(g.Conn)) },
		WroteRequest: func(httptrace.WroteRequestInfo) { e.maskEarly() },
	}))
}

// maskEarly masks the request while the host is answering it, to save time later. It does nothing if the request is not
// complete, or if its body must be decoded first.
func (e *exchangeInFlight) maskEarly() {
	e.mu.Lock()
	defer e.mu.Unlock()
	q := e.exchange.Request
	if e.ended || !e.requestComplete || headerValue(q.Header, "Content-Encoding") != "" ||
		wire.IsGRPC(headerValue(q.Header, "Content-Type")) {
		return
	}
	q.Body = e.request.data
	e.early = e.masker.request(q)
}

// requestBody captures the body of a request while it is sent.
type requestBody struct {
	io.ReadCloser
	expected int64
	exchange *exchangeInFlight
}

// Read reads from the body and captures what it read.
func (b *requestBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.exchange.mu.Lock()
	defer b.exchange.mu.Unlock()
	b.exchange.request.add(p[:n])
	b.exchange.requestComplete = b.exchange.requestComplete || err == io.EOF || b.exchange.request.size == b.expected
	return n, err
}

// maxUnread is the maximum number of bytes that are read from a request's body after the host has failed without
// reading all of it. The server of net/http reads as much.
const maxUnread = 256 << 10

// fail ends an exchange without a reply, and breaks off the client's connection. Before that, unless the request has an
// Expect header, it reads the rest of the request's body, at most maxUnread bytes. It warns of a certificate that is
// not trusted. Like breakOff, it always panics.
func (e *exchangeInFlight) fail(r *http.Request, err error) {
	if e.body != nil && r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, e.body, maxUnread) // an error means that the rest is missing
	}
	if w := e.hostConn.Load(); w != nil && !wasReset(err) {
		err = w.endError(err)
	}
	if unknown := new(tls.CertificateVerificationError); errors.As(err, &unknown) {
		e.warn(untrustedWarning(e.exchange.Base, unknown.Err))
	}
	e.finish(withoutAddresses(err))
	breakOff(r.Context(), err)
}

// setReply records the status and the headers of the reply, and makes the exchange capture the reply's body. It ends
// the exchange if there is no body. In a reply to a client, it restores the client's trace context.
func (e *exchangeInFlight) setReply(r *http.Response) {
	e.expected = r.ContentLength
	if r.ProtoMajor == 2 {
		e.expected = -1 // trailers may follow a body of a declared length
	}
	e.exchange.Reply = model.Reply{Status: r.StatusCode, Proto: r.Proto, Header: withoutTrace(r.Header)}
	e.trailer = func() http.Header { return r.Trailer }
	if r.Body == http.NoBody {
		e.finish(nil)
	} else {
		r.Body = &replyBody{r.Body, e}
	}
	if e.tracked != nil && e.tracked.clientTrace != nil {
		r.Header = r.Header.Clone()
		e.tracked.clientTrace.restore(r.Header, e.tracked.id)
	}
}

// replyBody captures the body of a reply while it is relayed.
type replyBody struct {
	io.ReadCloser
	exchange *exchangeInFlight
}

// Read reads from the body and captures what it read. It first relays what was read so far, because the next read may
// have to wait. At the end of the body it ends the exchange.
func (b *replyBody) Read(p []byte) (int, error) {
	e := b.exchange
	if e.reply.size > 0 {
		e.flush()
	}
	n, err := b.ReadCloser.Read(p)
	e.mu.Lock()
	e.reply.add(p[:n])
	whole := e.reply.size == e.expected
	e.mu.Unlock()
	switch {
	case err != nil && err != io.EOF:
		e.brokeOff = true
		if e.clientConn != nil && wasReset(err) {
			reset(e.clientConn)
		}
		e.finish(fmt.Errorf("the reply broke off after %d bytes: %w", e.reply.size, withoutAddresses(err)))
	case err == io.EOF || whole:
		e.finish(nil)
	}
	return n, err
}

// errClientLeft is recorded if the client did not read the complete reply.
var errClientLeft = errors.New("the client did not wait for the complete answer")

// Close ends the exchange, if the client left before the end of the reply.
func (b *replyBody) Close() error {
	err := b.ReadCloser.Close()
	b.exchange.finish(errClientLeft)
	return err
}

// finish ends the exchange and reports it. err is why the exchange is incomplete, nil if it is
// complete. Only the first call has an effect.
func (e *exchangeInFlight) finish(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ended {
		return
	}
	e.ended = true
	x := e.exchange
	x.Took, x.Err = e.clock.now().Sub(e.at), err
	x.Request.Body, x.Request.Truncated, x.Request.Header = e.keptBody(&e.request, x.Request.Header)
	x.Request.Truncated = x.Request.Truncated || !e.requestComplete
	x.Reply.Body, x.Reply.Truncated, x.Reply.Header = e.keptBody(&e.reply, x.Reply.Header)
	if e.trailer != nil {
		x.Reply.Trailer = withoutTrace(e.trailer())
	}
	e.report(x, e.early)
}

// description names the request for a warning.
func (e *exchangeInFlight) description() string {
	path, _, _ := strings.Cut(e.exchange.Request.URL, "?")
	return e.exchange.Request.Method + " " + e.exchange.Base + path
}

// keptBody returns a captured body in the form that is written to disk, whether the body is truncated, and the headers.
// If the body is not empty and had an encoding, the headers are without Content-Encoding and Content-Length.
func (e *exchangeInFlight) keptBody(c *capture, h http.Header) ([]byte, bool, http.Header) {
	encoding := headerValue(h, "Content-Encoding")
	data, cut, err := decode(*c, encoding)
	if err != nil {
		e.warn(fmt.Sprintf("%s: a body in %.20q is not kept completely: %v", e.description(), encoding, err))
	} else if cut {
		e.warn(fmt.Sprintf("%s: only the first %d MB of a body are kept", e.description(), maxBody>>20))
	}
	if encoding == "" || len(c.data) == 0 {
		return data, cut, h
	}
	h = h.Clone()
	h.Del("Content-Encoding")
	h.Del("Content-Length")
	return data, cut, h
}
