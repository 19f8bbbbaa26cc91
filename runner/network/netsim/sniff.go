package netsim

import (
	"bytes"
	"errors"
	"net"
	"os"
	"regexp"

	"sonde/model"
)

// stream is the data of a connection, decrypted if the connection uses TLS. Data that was read ahead is in ahead.
type stream struct {
	net.Conn // *conn or *tls.Conn
	c        *conn
	ahead    bytes.Buffer
	greeted  bool // the service waits for the host to speak first
	http     bool // the protocol is HTTP
}

func (s *stream) Read(b []byte) (int, error) {
	if s.ahead.Len() > 0 {
		return s.ahead.Read(b)
	}
	s.c.probing.Store(s.http && len(b) == 1)
	return s.Conn.Read(b)
}

// verdict says whether the first bytes of a connection are of a protocol.
type verdict uint8

const (
	no verdict = iota
	yes
	more // undecided: more bytes are needed
)

// peek reads ahead until judge decides, the service leaves, or conn.interrupt is called because the host is to speak
// first. It reports whether the verdict is yes.
func (s *stream) peek(judge func([]byte) verdict) bool {
	part := make([]byte, 4096)
	for {
		if v := judge(s.ahead.Bytes()); v != more {
			return v == yes
		}
		n, err := s.Conn.Read(part)
		s.ahead.Write(part[:n])
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			s.greeted = true
			return false
		case err != nil:
			return judge(s.ahead.Bytes()) == yes
		}
	}
}

// isTLS recognizes the beginning of a TLS handshake record, which contains the ClientHello.
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

// maxRequestLine is the length after which isHTTP no longer waits for the end of a request line.
const maxRequestLine = 16 << 10

var (
	method   = regexp.MustCompile("^[A-Z]+($| )")
	protocol = regexp.MustCompile("^[A-Z]+ .* HTTP/[0-9]\\.[0-9]\r?$")
)

// isHTTP recognizes a request line of HTTP/1 and the connection preface of HTTP/2.
func isHTTP(b []byte) verdict {
	line, _, complete := bytes.Cut(b, []byte("\n"))
	switch {
	case len(b) == 0:
		return more
	case !method.Match(line):
		return no
	case !complete && len(line) < maxRequestLine:
		return more
	case protocol.Match(line):
		return yes
	}
	return no
}

// isSettings recognizes the SETTINGS frame with which a server of HTTP/2 begins a connection. The frame has type 4, no
// flags, the stream 0, and 6 bytes for each setting.
func isSettings(b []byte) verdict {
	if len(b) < 9 {
		return more
	}
	size := int(b[0])<<16 | int(b[1])<<8 | int(b[2])
	if size%6 == 0 && bytes.Equal(b[3:9], []byte{4, 0, 0, 0, 0, 0}) {
		return yes
	}
	return no
}

// dispatch detects the protocol of a connection, and serves it.
func (c *conn) dispatch(s *stream) {
	c.n.mu.Lock()
	speaksFirst := databaseOf(c) == model.MySQL
	c.n.mu.Unlock()
	if speaksFirst {
		playDatabase(c, s, model.MySQL)
		return
	}
	if s.peek(isTLS) {
		s = c.acceptTLS(s)
		if s == nil {
			return
		}
	}
	c.n.mu.Lock()
	http, raw, database := len(c.stubs(model.HTTP)) > 0, len(c.stubs(model.TCP)) > 0, databaseOf(c)
	c.n.mu.Unlock()
	switch {
	case database != "" && !s.greeted && s.peek(isDatabase):
		playDatabase(c, s, database)
	case raw && (!http || s.greeted):
		c.playTCP(s)
	case http && !s.greeted && s.peek(isHTTP):
		c.n.web.serve(s)
	case raw:
		c.playTCP(s)
	default:
		c.rejectNotHTTP(s)
	}
}

// rejectNotHTTP resets a connection that no stub can serve. The host has no TCP stubs. If the host has HTTP stubs, the
// connection is not HTTP, or the service waits for the host to speak first.
func (c *conn) rejectNotHTTP(s *stream) {
	c.change(func() {
		m := c.contact(model.TCP)
		m.Data, m.Outcome = s.ahead.Bytes(), "not http"
		if s.ahead.Len() == 0 {
			m.Outcome = "waits"
		}
		if s.ahead.Len() > 0 || s.greeted {
			c.n.test.note(m)
		}
	})
	c.kill()
}
