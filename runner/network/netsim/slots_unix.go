//go:build unix

package netsim

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// slot is where a connection of the service shows whether it waits, so that it need not
// report each wait.
type slot struct {
	owner         atomic.Uint64 // the socket and, in 16 bits, the port that it is connected to; 0 for none
	toggles       atomic.Uint64 // between waiting and not; odd while it waits
	written, read atomic.Uint64 // bytes by then, as the service sees it
	wanted        atomic.Uint64 // the service reports a wait nevertheless after this many bytes written, minus one
	_             [3]uint64
}

// slots are those of one process of the service, by the port that a connection has there, in
// memory that is shared with it. The mutex of the network guards them.
type slots struct {
	all    *[1 << 16]slot // nil when the process has ended
	shared []byte
}

// newSlots makes the slots, in a file that the service opens.
func newSlots(path string) (*slots, error) {
	_ = os.Remove(path) // a process that ends may still use it
	f, err := os.OpenFile(filepath.Clean(path), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("no memory to share with the service: %w", err)
	}
	defer f.Close()
	s := &slots{}
	size := int(unsafe.Sizeof(*s.all))
	err = f.Truncate(int64(size))
	if err == nil {
		s.shared, err = syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	}
	if err != nil {
		return nil, fmt.Errorf("no memory to share with the service: %w", err)
	}
	s.all = (*[1 << 16]slot)(unsafe.Pointer(unsafe.SliceData(s.shared)))
	return s, nil
}

func (s *slots) close() {
	if s != nil && s.all != nil {
		s.all = nil
		_ = syscall.Munmap(s.shared)
	}
}

// of returns the slot of a connection, nil if another connection has it, or there is none.
func (s *slots) of(c *conn) (at *slot, taken bool) {
	if s == nil || s.all == nil {
		return nil, false
	}
	at = &s.all[c.peer.Port()]
	owner := at.owner.Load()
	if owner != 0 && owner&0xffff != uint64(c.localPort) {
		return nil, false
	}
	return at, owner != 0
}

// setWanted has the service report when the connection waits without sending more, or not.
func (s *slots) setWanted(c *conn, needed bool) {
	at, _ := s.of(c)
	if at == nil {
		return
	}
	wanted := uint64(0)
	if needed {
		wanted = c.received + 1
	}
	if at.wanted.Load() != wanted {
		at.wanted.Store(wanted)
	}
}

// shows reports whether a connection shows its waits.
func (s *slots) shows(c *conn) bool {
	_, taken := s.of(c)
	return taken
}

// wait returns the wait of a connection, nil if it does not wait, and how often that changed.
func (s *slots) wait(c *conn) (w *wait, toggles uint64) {
	at, taken := s.of(c)
	if !taken {
		return nil, 0
	}
	toggles = at.toggles.Load()
	w = &wait{kind: "read", local: c.peer, written: at.written.Load(), read: at.read.Load()}
	if toggles%2 == 0 || at.toggles.Load() != toggles {
		return nil, 0
	}
	return w, toggles
}
