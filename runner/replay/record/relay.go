package record

import (
	"crypto/tls"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"
)

// maxHeader bounds the headers of a message.
const maxHeader = 1 << 20

// relay relays requests to an endpoint.
type relay struct {
	to    *url.URL
	host  bool // the Host of requests becomes that of to
	proxy *httputil.ReverseProxy
}

// forwarded are headers that a proxy would remove or change.
var forwarded = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"}

// newRelay returns a relay to a URL, or if it is nil, to the URL of each request.
func newRelay(to *url.URL, host bool, t http.RoundTripper) *relay {
	r := &relay{to: to, host: host}
	r.proxy = &httputil.ReverseProxy{
		Rewrite: r.rewrite, Transport: t, BufferPool: &chunks, ErrorLog: log.New(io.Discard, "", 0),
		ModifyResponse: func(res *http.Response) error {
			if t := talkOf(res.Request.Context()); t != nil && res.StatusCode != http.StatusSwitchingProtocols {
				t.answers(res)
			}
			return nil
		},
		ErrorHandler: func(_ http.ResponseWriter, req *http.Request, err error) {
			if t := talkOf(req.Context()); t != nil {
				t.fails(req, err)
			}
			breakOff(req.Context(), err)
		},
	}
	return r
}

// pass relays a request that is recorded. If the reply breaks off, it first relays the part that
// came.
func (r *relay) pass(w http.ResponseWriter, req *http.Request, t *exchangeInFlight) {
	t.flush = func() { _ = http.NewResponseController(w).Flush() } // the client may have left
	defer func() {
		if stop := recover(); stop != nil {
			if t.broke {
				t.flush()
			}
			panic(stop)
		}
	}()
	r.proxy.ServeHTTP(w, t.on(req))
}

func (r *relay) rewrite(p *httputil.ProxyRequest) {
	if r.to != nil {
		p.SetURL(r.to)
	}
	if !r.host {
		p.Out.Host = p.In.Host
	}
	p.Out.URL.RawQuery = p.In.URL.RawQuery // including parts that cannot be parsed
	for _, name := range forwarded {
		if v, ok := p.In.Header[name]; ok {
			p.Out.Header[name] = v
		}
	}
	if offered, ok := p.Out.Header["Accept-Encoding"]; ok {
		p.Out.Header["Accept-Encoding"] = readable(offered)
	}
	if t := talkOf(p.Out.Context()); t != nil && t.visit != nil {
		setTrace(p.Out.Header, t.visit.id)
	}
}

// secure returns the configuration of TLS for the service, or for the hosts: client certificates are
// for the service only.
func (o Options) secure(service bool) *tls.Config {
	c := o.TLS.Clone()
	if c == nil {
		c = &tls.Config{}
	}
	if !service {
		c.Certificates = nil
	}
	c.InsecureSkipVerify = c.InsecureSkipVerify || o.Insecure
	return c
}

// transport sends requests with the same version of HTTP as the client.
type transport struct{ old, new *http.Transport }

func newTransport(secure *tls.Config) transport {
	of := func(set func(*http.Protocols)) *http.Transport {
		t := &http.Transport{
			DisableCompression: true, MaxIdleConnsPerHost: 256, IdleConnTimeout: 90 * time.Second, MaxResponseHeaderBytes: maxHeader,
			DialContext: dial, Protocols: new(http.Protocols),
			TLSClientConfig: secure.Clone(),
		}
		set(t.Protocols)
		return t
	}
	return transport{
		of(func(p *http.Protocols) { p.SetHTTP1(true) }),
		of(func(p *http.Protocols) { p.SetHTTP2(true); p.SetUnencryptedHTTP2(true) }),
	}
}

// RoundTrip sends a request.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.ProtoMajor == 2 {
		return t.new.RoundTrip(r)
	}
	return t.old.RoundTrip(r)
}

func (t transport) close() {
	t.old.CloseIdleConnections()
	t.new.CloseIdleConnections()
}

// newServer serves HTTP/1.1 and HTTP/2 without TLS.
func newServer(h http.Handler) *http.Server {
	s := &http.Server{
		Handler:        h,
		MaxHeaderBytes: maxHeader,
		ConnContext:    withConn,
		ErrorLog:       log.New(io.Discard, "", 0),
		Protocols:      new(http.Protocols),
	}
	s.Protocols.SetHTTP1(true)
	s.Protocols.SetUnencryptedHTTP2(true)
	return s
}

// chunks are the buffers of bodies.
var chunks pool

type pool struct{ sync.Pool }

// Get returns a buffer.
func (p *pool) Get() []byte {
	if b, ok := p.Pool.Get().(*[]byte); ok {
		return *b
	}
	return make([]byte, 32<<10)
}

// Put takes a buffer back.
func (p *pool) Put(b []byte) { p.Pool.Put(&b) }
