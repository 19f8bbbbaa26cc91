package client

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"sonde/model"
)

// sender sends requests one after the other, such as those of a test. A request needs a context
// that ends after the timeout and that is notified when net/http sends the request again.
// Creating one for each request would cost a third of the time that net/http needs for it, so a
// context serves until it ends, and the sender is reused for the next test.
// It is for one goroutine. Close it after the last request.
type sender struct {
	*Client
	parent context.Context
	ctx    context.Context // nil if the next request needs a new one
	cancel context.CancelCauseFunc
	timer  *time.Timer  // ends ctx; it runs while a request is in flight
	take   func() bool  // of the request in flight
	tries  int          // how often it was sent
	used   bool         // its connection had carried a request before
	begun  *atomic.Bool // its answer has begun; set by a goroutine of net/http
}

// sender returns the sender that was closed last if it has the same context, or a new one.
func (c *Client) acquireSender(ctx context.Context) *sender {
	w := c.spare.Swap(nil)
	if w != nil && w.parent == ctx {
		return w
	}
	w.end()
	return &sender{Client: c, parent: ctx}
}

func (w *sender) close() { w.spare.Swap(w).end() }

// open makes a context for the next requests.
func (w *sender) open() {
	ctx, cancel := context.WithCancelCause(w.parent)
	begun := new(atomic.Bool) // a new one, because an abandoned request may set the old one late
	w.ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:              func(string) { w.sent() },
		GotConn:              func(g httptrace.GotConnInfo) { w.used = g.Reused },
		GotFirstResponseByte: func() { begun.Store(true) },
	})
	w.cancel, w.begun = cancel, begun
	w.timer = time.AfterFunc(w.timeout, func() { cancel(context.DeadlineExceeded) })
}

// end releases the context.
func (w *sender) end() {
	if w != nil && w.ctx != nil {
		w.timer.Stop()
		w.cancel(nil)
		w.ctx = nil
	}
}

// sent counts each time that a request is sent. The transport sends some again when a reused
// connection turns out to be dead; those count too, use a new connection, and are not sent when
// the budget is used up.
func (w *sender) sent() {
	w.used = false
	w.tries++
	if w.tries == 1 {
		return
	}
	w.transport.CloseIdleConnections()
	if w.pace.wait(w.ctx) == nil && !w.take() {
		w.cancel(ErrBudget)
	}
}

// exchange sends a request when the pacer and the budget allow it, and reads the answer,
// including secrets. A failure on a reused connection says nothing about the request, which is
// then sent once more on a new connection.
func (w *sender) exchange(l outgoing) model.Exchange {
	x := w.attempt(l)
	if !w.stale(l, x.Err) {
		return x
	}
	w.transport.CloseIdleConnections()
	again := w.attempt(l)
	switch {
	case IsDialError(again.Err):
		again.Err = &ConnectionLostError{again.Err}
	case errors.Is(again.Err, context.DeadlineExceeded):
		w.timedOut.add(l.place())
	}
	return again
}

// attempt sends a request once; net/http may send it again, see sent.
func (w *sender) attempt(l outgoing) model.Exchange {
	x := model.Exchange{Request: l.Request}
	x.Err = w.pace.wait(w.parent)
	if x.Err != nil {
		return x
	}
	if !l.take() {
		x.Err = ErrBudget
		return x
	}
	w.begin(l)
	defer w.rest()
	req, err := w.request(l)
	if err != nil {
		x.Err = &UnsendableError{err}
		return x
	}
	x.At = time.Now()
	x.Reply, x.Err = w.roundTrip(req)
	x.Took = time.Since(x.At)
	w.retire(x.Reply)
	switch {
	case x.Err != nil && w.ctx.Err() != nil:
		x.Err = context.Cause(w.ctx) // HTTP/2 reports only that it ended, not the timeout
	case x.Err != nil && w.tries == 0:
		x.Err = &UnsendableError{x.Err}
	case x.Err != nil && w.tries > 1 && IsDialError(x.Err):
		x.Err = &ConnectionLostError{x.Err}
	}
	return x
}

func (w *sender) begin(l outgoing) {
	if w.ctx == nil {
		w.open()
	} else {
		w.timer.Reset(w.timeout)
	}
	w.take, w.tries, w.used = l.take, 0, false
	w.begun.Store(false)
}

// rest releases the context if it has ended or is about to.
func (w *sender) rest() {
	if !w.timer.Stop() || w.ctx.Err() != nil {
		w.end()
	}
}

// request returns the request for net/http.
func (w *sender) request(l outgoing) (*http.Request, error) {
	to, err := w.address(l)
	if err != nil {
		return nil, err
	}
	req := (&http.Request{
		Method: l.Method, URL: to, Host: to.Host, Header: l.headers(), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(w.ctx)
	if body := l.Body; len(body) > 0 {
		req.ContentLength = int64(len(body))
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		req.Body, _ = req.GetBody()
	}
	carry(req, l.carries)
	return req, nil
}

// headers returns those of the call, or a copy if credentials are added, which must not be
// visible in the call.
func (l outgoing) headers() http.Header {
	if len(l.carries) == 0 && l.Header != nil {
		return l.Header
	}
	h := make(http.Header, len(l.Header)+len(l.carries))
	maps.Copy(h, l.Header)
	return h
}

// address returns where a request goes. For the service itself only path and query are parsed:
// parsing the host each time would take longer than all the rest.
func (w *sender) address(l outgoing) (*url.URL, error) {
	if l.elsewhere != "" {
		return url.Parse(l.elsewhere)
	}
	to, err := url.ParseRequestURI(cmp.Or(w.prefix+l.URL, "/"))
	if err == nil {
		to.Scheme, to.Host = w.base.Scheme, strings.TrimSuffix(w.base.Host, ":")
	}
	return to, err
}
