package vnet

import "net/netip"

// mostDialed bounds the connections of which is known whether the service closed them.
const mostDialed = 10_000

// dialed are the connections that the service has dialed. It may keep one of which
// nothing is left at our end.
type dialed struct {
	hosts map[string]string       // to which it has one, by its socket
	from  map[netip.AddrPort]bool // ends of which it told
}

func newDialed() dialed {
	return dialed{hosts: map[string]string{}, from: map[netip.AddrPort]bool{}}
}

func (d dialed) clear() {
	clear(d.hosts)
	clear(d.from)
}

// dials takes in that the service dialed a host. The mutex is held.
func (n *Network) dials(e event) {
	n.dialed.from[e.place(1)] = true
	if len(n.dialed.hosts) < mostDialed {
		n.dialed.hosts[e.field(0)] = n.book.hosts(e.place(2))[0]
	}
}

// hungUp takes in that the service closed a socket. The mutex is held.
func (n *Network) hungUp(socket string) {
	delete(n.dialed.hosts, socket)
	for at, w := range n.early {
		if w.id == socket {
			delete(n.early, at)
		}
	}
}

// Open is how many connections the service has dialed and not closed, by host as
// contacts have it. Of those that it does not tell of, as its children don't, they are
// those that neither end has closed. It is for the caller of End.
func (n *Network) Open() map[string]int {
	n.sync() // it tells later of what it dials and closes
	n.mu.Lock()
	defer n.mu.Unlock()
	all := map[string]int{}
	for _, c := range n.conns {
		if !c.inward && c.proxied == nil && !n.dialed.from[c.end] {
			all[c.hosts[0]]++
		}
	}
	for _, host := range n.dialed.hosts {
		all[host]++
	}
	return all
}
