package devca

import "os"

// envNames are the environment variables from which programs take the file of the authorities
// that they trust.
var envNames = []string{"SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"}

// TrustEnv returns environment variables that make most programs trust the authorities in a
// file.
func TrustEnv(file string) (env []string) {
	for _, name := range envNames {
		env = append(env, name+"="+file)
	}
	return env
}

// systemFiles are the files in which systems keep the authorities that they trust.
var systemFiles = []string{
	"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
	"/etc/pki/tls/cacert.pem", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem",
}

// PEMWithSystem returns the certificates of the system's authorities, if the system has a file of
// them, and of this authority. A program that gets a file by TrustEnv reads no other file, so that
// the file needs both.
func (a *Authority) PEMWithSystem() []byte {
	for _, file := range append([]string{os.Getenv("SSL_CERT_FILE")}, systemFiles...) {
		if data, err := os.ReadFile(file); err == nil {
			return append(append(data, '\n'), a.PEM...)
		}
	}
	return a.PEM
}
