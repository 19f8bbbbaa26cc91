package client

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"sonde/model"
)

const (
	// maxRetries is the maximum number of retries of a request for which the service asks.
	maxRetries = 3
	// firstPause is the pause before the first retry after a 429 that does not state a pause. The pause
	// doubles with each retry.
	firstPause = 200 * time.Millisecond
	// maxPause is the longest pause that the client accepts. An answer that asks for a longer pause
	// is returned without a retry.
	maxPause = 30 * time.Second
)

// sendWithRetries sends a request, and retries it while the answer asks for a retry, at most
// maxRetries times. It does not retry on a route in noRetry, or if the pause would exceed maxPause.
// Each retry counts against the budget. If the budget or the context ends before a retry is answered,
// sendWithRetries returns the previous answer.
func (s *sender) sendWithRetries(o outgoing) model.Exchange {
	x := s.exchange(o)
	for try := 0; ; try++ {
		pause, asked := later(x.Reply, try)
		if !asked {
			s.noRetry.remove(o.route())
			return x
		}
		if try == maxRetries || pause > maxPause {
			s.pace.refuse(0)
			s.noRetry.add(o.route())
			return x
		}
		if s.noRetry.has(o.route()) {
			s.pace.refuse(0)
			return x
		}
		s.pace.refuse(pause)
		again := s.exchange(o)
		if errors.Is(again.Err, ErrBudget) || s.parent.Err() != nil {
			return x
		}
		x = again
	}
}

// route returns the operation of a request, or its method and path if it has no operation.
func (o outgoing) route() string {
	if o.Op != "" {
		return string(o.Op)
	}
	path, _, _ := strings.Cut(cmp.Or(o.elsewhere, o.URL), "?")
	return o.Method + " " + path
}

// later reports whether an answer asks for a retry: a 429, or a 503 with a valid Retry-After. pause is
// how long to wait before the retry. try is the number of retries so far.
func later(r model.Reply, try int) (pause time.Duration, asked bool) {
	if r.Status != http.StatusTooManyRequests && r.Status != http.StatusServiceUnavailable {
		return 0, false
	}
	pause, found := retryAfter(r)
	if r.Status == http.StatusTooManyRequests && !found {
		return firstPause << try, true
	}
	return pause, found
}

// retryAfter returns the pause in the header Retry-After, and false if there is none. The header has
// seconds, or a date, which is compared with the answer's own Date, or else with the clock.
func retryAfter(r model.Reply) (time.Duration, bool) {
	text := header(r, "Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	now, err := http.ParseTime(header(r, "Date"))
	if err != nil {
		now = time.Now()
	}
	return max(at.Sub(now), 0), true
}

// routeSet is a set of routes; see outgoing.route. It is safe for concurrent use.
type routeSet struct {
	mu     sync.Mutex
	routes map[string]bool
}

func (s *routeSet) add(route string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.routes == nil {
		s.routes = map[string]bool{}
	}
	s.routes[route] = true
}

func (s *routeSet) remove(route string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.routes, route)
}

func (s *routeSet) has(route string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.routes[route]
}
