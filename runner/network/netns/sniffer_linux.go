package netns

import (
	"encoding/binary"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// sniffer reads the packets on the loopback interface. It reports what the kernel refuses (by a
// reset for TCP, and by an ICMP message for UDP), and broadcast and multicast datagrams, which
// the kernel never refuses.
type sniffer struct {
	mu       sync.Mutex // guards the fields; orders events
	socket   int
	buf      []byte
	underway int // number of packets that drain has seen leave but not arrive
}

func newSniffer() (*sniffer, error) {
	all := int(htons(unix.ETH_P_ALL))
	s, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, all)
	if err != nil {
		return nil, err
	}
	err = unix.Bind(s, &unix.SockaddrLinklayer{Protocol: htons(unix.ETH_P_ALL), Ifindex: loopback})
	return &sniffer{socket: s, buf: make([]byte, 1<<16)}, err
}

func htons(n uint16) uint16 { return binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, n)) }

// run reports events until the process ends.
func (s *sniffer) run(report func(Event)) {
	for {
		_, err := unix.Poll([]unix.PollFd{{Fd: int32(s.socket), Events: unix.POLLIN}}, -1)
		if err != nil && err != unix.EINTR {
			return
		}
		s.drain(report)
	}
}

// drain reports the events of all packets so far. Each packet appears twice on the loopback interface, outgoing and
// incoming; drain skips the outgoing one. It returns true if all packets that were sent have arrived.
func (s *sniffer) drain(report func(Event)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		n, from, err := unix.Recvfrom(s.socket, s.buf, 0)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return s.underway == 0
		}
		if link, ok := from.(*unix.SockaddrLinklayer); ok && link.Pkttype == unix.PACKET_OUTGOING {
			s.underway++
			continue
		}
		s.underway--
		if e, ok := parsePacket(s.buf[:n]); ok {
			report(e)
		}
	}
}

// settle reports the events of all packets that were sent so far, including those that the kernel has yet to deliver,
// and the kernel's answers to them. It gives up after maxSettle, because processes may keep sending.
func (s *sniffer) settle(report func(Event)) {
	const pause = 5 * time.Millisecond
	for calm, deadline := 0, time.Now().Add(maxSettle); calm < 2 && time.Now().Before(deadline); time.Sleep(pause) {
		if s.drain(report) {
			calm++
		} else {
			calm = 0
		}
	}
}

// maxSettle is the maximum time that settle waits.
const maxSettle = time.Second

// parsePacket returns the event of a packet: of a refusal, or of a broadcast or multicast datagram. It returns false
// for other packets, and for the ICMP messages that refuse sends.
func parsePacket(p []byte) (Event, bool) {
	from, to, protocol, inner, ok := ip(p)
	switch {
	case !ok:
	case protocol == unix.IPPROTO_TCP && len(inner) >= 20:
		const rst, ack = 4, 16
		if inner[13]&rst != 0 && inner[13]&ack != 0 &&
			binary.BigEndian.Uint32(inner[4:]) == 0 { // sequence number 0: the reset answers a SYN
			return Event{Kind: RefusedEvent, Network: "tcp", From: join(to, inner[2:]), Address: join(from, inner)}, true
		}
	case protocol == unix.IPPROTO_UDP && (to.IsMulticast() || to == broadcast):
		return datagram(BroadcastEvent, from, to, inner)
	case protocol == unix.IPPROTO_ICMP && len(inner) > 8 && inner[0] == 3 && inner[1] == 3 &&
		binary.BigEndian.Uint16(inner[6:]) != refusalMark:
		return unreached(inner[8:])
	case protocol == unix.IPPROTO_ICMPV6 && len(inner) > 8 && inner[0] == 1 && inner[1] == 4:
		return unreached(inner[8:])
	}
	return Event{}, false
}

var broadcast = netip.AddrFrom4([4]byte{255, 255, 255, 255})

// unreached returns the event of an ICMP message that a port is unreachable. p is the beginning of
// the packet that the message contains. unreached returns false if p is not UDP or too short.
func unreached(p []byte) (Event, bool) {
	from, to, protocol, inner, ok := ip(p)
	if !ok || protocol != unix.IPPROTO_UDP {
		return Event{}, false
	}
	return datagram(RefusedEvent, from, to, inner)
}

// datagram returns the event of a UDP datagram. p begins with the UDP header of eight bytes: the
// two ports, size and checksum. datagram returns false if p is shorter.
func datagram(kind string, from, to netip.Addr, p []byte) (Event, bool) {
	if len(p) < 8 {
		return Event{}, false
	}
	data := p[8:min(len(p), max(8, int(binary.BigEndian.Uint16(p[4:]))))]
	return Event{
		Kind:    kind,
		Network: "udp",
		From:    join(from, p),
		Address: join(to, p[2:]),
		Data:    append([]byte(nil), data[:min(len(data), maxData)]...),
	}, true
}

// maxData is the maximum number of bytes of a datagram that are reported.
const maxData = 1 << 10

// ip splits an IPv4 or IPv6 packet. inner is what follows the IP header. ok is false if the packet is too short or
// has another version of IP.
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

// join joins an address with the port in the first two bytes of port.
func join(a netip.Addr, port []byte) netip.AddrPort {
	return netip.AddrPortFrom(a, binary.BigEndian.Uint16(port))
}
