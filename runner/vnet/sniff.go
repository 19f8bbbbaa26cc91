package vnet

import (
	"bytes"
	"errors"
	"net"
	"os"
	"regexp"

	"sonde/model"
)

// stream is what is spoken on a connection, or inside of its TLS, of which some may
// have been read ahead.
type stream struct {
	net.Conn // *conn or *tls.Conn
	c        *conn
	ahead    bytes.Buffer
	turn     bool // the service waits to be spoken to
	web      bool // HTTP is spoken
}

func (s *stream) Read(b []byte) (int, error) {
	if s.ahead.Len() > 0 {
		return s.ahead.Read(b)
	}
	s.c.looks.Store(s.web && len(b) == 1)
	return s.Conn.Read(b)
}

// verdict is what the first bytes say of a protocol.
type verdict uint8

const (
	no verdict = iota
	yes
	more // bytes are needed
)

// peek reads ahead until there is a verdict, the service waits to be spoken to, or
// goes.
func (s *stream) peek(judge func([]byte) verdict) bool {
	part := make([]byte, 4096)
	for {
		if v := judge(s.ahead.Bytes()); v != more {
			return v == yes
		}
		n, err := s.Conn.Read(part)
		s.ahead.Write(part[:n])
		if errors.Is(err, os.ErrDeadlineExceeded) {
			s.turn = true
			return false
		} else if err != nil {
			return judge(s.ahead.Bytes()) == yes
		}
	}
}

// isTLS knows the record of a ClientHello.
func isTLS(b []byte) verdict {
	switch {
	case len(b) == 0:
		return more
	case b[0] != 0x16:
		return no
	case len(b) < 2:
		return more
	case b[1] == 3:
		return yes
	}
	return no
}

const mostRequestLine = 16 << 10

var (
	method   = regexp.MustCompile("^[A-Z]+($| )")
	protocol = regexp.MustCompile("^[A-Z]+ .* HTTP/[0-9]\\.[0-9]\r?$")
)

// isHTTP knows the first line of a request, and of HTTP/2.
func isHTTP(b []byte) verdict {
	line, _, whole := bytes.Cut(b, []byte("\n"))
	switch {
	case len(b) == 0:
		return more
	case !method.Match(line):
		return no
	case !whole && len(line) < mostRequestLine:
		return more
	case protocol.Match(line):
		return yes
	}
	return no
}

// sniff finds out what is spoken on a connection, and lets who speaks it go on.
func (c *conn) sniff(s *stream) {
	secure := s.peek(isTLS)
	if secure {
		s = c.secure(s)
		if s == nil {
			return
		}
	}
	c.n.mu.Lock()
	web, raw := len(c.stubs(model.HTTP)) > 0, len(c.stubs(model.TCP)) > 0
	c.n.mu.Unlock()
	switch {
	case raw && (!web || s.turn):
		c.play(s)
	case web && !s.turn && s.peek(isHTTP):
		c.n.web.take(s)
	case raw:
		c.play(s)
	default:
		c.foreign(s)
	}
}

// foreign breaks a connection on which no HTTP is spoken, to a host that only
// speaks it.
func (c *conn) foreign(s *stream) {
	c.change(func() {
		m := c.contact(model.TCP)
		m.Said, m.Outcome = s.ahead.Bytes(), "not http"
		if s.ahead.Len() == 0 {
			m.Outcome = "waits"
		}
		if s.ahead.Len() > 0 || s.turn {
			c.n.test.note(m)
		}
	})
	c.kill()
}
