package netsim

import "net/netip"

const (
	maxConns      = 2000   // open at once; further ones are broken
	maxEarlyWaits = 4096   // for connections that are not accepted yet
	maxDialed     = 10_000 // connections of which is known whether the service closed them
)

// connections owns the connections with the service. The mutex of the network guards it.
type connections struct {
	open   map[netip.AddrPort]*conn // by the end that the service's waits name
	early  map[netip.AddrPort]*wait // by both ends of connections that are not accepted yet
	hosts  map[string]string        // of the connections that the service keeps, by its socket
	dialed map[netip.AddrPort]bool  // ends of connections that the service reported
}

func newConnections() *connections {
	return &connections{
		open:   map[netip.AddrPort]*conn{},
		early:  map[netip.AddrPort]*wait{},
		hosts:  map[string]string{},
		dialed: map[netip.AddrPort]bool{},
	}
}

// processEnded forgets what the service reported. The connections stay until they close.
func (s *connections) processEnded() {
	clear(s.early)
	clear(s.hosts)
	clear(s.dialed)
}

// isFull reports whether no further connection may be added.
func (s *connections) isFull() bool { return len(s.open) >= maxConns }

// add adds a connection, and returns the wait that was reported before it was accepted,
// nil if there was none.
func (s *connections) add(c *conn) *wait {
	s.open[c.peer] = c
	w := s.early[c.peer]
	delete(s.early, c.peer)
	return w
}

// remove removes a connection, unless another one has its port by now.
func (s *connections) remove(c *conn) {
	if s.open[c.peer] == c {
		delete(s.open, c.peer)
	}
}

// waiting returns the connection on which the service waits. If it is not accepted yet,
// the wait is kept until then.
func (s *connections) waiting(w *wait) *conn {
	if c := s.open[w.local]; c != nil {
		return c
	}
	if c := s.open[w.remote]; c != nil {
		return c
	}
	if len(s.early) >= maxEarlyWaits {
		clear(s.early)
	}
	s.early[w.local], s.early[w.remote] = w, w
	return nil
}

// dials records that the service opened a connection to a host.
func (s *connections) dials(id, host string, local netip.AddrPort) {
	s.dialed[local] = true
	if len(s.hosts) < maxDialed {
		s.hosts[id] = host
	}
}

// closes records that the service closed a socket.
func (s *connections) closes(id string) {
	delete(s.hosts, id)
	for at, w := range s.early {
		if w.id == id {
			delete(s.early, at)
		}
	}
}

// openByHost counts the connections that the service has opened and not closed. Of those
// that it does not report, as its children don't, it counts the ones that neither end has
// closed.
func (s *connections) openByHost() map[string]int {
	all := map[string]int{}
	for _, c := range s.open {
		if !c.inward && c.proxied == nil && !s.dialed[c.peer] {
			all[c.hosts[0]]++
		}
	}
	for _, host := range s.hosts {
		all[host]++
	}
	return all
}

// selected returns the connections that a condition holds for.
func (s *connections) selected(want func(*conn) bool) (all []*conn) {
	for _, c := range s.open {
		if want(c) {
			all = append(all, c)
		}
	}
	return all
}

// owesAnswer reports whether an answer is on its way on some connection.
func (s *connections) owesAnswer() bool {
	for _, c := range s.open {
		if c.owed > 0 {
			return true
		}
	}
	return false
}

// allProcessed reports whether everything that was read has been dealt with.
func (s *connections) allProcessed() bool {
	for _, c := range s.open {
		if c.peerClosed && c.owed > 0 || c.processed != c.received && c.owed == 0 || c.player != nil && c.dirty {
			return false
		}
	}
	return true
}

// inspect looks on which connections the service waits.
func (s *connections) inspect() {
	for _, c := range s.open {
		if c.state != connHTTP {
			c.inspect()
		}
	}
}
