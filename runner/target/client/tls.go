package client

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"time"

	"sonde/model"
)

// TLSConfig returns a TLS configuration with the authorities and the client certificate in the files
// of t. If insecure is true, the configuration accepts any certificate of the service. The error is
// one line and names the file.
func TLSConfig(t model.TLSFiles, insecure bool) (*tls.Config, error) {
	c := &tls.Config{InsecureSkipVerify: insecure}
	if t.CACert != "" {
		var err error
		c.RootCAs, err = authorities(t.CACert)
		if err != nil {
			return nil, err
		}
	}
	if t.Cert == "" && t.Key != "" {
		return nil, fmt.Errorf("key %q has no certificate: give the file of its certificate as cert", t.Key)
	}
	if t.Cert != "" {
		pair, err := clientCertificate(t)
		if err != nil {
			return nil, err
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

// authorities returns the certificate authorities of the system and of a file.
func authorities(file string) (*x509.CertPool, error) {
	data, err := readPEM("CA certificate", file)
	if err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("CA certificate %q has no certificate in PEM form, which begins with -----BEGIN CERTIFICATE-----", file)
	}
	return pool, nil
}

// clientCertificate reads the client certificate and its key, which may be in the same file.
func clientCertificate(t model.TLSFiles) (tls.Certificate, error) {
	keyFile := cmp.Or(t.Key, t.Cert)
	cert, err := readPEM("certificate", t.Cert)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := readPEM("key", keyFile)
	if err != nil {
		return tls.Certificate{}, err
	}
	pair, err := tls.X509KeyPair(cert, key)
	switch {
	case err != nil && t.Key == "":
		return pair, fmt.Errorf("certificate %q cannot be used (%w): if its key is in another file, give that file as key", t.Cert, err)
	case err != nil:
		return pair, fmt.Errorf(
			"certificate %q cannot be used with the key %q: %w; both are in PEM form, the key without a passphrase",
			t.Cert, t.Key, err,
		)
	}
	return pair, nil
}

// maxPEM is the maximum size in bytes of a file of certificates.
const maxPEM = 8 << 20

// readPEM reads a file. The parameter what names the content of the file at the beginning of errors.
func readPEM(what, file string) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s %q: there is no such file", what, file)
	case err != nil:
		return nil, fmt.Errorf("%s %q cannot be read: %w", what, file, err)
	case info.IsDir():
		return nil, fmt.Errorf("%s %q is a folder: name a file in PEM form", what, file)
	case info.Size() > maxPEM:
		return nil, fmt.Errorf("%s %q is larger than %d MiB: name a file in PEM form", what, file, maxPEM>>20)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, fmt.Errorf("%s %q cannot be read: %w", what, file, err)
	}
	return data, nil
}

// How long to wait for a refusal of the client's certificate. With TLS 1.3, a service refuses the certificate only
// after the handshake.
const (
	refusalTime      = time.Second            // time to wait if the service asked for a certificate and got none
	quickRefusalTime = 200 * time.Millisecond // time to wait if the service got a certificate
)

// checkTLS does a TLS handshake with the service on conn, and explains the error if the service refuses the
// handshake, does not speak TLS, or has an untrusted certificate. If the service does not answer the handshake,
// checkTLS returns nil, because the calls will then time out.
func (c *Client) checkTLS(ctx context.Context, conn net.Conn) error {
	settings := c.tls.Clone()
	settings.ServerName = c.base.Hostname()
	wait := time.Duration(0)
	settings.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
		if len(c.tls.Certificates) > 0 {
			wait = quickRefusalTime
			return &c.tls.Certificates[0], nil
		}
		wait = refusalTime
		return new(tls.Certificate), nil
	}
	secured := tls.Client(conn, settings)
	err := secured.HandshakeContext(ctx)
	if err == nil && wait > 0 {
		_ = secured.SetReadDeadline(time.Now().Add(wait)) // cannot fail on an open connection
		_, err = secured.Read(make([]byte, 1))
	}
	return c.explainTLSError(err)
}

// explainTLSError returns an error that says what to do about err. It returns nil if err is nil or has
// another cause than TLS, such as a time-out.
func (c *Client) explainTLSError(err error) error {
	var unknown *tls.CertificateVerificationError
	var other tls.RecordHeaderError
	var refused *net.OpError
	base := c.base.Redacted()
	switch {
	case errors.As(err, &unknown):
		return fmt.Errorf(
			"%q has a certificate of an unknown authority (%w): name its authority with --cacert FILE, "+
				"or use --insecure to accept any certificate",
			base, unknown.Err,
		)
	case errors.As(err, &other):
		return fmt.Errorf("%q does not speak TLS: try it with http instead of https", base)
	case !errors.As(err, &refused) || refused.Op != "remote error":
		return nil
	case len(c.tls.Certificates) == 0:
		return fmt.Errorf(
			"%q refuses the connection (%w): if it requires a client certificate, name one with --cert FILE and --key FILE",
			base, refused.Err,
		)
	}
	return fmt.Errorf("%q refuses the certificate of --cert (%w): name one that it trusts", base, refused.Err)
}
