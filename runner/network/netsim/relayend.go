package netsim

import (
	"bytes"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"syscall"
	"time"
)

// maxFirstLine is how long a first line may take that has begun.
const maxFirstLine = 300 * time.Millisecond

// relayEnd is one end of a relayConn, or what is inside of its TLS. Some data may have been
// read ahead.
type relayEnd struct {
	net.Conn
	l     *relayConn
	ahead bytes.Buffer
	ended error // how the data ends, if the end was read ahead
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

// closeWrite tells the peer that no more data comes.
func (e *relayEnd) closeWrite() {
	if c, ok := e.Conn.(interface{ CloseWrite() error }); ok {
		_ = c.CloseWrite()
	}
}

// readAhead reads once: data, the end of it, or until the deadline.
func (e *relayEnd) readAhead() {
	part := make([]byte, 4096)
	n, err := e.Conn.Read(part)
	e.ahead.Write(part[:n])
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		e.ended = err
	}
}

// await reads ahead until data comes, the deadline is over, or the peer leaves.
func (e *relayEnd) await() {
	if e.ahead.Len() == 0 && e.ended == nil {
		e.readAhead()
	}
}

// judge reads ahead until there is a verdict, or nothing comes for maxFirstLine.
func (e *relayEnd) judge(what func([]byte) verdict) bool {
	for {
		v, before := what(e.ahead.Bytes()), e.ahead.Len()
		if v != more || e.ended != nil {
			return v == yes
		}
		_ = e.SetReadDeadline(time.Now().Add(maxFirstLine))
		e.readAhead()
		_ = e.SetReadDeadline(time.Time{})
		if e.ahead.Len() == before {
			return what(e.ahead.Bytes()) == yes
		}
	}
}

// awaitFirst waits until one of both ends sends something or leaves.
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

// dispatch finds out which protocol a connection has, and passes it on.
func (l *relayConn) dispatch(service, host *relayEnd) {
	awaitFirst(service, host)
	if host.ahead.Len() == 0 && service.judge(isTLS) {
		service, host = l.relayTLS(service, host)
		if service == nil {
			return
		}
		if service.negotiatedHTTP2() {
			service.await() // a server of HTTP/2 speaks first, too
		} else {
			awaitFirst(service, host)
		}
	}
	switch {
	case host.ahead.Len() > 0 || !service.judge(isHTTP):
		l.converse(service, host)
	case bytes.HasPrefix(service.ahead.Bytes(), []byte("CONNECT ")):
		l.r.note("what the service sends through the proxy %s is not recorded", l.hosts[0])
		l.pass(service, host)
	case !l.r.web.add(l.relayHTTP(service, host)):
		l.end(nil)
	}
}
