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
	none chan struct{} // closed when open becomes 0; nil while open is 0
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

// wait waits until no exchange is in flight. It returns false if that takes longer than timeout.
func (f *inFlight) wait(timeout time.Duration) bool {
	f.mu.Lock()
	none := f.none
	f.mu.Unlock()
	if none == nil {
		return true
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-none:
		return true
	case <-timer.C:
		return false
	}
}
