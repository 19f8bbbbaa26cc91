//go:build unix

// What is added to crypto/x509: certificates that the virtual network's authority
// signed hold, whichever roots the service trusts. Names, dates and usages are
// looked at as ever.
package x509

import (
	"errors"
	"internal/poll"
	"os"
	"sync"
)

// Verify attempts to verify c by building one or more chains from c to a
// certificate in opts.Roots, using certificates in opts.Intermediates if needed.
func (c *Certificate) Verify(opts VerifyOptions) ([][]*Certificate, error) {
	chains, err := c.sondeRealVerify(opts)
	if !sondeUnknown(err) || !poll.SondeVirtual.Load() {
		return chains, err
	}
	virtual := opts
	if virtual.Roots = sondeRoots(); virtual.Roots == nil {
		return nil, err
	}
	chains, wrong := c.sondeRealVerify(virtual)
	switch {
	case sondeUnknown(wrong):
		return nil, err
	case wrong == nil && c.sondeInside() != nil:
		return chains, sondeVerifyInside(c.sondeInside(), opts)
	}
	return chains, wrong
}

// sondeInsideOf is where a certificate of a host to which is passed on has the host's
// own ones.
var sondeInsideOf = []int{2, 25, 1397706820}

// sondeInside are those certificates, nil for none.
func (c *Certificate) sondeInside() []byte {
	for _, e := range c.Extensions {
		if e.Id.Equal(sondeInsideOf) {
			return e.Value
		}
	}
	return nil
}

// sondeVerifyInside judges the host's own certificates as the service would have.
func sondeVerifyInside(inside []byte, opts VerifyOptions) error {
	all, err := ParseCertificates(inside)
	if err != nil || len(all) == 0 {
		return errors.Join(errors.New("x509: the recorded host has no certificate"), err)
	}
	opts.Intermediates = NewCertPool()
	for _, c := range all[1:] {
		opts.Intermediates.AddCert(c)
	}
	_, err = all[0].sondeRealVerify(opts)
	return err
}

// sondeUnknown tells whether nobody is trusted who vouches for a certificate.
func sondeUnknown(err error) bool {
	var unknown UnknownAuthorityError
	var none SystemRootsError
	return errors.As(err, &unknown) || errors.As(err, &none)
}

// sondeRoots are the virtual network's authority alone, nil when there is none.
var sondeRoots = sync.OnceValue(func() *CertPool {
	path := os.Getenv("SONDE_NET_CA")
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	roots := NewCertPool()
	if err != nil || !roots.AppendCertsFromPEM(text) {
		os.Stderr.WriteString("sonde: the virtual network's certificate " + path + " cannot be read\n")
		return nil
	}
	return roots
})
