package netns

import (
	"encoding/binary"
	"net/netip"

	"golang.org/x/sys/unix"
)

// sniffer hears what the kernel answers to those who turn to nobody: a reset for TCP,
// an ICMP message for UDP.
type sniffer struct{ socket int }

func newSniffer() (*sniffer, error) {
	all := int(htons(unix.ETH_P_ALL))
	s, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, all)
	if err != nil {
		return nil, err
	}
	err = unix.Bind(s, &unix.SockaddrLinklayer{Protocol: htons(unix.ETH_P_ALL), Ifindex: loopback})
	return &sniffer{s}, err
}

func htons(n uint16) uint16 { return binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, n)) }

// run tells of each refusal, once: on loopback a packet goes out and comes in.
func (s *sniffer) run(tell func(Event)) {
	b := make([]byte, 1<<16)
	for {
		n, from, err := unix.Recvfrom(s.socket, b, 0)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return
		}
		if link, ok := from.(*unix.SockaddrLinklayer); ok && link.Pkttype == unix.PACKET_OUTGOING {
			continue
		}
		if e, ok := refusal(b[:n]); ok {
			tell(e)
		}
	}
}

// refusal reads a packet that says that nobody listens.
func refusal(p []byte) (Event, bool) {
	from, _, protocol, inner, ok := ip(p)
	switch {
	case !ok:
	case protocol == unix.IPPROTO_TCP && len(inner) >= 20:
		const rst, ack = 4, 16
		if inner[13]&rst != 0 && inner[13]&ack != 0 && binary.BigEndian.Uint32(inner[4:]) == 0 { // to a first packet, of which nothing was said
			return Event{Kind: Refused, Network: "tcp", Address: join(from, inner[0:])}, true
		}
	case protocol == unix.IPPROTO_ICMP && len(inner) > 8 && inner[0] == 3 && inner[1] == 3:
		return unreached(inner[8:])
	case protocol == unix.IPPROTO_ICMPV6 && len(inner) > 8 && inner[0] == 1 && inner[1] == 4:
		return unreached(inner[8:])
	}
	return Event{}, false
}

// unreached reads the datagram that an ICMP message is about.
func unreached(p []byte) (Event, bool) {
	_, to, protocol, inner, ok := ip(p)
	if !ok || protocol != unix.IPPROTO_UDP || len(inner) < 4 {
		return Event{}, false
	}
	return Event{Kind: Refused, Network: "udp", Address: join(to, inner[2:])}, true
}

// ip takes a packet apart.
func ip(p []byte) (from, to netip.Addr, protocol byte, inner []byte, ok bool) {
	switch {
	case len(p) >= 20 && p[0]>>4 == 4:
		from, _ = netip.AddrFromSlice(p[12:16])
		to, ok = netip.AddrFromSlice(p[16:20])
		head := int(p[0]&15) * 4
		if head < 20 || head > len(p) {
			return from, to, 0, nil, false
		}
		return from, to, p[9], p[head:], ok
	case len(p) >= 40 && p[0]>>4 == 6:
		from, _ = netip.AddrFromSlice(p[8:24])
		to, ok = netip.AddrFromSlice(p[24:40])
		return from, to, p[6], p[40:], ok
	}
	return from, to, 0, nil, false
}

// join is an address with the port at the start of some bytes.
func join(a netip.Addr, port []byte) string {
	return netip.AddrPortFrom(a, binary.BigEndian.Uint16(port)).String()
}
