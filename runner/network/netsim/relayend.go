package netsim

import (
	"bytes"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"syscall"
	"time"

	"sonde/model"
	"sonde/runner/network/dialogue"
)

// maxFirstLine bounds the pauses within the first line of a connection.
const maxFirstLine = 300 * time.Millisecond

// relayEnd is one end of a relayConn: a connection, or its content after decryption if it uses TLS. Data that was
// read ahead is in ahead.
type relayEnd struct {
	net.Conn
	l     *relayConn
	ahead bytes.Buffer
	ended error // the error after the data in ahead, nil if it is not known yet
}

func (e *relayEnd) Read(b []byte) (int, error) {
	switch {
	case e.ahead.Len() > 0:
		return e.ahead.Read(b)
	case e.ended != nil:
		return 0, e.ended
	}
	n, err := e.Conn.Read(b)
	if errors.Is(err, syscall.ECONNRESET) {
		e.l.setBroken(err)
	}
	return n, err
}

// closeWrite tells the peer that no more data follows.
func (e *relayEnd) closeWrite() {
	if c, ok := e.Conn.(interface{ CloseWrite() error }); ok {
		_ = c.CloseWrite()
	}
}

// readAhead calls Read once and keeps its result. It keeps nothing if the deadline has
// passed.
func (e *relayEnd) readAhead() {
	part := make([]byte, 4096)
	n, err := e.Conn.Read(part)
	e.ahead.Write(part[:n])
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		e.ended = err
	}
}

// await reads ahead until there is data, the deadline has passed, or the peer has left.
func (e *relayEnd) await() {
	if e.ahead.Len() == 0 && e.ended == nil {
		e.readAhead()
	}
}

// peek reads ahead until judge decides, the data ends, or no data comes for maxFirstLine. It
// reports whether the verdict is yes.
func (e *relayEnd) peek(judge func([]byte) verdict) bool {
	for {
		v, before := judge(e.ahead.Bytes()), e.ahead.Len()
		if v != more || e.ended != nil {
			return v == yes
		}
		_ = e.SetReadDeadline(time.Now().Add(maxFirstLine))
		e.readAhead()
		_ = e.SetReadDeadline(time.Time{})
		if e.ahead.Len() == before {
			return judge(e.ahead.Bytes()) == yes
		}
	}
}

// awaitFirst waits until one of the two ends sends data or leaves.
func awaitFirst(service, host *relayEnd) {
	done := make(chan *relayEnd, 2)
	for _, e := range []*relayEnd{service, host} {
		go func() {
			e.await()
			done <- e
		}()
	}
	other := service
	if <-done == service {
		other = host
	}
	_ = other.SetReadDeadline(time.Unix(1, 0))
	<-done
	_ = other.SetReadDeadline(time.Time{})
}

// negotiatedHTTP2 reports whether TLS negotiated HTTP/2.
func (e *relayEnd) negotiatedHTTP2() bool {
	t, ok := e.Conn.(*tls.Conn)
	return ok && t.ConnectionState().NegotiatedProtocol == "h2"
}

// hostSpeaksFirst waits until one of the two ends sends data or leaves, and reports whether the host sent data. With
// HTTP/2 both ends speak first, so hostSpeaksFirst then waits for the service and returns false.
func hostSpeaksFirst(service, host *relayEnd) bool {
	if !service.negotiatedHTTP2() {
		awaitFirst(service, host)
		if host.ahead.Len() == 0 || !host.peek(isSettings) {
			return host.ahead.Len() > 0
		}
	}
	service.await()
	return false
}

// dispatch detects the protocol of a connection, and relays it.
func (l *relayConn) dispatch(service, host *relayEnd) {
	hostSpeaks := hostSpeaksFirst(service, host)
	if !hostSpeaks && service.peek(isTLS) {
		service, host = l.relayTLS(service, host)
		if service == nil {
			return
		}
		hostSpeaks = hostSpeaksFirst(service, host)
	}
	switch {
	case hostSpeaks && host.peek(isGreeting):
		l.relayDatabase(service, host, model.MySQL)
	case !hostSpeaks && service.peek(isDatabase):
		protocol, _ := dialogue.Detect(service.ahead.Bytes())
		l.relayDatabase(service, host, protocol)
	case hostSpeaks || !service.peek(isHTTP):
		l.converse(service, host)
	case bytes.HasPrefix(service.ahead.Bytes(), []byte("CONNECT ")):
		l.r.note("what the service sends through the proxy %s is not recorded", l.hosts[0])
		l.pass(service, host)
	case !l.r.web.add(l.relayHTTP(service, host)):
		l.end(nil)
	}
}
