package vnet

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

// Who the real host is the service judges itself: the certificate that it is shown has
// the real one's inside, which what is built in judges as the service would have (see
// assets/probe/_net/x509).

// insideOf is where a certificate has the host's own.
var insideOf = asn1.ObjectIdentifier{2, 25, 1397706820}

// mostAgreeing bounds how long both handshakes take.
const mostAgreeing = 30 * time.Second

// secure ends the service's TLS, and begins that with the host; nil where that does not
// come about.
func (l *line) secure(service, host *spoken) (*spoken, *spoken) {
	ctx, cancel := context.WithTimeout(l.ctx, mostAgreeing)
	defer cancel()
	var inner *spoken
	var wrong error // of the host
	outer := tls.Server(service, &tls.Config{GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		l.mu.Lock()
		l.tls, l.name = true, clean(hello.ServerName)
		l.mu.Unlock()
		var config *tls.Config
		inner, config, wrong = l.agree(ctx, host, hello)
		return config, wrong
	}})
	err := outer.HandshakeContext(ctx)
	switch {
	case err == nil:
		return &spoken{Conn: outer, l: l}, inner
	case wrong == nil:
		err = fmt.Errorf("the service does not trust the host: %w", err)
	}
	if unknown := new(tls.CertificateVerificationError); errors.As(wrong, &unknown) {
		l.r.note("%s was not asked: %s has a certificate that nobody here vouches for (%v): name the file of its authority in SSL_CERT_FILE, or say --insecure", l.hosts[0], l.place, unknown.Err)
	}
	s := l.sent(model.TCP)
	s.At, s.Took, s.Err, s.Cause = l.at, time.Since(l.at), err, l.now()
	l.r.hear(s)
	l.end(wrong)
	return nil, nil
}

// agree agrees with the host on what the service offers, if TLS is spoken there.
func (l *line) agree(ctx context.Context, host *spoken, hello *tls.ClientHelloInfo) (*spoken, *tls.Config, error) {
	name := hello.ServerName
	if name == "" {
		name, _ = split(l.hosts[0])
	}
	if l.place != nil && l.place.Scheme == "http" {
		config, err := l.shown(name, nil, "http/1.1", hello)
		return host, config, err
	}
	t := tls.Client(host, l.outward(name, hello.SupportedProtos))
	if err := t.HandshakeContext(ctx); err != nil {
		return nil, nil, err
	}
	state := t.ConnectionState()
	var inside []byte
	if l.place == nil {
		for _, c := range state.PeerCertificates {
			inside = append(inside, c.Raw...)
		}
	}
	config, err := l.shown(name, inside, state.NegotiatedProtocol, hello)
	return &spoken{Conn: t, l: l}, config, err
}

// outward is how TLS is spoken with the host. Who it is the service judges, but where the
// host was put elsewhere.
func (l *line) outward(name string, protocols []string) *tls.Config {
	c := &tls.Config{ServerName: name, NextProtos: protocols, InsecureSkipVerify: true, MinVersion: tls.VersionTLS10}
	if l.place != nil {
		c.ServerName, c.InsecureSkipVerify, c.RootCAs = l.place.Hostname(), l.r.relay.Insecure, l.r.relay.Roots
	}
	c.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
		l.r.note("%s asks for a certificate, which only the service has: leave it alone, with what is allowed", l.hosts[0])
		return new(tls.Certificate), nil
	}
	return c
}

// shown is what the service sees of the host.
func (l *line) shown(name string, inside []byte, protocol string, hello *tls.ClientHelloInfo) (*tls.Config, error) {
	leaf, err := l.around(clean(name), inside)
	if err != nil {
		return nil, err
	}
	c := &tls.Config{Certificates: []tls.Certificate{*leaf}, SessionTicketsDisabled: true, MinVersion: tls.VersionTLS10}
	if protocol != "" && slices.Contains(hello.SupportedProtos, protocol) {
		c.NextProtos = []string{protocol}
	}
	return c, nil
}

// around is a certificate of a name, with others inside.
func (l *line) around(name string, inside []byte) (*tls.Certificate, error) {
	if inside == nil {
		return l.r.ca.Of(name)
	}
	return l.r.ca.With(name, pkix.Extension{Id: insideOf, Value: inside})
}
