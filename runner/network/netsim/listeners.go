package netsim

import (
	"net/netip"
	"strconv"

	"sonde/model"
)

// maxSockets bounds the sockets and waits that are remembered.
const maxSockets = 4096

// wait is the service waiting on one of its sockets.
type wait struct {
	id, kind      string // kind is read, accept, recv, or listen for what is only inferred
	local, remote netip.AddrPort
	written, read uint64 // bytes that passed on the socket so far, as the service sees it
}

// listener is a port on which the service waits.
type listener struct {
	id        string
	network   string
	port      int
	real      netip.AddrPort
	mark      uint64     // how much the service has read when it has taken the last datagram
	transient bool       // it was opened during a call
	ephemeral bool       // the system chose the port: the next time it is another one
	caller    *tcpPlayer // who called last in this test by TCP
	visited   bool       // a connection was opened and closed, as no host called
}

// isCalledBy reports whether a stub's host calls the port.
func (l *listener) isCalledBy(s model.Stub) bool {
	_, port := splitHost(s.Host)
	return s.Inward && string(s.Protocol) == l.network && (int(port) == l.port || port == 0 && l.transient)
}

// callerBusy reports whether the host that called last has something to say.
func (l *listener) callerBusy() bool { return l.caller != nil && !l.caller.rested }

// tookLast reports whether the service, which waits, has read the last datagram: all of it,
// or as much as it takes at once.
func (l *listener) tookLast(w *wait) bool { return w.read >= l.mark }

// contact is a contact of the port with a host that calls it.
func (l *listener) contact(kind model.ContactKind, p model.Protocol) model.Contact {
	return model.Contact{
		Kind: kind, Protocol: p, Host: ":" + strconv.Itoa(l.port), Inward: true, Stub: -1, Answer: -1,
	}
}

// listeners owns the ports on which the service waits, and its waits for others to come.
// The mutex of the network guards it.
type listeners struct {
	open      map[string]*listener // by the service's socket
	waits     map[string]*wait     // by the service's socket
	firstSeen map[string]*test     // in whose call a socket was first heard of; nil outside of calls
}

func newListeners() *listeners {
	return &listeners{open: map[string]*listener{}, waits: map[string]*wait{}, firstSeen: map[string]*test{}}
}

// clear forgets all, as the process ended.
func (l *listeners) clear() {
	clear(l.open)
	clear(l.waits)
	clear(l.firstSeen)
}

// add records that the service listens, and returns false if its port is ephemeral.
func (l *listeners) add(added *listener, t *test) (fixed bool) {
	l.open[added.id] = added
	l.see(added.id, t)
	return !added.ephemeral
}

// remove records that a socket is closed.
func (l *listeners) remove(id string) {
	delete(l.open, id)
	delete(l.waits, id)
	delete(l.firstSeen, id)
}

// see records in which test a socket was first heard of.
func (l *listeners) see(id string, t *test) {
	if _, known := l.firstSeen[id]; known {
		return
	}
	if len(l.firstSeen) >= maxSockets {
		clear(l.firstSeen)
	}
	l.firstSeen[id] = nil
	if t.busy {
		l.firstSeen[id] = t
	}
}

// setWait records that the service waits for others to come, and returns the port if it
// is a known one.
func (l *listeners) setWait(w *wait, t *test) *listener {
	l.see(w.id, t)
	l.waits[w.id] = w
	return l.open[w.id]
}

// inferWait records that the service is presumed to wait on a port.
func (l *listeners) inferWait(id string) *wait {
	w := l.waits[id]
	if w == nil {
		w = &wait{id: id, kind: "listen"}
		l.waits[id] = w
	}
	return w
}

// endDatagramWaits records that a datagram is sent to a socket.
func (l *listeners) endDatagramWaits(local netip.AddrPort) {
	for id, w := range l.waits {
		if w.kind == "recv" && w.local == local {
			delete(l.waits, id)
		}
	}
}

// takeWaits removes and returns the waits of the sockets that a test's calls opened.
func (l *listeners) takeWaits(t *test) (all []*wait) {
	for id, w := range l.waits {
		if l.firstSeen[id] == t {
			delete(l.waits, id)
			all = append(all, w)
		}
	}
	return all
}

// takeUnvisited returns the TCP ports that a test's calls opened, which no host called, and
// marks them as visited.
func (l *listeners) takeUnvisited(t *test) (all []*listener) {
	for id, at := range l.open {
		if at.network == "tcp" && l.firstSeen[id] == t && at.caller == nil && !at.visited {
			at.visited = true
			all = append(all, at)
		}
	}
	return all
}

// startTest forgets who called the ports in the test before.
func (l *listeners) startTest() {
	for _, at := range l.open {
		at.caller, at.mark = nil, 0
	}
}

// isOpen reports whether the service listens at a real address.
func (l *listeners) isOpen(real netip.AddrPort) bool {
	for _, at := range l.open {
		if at.real == real {
			return true
		}
	}
	return false
}
