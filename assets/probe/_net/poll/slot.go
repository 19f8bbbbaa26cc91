//go:build unix

package poll

import "sync/atomic"

// SondeSlot is a slot in which a socket shows its waits. It is in memory that is shared with Sonde, and
// Sonde may read it at any time. The type slot in runner/network/netsim has the same layout.
type SondeSlot struct {
	owner         atomic.Uint64 // the socket; 0 if the slot is free
	toggles       atomic.Uint64 // how often a wait began or ended; odd while the socket waits
	written, read atomic.Uint64 // bytes written so far, and bytes read when the last wait began
	wanted        atomic.Uint64 // set by Sonde: 1 + the value of written at which a wait must also be reported; 0 for never
	_             [3]uint64
}

// TakeSlot makes a socket show its waits in a free slot.
func (w *SondeWatch) TakeSlot(s *SondeSlot, owner uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slot = s
	s.owner.Store(owner)
}

// HasSlot reports whether a socket has a slot.
func (w *SondeWatch) HasSlot() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.slot != nil
}

// FreeSlot frees the slot of a socket.
func (w *SondeWatch) FreeSlot() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.releaseSlot()
}

// ReportWaits frees the slot of a socket. From then on, the waits of the socket are reported by events.
func (w *SondeWatch) ReportWaits() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.releaseSlot() {
		w.reportWait()
	}
}

func (w *SondeWatch) releaseSlot() (hadSlot bool) {
	s := w.slot
	if s == nil {
		return false
	}
	s.owner.Store(0)
	s.toggles.Store((s.toggles.Load() + 1) &^ 1)
	w.slot = nil
	return true
}

// Sonde reads toggles, then written and read, and then toggles again, to notice a change in between.
// Before it reads them, it sets wanted. The receiver of the methods below may be nil.

func (s *SondeSlot) beginWait(written, read uint64) {
	if s != nil {
		s.written.Store(written)
		s.read.Store(read)
		s.toggles.Add(1)
	}
}

func (s *SondeSlot) endWait() {
	if s != nil {
		s.toggles.Add(1)
	}
}

func (s *SondeSlot) setWritten(written uint64) {
	if s != nil {
		s.written.Store(written)
	}
}

// mustReport reports whether a wait must be reported by an event. A socket without a slot must report each
// wait.
func (s *SondeSlot) mustReport(written uint64) bool { return s == nil || s.wanted.Load() == written+1 }
