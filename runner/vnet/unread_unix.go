//go:build unix

package vnet

import (
	"io"
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"
)

// What comes is taken from the kernel and counted in one moment, under a mutex: so
// nothing is ever neither unread nor known, however busy the machine is.

// receive reads what there is, once there is something.
func (c *conn) receive(b []byte) (n int, err error) {
	raw, err := c.SyscallConn()
	if err != nil || len(b) == 0 {
		return 0, err
	}
	late := raw.Read(func(fd uintptr) bool {
		c.n.mu.Lock()
		defer c.n.mu.Unlock()
		n, err = readNow(int(fd), b)
		if err == syscall.EAGAIN {
			return false
		}
		c.taken, c.gone = c.taken+uint64(n), n == 0
		c.n.moves()
		return true
	})
	switch {
	case late != nil:
		return 0, late
	case n == 0 && err == nil:
		return 0, io.EOF
	}
	return n, err
}

func readNow(fd int, b []byte) (int, error) {
	for {
		n, err := syscall.Read(fd, b)
		if err != syscall.EINTR {
			return max(n, 0), err
		}
	}
}

// receive takes the datagrams that the service sends to a host.
func (e *endpoint) receive() {
	if raw, err := e.socket.SyscallConn(); err == nil {
		_ = raw.Read(func(fd uintptr) bool {
			for e.datagram(int(fd)) {
			}
			return false
		})
	}
}

// drain takes the datagrams that are there.
func (e *endpoint) drain() {
	if raw, err := e.socket.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) {
			for range mostDrained {
				if !e.datagram(int(fd)) {
					return
				}
			}
		})
	}
}

// mostDrained bounds what is taken of a service that sends without end.
const mostDrained = 10_000

// datagram takes and answers the next datagram, if there is one.
func (e *endpoint) datagram(fd int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	size, from, err := syscall.Recvfrom(fd, e.buf, 0)
	if err == nil {
		e.n.pump()
		e.answer(sender(from), excerpt(e.buf[:size]))
	}
	return err == nil || err == syscall.EINTR || err == syscall.ECONNREFUSED
}

// sender is from where a datagram came.
func sender(from syscall.Sockaddr) netip.AddrPort {
	switch a := from.(type) {
	case *syscall.SockaddrInet4:
		return netip.AddrPortFrom(netip.AddrFrom4(a.Addr), uint16(a.Port))
	case *syscall.SockaddrInet6:
		return netip.AddrPortFrom(netip.AddrFrom16(a.Addr).Unmap(), uint16(a.Port))
	}
	return netip.AddrPort{}
}

// unread reports whether something came that nobody has read yet. The mutex is held.
func (n *Network) unread() bool {
	var all []unix.PollFd
	add := func(s syscall.Conn) {
		if raw, err := s.SyscallConn(); err == nil {
			_ = raw.Control(func(fd uintptr) { all = append(all, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN}) })
		}
	}
	for _, e := range n.endpoints {
		add(e.socket)
	}
	for _, c := range n.conns {
		if !c.ended() {
			add(c.TCPConn)
		}
	}
	count, err := unix.Poll(all, 0)
	return count > 0 && err == nil
}
