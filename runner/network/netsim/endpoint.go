package netsim

import (
	"cmp"
	"net/netip"
)

// endpoint is a virtual address of TCP or UDP.
type endpoint struct {
	network string // tcp or udp
	addr    netip.AddrPort
}

func (e endpoint) String() string { return e.network + " " + e.addr.String() }

func compareEndpoints(a, b endpoint) int {
	return cmp.Or(cmp.Compare(a.network, b.network), a.addr.Compare(b.addr))
}
