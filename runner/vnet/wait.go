package vnet

import "net/netip"

// mostEarly bounds the waits that are kept for connections to come.
const mostEarly = 4096

// wait is the service waiting on one of its sockets.
type wait struct {
	id, kind      string // kind is read, accept or recv
	local, remote netip.AddrPort
	written, read uint64 // what passed on the socket so far, as the service sees it
}

func newWait(e event) *wait {
	return &wait{id: e.field(0), kind: e.field(1), local: e.place(2), remote: e.place(3), written: e.number(4), read: e.number(5)}
}

// waiting takes in that the service waits. The mutex is held.
func (n *Network) waiting(e event) {
	w := newWait(e)
	if w.kind == "read" {
		n.reads(w)
	} else {
		n.first(w.id)
		n.waits[w.id] = w
		if l := n.listens[w.id]; l != nil {
			n.invite(l)
		}
		n.hear()
	}
	n.arm()
}

// reads finds the connection on which the service waits.
func (n *Network) reads(w *wait) {
	c := n.conns[w.local]
	if c == nil {
		c = n.conns[w.remote]
	}
	if c == nil {
		n.expect(w)
		return
	}
	c.hears(w)
}

// expect keeps a wait for a connection that is about to be accepted.
func (n *Network) expect(w *wait) {
	if len(n.early) >= mostEarly {
		clear(n.early)
	}
	n.early[w.local], n.early[w.remote] = w, w
}

// first remembers in which test a socket was first heard of: outside of a call it is
// none's.
func (n *Network) first(id string) {
	if _, known := n.sockets[id]; known {
		return
	}
	if len(n.sockets) >= mostEarly {
		clear(n.sockets)
	}
	n.sockets[id] = nil
	if n.test.busy {
		n.sockets[id] = n.test
	}
}
