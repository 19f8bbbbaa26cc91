package vnet

import (
	"encoding/binary"
	"hash/fnv"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// clean is a name as it is compared: in lower case, without its final dot.
func clean(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }

func hash(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(clean(name)))
	return h.Sum64()
}

// own is the address that a name has of itself: one of 198.18.0.0/15, which is for
// such purposes (RFC 2544), but for its first and last hosts.
func own(name string) netip.Addr {
	h := hash(name)
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], 198<<24|18<<16+256+uint32((h^h>>32)%(1<<17-512)))
	return netip.AddrFrom4(b)
}

// ours6 is where own6 finds them.
var ours6 = netip.MustParsePrefix("fd00:736f:6e64:65::/64")

// own6 is the address of IPv6 that a name has of itself.
func own6(name string) netip.Addr {
	b := [16]byte{0xfd, 0, 0x73, 0x6f, 0x6e, 0x64, 0, 0x65}
	binary.BigEndian.PutUint64(b[8:], hash(name))
	return netip.AddrFrom16(b)
}

// mostNames bounds what is known of the names that a service looks up.
const mostNames = 4096

// book knows what an address is called.
type book struct {
	names map[netip.Addr][]string // the latest last
	size  int
}

func (b *book) add(name string, addr netip.Addr) {
	if b.names == nil || b.size == mostNames {
		b.names, b.size = map[netip.Addr][]string{}, 0
	}
	name = clean(name)
	before := b.names[addr]
	if at := slices.Index(before, name); at >= 0 {
		before = slices.Delete(slices.Clone(before), at, at+1)
	} else {
		b.size++
	}
	b.names[addr] = append(slices.Clip(before), name)
}

// hosts are the names that stubs may have for an address, the one to speak of first.
func (b *book) hosts(at netip.AddrPort) []string {
	var all []string
	port := strconv.Itoa(int(at.Port()))
	for _, name := range slices.Backward(b.names[at.Addr()]) {
		all = append(all, net.JoinHostPort(name, port))
	}
	return append(all, at.String())
}

// split takes a stub's host apart, which Check has seen.
func split(host string) (name string, port uint16) {
	name, text, _ := net.SplitHostPort(host)
	n, _ := strconv.Atoi(text)
	return clean(name), uint16(n)
}

// same is a stub's host as it is compared.
func same(host string) string {
	name, port := split(host)
	if addr, err := netip.ParseAddr(name); err == nil {
		name = addr.Unmap().String()
	}
	return net.JoinHostPort(name, strconv.Itoa(int(port)))
}
