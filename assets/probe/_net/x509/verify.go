//go:build unix

// These declarations are added to crypto/x509. A service trusts certificates that are signed by the
// authority of the virtual network, whichever roots the service uses. Names, dates and usages are
// checked as usual.
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
	if !sondeIsUnknownAuthority(err) || !poll.SondeVirtual.Load() {
		return chains, err
	}
	virtual := opts
	if virtual.Roots = sondeRoots(); virtual.Roots == nil {
		return nil, err
	}
	chains, virtualErr := c.sondeRealVerify(virtual)
	switch {
	case sondeIsUnknownAuthority(virtualErr):
		return nil, err
	case virtualErr == nil && c.sondeHostCertificates() != nil:
		return chains, sondeVerifyHost(c.sondeHostCertificates(), opts)
	}
	return chains, virtualErr
}

// sondeHostCertificatesID is the ID of the extension in which the recorder puts the certificates of the real
// host; see hostCertificates in runner/network/netsim.
var sondeHostCertificatesID = []int{2, 25, 1397706820}

// sondeHostCertificates returns the content of the extension sondeHostCertificatesID, nil if there is none.
func (c *Certificate) sondeHostCertificates() []byte {
	for _, e := range c.Extensions {
		if e.Id.Equal(sondeHostCertificatesID) {
			return e.Value
		}
	}
	return nil
}

// sondeVerifyHost verifies the certificates of the real host with the options of the service.
func sondeVerifyHost(certificates []byte, opts VerifyOptions) error {
	all, err := ParseCertificates(certificates)
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

// sondeIsUnknownAuthority reports whether an error means that the authority is unknown.
func sondeIsUnknownAuthority(err error) bool {
	var unknown UnknownAuthorityError
	var none SystemRootsError
	return errors.As(err, &unknown) || errors.As(err, &none)
}

// sondeRoots returns a pool with only the authority of the virtual network. It returns nil if there is no such
// authority.
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
