//go:build unix

package poll

import "sync/atomic"

// SondeSeat is where a socket shows that it waits, in memory that is shared with the
// other end: so nobody needs to be told who looks there by himself. The layout is the
// contract of both ends.
type SondeSeat struct {
	owner         atomic.Uint64 // 0 where nobody is
	turns         atomic.Uint64 // of waiting and not, odd while it waits
	written, read atomic.Uint64 // by then
	wanted        atomic.Uint64 // the other end's: at how much written, plus one, it is to be told nevertheless
	_             [3]uint64
}

// Sit has a socket show that it waits, on a seat that is free.
func (w *SondeWatch) Sit(s *SondeSeat, owner uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seat = s
	s.owner.Store(owner)
}

// Sits tells whether a socket has a seat.
func (w *SondeWatch) Sits() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seat != nil
}

// Leave gives the seat back, for the next.
func (w *SondeWatch) Leave() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.leave()
}

// Stand gives the seat back of a socket whose waits are told from then on.
func (w *SondeWatch) Stand() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.leave() {
		w.say()
	}
}

func (w *SondeWatch) leave() (sat bool) {
	s := w.seat
	if s == nil {
		return false
	}
	s.owner.Store(0)
	s.turns.Store((s.turns.Load() + 1) &^ 1)
	w.seat = nil
	return true
}

// The other end of these looks at turns, what was written and read, and turns again. It
// says what it wants before it looks. Without a seat nothing is shown.

func (s *SondeSeat) begins(written, read uint64) {
	if s != nil {
		s.written.Store(written)
		s.read.Store(read)
		s.turns.Add(1)
	}
}

func (s *SondeSeat) ends() {
	if s != nil {
		s.turns.Add(1)
	}
}

func (s *SondeSeat) wrote(written uint64) {
	if s != nil {
		s.written.Store(written)
	}
}

// wants tells whether it is to be told, too.
func (s *SondeSeat) wants(written uint64) bool { return s == nil || s.wanted.Load() == written+1 }
