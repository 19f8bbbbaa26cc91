//go:build unix

package netsim

import (
	"errors"
	"io"
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"
)

// The data of connections is read from the kernel and counted while the mutex of the network is held. Data that has
// arrived is therefore always either unread or counted, however busy the machine is.

// receive reads and counts data. It waits until data has arrived.
func (c *conn) receive(b []byte) (n int, err error) {
	raw, err := c.SyscallConn()
	if err != nil || len(b) == 0 {
		return 0, err
	}
	closed := raw.Read(func(fd uintptr) bool {
		c.n.mu.Lock()
		defer c.n.mu.Unlock()
		n, err = readNow(int(fd), b)
		if errors.Is(err, syscall.EAGAIN) {
			return false
		}
		c.received, c.peerClosed = c.received+uint64(n), n == 0
		c.n.quiet.active()
		return true
	})
	switch {
	case closed != nil:
		return 0, closed
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

// receive handles the datagrams that the service sends to the host, until the socket is
// closed.
func (h *hostSocket) receive() {
	if raw, err := h.socket.SyscallConn(); err == nil {
		_ = raw.Read(func(fd uintptr) bool {
			for h.datagram(int(fd)) {
			}
			return false
		})
	}
}

// receivePending handles the datagrams that have arrived.
func (h *hostSocket) receivePending() {
	if raw, err := h.socket.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) {
			for range maxPending {
				if !h.datagram(int(fd)) {
					return
				}
			}
		})
	}
}

// maxPending bounds the datagrams that receivePending handles, because the service may send
// without end.
const maxPending = 10_000

// datagram reads and answers the next datagram. It returns false if none has arrived.
func (h *hostSocket) datagram(fd int) bool {
	h.reading.Lock()
	defer h.reading.Unlock()
	size, from, err := syscall.Recvfrom(fd, h.buf, 0)
	if err == nil {
		h.n.pump()
		h.answer(senderOf(from), excerpt(h.buf[:size]))
	}
	return err == nil || err == syscall.EINTR || err == syscall.ECONNREFUSED
}

// senderOf returns the address that a datagram came from.
func senderOf(from syscall.Sockaddr) netip.AddrPort {
	switch a := from.(type) {
	case *syscall.SockaddrInet4:
		return netip.AddrPortFrom(netip.AddrFrom4(a.Addr), uint16(a.Port))
	case *syscall.SockaddrInet6:
		return netip.AddrPortFrom(netip.AddrFrom16(a.Addr).Unmap(), uint16(a.Port))
	}
	return netip.AddrPort{}
}

// unreadData reports whether data has arrived that is not read yet, or a connection that is not
// accepted yet. The mutex of the network is held.
func unreadData(sockets *hostSockets, conns *connections) bool {
	var all []unix.PollFd
	add := func(s syscall.Conn) {
		if raw, err := s.SyscallConn(); err == nil {
			_ = raw.Control(func(fd uintptr) {
				all = append(all, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
			})
		}
	}
	for _, h := range sockets.open {
		add(h.socket)
	}
	for _, c := range conns.open {
		if !c.hasEnded() {
			add(c.TCPConn)
		}
	}
	count, err := unix.Poll(all, 0)
	return count > 0 && err == nil
}
