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

// slot is shared memory in which a connection of the service shows whether it waits. The
// service then need not report each wait.
type slot struct {
	owner         atomic.Uint64 // the service's socket: the low 16 bits are the port to which it is connected; 0 if unused
	toggles       atomic.Uint64 // how often the service began or ended a wait; odd while it waits
	written, read atomic.Uint64 // bytes that the service has written, and those that it had read when its last wait began
	wanted        atomic.Uint64 // 1 + the value of written at which the service must report a wait; 0 for never
	_             [3]uint64
}

// slots are the slots of one process of the service, by the port of the service's end of a
// connection. They are in memory that is shared with the process. The mutex of the network
// guards the fields.
type slots struct {
	all    *[1 << 16]slot // nil after close
	shared []byte
}

// newSlots creates the file that the service maps.
func newSlots(path string) (*slots, error) {
	_ = os.Remove(path) // the previous process may still use its file
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

// of returns the slot of a connection. It returns nil if another connection has taken the slot, or if there are no
// slots. taken reports whether the connection has taken the slot. s may be nil.
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

// setWanted sets whether the service reports its next wait on the connection. If the service sends more data before it
// waits, it does not report the wait. setWanted does nothing without a slot.
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

// shows reports whether a connection shows its waits in its slot.
func (s *slots) shows(c *conn) bool {
	_, taken := s.of(c)
	return taken
}

// wait returns the wait that a connection shows, and slot.toggles. It returns nil, 0 if the connection
// shows no wait.
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
