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

// seat is an independent copy of the layout of slot.
type seat struct{ owner, turns, written, read, wanted, _, _, _ atomic.Uint64 }

type seats [1 << 16]seat

// share maps the memory in which connections show their waits. It is never unmapped, because some
// connections read until the process ends.
func (s *service) share() {
	s.t.Helper()
	f, err := os.OpenFile(s.env["SONDE_NET_SEATS"], os.O_RDWR, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	shared, err := syscall.Mmap(
		int(f.Fd()),
		0,
		int(unsafe.Sizeof(seats{})),
		syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_SHARED,
	)
	if err != nil {
		s.t.Fatal(err)
	}
	s.seats = (*seats)(unsafe.Pointer(unsafe.SliceData(shared)))
}

// sit takes the seat for a connection, of which there is one for each local port. A connection that has the seat already
// loses it, and reports its waits from then on.
func (w *watched) sit() {
	local, remote := netip.MustParseAddrPort(w.LocalAddr().String()), netip.MustParseAddrPort(w.RemoteAddr().String())
	if w.s.seats == nil || w.LocalAddr().Network() != "tcp" {
		return
	}
	id, _ := strconv.ParseUint(w.id, 10, 64)
	w.s.mu.Lock()
	before := w.s.sits[local.Port()]
	w.s.sits[local.Port()] = w
	w.s.mu.Unlock()
	if before != nil && before.leave() {
		before.reportWait()
	}
	w.seat = &w.s.seats[local.Port()]
	w.seat.owner.Store(id<<16 | uint64(remote.Port()))
}

func (w *watched) leave() (waits bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := w.seat
	if at == nil {
		return false
	}
	at.owner.Store(0)
	at.turns.Store((at.turns.Load() + 1) &^ 1)
	w.seat = nil
	return w.waits
}

// Close frees the seat.
func (w *watched) Close() error {
	w.leave()
	return w.Conn.Close()
}

func (w *watched) begin() {
	w.waits = true
	if w.seat != nil {
		w.seat.written.Store(uint64(w.written))
		w.seat.read.Store(uint64(w.read))
		w.seat.turns.Add(1)
	}
}

func (w *watched) end() {
	w.waits = false
	if w.seat != nil {
		w.seat.turns.Add(1)
	}
}

func (w *watched) addWritten(n int) {
	w.written += n
	if w.seat != nil {
		w.seat.written.Store(uint64(w.written))
	}
}
