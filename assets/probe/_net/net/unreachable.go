//go:build unix

package net

import (
	"net/netip"
	"sync"
	"syscall"
)

// forConnectedUDP returns the outcome for a connected UDP socket. The dial of such a socket succeeds even if no
// host is there. So a refusal becomes the address of a closed port: the kernel then returns an error when the
// service reads. A time-out becomes a loss.
func (w sondeOutcome) forConnectedUDP() sondeOutcome {
	switch w.errno {
	case syscall.ECONNREFUSED:
		return sondeOutcome{to: sondeClosedPort()}
	case syscall.ETIMEDOUT:
		return sondeOutcome{lost: true}
	}
	return w
}

// sondeClosedPort returns a real address without a socket. The kernel returns an error to sockets that send to
// this address.
func sondeClosedPort() netip.AddrPort {
	fd, at := sondeBound()
	if fd >= 0 {
		_ = syscall.Close(fd)
	}
	return at
}

// sondeSink returns a real address at which datagrams get lost.
var sondeSink = sync.OnceValue(func() netip.AddrPort {
	_, at := sondeBound()
	return at
})

// sondeBound returns a new datagram socket on the loopback and its address. fd is -1 if there is no socket, and at is
// invalid if the socket has no address.
func sondeBound() (fd int, at netip.AddrPort) {
	fd, err := sysSocket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
	if err != nil {
		return -1, at
	}
	a := syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}
	if err := syscall.Bind(fd, &a); err != nil {
		return fd, at
	}
	if sa, err := syscall.Getsockname(fd); err == nil {
		if in, ok := sa.(*syscall.SockaddrInet4); ok {
			at = netip.AddrPortFrom(sondeLoopback(false), uint16(in.Port))
		}
	}
	return fd, at
}
