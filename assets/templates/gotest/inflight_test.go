package gotest

import (
	"net/http"
	"time"
)

// trackCalls counts the calls to the service that have no answer yet.
func (h *hosts) trackCalls() {
	if _, tracked := httpClient.Transport.(callTracker); !tracked {
		httpClient.Transport = callTracker{h, httpClient.Transport}
	}
}

// callTracker counts the calls of a client.
type callTracker struct {
	h    *hosts
	next http.RoundTripper
}

func (t callTracker) RoundTrip(r *http.Request) (*http.Response, error) {
	t.add(1)
	defer t.add(-1)
	if t.next == nil {
		return http.DefaultTransport.RoundTrip(r)
	}
	return t.next.RoundTrip(r)
}

func (t callTracker) add(n int) {
	t.h.mu.Lock()
	defer t.h.mu.Unlock()
	if t.h.openCalls += n; n > 0 {
		t.h.callCount++
	}
	t.h.lastActivity = time.Now()
}
