//go:build unix

package net

import "net/netip"

// sondeLink is a network interface of the virtual network.
type sondeLink struct {
	name  string
	addrs []netip.Prefix
}

// sondeDefaultLinks are the interfaces if the table has none.
var sondeDefaultLinks = []sondeLink{
	{"lo", []netip.Prefix{netip.PrefixFrom(sondeLoopback(false), 8), netip.PrefixFrom(sondeLoopback(true), 128)}},
	{"eth0", []netip.Prefix{netip.PrefixFrom(netip.AddrFrom4([4]byte{198, 19, 255, 254}), 15)}},
}

// interfaces returns the interfaces. The first is the loopback.
func (t *sondeTable) interfaces() []sondeLink {
	if len(t.links) == 0 {
		return sondeDefaultLinks
	}
	return t.links
}

func (t *sondeTable) readLink(name, addr string) bool {
	p, err := netip.ParsePrefix(addr)
	if err != nil {
		return false
	}
	if p.Addr().IsLoopback() {
		return true // the loopback always exists
	}
	if len(t.links) == 0 {
		t.links = append(t.links, sondeDefaultLinks[0])
	}
	for i, l := range t.links[1:] {
		if l.name == name {
			t.links[i+1].addrs = append(l.addrs, p)
			return true
		}
	}
	t.links = append(t.links, sondeLink{name, []netip.Prefix{p}})
	return true
}

// externalAddr returns the address of the machine in a family, as other hosts see it. Without one it
// returns the loopback.
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
	mac := HardwareAddr{2, 0, 0, 0, 0, byte(index)}
	return Interface{Index: index, MTU: 1500, Name: l.name, HardwareAddr: mac, Flags: FlagUp | FlagBroadcast | FlagMulticast | FlagRunning}
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
