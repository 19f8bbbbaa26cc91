package record

import (
	"sync"
	"time"
)

// inFlight counts exchanges that are not reported yet. The zero value counts none. It is safe for
// concurrent use.
type inFlight struct {
	mu   sync.Mutex
	open int
	none chan struct{} // closed when open falls to 0; nil while it is
}

// begin counts an exchange until done is called.
func (f *inFlight) begin() (done func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open++
	if f.none == nil {
		f.none = make(chan struct{})
	}
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.open--
		if f.open == 0 {
			close(f.none)
			f.none = nil
		}
	}
}

// wait waits until no exchange is in flight, and reports whether that came within a time.
func (f *inFlight) wait(atMost time.Duration) bool {
	f.mu.Lock()
	none := f.none
	f.mu.Unlock()
	if none == nil {
		return true
	}
	late := time.NewTimer(atMost)
	defer late.Stop()
	select {
	case <-none:
		return true
	case <-late.C:
		return false
	}
}
