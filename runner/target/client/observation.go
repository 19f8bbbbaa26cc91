package client

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"

	"sonde/model"
)

// Observation collects what a user wants to know about a request that the user sends by hand: the details of its
// transmission, and the stream that it opens. It belongs to one call of PlayTest.
type Observation struct {
	webSocket bool
	clock     stopwatch
	last      bool        // the call in flight is the last one of the test, which may open a stream
	release   func() bool // detaches the context of the request in flight from the sender's parent
	stream    Stream      // nil if the last call opened none
}

// Observe returns a context for PlayTest and the observation of what is sent with it. If webSocket is true, the last call
// asks the service for a WebSocket. The caller must close the stream of the observation.
//
// Requests with any other context are not observed, which costs less: the exchanges have no details, and an answer that
// does not end is read until the timeout.
func Observe(ctx context.Context, webSocket bool) (context.Context, *Observation) {
	o := &Observation{webSocket: webSocket}
	return context.WithValue(ctx, observationKey{}, o), o
}

type observationKey struct{}

// observationOf returns the observation of a context, nil for none.
func observationOf(ctx context.Context) *Observation {
	o, _ := ctx.Value(observationKey{}).(*Observation)
	return o
}

// Stream returns the stream that the last call opened, nil for none.
func (o *Observation) Stream() Stream { return o.stream }

// begin notes which call of a test begins.
func (o *Observation) begin(call, calls int) {
	if o != nil {
		o.last = call == calls-1
	}
}

// mayStream reports whether the answer to a request may be a stream: it must be the last call of the test, and not a
// request that logs a user in.
func (o *Observation) mayStream(r outgoing) bool { return o.last && r.Op != "" && r.elsewhere == "" }

// stopwatch measures the parts of an exchange. Goroutines of net/http call its methods.
type stopwatch struct {
	mu        sync.Mutex
	timing    model.Timing
	begun     map[part]time.Time
	ready     time.Time // when the connection could be used
	firstByte time.Time
	tls       *tls.ConnectionState
}

// part is a part of setting up a connection.
type part int

const (
	lookup part = iota
	connect
	handshake
)

// reset begins the measurement of a request.
func (w *stopwatch) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timing, w.begun, w.ready, w.firstByte, w.tls = model.Timing{}, map[part]time.Time{}, time.Time{}, time.Time{}, nil
}

// start notes the begin of a part. Of several connections that are tried at once, the first one counts.
func (w *stopwatch) start(p part) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.begun[p].IsZero() && w.begun != nil {
		w.begun[p] = time.Now()
	}
}

// end stores how long a part took.
func (w *stopwatch) end(p part, took *time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if from := w.begun[p]; !from.IsZero() && !w.timing.Reused {
		*took = time.Since(from)
	}
}

// connected notes that the connection can be used.
func (w *stopwatch) connected(g httptrace.GotConnInfo) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ready = time.Now()
	w.timing.Reused = g.Reused
	if g.Reused {
		w.timing.Lookup, w.timing.Connect, w.timing.Handshake = 0, 0, 0
	}
}

// handshaken notes the end of a TLS handshake.
func (w *stopwatch) handshaken(s tls.ConnectionState) {
	w.end(handshake, &w.timing.Handshake)
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.timing.Reused { // otherwise it is another connection, which net/http has begun meanwhile
		w.tls, w.ready = &s, time.Now()
	}
}

func (w *stopwatch) answered() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.firstByte = time.Now()
	w.timing.FirstByte = w.firstByte.Sub(w.ready)
}

// finish returns the measured times, with the end of the body.
func (w *stopwatch) finish() (model.Timing, *tls.ConnectionState) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.firstByte.IsZero() {
		w.timing.Body = time.Since(w.firstByte)
	}
	return w.timing, w.tls
}

// trace returns the hooks of a stopwatch for net/http.
func (w *stopwatch) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		DNSStart:             func(httptrace.DNSStartInfo) { w.start(lookup) },
		DNSDone:              func(httptrace.DNSDoneInfo) { w.end(lookup, &w.timing.Lookup) },
		ConnectStart:         func(string, string) { w.start(connect) },
		ConnectDone:          func(string, string, error) { w.end(connect, &w.timing.Connect) },
		TLSHandshakeStart:    func() { w.start(handshake) },
		TLSHandshakeDone:     func(s tls.ConnectionState, _ error) { w.handshaken(s) },
		GotConn:              w.connected,
		GotFirstResponseByte: w.answered,
	}
}

// details returns the details of an exchange. An answer over TLS has state; if it is nil, the handshake has it.
func (o *Observation) details(state *tls.ConnectionState, size model.ReplySizes) *model.TransmissionDetails {
	timing, shaken := o.clock.finish()
	if state == nil {
		state = shaken
	}
	return &model.TransmissionDetails{Timing: timing, TLS: tlsFacts(state), Size: size}
}

// headerSize returns the size of an answer's status line and headers in the form of HTTP/1.1.
func headerSize(res *http.Response) int64 {
	size := len(res.Proto) + len(" ") + len(res.Status) + len("\r\n\r\n")
	for name, values := range res.Header {
		for _, v := range values {
			size += len(name) + len(": ") + len(v) + len("\r\n")
		}
	}
	return int64(size)
}

// maxNames is the maximum number of hosts of a certificate that are kept.
const maxNames = 10

// tlsFacts describes a TLS connection. It returns nil if state is nil.
func tlsFacts(state *tls.ConnectionState) *model.TLSFacts {
	if state == nil {
		return nil
	}
	f := &model.TLSFacts{
		Version:  tls.VersionName(state.Version),
		Cipher:   tls.CipherSuiteName(state.CipherSuite),
		Protocol: state.NegotiatedProtocol,
		Verified: len(state.VerifiedChains) > 0,
	}
	if len(state.PeerCertificates) > 0 {
		own := state.PeerCertificates[0]
		f.Subject, f.Issuer, f.Expires = own.Subject.String(), own.Issuer.String(), own.NotAfter
		f.Names = own.DNSNames[:min(len(own.DNSNames), maxNames)]
		for _, ip := range own.IPAddresses[:min(len(own.IPAddresses), maxNames-len(f.Names))] {
			f.Names = append(f.Names[:len(f.Names):len(f.Names)], ip.String())
		}
	}
	return f
}

// newCancel returns a context for requests, and the function that ends it. It ends with the parent of the sender. The
// context of an observed sender can outlive the parent; see release.
func (s *sender) newCancel() (context.Context, context.CancelCauseFunc) {
	if s.observed == nil {
		return context.WithCancelCause(s.parent)
	}
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(s.parent))
	s.observed.release = context.AfterFunc(s.parent, func() { cancel(context.Cause(s.parent)) })
	return httptrace.WithClientTrace(ctx, s.observed.clock.trace()), cancel
}

// transmit sends a request and reads the answer. If the request is observed, transmit also returns the details of the
// exchange, and opens a stream if the answer is one.
func (s *sender) transmit(o outgoing, req *http.Request) (model.Reply, *model.TransmissionDetails, error) {
	if s.observed == nil {
		reply, err := s.roundTrip(req)
		return reply, nil, err
	}
	s.observed.clock.reset()
	open := s.openHTTP
	if s.observed.webSocket && s.observed.mayStream(o) {
		open = s.openWebSocket
	}
	res, stream, err := open(o, req)
	if err != nil {
		return model.Reply{}, nil, err
	}
	size := model.ReplySizes{Header: headerSize(res)}
	encoding := res.Header.Get("Content-Encoding")
	if stream != nil {
		if !s.keep(stream) {
			stream.Close()
			return model.Reply{}, nil, context.Canceled // attempt replaces it by the cause
		}
		reply := model.Reply{Status: res.StatusCode, Proto: res.Proto, Header: res.Header, Truncated: true}
		details := s.observed.details(res.TLS, size)
		details.Timing.Body = 0 // the body has only begun
		return reply, details, nil
	}
	defer res.Body.Close()
	reply, encoded := s.readReply(req.Context(), res)
	size.Encoded = encoded
	if res.Header.Get("Content-Encoding") != encoding {
		size.Encoding = encoding
	}
	return reply, s.observed.details(res.TLS, size), nil
}

// openHTTP sends a request. If the answer is a stream of events, openHTTP returns it.
func (s *sender) openHTTP(o outgoing, req *http.Request) (*http.Response, Stream, error) {
	res, err := s.transport.RoundTrip(req)
	if err != nil || !s.observed.mayStream(o) || !isEventStream(res) {
		return res, nil, err
	}
	return res, newEventStream(res, s.cancel, &s.mask), nil
}

// keep makes a stream the stream of the observation. From then on, neither the timeout nor the end of the sender's
// context ends the request: the stream does. It returns false if the request has ended already.
func (s *sender) keep(stream Stream) bool {
	if !s.timer.Stop() || !s.observed.release() {
		return false
	}
	s.ctx = nil // the stream owns it
	s.observed.stream = stream
	return true
}
