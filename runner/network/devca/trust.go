package devca

import "os"

// envNames are the environment variables in which programs look for the path of a file with the
// authorities to trust.
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

// PEMWithSystem returns the certificates of the authorities that the system trusts, followed by the certificate of
// this authority. Most programs that get a file by TrustEnv read no other file, so that file needs both.
// PEMWithSystem reads the system's authorities from the file in SSL_CERT_FILE, or else from the first of systemFiles
// that can be read. If it can read no file, it returns only the certificate of this authority.
func (a *Authority) PEMWithSystem() []byte {
	for _, file := range append([]string{os.Getenv("SSL_CERT_FILE")}, systemFiles...) {
		if data, err := os.ReadFile(file); err == nil {
			return append(append(data, '\n'), a.PEM...)
		}
	}
	return a.PEM
}
