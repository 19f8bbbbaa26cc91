package netsim

import (
	"encoding/binary"
	"hash/fnv"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// cleanName returns a host name in the form in which names are compared: lower case,
// without the final dot.
func cleanName(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }

func hashName(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(cleanName(name)))
	return h.Sum64()
}

// syntheticIPv4 returns the IPv4 address of a name that has no DNS stub. The address is in 198.18.0.0/15, the range
// for benchmarks (RFC 2544), but not one of its first or last 256. sondeSyntheticAddr in
// assets/probe/_net/net/names.go must return the same address: it is used inside a service with a network built in.
func syntheticIPv4(name string) netip.Addr {
	h := hashName(name)
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], 198<<24|18<<16+256+uint32((h^h>>32)%(1<<17-512)))
	return netip.AddrFrom4(b)
}

// syntheticIPv6Net contains each address that syntheticIPv6 returns.
var syntheticIPv6Net = netip.MustParsePrefix("fd00:736f:6e64:65::/64")

// syntheticIPv6 returns the IPv6 address of a name that has no DNS stub. sondeSyntheticAddr must return the same
// address; see syntheticIPv4.
func syntheticIPv6(name string) netip.Addr {
	b := [16]byte{0xfd, 0, 0x73, 0x6f, 0x6e, 0x64, 0, 0x65}
	binary.BigEndian.PutUint64(b[8:], hashName(name))
	return netip.AddrFrom16(b)
}

// maxNames is the maximum number of names in hostNames; a name counts once for each of its addresses.
const maxNames = 4096

// hostNames remembers the names of addresses: those that the service looked up, and the hosts of
// stubs. The zero value is empty. When it has maxNames names, add first forgets all of them. It is
// not safe for concurrent use.
type hostNames struct {
	names map[netip.Addr][]string // the latest name is the last
	size  int
}

// add records that a lookup of a name returned an address.
func (h *hostNames) add(name string, addr netip.Addr) {
	if h.names == nil || h.size == maxNames {
		h.names, h.size = map[netip.Addr][]string{}, 0
	}
	name = cleanName(name)
	before := h.names[addr]
	if at := slices.Index(before, name); at >= 0 {
		before = slices.Delete(slices.Clone(before), at, at+1)
	} else {
		h.size++
	}
	h.names[addr] = append(slices.Clip(before), name)
}

// addStub records the name of a stub's host. It does nothing if the host is an address.
func (h *hostNames) addStub(host string, addr netip.Addr) {
	if name, _ := splitHost(host); !isAddress(name) {
		h.add(name, addr)
	}
}

// hosts returns the host:port forms that stubs may use for an address: the latest name
// first, and the address itself last.
func (h *hostNames) hosts(at netip.AddrPort) []string {
	var all []string
	port := strconv.Itoa(int(at.Port()))
	for _, name := range slices.Backward(h.names[at.Addr()]) {
		all = append(all, net.JoinHostPort(name, port))
	}
	return append(all, at.String())
}

// hasOther reports whether a lookup of a name returned any other address than the given one.
func (h *hostNames) hasOther(name string, than netip.Addr) bool {
	for addr, names := range h.names {
		if addr != than && slices.Contains(names, name) {
			return true
		}
	}
	return false
}

// splitHost splits a host:port. The port is 0 if it is not a number. The name is "" if host is
// no host:port.
func splitHost(host string) (name string, port uint16) {
	name, text, _ := net.SplitHostPort(host)
	n, _ := strconv.Atoi(text)
	return cleanName(name), uint16(n)
}

// canonicalHost returns a host:port in the form in which hosts are compared.
func canonicalHost(host string) string {
	name, port := splitHost(host)
	if addr, err := netip.ParseAddr(name); err == nil {
		name = addr.Unmap().String()
	}
	return net.JoinHostPort(name, strconv.Itoa(int(port)))
}

// withPort returns the Host header of a request as host:port. It adds the given port if the
// header has none.
func withPort(host string, port uint16) string {
	if _, _, err := net.SplitHostPort(host); err != nil {
		host = net.JoinHostPort(strings.Trim(host, "[]"), strconv.Itoa(int(port)))
	}
	return host
}

func isAddress(name string) bool {
	_, err := netip.ParseAddr(name)
	return err == nil
}

// addrPort converts an address of package net. An IPv4-mapped IPv6 address becomes IPv4.
func addrPort(a net.Addr) netip.AddrPort {
	at, _ := netip.ParseAddrPort(a.String())
	return unmapped(at)
}

func unmapped(at netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}
