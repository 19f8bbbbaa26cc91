package vnet

// Open is how many connections the service has dialed that neither end has closed, by
// host as contacts have it.
func (n *Network) Open() map[string]int {
	n.pump()
	n.mu.Lock()
	defer n.mu.Unlock()
	all := map[string]int{}
	for _, c := range n.conns {
		if !c.inward && c.proxied == nil {
			all[c.hosts[0]]++
		}
	}
	return all
}
