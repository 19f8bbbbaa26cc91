//go:build unix

package net

import (
	"net/netip"
	"sync"
	"syscall"
)

// silent is a way for datagrams, which nobody refuses: who is not there is heard of
// when an answer is waited for, and only a router says at once that it knows no way.
func (w sondeWay) silent() sondeWay {
	switch w.errno {
	case syscall.ECONNREFUSED:
		return sondeWay{to: sondeNobody()}
	case syscall.ETIMEDOUT:
		return sondeWay{lost: true}
	}
	return w
}

// sondeNobody is a place where nobody listens any more, which the kernel tells those
// who send there.
func sondeNobody() netip.AddrPort {
	fd, at := sondeBound()
	if fd >= 0 {
		_ = syscall.Close(fd)
	}
	return at
}

// sondeSink is a place where datagrams get lost.
var sondeSink = sync.OnceValue(func() netip.AddrPort {
	_, at := sondeBound()
	return at
})

// sondeBound is a new socket for datagrams and where it is.
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
