package gotest

import (
	"net/http"
	"time"
)

// followCalls counts the calls to the service that have no answer yet.
func (h *hosts) followCalls() {
	if _, follows := httpClient.Transport.(following); !follows {
		httpClient.Transport = following{h, httpClient.Transport}
	}
}

// following counts the calls of a client.
type following struct {
	h  *hosts
	by http.RoundTripper
}

func (f following) RoundTrip(r *http.Request) (*http.Response, error) {
	f.count(1)
	defer f.count(-1)
	if f.by == nil {
		return http.DefaultTransport.RoundTrip(r)
	}
	return f.by.RoundTrip(r)
}

func (f following) count(n int) {
	f.h.mu.Lock()
	defer f.h.mu.Unlock()
	if f.h.calls += n; n > 0 {
		f.h.called++
	}
	f.h.moved = time.Now()
}
