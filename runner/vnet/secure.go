package vnet

import (
	"context"
	"crypto/tls"
	"time"

	"sonde/model"
)

// stranger is whom the certificate of the fault NetWrongTLS is for.
const stranger = "someone-else.invalid"

// mostHandshake bounds how long one takes.
const mostHandshake = 5 * time.Second

// secure takes off the TLS of a connection; nil where that does not come about.
func (c *conn) secure(s *stream) *stream {
	var fault *due
	t := tls.Server(s, &tls.Config{GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		c.change(func() { c.tls, fault = true, c.wrong() })
		return c.config(hello.ServerName, fault != nil)
	}})
	ctx, cancel := context.WithTimeout(context.Background(), mostHandshake)
	defer cancel()
	c.change(func() { c.shakes = true })
	defer c.change(func() { c.shakes = false })
	if err := t.HandshakeContext(ctx); err != nil {
		if fault == nil {
			c.distrusted()
		}
		c.kill()
		return nil
	}
	return &stream{Conn: t, c: c}
}

// config is what one handshake needs.
func (c *conn) config(name string, wrong bool) (*tls.Config, error) {
	if name == "" {
		name, _ = split(c.hosts[0])
	}
	if wrong {
		name = stranger
	}
	leaf, err := c.n.ca.Of(clean(name))
	if err != nil {
		return nil, err
	}
	config := &tls.Config{Certificates: []tls.Certificate{*leaf}, SessionTicketsDisabled: true}
	c.change(func() {
		if len(c.stubs(model.HTTP)) > 0 {
			config.NextProtos = []string{"h2", "http/1.1"}
		}
	})
	return config, nil
}

// wrong takes the fault NetWrongTLS of the connection's first stub, if that is what
// its script has next. The mutex is held.
func (c *conn) wrong() *due {
	t := c.n.test
	for _, p := range []model.Protocol{model.HTTP, model.TCP} {
		for _, i := range c.stubs(p) {
			if a, index, _ := t.next(i); a.Fault == model.NetWrongTLS {
				t.given[i]++
				m := c.contact(p)
				m.Kind, m.Stub, m.Answer, m.Outcome = model.Dial, i, index, string(a.Fault)
				return &due{Answer: a, test: t, contact: t.note(m)}
			}
			break
		}
	}
	return nil
}

// distrusted notes that the service did not believe who the host is, as one does that
// knows certificates by themselves.
func (c *conn) distrusted() {
	c.change(func() {
		m := c.contact(model.TCP)
		m.Kind, m.Outcome = model.Dial, "not trusted"
		c.n.test.note(m)
	})
}
