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
	// maxRetries is how often a call is retried because the service asks for it.
	maxRetries = 3
	// firstPause is the first wait if the service does not state one; it doubles each time.
	firstPause = 200 * time.Millisecond
	// maxPause is the longest wait that the service may ask for. An answer that asks for a
	// longer one is returned.
	maxPause = 30 * time.Second
)

// patient sends a request and retries it as long as the answer asks for that. Each try counts
// against the budget.
func (w *sender) patient(l outgoing) model.Exchange {
	x := w.exchange(l)
	for try := 0; ; try++ {
		pause, asked := later(x.Reply, try)
		if !asked {
			w.noRetry.remove(l.place())
			return x
		}
		w.pace.refuse()
		if try == maxRetries || pause > maxPause {
			w.noRetry.add(l.place())
			return x
		}
		if w.noRetry.has(l.place()) {
			return x
		}
		w.pace.hold(pause)
		again := w.exchange(l)
		if errors.Is(again.Err, ErrBudget) || w.parent.Err() != nil {
			return x
		}
		x = again
	}
}

// place is the method and the path of a request, whatever its values.
func (l outgoing) place() string {
	if l.Op != "" {
		return string(l.Op)
	}
	path, _, _ := strings.Cut(cmp.Or(l.elsewhere, l.URL), "?")
	return l.Method + " " + path
}

// later reports whether an answer asks for a retry, and after which pause: 429, and 503 with
// Retry-After.
func later(r model.Reply, try int) (pause time.Duration, asked bool) {
	if r.Status != http.StatusTooManyRequests && r.Status != http.StatusServiceUnavailable {
		return 0, false
	}
	pause, said := retryAfter(r)
	if r.Status == http.StatusTooManyRequests && !said {
		return firstPause << try, true
	}
	return pause, said
}

// retryAfter reads Retry-After: seconds, or a date, which is relative to the answer's own date.
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

// placeSet are the places where waiting did not help. No request waits there again until an answer
// gets through; otherwise a place that always answers 503 would cost minutes of every run.
type placeSet struct {
	mu     sync.Mutex
	places map[string]bool
}

func (v *placeSet) add(place string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.places == nil {
		v.places = map[string]bool{}
	}
	v.places[place] = true
}

func (v *placeSet) remove(place string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.places, place)
}

func (v *placeSet) has(place string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.places[place]
}
