package export_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
)

// clientTLS are the files of a client that calls a service which requires a certificate.
var clientTLS = model.TLSFiles{CACert: "ca.pem", Cert: "ca.pem", Key: "my key.pem"}

// certified returns a service with its own certificate. If asks is set, it requires a certificate from its
// clients. certified also returns the files that clients need, which are in one folder.
func certified(t *testing.T, folder string, asks bool) (*httptest.Server, model.TLSFiles) {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.TLS, s.Config.ErrorLog = &tls.Config{}, log.New(io.Discard, "", 0)
	if asks {
		s.TLS.ClientAuth = tls.RequireAnyClientCert
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	key, err := x509.MarshalPKCS8PrivateKey(s.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	file := func(name, kind string, data []byte) {
		if err := os.WriteFile(filepath.Join(folder, name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file("ca.pem", "CERTIFICATE", s.Certificate().Raw)
	file("my key.pem", "PRIVATE KEY", key)
	if !asks {
		return s, model.TLSFiles{CACert: "ca.pem"}
	}
	return s, clientTLS
}

// headCommand returns a function that runs the command in the head of a file, with the TLS files.
func headCommand(program, file string) func(*testing.T, string, string, []string) (string, error) {
	return func(t *testing.T, dir, url string, env []string) (string, error) {
		line := regexp.MustCompile(program + ` (run|--test)[^\n]*`).FindString(strings.ReplaceAll(readFile(t, dir, file), `\n`, "\n"))
		line = strings.ReplaceAll(strings.ReplaceAll(line, `\"`, `"`), "http://127.0.0.1:8080", url)
		env = append(env, "PATH="+filepath.Dir(runner(t, program))+string(filepath.ListSeparator)+os.Getenv("PATH"))
		return outcome(t, dir, env, "sh", "-c", line)
	}
}

// speaksTLS returns a suite of one call over TLS.
func speaksTLS(url string, files model.TLSFiles) export.Suite {
	return export.Suite{
		BaseURL: url,
		TLS:     files,
		Tests:   []model.Test{{ID: "a", Calls: []model.Call{{Op: "GET /a", Status: 200}}}},
	}
}

// Suites use TLS with the files of the run, or with those that the environment names.
func TestSuitesSpeakTLS(t *testing.T) {
	t.Parallel()
	all := withGo()
	all["go-table"] = inGo
	all["hurl"] = headCommand("hurl", "sonde.hurl")
	all["postman"] = headCommand("newman", "sonde.postman_collection.json")
	for name, run := range all {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s, files := certified(t, dir, name != "junit5")
			f, err := format.Named(name)
			if err != nil {
				t.Fatal(err)
			}
			_, made, err := f.Write(dir, speaksTLS(s.URL, files), false)
			if err != nil {
				t.Fatal(err)
			}
			var env []string
			if name == "k6" { // k6 supports no other files
				env = []string{"SSL_CERT_FILE=" + filepath.Join(dir, "ca.pem")}
			}
			if output, err := run(t, dir, s.URL, env); err != nil {
				t.Fatalf("%v in\n%s\n%s", err, output, made.Text)
			}
			other := "SONDE_CACERT"
			if name == "k6" {
				other = "SONDE_CERT"
			}
			if output, err := run(t, dir, s.URL, append(env, fmt.Sprintf("%s=%s", other, filepath.Join(dir, "gone.pem")))); err == nil {
				t.Errorf("it passes without the file that %s names:\n%s", other, output)
			}
		})
	}
}
