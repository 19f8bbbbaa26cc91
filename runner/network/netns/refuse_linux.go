package netns

import (
	"encoding/binary"
	"fmt"
	"net/netip"

	"golang.org/x/sys/unix"
)

// refusalMark marks an ICMP message of refuse, in a field that such messages do not use. The sniffer
// does not report marked messages.
const refusalMark = 0x50ed

// refuse sends the sender of a datagram an ICMP message: the port of the destination is
// unreachable.
func refuse(sender, destination netip.AddrPort) error {
	if !sender.Addr().Is4() || !destination.Addr().Is4() {
		return fmt.Errorf("%s is not an IPv4 address", destination)
	}
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.IPPROTO_ICMP)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	return unix.Sendto(s, portUnreachable(sender, destination), 0, &unix.SockaddrInet4{Addr: sender.Addr().As4()})
}

// portUnreachable returns the ICMP message of refuse: a header of eight bytes, and the IP and UDP
// headers of the datagram.
func portUnreachable(sender, destination netip.AddrPort) []byte {
	e := binary.BigEndian
	b := e.AppendUint16([]byte{3, 3, 0, 0, 0, 0}, refusalMark)
	b = append(b, 0x45, 0, 0, 28, 0, 0, 0, 0, 64, unix.IPPROTO_UDP, 0, 0)
	b = append(append(b, sender.Addr().AsSlice()...), destination.Addr().AsSlice()...)
	b = e.AppendUint16(e.AppendUint16(b, sender.Port()), destination.Port())
	b = append(b, 0, 8, 0, 0)
	e.PutUint16(b[2:], checksum(b))
	return b
}

// checksum returns the Internet checksum of an even number of bytes.
func checksum(b []byte) uint16 {
	var sum uint32
	for ; len(b) > 1; b = b[2:] {
		sum += uint32(binary.BigEndian.Uint16(b))
	}
	for sum > 0xffff {
		sum = sum&0xffff + sum>>16
	}
	return ^uint16(sum)
}
