package vnet

// Open is how many connections the service has dialed and not closed, by host as
// contacts have it. Where it does not tell when it closes one, they are those that
// neither end has closed.
func (n *Network) Open() map[string]int {
	n.pump()
	n.mu.Lock()
	defer n.mu.Unlock()
	all := map[string]int{}
	for _, c := range n.conns {
		if !c.inward && c.proxied == nil && !c.counted {
			all[c.hosts[0]]++
		}
	}
	for _, host := range n.dialed {
		all[host]++
	}
	return all
}

// mostDialed bounds the connections of which is known whether the service closed them.
const mostDialed = 10_000

// dials counts a connection that the service has, until it tells that it closed it: it
// may keep one of which nothing is left at our end. The mutex is held.
func (n *Network) dials(c *conn, socket string) {
	if !c.counted && !c.inward && len(n.dialed) < mostDialed {
		c.counted, n.dialed[socket] = true, c.hosts[0]
	}
}

// hungUp takes in that the service closed a socket. The mutex is held.
func (n *Network) hungUp(socket string) {
	delete(n.dialed, socket)
	for at, w := range n.early {
		if w.id == socket {
			delete(n.early, at)
		}
	}
}
