package authority

import "os"

// names are the variables in which programs look for whom to trust by TLS.
var names = []string{"SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"}

// Env are the variables by which most programs trust those in a file.
func Env(file string) (env []string) {
	for _, name := range names {
		env = append(env, name+"="+file)
	}
	return env
}

// files are where systems keep those whom they trust.
var files = []string{
	"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
	"/etc/pki/tls/cacert.pem", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem",
}

// Besides is the authority with all whom programs trust anyway, as far as there is a file
// of them: programs that are told of one file know no other.
func (a *Authority) Besides() []byte {
	for _, file := range append([]string{os.Getenv("SSL_CERT_FILE")}, files...) {
		if data, err := os.ReadFile(file); err == nil {
			return append(append(data, '\n'), a.PEM...)
		}
	}
	return a.PEM
}
