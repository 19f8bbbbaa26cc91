//go:build unix

package vnet

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// seat is where a connection of the service shows that it waits: whoever needs to know
// looks, and nobody is woken to be told.
type seat struct {
	owner         atomic.Uint64 // the socket and, in 16 bits, the port that it is connected to; 0 where nobody is
	turns         atomic.Uint64 // of waiting and not, odd while it waits
	written, read atomic.Uint64 // by then, as the service sees it
	wanted        atomic.Uint64 // at how much written, plus one, it is to tell nevertheless
	_             [3]uint64
}

// seats are those of one process of the service, by the port that a connection has
// there, in memory that is shared with it. The mutex of the network guards them.
type seats struct {
	all    *[1 << 16]seat // nil when the process has ended
	shared []byte
}

// newSeats makes them, in a file that the service opens.
func newSeats(path string) (*seats, error) {
	_ = os.Remove(path) // a process that ends may still use that
	f, err := os.OpenFile(filepath.Clean(path), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("no memory to share with the service: %w", err)
	}
	defer f.Close()
	s := &seats{}
	size := int(unsafe.Sizeof(*s.all))
	err = f.Truncate(int64(size))
	if err == nil {
		s.shared, err = syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	}
	if err != nil {
		return nil, fmt.Errorf("no memory to share with the service: %w", err)
	}
	s.all = (*[1 << 16]seat)(unsafe.Pointer(unsafe.SliceData(s.shared)))
	return s, nil
}

func (s *seats) close() {
	if s != nil && s.all != nil {
		s.all = nil
		_ = syscall.Munmap(s.shared)
	}
}

// of is the seat of a connection, nil where another one has it, or there is none.
func (s *seats) of(c *conn) (at *seat, taken bool) {
	if s == nil || s.all == nil {
		return nil, false
	}
	at = &s.all[c.end.Port()]
	owner := at.owner.Load()
	if owner != 0 && owner&0xffff != uint64(c.real) {
		return nil, false
	}
	return at, owner != 0
}

// want has the service tell when a connection waits that has written so much, or no more.
func (s *seats) want(c *conn, needs bool) {
	at, _ := s.of(c)
	if at == nil {
		return
	}
	wanted := uint64(0)
	if needs {
		wanted = c.taken + 1
	}
	if at.wanted.Load() != wanted {
		at.wanted.Store(wanted)
	}
}

// shows reports whether a connection shows its waits.
func (s *seats) shows(c *conn) bool {
	_, taken := s.of(c)
	return taken
}

// wait is the wait of a connection, nil where it does not wait, and how many turns there
// were.
func (s *seats) wait(c *conn) (w *wait, turns uint64) {
	at, taken := s.of(c)
	if !taken {
		return nil, 0
	}
	turns = at.turns.Load()
	w = &wait{kind: "read", local: c.end, written: at.written.Load(), read: at.read.Load()}
	if turns%2 == 0 || at.turns.Load() != turns {
		return nil, 0
	}
	return w, turns
}
