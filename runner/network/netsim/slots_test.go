//go:build unix

package netsim_test

import (
	"net/netip"
	"os"
	"strconv"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// slot is an independent copy of the layout of slot in package netsim.
type slot struct{ owner, toggles, written, read, wanted, _, _, _ atomic.Uint64 }

type slots [1 << 16]slot

// share maps the memory in which connections show their waits. It is never unmapped, because some
// connections read until the process ends.
func (s *service) share() {
	s.t.Helper()
	f, err := os.OpenFile(s.env["SONDE_NET_SLOTS"], os.O_RDWR, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	shared, err := syscall.Mmap(
		int(f.Fd()),
		0,
		int(unsafe.Sizeof(slots{})),
		syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_SHARED,
	)
	if err != nil {
		s.t.Fatal(err)
	}
	s.slots = (*slots)(unsafe.Pointer(unsafe.SliceData(shared)))
}

// takeSlot takes the slot of the connection's local port. If another connection has the slot, that connection loses it,
// and reports its waits from then on.
func (w *watched) takeSlot() {
	local, remote := netip.MustParseAddrPort(w.LocalAddr().String()), netip.MustParseAddrPort(w.RemoteAddr().String())
	if w.s.slots == nil || w.LocalAddr().Network() != "tcp" {
		return
	}
	id, _ := strconv.ParseUint(w.id, 10, 64)
	w.s.mu.Lock()
	previous := w.s.slotOwners[local.Port()]
	w.s.slotOwners[local.Port()] = w
	w.s.mu.Unlock()
	if previous != nil && previous.releaseSlot() {
		previous.reportWait()
	}
	w.slot = &w.s.slots[local.Port()]
	w.slot.owner.Store(id<<16 | uint64(remote.Port()))
}

func (w *watched) releaseSlot() (waits bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.slot
	if s == nil {
		return false
	}
	s.owner.Store(0)
	s.toggles.Store((s.toggles.Load() + 1) &^ 1)
	w.slot = nil
	return w.waits
}

// Close frees the slot.
func (w *watched) Close() error {
	w.releaseSlot()
	return w.Conn.Close()
}

func (w *watched) begin() {
	w.waits = true
	if w.slot != nil {
		w.slot.written.Store(uint64(w.written))
		w.slot.read.Store(uint64(w.read))
		w.slot.toggles.Add(1)
	}
}

func (w *watched) end() {
	w.waits = false
	if w.slot != nil {
		w.slot.toggles.Add(1)
	}
}

func (w *watched) addWritten(n int) {
	w.written += n
	if w.slot != nil {
		w.slot.written.Store(uint64(w.written))
	}
}
