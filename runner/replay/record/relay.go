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

// maxHeader is the maximum size of the headers of a message, in bytes.
const maxHeader = 1 << 20

// relay relays HTTP requests to one URL, or as a proxy.
type relay struct {
	base        *url.URL // nil: to the URL of each request
	rewriteHost bool     // set the Host of requests to that of base
	proxy       *httputil.ReverseProxy
}

// forwardedHeaders are headers that httputil.ReverseProxy removes or changes, and that must stay as
// they are.
var forwardedHeaders = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"}

// newRelay returns a relay to a URL. If the URL is nil, each request goes to its own URL. If host is true,
// requests get the Host of the URL. The relay sends requests by t.
func newRelay(base *url.URL, host bool, t http.RoundTripper) *relay {
	r := &relay{base: base, rewriteHost: host}
	r.proxy = &httputil.ReverseProxy{
		Rewrite: r.rewrite, Transport: t, BufferPool: &buffers, ErrorLog: log.New(io.Discard, "", 0),
		ModifyResponse: func(res *http.Response) error {
			if e := exchangeOf(res.Request.Context()); e != nil && res.StatusCode != http.StatusSwitchingProtocols {
				e.setReply(res)
			}
			return nil
		},
		ErrorHandler: func(_ http.ResponseWriter, req *http.Request, err error) {
			if e := exchangeOf(req.Context()); e != nil {
				e.fail(req, err)
			}
			breakOff(req.Context(), err)
		},
	}
	return r
}

// pass relays a request and records it. If the reply breaks off, pass first sends the part that has arrived to the
// client, and then breaks off the client's connection.
func (r *relay) pass(w http.ResponseWriter, req *http.Request, e *exchangeInFlight) {
	e.flush = func() { _ = http.NewResponseController(w).Flush() } // the client may have left
	defer func() {
		if stop := recover(); stop != nil {
			if e.brokeOff {
				e.flush()
			}
			panic(stop)
		}
	}()
	r.proxy.ServeHTTP(w, e.withContext(req))
}

// rewrite changes a request on its way to the host.
func (r *relay) rewrite(p *httputil.ProxyRequest) {
	if r.base != nil {
		p.SetURL(r.base)
	}
	if !r.rewriteHost {
		p.Out.Host = p.In.Host
	}
	p.Out.URL.RawQuery = p.In.URL.RawQuery // including parts that cannot be parsed
	for _, name := range forwardedHeaders {
		if v, ok := p.In.Header[name]; ok {
			p.Out.Header[name] = v
		}
	}
	if offered, ok := p.Out.Header["Accept-Encoding"]; ok {
		p.Out.Header["Accept-Encoding"] = supportedEncodings(offered)
	}
	if e := exchangeOf(p.Out.Context()); e != nil && e.tracked != nil {
		setTrace(p.Out.Header, e.tracked.id)
	}
}

// tlsConfig returns the TLS configuration for the service or for the hosts. Only the service gets
// client certificates.
func (o Options) tlsConfig(service bool) *tls.Config {
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

// transport sends each request by the version of HTTP in which it arrived.
type transport struct{ http1, http2 *http.Transport }

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

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.ProtoMajor == 2 {
		return t.http2.RoundTrip(r)
	}
	return t.http1.RoundTrip(r)
}

// close closes idle connections.
func (t transport) close() {
	t.http1.CloseIdleConnections()
	t.http2.CloseIdleConnections()
}

// newServer returns a server for HTTP/1.1 and HTTP/2 without TLS.
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

// buffers are used to copy bodies.
var buffers bufferPool

// bufferPool implements httputil.BufferPool.
type bufferPool struct{ sync.Pool }

// Get returns a buffer from the pool, or a new one.
func (p *bufferPool) Get() []byte {
	if b, ok := p.Pool.Get().(*[]byte); ok {
		return *b
	}
	return make([]byte, 32<<10)
}

// Put returns a buffer to the pool.
func (p *bufferPool) Put(b []byte) { p.Pool.Put(&b) }
