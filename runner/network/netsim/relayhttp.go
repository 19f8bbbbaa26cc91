package netsim

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	stdlog "log"
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"sonde/model"
)

// causeHeader is the header in which the code built into the service names the request to the service that caused an
// outward call.
const causeHeader = "Sonde-Request"

// traceHeaders are not recorded, because their values differ each time.
var traceHeaders = []string{
	causeHeader, "Traceparent", "Tracestate", "B3", "X-B3-Traceid", "X-B3-Spanid", "X-B3-Parentspanid",
	"X-B3-Sampled", "X-B3-Flags",
}

// relayedHTTP is the service's end of a connection with HTTP, and the transport that sends
// its requests to the host.
type relayedHTTP struct {
	*relayEnd
	host *http.Transport
}

// relayHTTP returns the relayedHTTP of a connection. Its transport uses the open connection
// to the host first, and dials another when the host has closed that connection.
func (l *relayConn) relayHTTP(service, host *relayEnd) *relayedHTTP {
	p := new(http.Protocols)
	if isHTTP2(service.ahead.Bytes()) {
		p.SetUnencryptedHTTP2(true) // also for TLS connections, because service and host carry decrypted bytes
	} else {
		p.SetHTTP1(true)
	}
	idle := host
	var mu sync.Mutex
	return &relayedHTTP{relayEnd: service, host: &http.Transport{
		Protocols:          p,
		DisableCompression: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			mu.Lock()
			c := idle
			idle = nil
			mu.Unlock()
			if c != nil {
				return c, nil
			}
			return l.redial(ctx)
		},
	}}
}

func isHTTP2(b []byte) bool { return strings.HasPrefix(string(b), "PRI ") }

// redial dials the host again, after the host has closed its connection while the service keeps its own connection
// open.
func (l *relayConn) redial(ctx context.Context) (net.Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", l.address())
	if err != nil || !l.tls || l.location != nil && l.location.Scheme == "http" {
		return c, err
	}
	name := l.serverName
	if name == "" {
		name, _ = splitHost(l.hosts[0])
	}
	t := tls.Client(c, l.clientConfig(name, nil))
	return t, t.HandshakeContext(ctx)
}

// Close closes the connections to the host, too.
func (a *relayedHTTP) Close() error {
	a.host.CloseIdleConnections()
	a.l.end(nil)
	return nil
}

// relayedRequest is one HTTP request of the service that is relayed.
type relayedRequest struct {
	l       *relayConn
	r       *http.Request
	sent    model.OutwardCall
	in, out capture            // record the body of the answer, and of the request
	trailer func() http.Header // returns the trailer of the answer; nil before the answer
	once    sync.Once
}

// serveHTTP relays a request to its host.
func (r *Recorder) serveHTTP(w http.ResponseWriter, req *http.Request) {
	a := req.Context().Value(streamKey{}).(*relayedHTTP)
	f := &relayedRequest{
		l:    a.l,
		r:    req,
		sent: a.l.newSent(model.HTTP),
		in:   capture{max: r.options.MaxBytes},
		out:  capture{max: r.options.MaxBytes},
	}
	f.setHost(req.Host)
	defer r.requests.begin()()
	defer f.deliver()
	w.Header()["Date"], w.Header()["Content-Type"] = nil, nil // add no header that the host does not send
	proxy := &httputil.ReverseProxy{
		Rewrite:       f.rewrite,
		Transport:     a.host,
		FlushInterval: -1,
		ErrorHandler:  f.fail,
		ErrorLog:      stdlog.New(io.Discard, "", 0),
	}
	proxy.ModifyResponse = func(res *http.Response) error {
		if res.ContentLength == 0 {
			proxy.FlushInterval = 0 // the end of the answer comes with its header, which clients of gRPC require
		}
		return f.takeAnswer(res)
	}
	proxy.ServeHTTP(w, req)
}

// setHost records the Host header as the host of the request, if it is a name of the connection's
// address. It also records the base URL of the request and, unless the host has a location, its
// display name.
func (f *relayedRequest) setHost(host string) {
	host = canonicalHost(withPort(host, f.l.to.Port()))
	if slices.Contains(f.l.hosts, host) {
		f.sent.Host = host
	}
	scheme := "http://"
	if f.sent.TLS {
		scheme = "https://"
	}
	f.sent.Base = scheme + f.r.Host
	if f.l.location == nil {
		f.sent.Name, _ = splitHost(f.sent.Host)
	}
}

// rewrite completes the request that is sent to the host: the service's request without
// causeHeader. It records the request.
func (f *relayedRequest) rewrite(p *httputil.ProxyRequest) {
	for name, values := range p.In.Header {
		if p.Out.Header[name] == nil && !isHopByHop(name) {
			p.Out.Header[name] = values // ReverseProxy removed it
		}
	}
	p.Out.URL.Scheme, p.Out.URL.Host, p.Out.URL.RawQuery = "http", p.In.Host, p.In.URL.RawQuery
	p.Out.Host = p.In.Host
	f.findCause(p.Out)
	p.Out.Header.Del(causeHeader)
	if p.Out.Body != nil {
		p.Out.Body = &tee{ReadCloser: p.Out.Body, to: &f.out, onEnd: func() {}}
	}
	f.sent.Request = model.Request{Method: p.In.Method, URL: p.In.URL.RequestURI(), Header: withoutTraces(p.In.Header)}
}

// isHopByHop reports whether a header must not be forwarded.
func isHopByHop(name string) bool {
	return slices.Contains(
		[]string{
			"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te",
			"Trailer", "Transfer-Encoding", "Upgrade", causeHeader,
		},
		name,
	)
}

// findCause records the cause of the outward request, which is a request to the service. The cause comes from the
// trace, or else from causeHeader, or else, with HTTP/1, from the goroutine that wrote the request.
func (f *relayedRequest) findCause(out *http.Request) {
	stated := out.Header.Get(causeHeader)
	switch {
	case stated != "":
		f.sent.CauseID = causeOf(stated)
	case f.r.ProtoMajor == 1:
		f.sent.CauseID = f.l.lastCause()
	}
	if f.l.r.options.Trace == nil {
		return
	}
	if id := f.l.r.options.Trace(out.Header); id != "" {
		f.sent.CauseID, f.sent.Attribution = id, model.AttributedByTrace
	}
}

// withoutTraces returns a header without traceHeaders.
func withoutTraces(h http.Header) map[string][]string {
	h = maps.Clone(h)
	for _, name := range traceHeaders {
		delete(h, name)
	}
	return h
}

// takeAnswer records the host's answer. It replaces the body of the answer, except after an upgrade, by a reader that
// records the body while it is forwarded.
func (f *relayedRequest) takeAnswer(res *http.Response) error {
	f.sent.Reply = model.Reply{Status: res.StatusCode, Proto: res.Proto, Header: maps.Clone(res.Header)}
	if res.StatusCode == http.StatusSwitchingProtocols {
		upgrade := model.Printable(res.Header.Get("Upgrade"), 40)
		f.l.r.note("what is sent by %s with %s is not recorded", upgrade, f.sent.Host)
		return nil
	}
	f.in.expected = res.ContentLength
	if res.ProtoMajor == 2 {
		f.in.expected = -1 // trailers may follow a body of a declared length
	}
	f.trailer = func() http.Header { return res.Trailer }
	if res.Body == http.NoBody {
		f.deliver()
	}
	res.Body = &tee{ReadCloser: res.Body, to: &f.in, onEnd: f.deliver}
	return nil
}

// fail records the error of a request. It breaks the connection of the service in the same way as the host broke its
// own connection.
func (f *relayedRequest) fail(_ http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		err = errors.New("the service left before the answer")
	}
	err = f.l.reason(err)
	f.sent.Err = err
	if errors.Is(err, syscall.ECONNRESET) && r.ProtoMajor == 1 {
		f.l.end(err)
	}
	panic(http.ErrAbortHandler)
}

// deliver delivers the request with its answer. It is called when the end of the answer is read, before that end is
// forwarded, and again when the request is over. Only the first call has an effect.
func (f *relayedRequest) deliver() { f.once.Do(f.deliverNow) }

func (f *relayedRequest) deliverNow() {
	f.sent.Took = time.Since(f.sent.At)
	f.sent.Request.Body, f.sent.Request.Truncated, _ = f.out.all()
	body, cut, err := f.in.all()
	f.sent.Reply.Body, f.sent.Reply.Truncated = body, cut
	if f.trailer != nil {
		f.sent.Reply.Trailer = withoutTraces(f.trailer())
	}
	if err != nil && f.sent.Err == nil {
		f.sent.Err = err
	}
	f.l.r.deliver(f.sent)
}
