package gotest

import (
	"fmt"
	"net"
)

// udp has a host answer datagrams.
func (h *hosts) udp(host string, rules ...rule) {
	h.followCalls()
	h.add(&stub{protocol: "udp", host: host, open: (*hosts).datagrams}, rules)
}

// datagrams opens a host's port.
func (h *hosts) datagrams(host string) (addr string, err error) {
	u, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go func() {
		for buf := make([]byte, 64<<10); ; {
			n, from, err := u.ReadFrom(buf)
			if err != nil {
				continue // of one that was answered
			}
			said := append([]byte(nil), buf[:n]...)
			if a, ok := h.pick("udp", host, message{said: said}); ok {
				h.owe(1)
				go func() {
					a.say(datagramLine(u, from), a.body)
					h.owe(-1)
				}()
			} else {
				h.inVain(fmt.Sprintf("udp %s %q", host, said))
			}
		}
	}()
	return u.LocalAddr().String(), nil
}

// owe counts answers that are on their way.
func (h *hosts) owe(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.owed += n
}

// datagramLine is where a datagram is answered, by another one.
func datagramLine(u net.PacketConn, to net.Addr) *line {
	nothing := func() {}
	return &line{Writer: datagram{u, to}, left: make(chan struct{}), hangUp: nothing, breakOff: nothing}
}

// datagram sends each text as one.
type datagram struct {
	net.PacketConn
	to net.Addr
}

func (d datagram) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	return d.WriteTo(b, d.to)
}
