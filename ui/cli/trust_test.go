package cli_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mutual starts a guard that requires a client certificate. It returns the URL, and a folder with ca.pem,
// cert.pem and key.pem.
func mutual(t *testing.T) (url, folder string) {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/", guard())
	mux.HandleFunc("/openapi.json", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, guardSpec) })
	s := httptest.NewUnstartedServer(mux)
	s.TLS, s.Config.ErrorLog = &tls.Config{ClientAuth: tls.RequireAnyClientCert}, log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	key, err := x509.MarshalPKCS8PrivateKey(s.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	for name, data := range map[string][]byte{
		"ca.pem":   cert,
		"cert.pem": cert,
		"key.pem":  pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s.URL, folder
}

// The TLS files are used for fetching the specification, calling the service and repeating a run. They come
// from flags or the configuration.
func TestSearchWithAClientCertificate(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes whole searches: left out by -short")
	}
	url, folder := mutual(t)
	t.Chdir(folder)
	t.Setenv("TOKEN", "t0k3n-of-ann")
	flags := []string{"--header", "Authorization: Bearer ${TOKEN}", "--calls", "20", "--url", url}
	files := []string{"--cacert", "ca.pem", "--cert", "cert.pem", "--key", "key.pem"}
	code, out, errs := run(t, append(append([]string{"search", "-o", "run"}, files...), flags...)...)
	if code != 0 || !strings.Contains(out, "2 with a 2xx") || !strings.Contains(out, strings.Join(files, " ")) {
		t.Fatalf("exit code %d, output %s, errors %s", code, out, errs)
	}
	if code, _, errs := run(t, "search", "--replay", "run", "-o", "again"); code != 0 || !strings.Contains(errs, "the same tests") {
		t.Errorf("replay: exit code %d, errors %s", code, errs)
	}
	written, err := os.ReadFile("run/run.json")
	if err != nil || !bytes.Contains(written, []byte(`"ca_cert": "ca.pem"`)) || bytes.Contains(written, []byte("PRIVATE")) {
		t.Errorf("run.json %s, %v", written, err)
	}

	if err := os.MkdirAll("conf", 0o700); err != nil {
		t.Fatal(err)
	}
	yaml := "url: " + url + "\ncaCert: ../ca.pem\ncert: ../cert.pem\nkey: ../key.pem\nauth: [{name: ann, bearer: \"${TOKEN}\"}]\n"
	if err := os.WriteFile("conf/sonde.yaml", []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := run(t, "search", "--config", "conf/sonde.yaml", "--calls", "20"); code != 0 ||
		!strings.Contains(out, "2 with a 2xx") {
		t.Errorf("by the configuration: exit code %d, output %s, errors %s", code, out, errs)
	}

	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{nil, 3, "name its authority with --cacert FILE"},
		{files[:2], 3, "if it requires a client certificate, name one with --cert FILE and --key FILE"},
		{files[:4], 2, "if its key is in another file, give that file as key"},
		{[]string{"--cacert", "none.pem"}, 2, `CA certificate "none.pem": there is no such file`},
	} {
		code, _, errs := run(t, append(append([]string{"search"}, c.args...), flags...)...)
		if code != c.code || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: exit code %d, want %d and %q, errors %s", c.args, code, c.code, c.want, errs)
		}
	}
}
