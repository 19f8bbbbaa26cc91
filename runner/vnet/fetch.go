package vnet

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
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"sonde/model"
)

// requestHeader says for which request another is, as what is built in has it.
const requestHeader = "Sonde-Request"

// traces are headers that are another one each time, and never recorded.
var traces = []string{requestHeader, "Traceparent", "Tracestate", "B3", "X-B3-Traceid", "X-B3-Spanid", "X-B3-Parentspanid", "X-B3-Sampled", "X-B3-Flags"}

// asker is the service's end of a line on which it speaks HTTP, and who asks the host.
type asker struct {
	*spoken
	host *http.Transport
}

// asks lets requests on a line go on to its host.
func (l *line) asks(service, host *spoken) *asker {
	p := new(http.Protocols)
	switch two := isTwo(service.ahead.Bytes()); {
	case two:
		p.SetUnencryptedHTTP2(true) // also inside of TLS
	default:
		p.SetHTTP1(true)
	}
	idle := host
	var mu sync.Mutex
	return &asker{service, &http.Transport{
		Protocols: p, DisableCompression: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			mu.Lock()
			c := idle
			idle = nil
			mu.Unlock()
			if c != nil {
				return c, nil
			}
			return l.again(ctx)
		},
	}}
}

func isTwo(b []byte) bool { return strings.HasPrefix(string(b), "PRI ") }

// again dials a host that closed a connection which the service keeps.
func (l *line) again(ctx context.Context) (net.Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", l.address())
	if err != nil || !l.tls || l.place != nil && l.place.Scheme == "http" {
		return c, err
	}
	name := l.name
	if name == "" {
		name, _ = split(l.hosts[0])
	}
	t := tls.Client(c, l.outward(name, nil))
	return t, t.HandshakeContext(ctx)
}

// Close lets go of the host, too.
func (a *asker) Close() error {
	a.host.CloseIdleConnections()
	a.l.end(nil)
	return nil
}

// fetch is one request of the service on its way.
type fetch struct {
	l       *line
	r       *http.Request
	sent    model.Sent
	in, out capture
	once    sync.Once
}

// fetch passes a request on to its host.
func (r *Recorder) fetch(w http.ResponseWriter, req *http.Request) {
	a := req.Context().Value(streamKey{}).(*asker)
	f := &fetch{l: a.l, r: req, sent: a.l.sent(model.HTTP), in: capture{most: r.relay.Most}, out: capture{most: r.relay.Most}}
	f.names(req.Host)
	defer f.ends()
	w.Header()["Date"], w.Header()["Content-Type"] = nil, nil // what the host does not say stays unsaid
	(&httputil.ReverseProxy{
		Rewrite: f.leaves, Transport: a.host, FlushInterval: -1, ModifyResponse: f.answered, ErrorHandler: f.fails, ErrorLog: stdlog.New(io.Discard, "", 0),
	}).ServeHTTP(w, req)
}

// names says of which host something is asked: of the names of its address the one in
// the request, if it is there.
func (f *fetch) names(host string) {
	if _, _, err := net.SplitHostPort(host); err != nil {
		host = net.JoinHostPort(strings.Trim(host, "[]"), strconv.Itoa(int(f.l.to.Port())))
	}
	host = same(host)
	if slices.Contains(f.l.hosts, host) {
		f.sent.Host = host
	}
	scheme := "http://"
	if f.sent.TLS {
		scheme = "https://"
	}
	f.sent.Base = scheme + f.r.Host
	if f.l.place == nil {
		f.sent.Name, _ = split(f.sent.Host)
	}
}

// leaves is the request as it goes on: as it came, without what is for the recorder.
func (f *fetch) leaves(p *httputil.ProxyRequest) {
	for name, values := range p.In.Header {
		if p.Out.Header[name] == nil && !ownHop(name) {
			p.Out.Header[name] = values // it was taken for a proxy's
		}
	}
	p.Out.URL.Scheme, p.Out.URL.Host, p.Out.URL.RawQuery = "http", p.In.Host, p.In.URL.RawQuery
	p.Out.Host = p.In.Host
	f.caused(p.Out)
	p.Out.Header.Del(requestHeader)
	if p.Out.Body != nil {
		p.Out.Body = &tee{ReadCloser: p.Out.Body, to: &f.out, last: func() {}}
	}
	f.sent.Request = model.Request{Method: p.In.Method, URL: p.In.URL.RequestURI(), Header: recorded(p.In.Header)}
}

// ownHop reports whether a header is about one connection alone.
func ownHop(name string) bool {
	return slices.Contains([]string{"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer", "Transfer-Encoding", "Upgrade", requestHeader}, name)
}

// caused finds out for which request this one is. Where a client writes by itself what
// is not HTTP/2, it is for whom the goroutine works that writes.
func (f *fetch) caused(out *http.Request) {
	told := out.Header.Get(requestHeader)
	switch {
	case told != "":
		f.sent.Cause = cause(told)
	case f.r.ProtoMajor == 1:
		f.sent.Cause = f.l.now()
	}
	if f.l.r.relay.Trace == nil {
		return
	}
	if id := f.l.r.relay.Trace(out.Header); id != "" {
		f.sent.Cause, f.sent.How = id, model.ByTrace
	}
}

// recorded is a header as it is kept.
func recorded(h http.Header) map[string][]string {
	h = maps.Clone(h)
	for _, name := range traces {
		delete(h, name)
	}
	return h
}

// answered takes in what the host answers.
func (f *fetch) answered(res *http.Response) error {
	f.sent.Reply = model.Reply{Status: res.StatusCode, Proto: res.Proto, Header: maps.Clone(res.Header)}
	if res.StatusCode == http.StatusSwitchingProtocols {
		f.l.r.note("what is said by %s with %s is not recorded", model.Printable(res.Header.Get("Upgrade"), 40), f.sent.Host)
		return nil
	}
	f.in.expected = res.ContentLength
	if res.Body == http.NoBody {
		f.ends()
	}
	res.Body = &tee{ReadCloser: res.Body, to: &f.in, last: f.ends}
	return nil
}

// fails breaks the service's connection as the host's broke.
func (f *fetch) fails(_ http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		err = errors.New("the service left before the answer")
	}
	err = f.l.why(err)
	f.sent.Err = err
	if errors.Is(err, syscall.ECONNRESET) && r.ProtoMajor == 1 {
		f.l.end(err)
	}
	panic(http.ErrAbortHandler)
}

// ends hands over what was asked and answered, when the last of the answer has come and
// before that is passed on.
func (f *fetch) ends() { f.once.Do(f.over) }

func (f *fetch) over() {
	f.sent.Took = time.Since(f.sent.At)
	f.sent.Request.Body, f.sent.Request.Truncated, _ = f.out.all()
	body, cut, err := f.in.all()
	f.sent.Reply.Body, f.sent.Reply.Truncated = body, cut
	if err != nil && f.sent.Err == nil {
		f.sent.Err = err
	}
	f.l.r.hear(f.sent)
}
