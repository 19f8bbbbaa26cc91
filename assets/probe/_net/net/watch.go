//go:build unix

package net

import (
	"internal/poll"
	"net/netip"
	"sync"
	"syscall"
)

// sondeWatched are the sockets of which is told that they wait, and those for which
// was asked before they were known.
var sondeWatched = struct {
	sync.Mutex
	all   map[uint64]sondeWatch
	asked map[netip.AddrPort]bool
}{all: map[uint64]sondeWatch{}, asked: map[netip.AddrPort]bool{}}

// sondeWatch is a watch on a socket at a real address.
type sondeWatch struct {
	*poll.SondeWatch
	local netip.AddrPort
}

// sondeWatch has it told when a socket is about to wait, if anybody listens; where it
// is on demand, from when it is asked for.
func (fd *netFD) sondeWatch(local netip.AddrPort, remote string, demand bool) {
	if !sondeHasChannel() {
		return
	}
	s := fd.sonde
	line := append(sondeNumber([]byte("wait "), s.id), ' ')
	line = append(append(line, fd.sondeWaitsFor()...), ' ')
	line = append(local.AppendTo(line), ' ')
	line = append(sondeEscape(line, remote), ' ')
	watch := fd.pfd.SondeWatch(func(written, read uint64) {
		now := append(make([]byte, 0, 128), line...)
		now = append(sondeNumber(now, written), ' ')
		sondeSay(append(sondeNumber(now, read), '\n'))
	})
	sondeWatched.Lock()
	defer sondeWatched.Unlock()
	watch.Quiet(demand && !sondeWatched.asked[local])
	delete(sondeWatched.asked, local)
	sondeWatched.all[s.id] = sondeWatch{watch, local}
}

// sondeAskWaits has it told that the socket at a real address waits.
func sondeAskWaits(local string) {
	at, err := netip.ParseAddrPort(local)
	if err != nil {
		return
	}
	sondeWatched.Lock()
	defer sondeWatched.Unlock()
	for _, w := range sondeWatched.all {
		if w.local == at {
			w.Quiet(false)
			return
		}
	}
	if len(sondeWatched.asked) >= sondeMany {
		clear(sondeWatched.asked)
	}
	sondeWatched.asked[at] = true
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
	defer sondeWatched.Unlock()
	_, watched := sondeWatched.all[id]
	delete(sondeWatched.all, id)
	return watched
}

func sondeWatchOf(id uint64) *poll.SondeWatch {
	sondeWatched.Lock()
	defer sondeWatched.Unlock()
	return sondeWatched.all[id].SondeWatch
}
