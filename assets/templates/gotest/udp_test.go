package gotest

import (
	"fmt"
	"net"
)

// udp declares how a host answers datagrams.
func (h *hosts) udp(host string, rules ...rule) {
	h.trackCalls()
	h.addStub(&stub{protocol: "udp", host: host, open: (*hosts).listenUDP}, rules)
}

// listenUDP opens the port of a host.
func (h *hosts) listenUDP(host string) (addr string, err error) {
	socket, err := net.ListenPacket("udp", h.listenAddr(host))
	if err != nil {
		return "", err
	}
	h.udpMu.Lock()
	h.udpAddrs = append(h.udpAddrs, socket.LocalAddr())
	h.udpMu.Unlock()
	go func() {
		for buf := make([]byte, 64<<10); ; {
			n, from, err := socket.ReadFrom(buf)
			if err != nil || h.isMarker(from) {
				continue // an error here belongs to an earlier answer
			}
			h.answerDatagram(socket, from, host, append([]byte(nil), buf[:n]...))
		}
	}()
	return socket.LocalAddr().String(), nil
}

// isMarker reports whether a datagram is a marker that the tests sent, and not from the service.
func (h *hosts) isMarker(from net.Addr) bool {
	h.udpMu.Lock()
	defer h.udpMu.Unlock()
	return h.isMarkerSender != nil && h.isMarkerSender(from)
}

// answerDatagram answers a datagram by the stubs of the host. It records a datagram that no stub answers.
func (h *hosts) answerDatagram(socket net.PacketConn, from net.Addr, host string, data []byte) {
	a, ok := h.takeAnswer("udp", host, message{data: data})
	if !ok {
		h.addUnanswered(fmt.Sprintf("udp %s %q", host, data))
		h.answerSent()
		return
	}
	h.mu.Lock()
	testDone := h.testDone
	h.mu.Unlock()
	go func() {
		a.send(h.datagramWriter(socket, from, testDone), a.body)
		h.answerSent()
	}()
}

// datagramWriter returns the writer of the answer to a datagram.
func (h *hosts) datagramWriter(socket net.PacketConn, to net.Addr, testDone <-chan struct{}) *answerWriter {
	nothing := func() {}
	return &answerWriter{Writer: datagramSender{socket, to, h}, testDone: testDone, closeConn: nothing, resetConn: nothing}
}

// datagramSender sends each text as one datagram.
type datagramSender struct {
	net.PacketConn
	to net.Addr
	h  *hosts
}

func (s datagramSender) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	s.h.endReceiveWait(s.to.String())
	return s.WriteTo(b, s.to)
}

// endReceiveWait removes the report that the service waits for a datagram at a local address, because a datagram is
// sent there.
func (h *hosts) endReceiveWait(local string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key, w := range h.sockets {
		if w[0] == "wait" && w[2] == "recv" && w[3] == local {
			delete(h.sockets, key)
		}
	}
}
