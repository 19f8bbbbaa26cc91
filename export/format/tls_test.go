package format_test

import (
	"strings"
	"testing"

	"sonde/model"
)

// The helpers of an exported file name the TLS files, and environment variables can replace them. If there
// is no file for the key, the key is in the certificate's file. The head of a format that cannot use TLS
// files says so.
func TestFormatsSpeakTLS(t *testing.T) {
	s := shop()
	s.TLS = model.TLSFiles{CACert: "ca.pem", Cert: "my cert.pem"}
	for name, wants := range map[string][]string{
		"go":       {`configureTLS("ca.pem", "my cert.pem", "", false)`},
		"go-table": {`configureTLS("ca.pem", "my cert.pem", "", false)`},
		"hurl":     {`hurl --test --cacert "${SONDE_CACERT:-ca.pem}" --cert "${SONDE_CERT:-my cert.pem}" --variable`},
		"pytest": {
			`CLIENT.verify = file("SONDE_CACERT", "ca.pem")`,
			`CLIENT.cert = (file("SONDE_CERT", "my cert.pem"), file("SONDE_KEY", "") or file("SONDE_CERT", "my cert.pem"))`,
		},
		"node": {
			`import https from "node:https";`, `ca: [...rootCertificates, file("SONDE_CACERT", "ca.pem")],`,
			`key: file("SONDE_KEY", "") || file("SONDE_CERT", "my cert.pem"),`,
		},
		"k6": {
			`open(__ENV.SONDE_CERT || "my cert.pem")`, `open(__ENV.SONDE_KEY || __ENV.SONDE_CERT || "my cert.pem")`,
			"set SSL_CERT_FILE to the file of --cacert, ca.pem",
		},
		"junit5":  {`static final String CA_CERT = "ca.pem";`, "r.trustStore(AUTHORITIES);", "--cert and --key are not used"},
		"postman": {`--ssl-extra-ca-certs \"${SONDE_CACERT:-ca.pem}\"`, `--ssl-client-cert \"${SONDE_CERT:-my cert.pem}\"`},
		"curl":    {`cacert=${SONDE_CACERT:-"$(dirname "$0")/ca.pem"}`, `cert=${SONDE_CERT:-"$(dirname "$0")/my cert.pem"}`},
		"http":    {"The files of --cacert, --cert and --key are not used"},
		"har":     {"The files of --cacert, --cert and --key are not used"},
		"arazzo":  {"The files of --cacert, --cert and --key are not used"},
	} {
		text := files(t, name, s)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s in\n%s", name, want, text)
			}
		}
	}
}

// Exported tests accept any certificate if the run did, and only then.
func TestFormatsTrustAnyCertificate(t *testing.T) {
	s := shop()
	for name, want := range map[string]string{
		"go":       "func init() { trustAnyCertificate() }",
		"go-table": "func init() { trustAnyCertificate() }",
		"hurl":     "[Options]\ninsecure: true",
		"pytest":   "CLIENT.verify = False",
		"node":     `process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";`,
		"k6":       "insecureSkipTLSVerify: true",
		"junit5":   "r.relaxedHTTPSValidation();",
		"postman":  `"strictSSL": false`,
		"http":     "# @no-reject-unauthorized",
		"curl":     "trust=-k #",
	} {
		for _, insecure := range []bool{true, false} {
			s.Insecure = insecure
			if text := files(t, name, s); strings.Contains(text, want) != insecure {
				t.Errorf("%s: trusts any certificate: %t, so %s is there: %t", name, insecure, want, !insecure)
			}
		}
	}
}
