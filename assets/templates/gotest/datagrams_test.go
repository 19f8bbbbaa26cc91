package gotest

import (
	"fmt"
	"net"
)

// udp declares how a host answers datagrams.
func (h *hosts) udp(host string, rules ...rule) {
	h.followCalls()
	h.add(&stub{protocol: "udp", host: host, open: (*hosts).datagrams}, rules)
}

// datagrams opens the port of a host.
func (h *hosts) datagrams(host string) (addr string, err error) {
	u, err := net.ListenPacket("udp", h.place(host))
	if err != nil {
		return "", err
	}
	h.marks.Lock()
	h.ports = append(h.ports, u.LocalAddr())
	h.marks.Unlock()
	go func() {
		for buf := make([]byte, 64<<10); ; {
			n, from, err := u.ReadFrom(buf)
			if err != nil || h.sifts(from) {
				continue // the error belongs to an earlier answer
			}
			h.datagram(u, from, host, append([]byte(nil), buf[:n]...))
		}
	}()
	return u.LocalAddr().String(), nil
}

// sifts reports whether a datagram comes from another sender than the service.
func (h *hosts) sifts(from net.Addr) bool {
	h.marks.Lock()
	defer h.marks.Unlock()
	return h.sift != nil && h.sift(from)
}

// datagram answers a datagram.
func (h *hosts) datagram(u net.PacketConn, from net.Addr, host string, data []byte) {
	a, ok := h.pick("udp", host, message{data: data})
	if !ok {
		h.inVain(fmt.Sprintf("udp %s %q", host, data))
		h.given()
		return
	}
	h.mu.Lock()
	over := h.over
	h.mu.Unlock()
	go func() {
		a.say(h.datagramLine(u, from, over), a.body)
		h.given()
	}()
}

// datagramLine sends the answer to a datagram.
func (h *hosts) datagramLine(u net.PacketConn, to net.Addr, over <-chan struct{}) *line {
	nothing := func() {}
	return &line{Writer: datagram{u, to, h}, over: over, hangUp: nothing, breakOff: nothing}
}

// Each text is sent as one datagram.
type datagram struct {
	net.PacketConn
	to net.Addr
	h  *hosts
}

func (d datagram) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	d.h.hears(d.to.String())
	return d.WriteTo(b, d.to)
}

// hears ends the wait of the service's socket for a datagram.
func (h *hosts) hears(local string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key, w := range h.sockets {
		if w[0] == "wait" && w[2] == "recv" && w[3] == local {
			delete(h.sockets, key)
		}
	}
}
