//go:build unix

package net

import (
	"internal/poll"
	"net/netip"
	"sync"
	"syscall"
)

// sondeWatched are the sockets of which is told that they wait, and who sat last on
// each seat.
var sondeWatched = struct {
	sync.Mutex
	all  map[uint64]*poll.SondeWatch
	sits map[uint16]sondeSitter
}{all: map[uint64]*poll.SondeWatch{}, sits: map[uint16]sondeSitter{}}

// sondeSitter is a connection that shows that it waits, and the real port to which it
// goes.
type sondeSitter struct {
	*poll.SondeWatch
	real uint16
}

// sondeWatch has it told when a socket at a real address is about to wait, if anybody
// listens.
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

// sondeShow has a connection show that it waits, where the other end can see it, instead
// of telling it each time. Another one may have the port that nobody has closed: if it
// goes elsewhere, it keeps the seat, for it may be one that stays; else it is broken.
func (fd *netFD) sondeShow(local, real netip.AddrPort, virtual string) {
	w := fd.sondeWatch(local, virtual)
	if w == nil || sondeSeats == nil {
		return
	}
	port := local.Port()
	sondeWatched.Lock()
	defer sondeWatched.Unlock()
	if before, some := sondeWatched.sits[port]; some && before.Sits() {
		if before.real != real.Port() {
			return
		}
		before.Stand()
	}
	sondeWatched.sits[port] = sondeSitter{w, real.Port()}
	w.Sit(&sondeSeats[port], fd.sonde.id<<16|uint64(real.Port()))
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

// sondeUnwatch lets go of a socket that is closed, and tells whether it was watched.
func sondeUnwatch(id uint64) bool {
	sondeWatched.Lock()
	watch, watched := sondeWatched.all[id]
	delete(sondeWatched.all, id)
	sondeWatched.Unlock()
	if watched {
		watch.Leave()
	}
	return watched
}

func sondeWatchOf(id uint64) *poll.SondeWatch {
	sondeWatched.Lock()
	defer sondeWatched.Unlock()
	return sondeWatched.all[id]
}
