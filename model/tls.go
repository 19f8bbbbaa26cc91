package model

// TLSFiles has the paths of the PEM files for TLS with a service, "" for none.
type TLSFiles struct {
	// CACert is a file with certificates of authorities that are trusted in addition to those of the
	// system.
	CACert string `json:"ca_cert,omitempty"`
	// Cert is a file with a client certificate. Key is a file with its private key, which may also be in
	// Cert.
	Cert string `json:"cert,omitempty"`
	Key  string `json:"key,omitempty"`
}

// Paths returns pointers to the paths, so that they can be changed.
func (t *TLSFiles) Paths() []*string { return []*string{&t.CACert, &t.Cert, &t.Key} }
