//go:build unix

package net

import (
	"net/netip"
	"sync"
	"syscall"
)

// way returns the way of a place, and counts its use. The service's own sockets take precedence over
// the table, except for multicast and broadcast addresses.
func (t *sondeTable) way(proto string, to netip.AddrPort) sondeWay {
	p := sondePlace{proto, to}
	if own, ok := t.own(p); ok && !sondeIsMany(to.Addr()) {
		return own
	}
	if r := t.routes[p]; r != nil {
		return r.ways[r.next(len(r.ways))]
	}
	if t.allows(p) {
		return sondeWay{to: to, real: true}
	}
	if r := t.routes[sondePortOf(proto, to.Port())]; r != nil {
		return r.ways[r.next(len(r.ways))]
	}
	if own, ok := t.own(p); ok {
		return own
	}
	return sondeWay{errno: syscall.ECONNREFUSED}
}

// sondeIsMany reports whether an address is a multicast or broadcast address.
func sondeIsMany(a netip.Addr) bool {
	return a.IsMulticast() || a == netip.AddrFrom4([4]byte{255, 255, 255, 255})
}

// allows reports whether the program may reach a place outside of the virtual network.
func (t *sondeTable) allows(p sondePlace) bool {
	for _, a := range t.allowed {
		samePort := a.port == 0 || a.port == p.at.Port()
		if a.proto == p.proto && samePort && (a.addr == p.at.Addr() || a.name != "" && sondeLearnt.has(a.name, p.at.Addr())) {
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

// sondeLearnt has the real addresses of names that stay real, if they were looked up.
var sondeLearnt = sondeNames{all: map[string]map[netip.Addr]bool{}}

type sondeNames struct {
	sync.Mutex
	all map[string]map[netip.Addr]bool
}

func (n *sondeNames) has(name string, a netip.Addr) bool {
	n.Lock()
	defer n.Unlock()
	return n.all[name][a]
}

func (n *sondeNames) learn(name string, addrs []IPAddr) {
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
