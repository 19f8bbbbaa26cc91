package cli_test

import (
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"sonde/model/codec"
	"sonde/runner/testdata/port"
)

// tillConfig returns the path of the configuration of testdata/till.
func tillConfig(t *testing.T) string {
	path, err := filepath.Abs("testdata/till/sonde.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// tillBinary builds the program of testdata/till and returns its path. The binary is in the folder of the
// sonde binary, which is removed after all tests.
var tillBinary = sync.OnceValues(func() (string, error) {
	sonde, err := exec.LookPath("sonde")
	if err != nil {
		return "", err
	}
	binary := filepath.Join(filepath.Dir(sonde), "till")
	build := exec.Command("go", "build", "-ldflags=-s", "-o", binary, ".")
	build.Dir = "testdata/till"
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return binary, nil
})

// buildTill returns the paths of the binary of testdata/till and of its spec.
func buildTill(t *testing.T) (binary, spec string) {
	t.Helper()
	binary, err := tillBinary()
	if err != nil {
		t.Fatal(err)
	}
	return binary, filepath.Join(filepath.Dir(tillConfig(t)), "openapi.yaml")
}

// resettingHost starts a host that resets each connection after receiving data.
func resettingHost(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			c.Read(make([]byte, 4096))
			c.(*net.TCPConn).SetLinger(0)
			c.Close()
		}
	}()
	return "http://" + l.Addr().String()
}

// tlsHost starts a host with TLS. It returns the URL and the file of the certificate authority.
func tlsHost(t *testing.T, h http.Handler) (url, file string) {
	s := httptest.NewTLSServer(h)
	t.Cleanup(s.Close)
	file = filepath.Join(t.TempDir(), "authority.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return s.URL, file
}

// TestRecordNet records a service that Sonde builds. The service calls a host that answers, one with
// TLS, one that refuses, one that resets and one that sends nothing. The service, the recording and
// the generated tests distinguish all of these outcomes.
func TestRecordNet(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds a service")
	}
	paid := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "paid") })
	pay := httptest.NewServer(paid)
	mute := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	defer pay.Close()
	defer mute.Close()
	secret, authority := tlsHost(t, paid)
	r := recordingWith(
		t, []string{"SSL_CERT_FILE=" + authority}, "--config", tillConfig(t), "--net",
		"--out", "pay.example:80="+pay.URL, "--out", "secret.example:443="+secret, "--out", "down.example:80=http://"+port.Addr(),
		"--out", "worn.example:80="+resettingHost(t), "--out", "mute.example:80="+mute.URL,
	)
	cases := []struct{ host, answer, kept, played string }{
		{"pay", "paid", "", `network.http("pay.example:80", "POST /charge"`},
		{"secret", "paid", "", `network.http("secret.example:443", "POST /charge"`},
		{"down", "it is closed", "refused", `network.tcp("down.example:80", refuses())`},
		{"worn", "it hung up", "reset", `network.http("worn.example:80", "POST /charge", ifJSON(` + "`{\"cents\":1200}`" + `), resets())`},
		{
			"mute", "it does not answer", "left before",
			`network.http("mute.example:80", "POST /charge", ifJSON(` + "`{\"cents\":1200}`" + `), isMute())`,
		},
	}
	for _, c := range cases {
		if said := get(t, r.in+"/charges/"+c.host); said != `{"said":"`+c.answer+`"}` {
			t.Errorf("%s: it said %s", c.host, said)
		}
	}
	if text := r.ended(t, 0); strings.Count(text, "context ×1") != len(cases) {
		t.Error(text)
	}
	rec, err := codec.OpenRecording(r.folder)
	if err != nil || len(rec.Served) != len(cases) {
		t.Fatalf("%d are kept, %v", len(rec.Served), err)
	}
	file, _ := generated(t, nil, r.folder, 0, "--together")
	for i, c := range cases {
		if sent := rec.Served[i].OutwardCalls; len(sent) != 1 || (sent[0].Err != nil) != (c.kept != "") ||
			sent[0].Err != nil && !strings.Contains(sent[0].Err.Error(), c.kept) {
			t.Errorf("%s: kept %+v", c.host, sent)
		}
		if !strings.Contains(file, c.played) {
			t.Errorf("the tests have no %s: %s", c.played, file)
		}
	}
}

func get(t *testing.T, target string) string {
	t.Helper()
	res, err := http.Get(target)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	said, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}

// generated generates tests from a recording and plays them, with additional environment variables. It
// returns the written test files as one text, and the output of the command.
func generated(t *testing.T, env []string, rec string, want int, args ...string) (file, printed string) {
	t.Helper()
	binary := program(t)
	dir := filepath.Join(t.TempDir(), "tests")
	c := bounded(t, binary, append([]string{"generate", rec, "-o", dir, "--runs", "2", "--yes"}, args...)...)
	c.Env = append(os.Environ(), "PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
	c.Env = append(c.Env, env...)
	out, _ := c.CombinedOutput()
	if code := c.ProcessState.ExitCode(); code != want {
		t.Fatalf("exit code %d, want %d: %s", code, want, out)
	}
	for _, name := range []string{"sonde_test.go", "sonde_helpers_test.go"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && want == 0 {
			t.Fatal(err)
		}
		file += string(text)
	}
	return file, string(out)
}

// TestRecordProxy records a service that takes its proxy and its certificate authorities from the
// environment, and calls a host with TLS. The generated tests play that host without TLS.
func TestRecordProxy(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds a service")
	}
	if runtime.GOOS != "linux" {
		t.Skip("0.0.0.0 is this machine on Linux alone, and Go asks no proxy for any other name of it")
	}
	pay := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "paid") }))
	defer pay.Close()
	_, port, _ := net.SplitHostPort(pay.Listener.Addr().String())
	binary, spec := buildTill(t)
	r := recording(
		t, "--spec", spec, "--proxy", "127.0.0.1:0", "--insecure", "--serial", "--", binary, "127.0.0.1:{port}",
		"https://0.0.0.0:"+port+"/charge",
	)
	if said := get(t, r.in+"/charges/told"); said != `{"said":"paid"}` {
		t.Errorf("it said %s", said)
	}
	r.ended(t, 0)
	rec, err := codec.OpenRecording(r.folder)
	if err != nil || len(rec.Served) != 1 || len(rec.Served[0].OutwardCalls) != 1 || !rec.Served[0].OutwardCalls[0].TLS ||
		rec.Served[0].OutwardCalls[0].Host != "0.0.0.0:"+port {
		t.Fatalf("kept %+v, %v", rec.Served, err)
	}
	if file, _ := generated(t, nil, r.folder, 0); !strings.Contains(file, `network.http("0.0.0.0:`+port+`", "POST /charge"`) ||
		!strings.Contains(file, `"http://{0.0.0.0:`+port+`}/charge"`) {
		t.Errorf("the tests are %s", file)
	}
}
