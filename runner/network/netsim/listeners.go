package netsim

import (
	"net/netip"
	"strconv"

	"sonde/model"
)

// maxSockets is the maximum number of entries in listeners.firstSeen.
const maxSockets = 4096

// wait says that the service waits on one of its sockets.
type wait struct {
	id, kind      string // kind is "read", "accept" or "recv"; or "listen" for an inferred wait on a port
	local, remote netip.AddrPort
	written, read uint64 // bytes that the service has written and read on the socket so far
}

// listener is a TCP or UDP port on which the service listens.
type listener struct {
	id        string
	network   string
	port      int
	real      netip.AddrPort
	mark      uint64     // the service has read the last datagram if wait.read is at least mark
	transient bool       // opened during a call
	ephemeral bool       // the system chose the port, which differs each time
	caller    *tcpPlayer // the last TCP connection of a host in this test, or nil
	visited   bool       // no host called, so Sonde opened a connection to the port and reset it
}

// isCalledBy reports whether the host of a stub calls the port. A stub with port 0 is for
// any port that was opened during a call.
func (l *listener) isCalledBy(s model.Stub) bool {
	_, port := splitHost(s.Host)
	return s.Inward && string(s.Protocol) == l.network && (int(port) == l.port || port == 0 && l.transient)
}

// callerBusy reports whether the host that called last has more to send.
func (l *listener) callerBusy() bool { return l.caller != nil && !l.caller.idle }

// tookLast reports whether the service has read the last datagram: all of it, or as much as
// fits in its buffer. w is the current wait of the service on the port.
func (l *listener) tookLast(w *wait) bool { return w.read >= l.mark }

// contact returns a contact between the port and a host that calls it, without a stub.
func (l *listener) contact(kind model.ContactKind, p model.Protocol) model.Contact {
	return model.Contact{
		Kind: kind, Protocol: p, Host: ":" + strconv.Itoa(l.port), Inward: true, Stub: -1, Answer: -1,
	}
}

// listeners owns the ports on which the service listens, and its waits for connections and
// datagrams. The mutex of the network guards it.
type listeners struct {
	open  map[string]*listener // listeners, by the ID of the service's socket
	waits map[string]*wait     // waits, by the ID of the service's socket
	// firstSeen has, by the ID of a socket, the test in which the socket was first seen, nil if that was not during a
	// call.
	firstSeen map[string]*testState
	api       map[string]bool // IDs of the sockets of the service's API
}

func newListeners() *listeners {
	return &listeners{
		open: map[string]*listener{}, waits: map[string]*wait{}, firstSeen: map[string]*testState{}, api: map[string]bool{},
	}
}

// clear removes all entries. Network.ProcessEnded calls it.
func (l *listeners) clear() {
	clear(l.open)
	clear(l.waits)
	clear(l.firstSeen)
	clear(l.api)
}

// addAPI adds a socket of the service's API. The socket's waits belong to no test, even if Sonde learns of the socket
// during a call: clients can call the API before the service reports the socket.
func (l *listeners) addAPI(id string) { l.api[id] = true }

// add adds a port. It returns false if the port is ephemeral.
func (l *listeners) add(added *listener, t *testState) (fixed bool) {
	l.open[added.id] = added
	l.see(added.id, t)
	return !added.ephemeral
}

// remove removes a socket that the service closed.
func (l *listeners) remove(id string) {
	delete(l.open, id)
	delete(l.waits, id)
	delete(l.firstSeen, id)
	delete(l.api, id)
}

// see records when a socket was first seen: during a call of the test t, or between calls.
func (l *listeners) see(id string, t *testState) {
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

// setWait records that the service waits for a connection or datagram. It returns the
// listener of the socket, nil if the socket is not a known listener.
func (l *listeners) setWait(w *wait, t *testState) *listener {
	l.see(w.id, t)
	l.waits[w.id] = w
	return l.open[w.id]
}

// inferWait returns the recorded wait on the port with an ID. If none is recorded, inferWait assumes that the service
// waits, and records a wait.
func (l *listeners) inferWait(id string) *wait {
	w := l.waits[id]
	if w == nil {
		w = &wait{id: id, kind: "listen"}
		l.waits[id] = w
	}
	return w
}

// endDatagramWaits removes the waits for a datagram at a local address, to which a datagram is
// about to be sent.
func (l *listeners) endDatagramWaits(local netip.AddrPort) {
	for id, w := range l.waits {
		if w.kind == "recv" && w.local == local {
			delete(l.waits, id)
		}
	}
}

// takeWaits removes and returns the waits on sockets that the calls of a test opened. It skips the API's sockets.
func (l *listeners) takeWaits(t *testState) (all []*wait) {
	for id, w := range l.waits {
		if l.firstSeen[id] == t && !l.api[id] {
			delete(l.waits, id)
			all = append(all, w)
		}
	}
	return all
}

// takeUnvisited returns the TCP ports that the calls of a test opened and that no host has
// called. It marks them as visited, so that it returns each port only once.
func (l *listeners) takeUnvisited(t *testState) (all []*listener) {
	for id, at := range l.open {
		if at.network == "tcp" && l.firstSeen[id] == t && at.caller == nil && !at.visited {
			at.visited = true
			all = append(all, at)
		}
	}
	return all
}

// startTest forgets the callers of the previous test.
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
