package gotest

import (
	"bytes"
	"net"
	"regexp"
	"time"
)

// listenAny opens the port of a host that answers HTTP and other protocols.
func (h *hosts) listenAny(host string) (addr string, err error) {
	return h.serveHTTP(host, h.filterHTTP)
}

// filterHTTP returns a listener that accepts only the connections of l that speak HTTP. Connections with other
// protocols are answered by dispatch.
func (h *hosts) filterHTTP(host string, l net.Listener) net.Listener {
	filtered := &connListener{l, make(chan net.Conn)}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { h.dispatch(host, h.addConn(host, c, c.RemoteAddr().String()), filtered.conns) }()
		}
	}()
	return filtered
}

// serveTCP handles a connection to a host that has no stubs of HTTP.
func (h *hosts) serveTCP(host string, c *countedConn) { h.dispatch(host, c, nil) }

// dispatch detects the protocol of a connection by its first bytes. It sends a connection with HTTP to toHTTP, and
// answers other connections.
func (h *hosts) dispatch(host string, c *countedConn, toHTTP chan<- net.Conn) {
	if h.greets(host) {
		h.answerConn(host, c, c, nil)
		return
	}
	var conn net.Conn = c
	data, protocol := h.detectProtocol(host, c, conn)
	if protocol == protocolTLS && h.tlsServer != nil {
		decrypted := h.tlsServer(host, &prefixedConn{c, data})
		if decrypted.Handshake() != nil {
			resetConn(c)
			return
		}
		if decrypted.ConnectionState().NegotiatedProtocol == "h2" {
			toHTTP <- decrypted
			return
		}
		conn = decrypted
		data, protocol = h.detectProtocol(host, c, conn)
	}
	conn = &prefixedConn{conn, data}
	if protocol == protocolHTTP && toHTTP != nil {
		toHTTP <- conn
		return
	}
	h.answerConn(host, c, conn, data)
}

// greets reports whether a host is a database that speaks first.
func (h *hosts) greets(host string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.stubsOf("mysql", host)) > 0
}

// wireProtocol is the protocol of a connection.
type wireProtocol int

const (
	protocolUnknown wireProtocol = iota
	protocolOther
	protocolHTTP
	protocolTLS
)

// detectProtocol reads until the protocol is known, or the service waits for the host to send:
// clients of HTTP may wait before they send a request, too.
func (h *hosts) detectProtocol(host string, c *countedConn, conn net.Conn) (data []byte, protocol wireProtocol) {
	h.mu.Lock()
	mayBeHTTP := len(h.stubsOf("http", host)) > 0
	h.mu.Unlock()
	for buf, start := make([]byte, 4<<10), time.Now(); ; {
		c.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
		size, err := conn.Read(buf)
		c.SetReadDeadline(time.Time{})
		data = append(data, buf[:size]...)
		if protocol := protocolOf(data, mayBeHTTP); protocol != protocolUnknown {
			return data, protocol
		}
		if timeout, ok := err.(net.Error); err != nil && !(ok && timeout.Timeout()) || h.isHostsTurn(c, mayBeHTTP, start) {
			return data, protocolOther
		}
	}
}

// isHostsTurn reports whether the service waits on a connection for the host to send. If the connection may be HTTP,
// isHostsTurn returns true only during a call, and after some time, because clients of HTTP may wait before they
// send.
func (h *hosts) isHostsTurn(c *countedConn, mayBeHTTP bool, start time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return c.isWaiting(false) && (!mayBeHTTP || h.openCalls > 0 && time.Since(start) > 10*waitThreshold)
}

// protocolOf returns the protocol of a connection. data is what was received first. The result is protocolUnknown if
// more data is needed. protocolOf looks for HTTP only if mayBeHTTP is set.
func protocolOf(data []byte, mayBeHTTP bool) wireProtocol {
	const maxLine = 16 << 10
	line, end := data, bytes.IndexByte(data, '\n')
	if end >= 0 {
		line = data[:end]
	}
	switch {
	case len(data) == 0, len(data) == 1 && data[0] == 0x16:
		return protocolUnknown
	case bytes.HasPrefix(data, []byte{0x16, 3}): // a ClientHello
		return protocolTLS
	case !mayBeHTTP || !regexp.MustCompile("^[A-Z]+($| )").Match(line):
		return protocolOther
	case end < 0 && len(data) < maxLine:
		return protocolUnknown
	case regexp.MustCompile("^[A-Z]+ .* HTTP/[0-9]\\.[0-9]\r?$").Match(line):
		return protocolHTTP
	}
	return protocolOther
}

// connListener is a listener that accepts the connections in conns.
type connListener struct {
	net.Listener
	conns chan net.Conn
}

func (l *connListener) Accept() (net.Conn, error) { return <-l.conns, nil }
