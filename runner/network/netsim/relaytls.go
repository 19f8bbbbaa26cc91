package netsim

import (
	"context"
	"crypto/tls"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"slices"
	"time"

	"sonde/model"
)

// If a host has no location, the service itself verifies the host. For this, the recorder's certificate for the service
// contains the certificates of the host. The code built into the service verifies them as the service is configured to
// do (see assets/probe/_net/x509).

// hostCertificates is the ID of the certificate extension that contains the certificates of
// the host.
var hostCertificates = asn1.ObjectIdentifier{2, 25, 1397706820}

// maxHandshakes bounds the duration of the two handshakes together.
const maxHandshakes = 30 * time.Second

// relayTLS does the TLS handshakes with the service and with the host. It returns the two ends with the decrypted
// content, or nil, nil if a handshake failed.
func (l *relayConn) relayTLS(service, host *relayEnd) (*relayEnd, *relayEnd) {
	ctx, cancel := context.WithTimeout(l.ctx, maxHandshakes)
	defer cancel()
	var inner *relayEnd
	var hostErr error
	answerHello := func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		l.mu.Lock()
		l.tls, l.serverName = true, cleanName(hello.ServerName)
		l.mu.Unlock()
		var config *tls.Config
		inner, config, hostErr = l.dialTLS(ctx, host, hello)
		return config, hostErr
	}
	outer := tls.Server(service, &tls.Config{GetConfigForClient: answerHello})
	err := outer.HandshakeContext(ctx)
	switch {
	case err == nil:
		return &relayEnd{Conn: outer, l: l}, inner
	case hostErr == nil:
		err = fmt.Errorf("the service does not trust the host: %w", err)
	}
	if unknown := new(tls.CertificateVerificationError); errors.As(hostErr, &unknown) {
		l.r.note(
			"%s was not called: the certificate of %s is not trusted (%v): "+
				"set SSL_CERT_FILE to the file of its authority, or use --insecure",
			l.hosts[0], l.location, unknown.Err,
		)
	}
	s := l.newSent(model.TCP)
	s.At, s.Took, s.Err, s.CauseID = l.at, time.Since(l.at), err, l.lastCause()
	l.r.deliver(s)
	l.end(hostErr)
	return nil, nil
}

// dialTLS does the TLS handshake with the host, with the protocols of the service's hello. It returns a relayEnd with
// the decrypted content, and the configuration for the handshake with the service. If the location has the scheme
// http, dialTLS does no handshake, and the relayEnd is host itself.
func (l *relayConn) dialTLS(
	ctx context.Context,
	host *relayEnd,
	hello *tls.ClientHelloInfo,
) (*relayEnd, *tls.Config, error) {
	name := hello.ServerName
	if name == "" {
		name, _ = splitHost(l.hosts[0])
	}
	if l.location != nil && l.location.Scheme == "http" {
		protocol := "http/1.1"
		if !slices.Contains(hello.SupportedProtos, protocol) {
			protocol = "h2" // clients of gRPC speak nothing else
		}
		config, err := l.serverConfig(name, nil, protocol, hello)
		return host, config, err
	}
	t := tls.Client(host, l.clientConfig(name, hello.SupportedProtos))
	if err := t.HandshakeContext(ctx); err != nil {
		return nil, nil, err
	}
	state := t.ConnectionState()
	var chain []byte
	if l.location == nil {
		for _, c := range state.PeerCertificates {
			chain = append(chain, c.Raw...)
		}
	}
	config, err := l.serverConfig(name, chain, state.NegotiatedProtocol, hello)
	return &relayEnd{Conn: t, l: l}, config, err
}

// clientConfig returns the TLS configuration for the host. With it the recorder verifies a host
// that has a location, unless RelayOptions.Insecure is set. The service verifies a host that has no
// location.
func (l *relayConn) clientConfig(name string, protocols []string) *tls.Config {
	c := &tls.Config{
		ServerName: name, NextProtos: protocols, InsecureSkipVerify: true, MinVersion: tls.VersionTLS10,
	}
	if l.location != nil {
		c.ServerName, c.RootCAs = l.location.Hostname(), l.r.options.Roots
		c.InsecureSkipVerify = l.r.options.Insecure
	}
	c.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
		l.r.note(
			"%s asks for a certificate, which only the service has: use --net-allow for that host", l.hosts[0],
		)
		return new(tls.Certificate), nil
	}
	return c
}

// serverConfig returns the TLS configuration for the service. chain has the certificates of
// the host, nil if the host has a location.
func (l *relayConn) serverConfig(
	name string,
	chain []byte,
	protocol string,
	hello *tls.ClientHelloInfo,
) (*tls.Config, error) {
	leaf, err := l.certificate(cleanName(name), chain)
	if err != nil {
		return nil, err
	}
	c := &tls.Config{
		Certificates: []tls.Certificate{*leaf}, SessionTicketsDisabled: true, MinVersion: tls.VersionTLS10,
	}
	if protocol != "" && slices.Contains(hello.SupportedProtos, protocol) {
		c.NextProtos = []string{protocol}
	}
	return c, nil
}

// certificate returns a certificate for a name. If chain is not nil, the certificate has the extension
// hostCertificates with chain.
func (l *relayConn) certificate(name string, chain []byte) (*tls.Certificate, error) {
	if chain == nil {
		return l.r.ca.Certificate(name)
	}
	return l.r.ca.CertificateWith(name, pkix.Extension{Id: hostCertificates, Value: chain})
}
