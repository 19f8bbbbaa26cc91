//go:build unix

package net

import (
	"net/netip"
	"sync"
	"syscall"
)

// outcome returns the outcome of a dial or a datagram to a place, and counts the use of the place. For most addresses,
// the sockets of the service take precedence over the table. For multicast and broadcast addresses, the table takes
// precedence. A place that neither has refuses connections.
func (t *sondeTable) outcome(proto string, to netip.AddrPort) sondeOutcome {
	p := sondePlace{proto, to}
	if own, ok := t.ownSocket(p); ok && !sondeIsGroup(to.Addr()) {
		return own
	}
	if r := t.routes[p]; r != nil {
		return r.outcomes[r.next(len(r.outcomes))]
	}
	if t.allows(p) {
		return sondeOutcome{to: to, real: true}
	}
	if r := t.routes[sondePortOf(proto, to.Port())]; r != nil {
		return r.outcomes[r.next(len(r.outcomes))]
	}
	if own, ok := t.ownSocket(p); ok {
		return own
	}
	return sondeOutcome{errno: syscall.ECONNREFUSED}
}

// sondeIsGroup reports whether an address is a multicast or broadcast address.
func sondeIsGroup(a netip.Addr) bool {
	return a.IsMulticast() || a == netip.AddrFrom4([4]byte{255, 255, 255, 255})
}

// allows reports whether the service may reach a place outside of the virtual network.
func (t *sondeTable) allows(p sondePlace) bool {
	for _, a := range t.allowed {
		samePort := a.port == 0 || a.port == p.at.Port()
		if a.proto == p.proto && samePort && (a.addr == p.at.Addr() || a.name != "" && sondeRealNames.has(a.name, p.at.Addr())) {
			return true
		}
	}
	return false
}

// allowsName reports whether a name is looked up in the real network.
func (t *sondeTable) allowsName(name string) bool {
	for _, a := range t.allowed {
		if a.name == name {
			return true
		}
	}
	return false
}

// sondeRealNames has the addresses of the names that are looked up in the real network. It has a name
// only after the service has looked it up.
var sondeRealNames = sondeNameAddrs{all: map[string]map[netip.Addr]bool{}}

type sondeNameAddrs struct {
	sync.Mutex
	all map[string]map[netip.Addr]bool
}

func (n *sondeNameAddrs) has(name string, a netip.Addr) bool {
	n.Lock()
	defer n.Unlock()
	return n.all[name][a]
}

func (n *sondeNameAddrs) add(name string, addrs []IPAddr) {
	n.Lock()
	defer n.Unlock()
	if n.all[name] == nil {
		n.all[name] = map[netip.Addr]bool{}
	}
	for _, a := range addrs {
		addr, _ := netip.AddrFromSlice(a.IP)
		n.all[name][addr.Unmap()] = true
	}
}
