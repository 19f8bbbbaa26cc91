package cli_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestRateAndTimeout(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes whole searches: left out by -short")
	}
	var times []time.Time
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { times = append(times, time.Now()) }))
	defer s.Close()
	began := time.Now() // the first call may be late, but no call may be early
	code, out, errs := run(t, "search", spec(t), "--url", s.URL, "--calls", "10", "--rate", "20.5", "--timeout", "3s")
	if code != 0 || !strings.Contains(out, "--calls 10 --rate 20.5 --timeout 3s --seed 1") {
		t.Errorf("exit code %d, output %s%s", code, out, errs)
	}
	if took := times[len(times)-1].Sub(began); len(times) != 10 || took < 9*time.Second/21 {
		t.Errorf("%d calls took %v", len(times), took)
	}
	config := filepath.Join(t.TempDir(), "sonde.yaml")
	if err := os.WriteFile(config, []byte("rate: 1000\ntimeout: 50ms\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, out, _ = run(t, "search", spec(t), "--url", s.URL, "--calls", "10", "--config", config, "--rate", "500")
	if !strings.Contains(out, "--rate 500 --timeout 50ms") {
		t.Errorf("a flag does not win over the file: %s", out)
	}
	for flag, want := range map[string]string{
		"--rate=-1":     "give requests a second",
		"--rate=nan":    "give requests a second",
		"--timeout=-1s": "a call needs some time",
	} {
		if code, _, errs := run(t, "search", spec(t), "--url", s.URL, flag); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d, %s", flag, code, errs)
		}
	}
}

func TestInsecure(t *testing.T) {
	asked := 0
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.URL.Path == "/openapi.json" {
			io.WriteString(
				w,
				`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"get":{"responses":{"200":{"description":"ok"}}}}}}`,
			)
		}
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	if code, _, errs := run(t, "search", "--url", s.URL, "--calls", "5"); code != 3 ||
		!strings.Contains(errs, "use --insecure") || asked > 0 {
		t.Errorf("without the flag: exit code %d, %s, asked %d times", code, errs, asked)
	}
	dir := t.TempDir()
	code, out, errs := run(t, "search", "--url", s.URL, "--calls", "5", "--insecure", "-o", filepath.Join(dir, "run"))
	if code != 0 || !strings.Contains(out, "--calls 5 --insecure --seed 1") || asked != 6 {
		t.Errorf("with the flag: exit code %d, %s%s, asked %d times", code, out, errs, asked)
	}
	if code, _, errs := run(t, "export", filepath.Join(dir, "run"), "--all", "-o", dir); code != 0 {
		t.Fatalf("export: exit code %d, %s", code, errs)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "sonde_helpers_test.go")); err != nil ||
		!strings.Contains(string(text), "func init() { trustAnyCertificate() }") {
		t.Errorf("the export does not trust the service: %v", err)
	}
}
