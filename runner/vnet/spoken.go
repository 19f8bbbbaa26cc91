package vnet

import (
	"bytes"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"syscall"
	"time"
)

// spoken is one end of a line, or what is inside of its TLS, of which some may have been
// read ahead.
type spoken struct {
	net.Conn
	l     *line
	ahead bytes.Buffer
	left  error // what the other end of it did, where that was read ahead
}

func (s *spoken) Read(b []byte) (int, error) {
	switch {
	case s.ahead.Len() > 0:
		return s.ahead.Read(b)
	case s.left != nil:
		return 0, s.left
	}
	n, err := s.Conn.Read(b)
	if errors.Is(err, syscall.ECONNRESET) {
		s.l.broken(err)
	}
	return n, err
}

// closeWrite tells the other end that no more is said to it.
func (s *spoken) closeWrite() {
	if c, ok := s.Conn.(interface{ CloseWrite() error }); ok {
		_ = c.CloseWrite()
	}
}

// await reads ahead until something comes, a deadline does, or the other end leaves.
func (s *spoken) await() {
	if s.ahead.Len() > 0 || s.left != nil {
		return
	}
	part := make([]byte, 4096)
	n, err := s.Conn.Read(part)
	s.ahead.Write(part[:n])
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		s.left = err
	}
}

// judge reads ahead until there is a verdict; who does not go on is none of those.
func (s *spoken) judge(what func([]byte) verdict) bool {
	for {
		v, before := what(s.ahead.Bytes()), s.ahead.Len()
		if v != more || s.left != nil {
			return v == yes
		}
		_ = s.SetReadDeadline(time.Now().Add(mostFirstLine))
		part := make([]byte, 4096)
		n, err := s.Conn.Read(part)
		s.ahead.Write(part[:n])
		_ = s.SetReadDeadline(time.Time{})
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			s.left = err
		}
		if s.ahead.Len() == before {
			return what(s.ahead.Bytes()) == yes
		}
	}
}

// mostFirstLine is how long a first line may take that has begun.
const mostFirstLine = 300 * time.Millisecond

// first waits until one of both ends says something or leaves.
func first(service, host *spoken) {
	done := make(chan *spoken, 2)
	for _, s := range []*spoken{service, host} {
		go func() {
			s.await()
			done <- s
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

// isAgreed reports whether HTTP/2 was agreed on.
func isAgreed(s *spoken) bool {
	t, ok := s.Conn.(*tls.Conn)
	return ok && t.ConnectionState().NegotiatedProtocol == "h2"
}

// sniff finds out what is spoken on a line, and passes it on.
func (l *line) sniff(service, host *spoken) {
	first(service, host)
	if host.ahead.Len() == 0 && service.judge(isTLS) {
		service, host = l.secure(service, host)
		if service == nil {
			return
		}
		if isAgreed(service) {
			service.await() // a server of HTTP/2 speaks first, too
		} else {
			first(service, host)
		}
	}
	switch {
	case host.ahead.Len() > 0 || !service.judge(isHTTP):
		l.converse(service, host)
	case bytes.HasPrefix(service.ahead.Bytes(), []byte("CONNECT ")):
		l.r.note("what the service says through the proxy %s is not recorded", l.hosts[0])
		l.pass(service, host)
	case !l.r.web.give(l.asks(service, host)):
		l.end(nil)
	}
}
