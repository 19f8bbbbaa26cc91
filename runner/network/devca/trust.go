package devca

import "os"

// envNames are the variables from which programs take the file of trusted authorities.
var envNames = []string{"SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"}

// TrustEnv returns the environment with which most programs trust the authorities in a file.
func TrustEnv(file string) (env []string) {
	for _, name := range envNames {
		env = append(env, name+"="+file)
	}
	return env
}

// systemFiles are where systems keep the authorities that they trust.
var systemFiles = []string{
	"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
	"/etc/pki/tls/cacert.pem", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem",
}

// PEMWithSystem returns the authority with those that programs trust anyway, if the system has a file of
// them: a program that is told of one file reads no other.
func (a *Authority) PEMWithSystem() []byte {
	for _, file := range append([]string{os.Getenv("SSL_CERT_FILE")}, systemFiles...) {
		if data, err := os.ReadFile(file); err == nil {
			return append(append(data, '\n'), a.PEM...)
		}
	}
	return a.PEM
}
