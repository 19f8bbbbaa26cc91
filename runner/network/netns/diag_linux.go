package netns

import (
	"encoding/binary"
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"
)

// Sizes and numbers of sock_diag(7), the interface of the kernel that lists sockets.
const (
	diagRequest    = 56 // struct inet_diag_req_v2
	diagAnswer     = 72 // struct inet_diag_msg
	sockDiagFamily = 20 // SOCK_DIAG_BY_FAMILY
	stateListen    = 10 // TCP_LISTEN
)

// diagnosed returns the listening TCP sockets of an address family, by sock_diag(7).
func diagnosed(family byte) (all []ListeningSocket, err error) {
	s, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return nil, err
	}
	defer unix.Close(s)
	if err := unix.Sendto(s, listenRequest(family), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return nil, err
	}
	for b := make([]byte, 1<<16); ; {
		n, _, err := unix.Recvfrom(s, b, 0)
		if err != nil {
			return nil, err
		}
		more, done, err := diagnoses(b[:n])
		all = append(all, more...)
		if done || err != nil {
			return all, err
		}
	}
}

func listenRequest(family byte) []byte {
	e := binary.NativeEndian
	b := e.AppendUint32(nil, unix.SizeofNlMsghdr+diagRequest)
	b = e.AppendUint16(b, sockDiagFamily)
	b = e.AppendUint16(b, unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	b = append(b, make([]byte, 8)...) // sequence and port
	b = append(b, family, unix.IPPROTO_TCP, 0, 0)
	b = e.AppendUint32(b, 1<<stateListen)
	return append(b, make([]byte, diagRequest-8)...)
}

// diagnoses parses a part of the kernel's answer. done means that the part is the last.
func diagnoses(b []byte) (all []ListeningSocket, done bool, err error) {
	messages, err := syscall.ParseNetlinkMessage(b)
	for _, m := range messages {
		switch {
		case m.Header.Type == unix.NLMSG_DONE:
			return all, true, nil
		case m.Header.Type == unix.NLMSG_ERROR && len(m.Data) >= 4:
			return nil, true, unix.Errno(-int32(binary.NativeEndian.Uint32(m.Data)))
		case len(m.Data) >= diagAnswer:
			all = append(all, diagnosis(m.Data))
		}
	}
	return all, false, err
}

// diagnosis parses one socket: family, state, two more bytes, local port, remote port, local
// address.
func diagnosis(b []byte) ListeningSocket {
	at := netip.AddrFrom16([16]byte(b[8:24]))
	if b[0] == unix.AF_INET {
		at = netip.AddrFrom4([4]byte(b[8:12]))
	}
	return ListeningSocket{Network: "tcp", Address: netip.AddrPortFrom(at.Unmap(), binary.BigEndian.Uint16(b[4:]))}
}
