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

// way is the way out for requests that leave one after the other, such as those
// of a test. A request needs a context that ends when it takes too long, and
// that hears when net/http sends it again. To make that for each request would
// cost a third of what net/http spends on it; here one serves until it ends, and
// the way serves the next test, too.
// It is for one goroutine. Close it behind the last request.
type way struct {
	*Client
	parent context.Context
	ctx    context.Context // nil where the next request needs another one
	cancel context.CancelCauseFunc
	timer  *time.Timer  // ends ctx; it runs while a request is out
	take   func() bool  // of the request that is out
	tries  int          // how often that was sent
	used   bool         // its connection had carried a request before
	begun  *atomic.Bool // its answer has begun; set by a goroutine of net/http
}

// way returns the way that was closed last, if that was of the same context.
func (c *Client) way(ctx context.Context) *way {
	w := c.spare.Swap(nil)
	if w != nil && w.parent == ctx {
		return w
	}
	w.end()
	return &way{Client: c, parent: ctx}
}

func (w *way) close() { w.spare.Swap(w).end() }

// open makes a context for the next requests.
func (w *way) open() {
	ctx, cancel := context.WithCancelCause(w.parent)
	begun := new(atomic.Bool) // not the way's own: one that was given up may set it late
	w.ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:              func(string) { w.sent() },
		GotConn:              func(g httptrace.GotConnInfo) { w.used = g.Reused },
		GotFirstResponseByte: func() { begun.Store(true) },
	})
	w.cancel, w.begun = cancel, begun
	w.timer = time.AfterFunc(w.timeout, func() { cancel(context.DeadlineExceeded) })
}

// end lets the context go.
func (w *way) end() {
	if w != nil && w.ctx != nil {
		w.timer.Stop()
		w.cancel(nil)
		w.ctx = nil
	}
}

// sent counts how often a request leaves. The transport sends some again when a
// connection that it reused turns out to be dead; those count as well, leave on a
// new connection, and do not leave where the budget is used up.
func (w *way) sent() {
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

// exchange sends a request when its turn comes, where the budget lets it, and
// reads the answer as it comes, secrets included. A connection that fails and had
// been used before says nothing about the request: it is sent once more on a new
// one.
func (w *way) exchange(l leaving) model.Exchange {
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
		w.silent.note(l.place())
	}
	return again
}

// attempt sends a request once; net/http may do so again, see sent.
func (w *way) attempt(l leaving) model.Exchange {
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
		x.Err = context.Cause(w.ctx) // HTTP/2 tells only that it ended, not that it took too long
	case x.Err != nil && w.tries == 0:
		x.Err = &UnsendableError{x.Err}
	case x.Err != nil && w.tries > 1 && IsDialError(x.Err):
		x.Err = &ConnectionLostError{x.Err}
	}
	return x
}

func (w *way) begin(l leaving) {
	if w.ctx == nil {
		w.open()
	} else {
		w.timer.Reset(w.timeout)
	}
	w.take, w.tries, w.used = l.take, 0, false
	w.begun.Store(false)
}

// rest lets the context go if it has ended, or is about to.
func (w *way) rest() {
	if !w.timer.Stop() || w.ctx.Err() != nil {
		w.end()
	}
}

// request is the request as net/http has it.
func (w *way) request(l leaving) (*http.Request, error) {
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

// headers are those of the call, or a copy where it carries more: nobody is to
// see that.
func (l leaving) headers() http.Header {
	if len(l.carries) == 0 && l.Header != nil {
		return l.Header
	}
	h := make(http.Header, len(l.Header)+len(l.carries))
	maps.Copy(h, l.Header)
	return h
}

// address is where a request goes. Of one to the service only path and query are
// read: to read its host each time takes longer than all the rest.
func (w *way) address(l leaving) (*url.URL, error) {
	if l.elsewhere != "" {
		return url.Parse(l.elsewhere)
	}
	to, err := url.ParseRequestURI(cmp.Or(w.prefix+l.URL, "/"))
	if err == nil {
		to.Scheme, to.Host = w.base.Scheme, strings.TrimSuffix(w.base.Host, ":")
	}
	return to, err
}
