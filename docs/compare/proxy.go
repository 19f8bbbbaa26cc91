package main

import (
	"context"
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

// proxy forwards requests to a service and records the answers. It counts the forwarded requests, including resets and
// log-ins, and refuses requests beyond the limit. It changes only what httputil.ReverseProxy changes, such as
// hop-by-hop headers, and the values of headers that renew replaces.
type proxy struct {
	http.Handler
	router  *route.Router
	limit   int
	full    func()   // called when the first request is refused
	revive  func()   // called when the service gives no answer
	journal *journal // nil for none
	// ready waits until the service can be called, and logs in its users. It is nil if the tool does not
	// start the service.
	ready func(context.Context) (map[string]string, error)

	mu       sync.Mutex
	renewed  map[string]string // values of headers that are replaced, with their replacements
	requests int               // number of forwarded requests
	refused  bool              // a request was refused
	pairs    map[string]bool   // such as "GET /orders 200"
	faults   map[string]bool   // the faults in X-Fault headers
}

func newProxy(at backend, router *route.Router, limit int, full func()) *proxy {
	p := &proxy{router: router, limit: limit, full: full, revive: func() {}, pairs: map[string]bool{}, faults: map[string]bool{}}
	p.Handler = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			service := at.find(r.In.URL.Path)
			r.Out.URL.Scheme, r.Out.URL.Host = service.Scheme, service.Host
			r.Out.URL.RawQuery = r.In.URL.RawQuery // including parts that cannot be parsed
			r.Out.Host = r.In.Host
			p.renew(r.Out.Header)
		},
		Transport:      &http.Transport{DisableCompression: true},
		ModifyResponse: func(r *http.Response) error { p.note(r); return nil },
		// If the service gives no answer, the proxy closes the connection without an answer.
		ErrorHandler: func(_ http.ResponseWriter, r *http.Request, _ error) {
			if r.Context().Err() == nil {
				p.revive()
			}
			panic(http.ErrAbortHandler)
		},
	}
	return p
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.ready != nil && strings.HasSuffix(r.URL.Path, readyPath) {
		p.answerReady(w, r)
		return
	}
	if !p.admit() {
		w.Header().Set("Connection", "close")
		http.Error(w, fmt.Sprintf("the %d requests are used up", p.limit), http.StatusServiceUnavailable)
		return
	}
	p.Handler.ServeHTTP(w, p.journal.watch(r))
}

// admit reports whether a request may be forwarded. If so, it counts the request. It calls full for the
// first request that may not be forwarded.
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

// find returns the address at which the service answers requests for a path. It is the address of the longest
// prefix of the path or, if no prefix matches, b.url.
func (b backend) find(path string) *url.URL {
	at, longest := b.url, 0
	for prefix, other := range b.prefixes {
		if strings.HasPrefix(path, prefix) && len(prefix) > longest {
			at, longest = other, len(prefix)
		}
	}
	return at
}

// note records an answer. It counts a pair if the spec has the operation, even if the spec does not declare
// the status.
func (p *proxy) note(r *http.Response) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var op string
	if m, ok := p.router.FindOperation(r.Request.Method, r.Request.URL.RequestURI()); ok {
		op = string(m.Op.ID)
		p.pairs[op+" "+strconv.Itoa(r.StatusCode)] = true
	}
	p.journal.note(op, r)
	for _, value := range r.Header.Values("X-Fault") {
		for fault := range strings.SplitSeq(value, ",") {
			fault = strings.TrimSpace(fault)
			if fault != "" {
				p.faults[fault] = true
			}
		}
	}
}

// result returns what the proxy has seen so far: the pairs, the faults and the number of requests.
func (p *proxy) result() result {
	p.mu.Lock()
	defer p.mu.Unlock()
	return result{Pairs: maps.Clone(p.pairs), Faults: maps.Clone(p.faults), Requests: p.requests}
}
