//go:build unix

package net

import (
	"internal/poll"
	"net/netip"
	"sync"
	"syscall"
)

// sondeWatched are the sockets whose waiting is reported, and the last connection of
// each slot.
var sondeWatched = struct {
	sync.Mutex
	all  map[uint64]*poll.SondeWatch
	sits map[uint16]sondeSlotOwner
}{all: map[uint64]*poll.SondeWatch{}, sits: map[uint16]sondeSlotOwner{}}

// sondeSlotOwner is a connection that shows that it waits, and its real destination port.
type sondeSlotOwner struct {
	*poll.SondeWatch
	real uint16
}

// sondeWatch makes a socket at a real address report when it is about to wait, if there
// is another end.
func (fd *netFD) sondeWatch(local netip.AddrPort, remote string) *poll.SondeWatch {
	if !sondeHasChannel() {
		return nil
	}
	s := fd.sonde
	wait := &sondeWait{s.id, fd.sondeWaitsFor(), local, remote}
	watch := fd.pfd.SondeWatch(wait.tell)
	sondeWatched.Lock()
	defer sondeWatched.Unlock()
	sondeWatched.all[s.id] = watch
	return watch
}

// sondeWait is a socket that waits, for what, and between which addresses.
type sondeWait struct {
	id     uint64
	what   string
	local  netip.AddrPort
	remote string
}

func (w *sondeWait) tell(written, read uint64) {
	line := append(sondeNumber(append(make([]byte, 0, 128), "wait "...), w.id), ' ')
	line = append(append(line, w.what...), ' ')
	line = append(w.local.AppendTo(line), ' ')
	line = append(sondeEscape(line, w.remote), ' ')
	line = append(sondeNumber(line, written), ' ')
	sondeSay(append(sondeNumber(line, read), '\n'))
}

// sondeShow makes a connection show that it waits in shared memory, instead of
// reporting it each time. Another connection may have the same port and not be closed:
// if it goes elsewhere it keeps the slot, since it may stay open; otherwise it is
// broken.
func (fd *netFD) sondeShow(local, real netip.AddrPort, virtual string) {
	w := fd.sondeWatch(local, virtual)
	if w == nil || sondeSlots == nil {
		return
	}
	port := local.Port()
	sondeWatched.Lock()
	defer sondeWatched.Unlock()
	if before, some := sondeWatched.sits[port]; some && before.HasSlot() {
		if before.real != real.Port() {
			return
		}
		before.ReportWaits()
	}
	sondeWatched.sits[port] = sondeSlotOwner{w, real.Port()}
	w.TakeSlot(&sondeSlots[port], fd.sonde.id<<16|uint64(real.Port()))
}

// sondeWaitsFor is what a socket waits for.
func (fd *netFD) sondeWaitsFor() string {
	switch {
	case fd.sotype == syscall.SOCK_DGRAM:
		return "recv"
	case fd.raddr == nil:
		return "accept"
	}
	return "read"
}

// sondeUnwatch releases a socket that is closed, and reports whether it was watched.
func sondeUnwatch(id uint64) bool {
	sondeWatched.Lock()
	watch, watched := sondeWatched.all[id]
	delete(sondeWatched.all, id)
	sondeWatched.Unlock()
	if watched {
		watch.FreeSlot()
	}
	return watched
}

func sondeWatchOf(id uint64) *poll.SondeWatch {
	sondeWatched.Lock()
	defer sondeWatched.Unlock()
	return sondeWatched.all[id]
}
