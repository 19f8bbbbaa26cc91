package main

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"sonde/model/route"
)

// proxy relays requests to a service and records the answers. It counts the requests that it relays,
// including resets and log-ins, and refuses requests beyond the limit. It changes only what
// httputil.ReverseProxy changes, such as hop-by-hop headers.
type proxy struct {
	http.Handler
	router *route.Router
	limit  int
	full   func() // called when the first request is refused

	mu       sync.Mutex
	requests int             // number of relayed requests
	refused  bool            // a request was refused
	pairs    map[string]bool // "GET /orders 200"
	faults   map[string]bool // the faults that X-Fault headers name
}

func newProxy(service *url.URL, router *route.Router, limit int, full func()) *proxy {
	p := &proxy{router: router, limit: limit, full: full, pairs: map[string]bool{}, faults: map[string]bool{}}
	p.Handler = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = service.Scheme, service.Host
			r.Out.URL.RawQuery = r.In.URL.RawQuery // including parts that cannot be parsed
			r.Out.Host = r.In.Host
		},
		Transport:      &http.Transport{DisableCompression: true},
		ModifyResponse: func(r *http.Response) error { p.note(r); return nil },
		// If the service gives no answer, the proxy closes the connection without an answer.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	return p
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !p.admit() {
		w.Header().Set("Connection", "close")
		http.Error(w, fmt.Sprintf("the %d requests are used up", p.limit), http.StatusServiceUnavailable)
		return
	}
	p.Handler.ServeHTTP(w, r)
}

// admit reports whether a request may be relayed, and counts it in this case. For the first request that
// may not be relayed, admit calls full.
func (p *proxy) admit() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.requests < p.limit {
		p.requests++
		return true
	}
	if !p.refused {
		p.refused = true
		p.full()
	}
	return false
}

// note records an answer. A pair counts if the spec has the operation, even if it does not declare
// the status.
func (p *proxy) note(r *http.Response) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if m, ok := p.router.FindOperation(r.Request.Method, r.Request.URL.RequestURI()); ok {
		p.pairs[string(m.Op.ID)+" "+strconv.Itoa(r.StatusCode)] = true
	}
	for _, value := range r.Header.Values("X-Fault") {
		for fault := range strings.SplitSeq(value, ",") {
			fault = strings.TrimSpace(fault)
			if fault != "" {
				p.faults[fault] = true
			}
		}
	}
}

// seen returns the result so far.
func (p *proxy) seen() result {
	p.mu.Lock()
	defer p.mu.Unlock()
	return result{Pairs: maps.Clone(p.pairs), Faults: maps.Clone(p.faults), Requests: p.requests}
}
