package model

// TLSFiles names the files, in PEM form, that are needed to speak TLS with a service.
// "" stands for none.
type TLSFiles struct {
	// CACert has certificates of authorities that are trusted besides the system's.
	CACert string `json:"ca_cert,omitempty"`
	// Cert has the certificate that the service may ask for, and Key its private
	// key; the key may be in the file of the certificate.
	Cert string `json:"cert,omitempty"`
	Key  string `json:"key,omitempty"`
}

// Paths returns where the names of the files are.
func (t *TLSFiles) Paths() []*string { return []*string{&t.CACert, &t.Cert, &t.Key} }
