//go:build unix

package net

import (
	"net/netip"
	"slices"
)

// sondeLink is a network interface of the virtual network.
type sondeLink struct {
	name  string
	addrs []netip.Prefix
	down  bool
}

// sondeDefaultLinks are the interfaces if the table has none.
var sondeDefaultLinks = []sondeLink{
	{name: "lo", addrs: []netip.Prefix{netip.PrefixFrom(sondeLoopback(false), 8), netip.PrefixFrom(sondeLoopback(true), 128)}},
	{name: "eth0", addrs: []netip.Prefix{netip.PrefixFrom(netip.AddrFrom4([4]byte{198, 19, 255, 254}), 15)}},
}

// interfaces returns the interfaces as the service last saw them. The first is the loopback.
func (t *sondeTable) interfaces() []sondeLink {
	if links := t.seenLinks(); links != nil {
		return links
	}
	if len(t.links) == 0 {
		return sondeDefaultLinks
	}
	return t.links
}

func (t *sondeTable) readLink(name, addr string) bool {
	if len(t.links) == 0 {
		t.links = sondeDefaultLinks[:1:1]
	}
	links, ok := sondeAddLink(t.links, name, addr)
	t.links = links
	return ok
}

// sondeAddLink adds addr to the interface with this name. It first adds the interface if there is none. addr is
// an address with the length of its network, "" for no address, or "down" for an interface that is down. The
// loopback always exists: a line about the loopback or one of its addresses changes nothing. ok is false if
// addr is malformed.
func sondeAddLink(links []sondeLink, name, addr string) (_ []sondeLink, ok bool) {
	p, err := netip.ParsePrefix(addr)
	if addr != "" && addr != "down" && err != nil {
		return links, false
	}
	if p.Addr().IsLoopback() || name == sondeDefaultLinks[0].name {
		return links, true
	}
	i := slices.IndexFunc(links, func(l sondeLink) bool { return l.name == name })
	if i < 0 {
		i, links = len(links), append(links, sondeLink{name: name})
	}
	if addr == "down" {
		links[i].down = true
	} else if addr != "" {
		links[i].addrs = append(links[i].addrs, p)
	}
	return links, true
}

// externalAddr returns the address of the machine that other hosts see: an IPv6 address if v6 is true, and an
// IPv4 address otherwise. If no interface has such an address, it returns the address of the loopback.
func (t *sondeTable) externalAddr(v6 bool) netip.Addr {
	for _, l := range t.interfaces()[1:] {
		for _, p := range l.addrs {
			if p.Addr().Is6() == v6 {
				return p.Addr()
			}
		}
	}
	return sondeLoopback(v6)
}

// The service calls the wrappers below to read the network interfaces. The wrappers report this use.

func Interfaces() ([]Interface, error) {
	if err := sondeReadLinks(); err != nil {
		return nil, err
	}
	return sondeRealInterfaces()
}

func InterfaceAddrs() ([]Addr, error) {
	if err := sondeReadLinks(); err != nil {
		return nil, err
	}
	return sondeRealInterfaceAddrs()
}

func InterfaceByName(name string) (*Interface, error) {
	if err := sondeReadLinks(); err != nil {
		return nil, err
	}
	return sondeRealInterfaceByName(name)
}

func InterfaceByIndex(index int) (*Interface, error) {
	if err := sondeReadLinks(); err != nil {
		return nil, err
	}
	return sondeRealInterfaceByIndex(index)
}

func interfaceTable(ifindex int) ([]Interface, error) {
	t := sondeCurrentTable.Load()
	if t == nil {
		return sondeRealInterfaceTable(ifindex)
	}
	var all []Interface
	for i, l := range t.interfaces() {
		if ifindex == 0 || ifindex == i+1 {
			all = append(all, l.asInterface(i+1))
		}
	}
	return all, nil
}

// asInterface returns the interface as the service sees it. index is its number, from 1.
func (l sondeLink) asInterface(index int) Interface {
	if index == 1 {
		return Interface{Index: 1, MTU: 65536, Name: l.name, Flags: FlagUp | FlagLoopback | FlagRunning}
	}
	one := Interface{
		Index: index, MTU: 1500, Name: l.name,
		HardwareAddr: HardwareAddr{2, 0, 0, 0, 0, byte(index)},
		Flags:        FlagBroadcast | FlagMulticast,
	}
	if !l.down {
		one.Flags |= FlagUp | FlagRunning
	}
	return one
}

func interfaceAddrTable(ifi *Interface) ([]Addr, error) {
	t := sondeCurrentTable.Load()
	if t == nil {
		return sondeRealInterfaceAddrTable(ifi)
	}
	var all []Addr
	for i, l := range t.interfaces() {
		if ifi != nil && ifi.Index != i+1 {
			continue
		}
		for _, p := range l.addrs {
			all = append(all, &IPNet{IP: IP(p.Addr().AsSlice()).To16(), Mask: CIDRMask(p.Bits(), p.Addr().BitLen())})
		}
	}
	return all, nil
}

func interfaceMulticastAddrTable(ifi *Interface) ([]Addr, error) {
	if sondeCurrentTable.Load() == nil {
		return sondeRealInterfaceMulticastAddrTable(ifi)
	}
	return nil, nil
}
