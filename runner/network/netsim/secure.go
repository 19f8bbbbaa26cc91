package netsim

import (
	"context"
	"crypto/tls"
	"time"

	"sonde/model"
	"sonde/runner/network/devca"
)

// wrongName is the name in the certificate of the fault NetWrongTLS.
const wrongName = "someone-else.invalid"

// maxHandshake bounds the duration of a TLS handshake.
const maxHandshake = 5 * time.Second

// acceptTLS does the TLS handshake with the service. It returns a stream of the decrypted content, or nil if the
// handshake failed.
func (c *conn) acceptTLS(s *stream) *stream {
	var fault *dueAnswer
	t := tls.Server(s, &tls.Config{GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		c.change(func() { c.tls, fault = true, c.takeCertificateFault() })
		if fault == nil {
			return c.tlsConfig(hello.ServerName, "")
		}
		return c.tlsConfig(hello.ServerName, fault.Fault)
	}})
	ctx, cancel := context.WithTimeout(context.Background(), maxHandshake)
	defer cancel()
	c.change(func() { c.handshaking = true })
	defer c.change(func() { c.handshaking = false })
	if err := t.HandshakeContext(ctx); err != nil {
		if fault == nil {
			c.noteDistrust()
		}
		c.kill()
		return nil
	}
	return &stream{Conn: t, c: c}
}

// tlsConfig returns the configuration of one handshake. The certificate is for name, or for the host if
// name is "", and has the fault.
func (c *conn) tlsConfig(name string, fault model.NetFault) (*tls.Config, error) {
	if name == "" {
		name, _ = splitHost(c.hosts[0])
	}
	leaf, err := certificateOf(c.n.ca, cleanName(name), fault)
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

// certificateOf returns the certificate of a host by an authority. If fault is not "", the certificate has this
// fault.
func certificateOf(ca *devca.Authority, name string, fault model.NetFault) (*tls.Certificate, error) {
	switch fault {
	case model.NetWrongTLS:
		return ca.Certificate(wrongName)
	case model.NetExpiredTLS:
		return ca.ExpiredCertificate(name)
	case model.NetUntrustedTLS:
		other, err := devca.New("An unknown authority")
		if err != nil {
			return nil, err
		}
		return other.Certificate(name)
	}
	return ca.Certificate(name)
}

// takeCertificateFault looks at the next answer of the connection's first stub of HTTP, then of a database, and then of
// TCP. It takes the first of these answers that is a fault of the certificate. It returns nil if none is. The caller
// must hold the mutex.
func (c *conn) takeCertificateFault() *dueAnswer {
	t := c.n.test
	for _, p := range []model.Protocol{model.HTTP, databaseOf(c), model.TCP} {
		stubs := c.stubs(p)
		if len(stubs) == 0 {
			continue
		}
		i := stubs[0]
		if a, index, _ := t.peek(i); a.Fault.IsOfCertificate() {
			t.answered[i]++
			m := c.contact(p)
			m.Kind, m.Stub, m.Answer, m.Outcome = model.ContactDial, i, index, string(a.Fault)
			return &dueAnswer{Answer: a, test: t, contact: t.note(m)}
		}
	}
	return nil
}

// noteDistrust notes that the TLS handshake failed. The usual reason is that the service did not accept the host's
// certificate, for example because it pins certificates.
func (c *conn) noteDistrust() {
	c.change(func() {
		m := c.contact(model.TCP)
		m.Kind, m.Outcome = model.ContactDial, "not trusted"
		c.n.test.note(m)
	})
}
