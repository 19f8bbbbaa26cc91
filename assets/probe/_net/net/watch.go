//go:build unix

package net

import (
	"internal/poll"
	"net/netip"
	"sync"
	"syscall"
)

// sondeWatched has the sockets whose waits are reported, by ID. It also has the last connection that
// took each slot, by the real local port of the connection.
var sondeWatched = struct {
	sync.Mutex
	all        map[uint64]*poll.SondeWatch
	slotOwners map[uint16]sondeSlotOwner
}{all: map[uint64]*poll.SondeWatch{}, slotOwners: map[uint16]sondeSlotOwner{}}

// sondeSlotOwner is a connection that has taken a slot, with its real destination port.
type sondeSlotOwner struct {
	*poll.SondeWatch
	real uint16
}

// sondeWatch makes a socket with the real address local report its waits. It returns nil if there is
// no channel.
func (fd *netFD) sondeWatch(local netip.AddrPort, remote string) *poll.SondeWatch {
	if !sondeHasChannel() {
		return nil
	}
	s := fd.sonde
	wait := &sondeWait{s.id, fd.sondeWaitKind(), local, remote}
	watch := fd.pfd.SondeWatch(wait.report)
	sondeWatched.Lock()
	defer sondeWatched.Unlock()
	sondeWatched.all[s.id] = watch
	return watch
}

// sondeWait reports the waits of a socket.
type sondeWait struct {
	id     uint64
	kind   string
	local  netip.AddrPort
	remote string
}

func (w *sondeWait) report(written, read uint64) {
	line := append(sondeAppendUint(append(make([]byte, 0, 128), "wait "...), w.id), ' ')
	line = append(append(line, w.kind...), ' ')
	line = append(w.local.AppendTo(line), ' ')
	line = append(sondeEscape(line, w.remote), ' ')
	line = append(sondeAppendUint(line, written), ' ')
	sondeSend(append(sondeAppendUint(line, read), '\n'))
}

// sondeUseSlot makes a connection show its waits in the slot of its local port instead of reporting each wait. If
// sondeSlots is nil, the connection reports each wait. An earlier connection with the same local port may still have
// the slot. If that connection has another destination port, it may still be open, so it keeps the slot. If it has the
// same destination port, it must be broken, so it loses the slot.
func (fd *netFD) sondeUseSlot(local, real netip.AddrPort, virtual string) {
	w := fd.sondeWatch(local, virtual)
	if w == nil || sondeSlots == nil {
		return
	}
	port := local.Port()
	sondeWatched.Lock()
	defer sondeWatched.Unlock()
	if previous, exists := sondeWatched.slotOwners[port]; exists && previous.HasSlot() {
		if previous.real != real.Port() {
			return
		}
		previous.ReportWaits()
	}
	sondeWatched.slotOwners[port] = sondeSlotOwner{w, real.Port()}
	w.TakeSlot(&sondeSlots[port], fd.sonde.id<<16|uint64(real.Port()))
}

// sondeWaitKind returns the kind of a socket's waits: "recv", "accept" or "read".
func (fd *netFD) sondeWaitKind() string {
	switch {
	case fd.sotype == syscall.SOCK_DGRAM:
		return "recv"
	case fd.raddr == nil:
		return "accept"
	}
	return "read"
}

// sondeUnwatch stops the reports of a socket that is closed. It returns false if the socket was not
// watched.
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
