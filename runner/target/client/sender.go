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

// sender sends requests one after another, such as the requests of a test. It must be used by one
// goroutine only, and closed after the last request.
//
// A request needs a context that ends after the timeout, and that is notified when net/http sends the
// request again. To make a new context for each request would cost a third of the time that net/http
// needs for the request. A sender therefore uses a context for several requests, until the context
// ends, and a client uses a sender for several tests.
type sender struct {
	*Client
	parent context.Context
	ctx    context.Context // nil if the next request needs a new context
	cancel context.CancelCauseFunc
	timer  *time.Timer // ends ctx after the timeout; runs while a request is in flight

	observed *Observation // nil if the requests are not observed

	// State of the request in flight, or of the last request:
	take  func() bool  // takes one request from the budget
	tries int          // how often the request was sent
	used  bool         // the connection had served an earlier request
	begun *atomic.Bool // set when the answer begins, by a goroutine of net/http
}

// acquireSender returns a sender for a context: the sender that was closed last if it has the same
// context, otherwise a new one.
func (c *Client) acquireSender(ctx context.Context) *sender {
	s := c.spare.Swap(nil)
	if s != nil && s.parent == ctx {
		return s
	}
	s.releaseContext()
	return &sender{Client: c, parent: ctx, observed: observationOf(ctx)}
}

// close makes the sender available to the next acquireSender.
func (s *sender) close() { s.spare.Swap(s).releaseContext() }

// newContext makes a context for the next requests.
func (s *sender) newContext() {
	ctx, cancel := s.newCancel()
	begun := new(atomic.Bool) // the old one is not reused, because an abandoned request may still set it
	s.ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:              func(string) { s.noteSent() },
		GotConn:              func(g httptrace.GotConnInfo) { s.used = g.Reused },
		GotFirstResponseByte: func() { begun.Store(true) },
	})
	s.cancel, s.begun = cancel, begun
	s.timer = time.AfterFunc(s.timeout, func() { cancel(context.DeadlineExceeded) })
}

// releaseContext ends the context. It does nothing for a nil sender.
func (s *sender) releaseContext() {
	if s != nil && s.ctx != nil {
		s.timer.Stop()
		s.cancel(nil)
		s.ctx = nil
	}
}

// noteSent is called each time that net/http sends the request. net/http sends a request again if a
// reused connection turns out to be dead. The repeated request counts against the budget and uses a
// new connection.
func (s *sender) noteSent() {
	s.used = false
	s.tries++
	if s.tries == 1 {
		return
	}
	s.transport.CloseIdleConnections()
	if s.pace.wait(s.ctx) == nil && !s.take() {
		s.cancel(ErrBudget)
	}
}

// exchange sends a request when the pacer and the budget allow it, and reads the answer. The returned
// exchange is not masked. If the request fails on a reused connection, exchange may send it once more
// on a new connection; see stale.
func (s *sender) exchange(o outgoing) model.Exchange {
	x := s.attempt(o)
	if !s.stale(o, x.Err) {
		return x
	}
	s.transport.CloseIdleConnections()
	again := s.attempt(o)
	switch {
	case IsDialError(again.Err):
		again.Err = &ConnectionLostError{again.Err}
	case errors.Is(again.Err, context.DeadlineExceeded):
		s.timedOut.add(o.route())
	}
	return again
}

// attempt sends a request once. net/http may send it again; see noteSent.
func (s *sender) attempt(o outgoing) model.Exchange {
	x := model.Exchange{Request: o.Request}
	x.Err = s.pace.wait(s.parent)
	if x.Err != nil {
		return x
	}
	if !o.take() {
		x.Err = ErrBudget
		return x
	}
	s.beginAttempt(o)
	defer s.endAttempt()
	req, err := s.request(o)
	if err != nil {
		x.Err = &UnsendableError{err}
		return x
	}
	x.At = time.Now()
	x.Reply, x.Details, x.Err = s.transmit(o, req)
	x.Took = time.Since(x.At)
	s.retire(x.Reply)
	switch {
	case x.Err != nil && s.ctx.Err() != nil:
		x.Err = context.Cause(s.ctx) // for HTTP/2, net/http does not report the cause
	case x.Err != nil && s.tries == 0:
		x.Err = &UnsendableError{x.Err}
	case x.Err != nil && s.tries > 1 && IsDialError(x.Err):
		x.Err = &ConnectionLostError{x.Err}
	}
	return x
}

// beginAttempt resets the state of the request in flight and starts the timer.
func (s *sender) beginAttempt(o outgoing) {
	if s.ctx == nil {
		s.newContext()
	} else {
		s.timer.Reset(s.timeout)
	}
	s.take, s.tries, s.used = o.take, 0, false
	s.begun.Store(false)
}

// endAttempt stops the timer, and releases the context if the context has ended or the timer has
// fired.
func (s *sender) endAttempt() {
	if !s.timer.Stop() || s.ctx.Err() != nil {
		s.releaseContext()
	}
}

// request returns the request as an *http.Request.
func (s *sender) request(o outgoing) (*http.Request, error) {
	to, err := s.address(o)
	if err != nil {
		return nil, err
	}
	req := (&http.Request{
		Method: o.Method, URL: to, Host: to.Host, Header: o.headers(), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(s.ctx)
	if body := o.Body; len(body) > 0 {
		req.ContentLength = int64(len(body))
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		req.Body, _ = req.GetBody()
	}
	addCredentials(req, o.credentials)
	return req, nil
}

// headers returns the headers of the request. It returns a copy if credentials will be added, because
// the original map is stored in the exchange.
func (o outgoing) headers() http.Header {
	if len(o.credentials) == 0 && o.Header != nil {
		return o.Header
	}
	h := make(http.Header, len(o.Header)+len(o.credentials))
	maps.Copy(h, o.Header)
	return h
}

// address returns the URL of a request. For a request to the service it parses only the path and the
// query, because parsing the host each time would take longer than all other work of this package.
func (s *sender) address(o outgoing) (*url.URL, error) {
	if o.elsewhere != "" {
		return url.Parse(o.elsewhere)
	}
	to, err := url.ParseRequestURI(cmp.Or(s.prefix+o.URL, "/"))
	if err == nil {
		to.Scheme, to.Host = s.base.Scheme, strings.TrimSuffix(s.base.Host, ":")
	}
	return to, err
}
