package netsim

import "net/netip"

const (
	maxConns      = 2000   // maximum number of open connections; further connections are reset
	maxEarlyWaits = 4096   // number of entries at which connections.early is cleared
	maxDialed     = 10_000 // maximum number of connections in connections.hosts
)

// connections owns the connections between the service and the hosts. The mutex of the
// network guards it.
type connections struct {
	open   map[netip.AddrPort]*conn // open connections, by conn.peer
	early  map[netip.AddrPort]*wait // waits on connections that are not accepted yet, by each of their two ends
	hosts  map[string]dialed        // connections that the service has dialed and not closed, by ID
	dialed map[netip.AddrPort]bool  // the service's ends of the connections that it reported
}

// dialed records a dial of the service: the host, the test, and the call of the test during which the service dialed.
type dialed struct {
	host string
	test *testState
	call int // index in the test; -1 outside of calls
}

func newConnections() *connections {
	return &connections{
		open:   map[netip.AddrPort]*conn{},
		early:  map[netip.AddrPort]*wait{},
		hosts:  map[string]dialed{},
		dialed: map[netip.AddrPort]bool{},
	}
}

// processEnded forgets the reports of a process. The connections of the process remain until they close.
func (s *connections) processEnded() {
	clear(s.early)
	clear(s.hosts)
	clear(s.dialed)
}

// isFull reports whether no further connection may be added.
func (s *connections) isFull() bool { return len(s.open) >= maxConns }

// add adds a connection. It returns the wait that was reported before the connection was
// accepted, or nil.
func (s *connections) add(c *conn) *wait {
	s.open[c.peer] = c
	w := s.early[c.peer]
	delete(s.early, c.peer)
	return w
}

// remove removes a connection. It does nothing if a later connection has the same peer.
func (s *connections) remove(c *conn) {
	if s.open[c.peer] == c {
		delete(s.open, c.peer)
	}
}

// waiting returns the connection of a wait. If the connection is not accepted yet, waiting
// returns nil and keeps the wait for add.
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

// dials records that the service opened a connection.
func (s *connections) dials(id string, to dialed, local netip.AddrPort) {
	s.dialed[local] = true
	if len(s.hosts) < maxDialed {
		s.hosts[id] = to
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

// openByHost returns for each host the number of connections that the service has opened and not closed. Open.ByCall
// counts only connections that calls of the test opened. Child processes of the service report nothing: a connection of
// a child process counts until one end closes the connection.
func (s *connections) openByHost(of *testState) map[string]Open {
	all := map[string]Open{}
	for _, c := range s.open {
		if !c.inward && c.proxied == nil && !s.dialed[c.peer] {
			all[c.hosts[0]] = Open{Connections: all[c.hosts[0]].Connections + 1, ByCall: all[c.hosts[0]].ByCall}
		}
	}
	for _, d := range s.hosts {
		o := all[d.host]
		o.Connections++
		if d.test == of && d.call >= 0 {
			if o.ByCall == nil {
				o.ByCall = map[int]int{}
			}
			o.ByCall[d.call]++
		}
		all[d.host] = o
	}
	return all
}

// Open is the number of connections to a host that the service has opened and not closed.
type Open struct {
	Connections int
	ByCall      map[int]int // connections that calls of the last test opened, by the index of the call
}

// selected returns the connections for which want is true.
func (s *connections) selected(want func(*conn) bool) (all []*conn) {
	for _, c := range s.open {
		if want(c) {
			all = append(all, c)
		}
	}
	return all
}

// isAnswering reports whether an answer is being written on some connection.
func (s *connections) isAnswering() bool {
	for _, c := range s.open {
		if c.unfinished > 0 {
			return true
		}
	}
	return false
}

// allProcessed reports whether everything that was read from the connections is handled. It returns false if one of
// these is true of a connection:
//
//   - bytes that were read are not handled, and no answer is being written
//   - the service has closed its end, and an answer is being written
//   - the player has not seen the latest change
func (s *connections) allProcessed() bool {
	for _, c := range s.open {
		if c.peerClosed && c.unfinished > 0 || c.processed != c.received && c.unfinished == 0 || c.player != nil && c.dirty {
			return false
		}
	}
	return true
}

// inspect reads the waits of all connections from their slots in shared memory. It skips connections in the state
// connRequests.
func (s *connections) inspect() {
	for _, c := range s.open {
		if c.state != connRequests {
			c.inspect()
		}
	}
}
