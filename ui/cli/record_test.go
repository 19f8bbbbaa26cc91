package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"sonde/model"
	"sonde/model/codec"
)

// recorder is a process of sonde record.
type recorder struct {
	*exec.Cmd
	folder string
	in     string // the URL of the proxy in front of the service
	rest   chan string
}

// recording starts sonde record.
func recording(t *testing.T, args ...string) *recorder {
	t.Helper()
	return recordingWith(t, nil, args...)
}

// recordingWith is like recording, with additional environment variables.
func recordingWith(t *testing.T, env []string, args ...string) *recorder {
	t.Helper()
	binary := program(t)
	r := &recorder{folder: filepath.Join(t.TempDir(), "rec"), rest: make(chan string, 1)}
	args = append([]string{"record", "-o", r.folder}, args...)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "SONDE", binary)
	}
	r.Cmd = bounded(t, binary, args...)
	r.Dir, r.Env = t.TempDir(), append(os.Environ(), env...)
	out, err := r.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	errs, err := r.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Process.Kill(); r.Wait() })
	lines := bufio.NewReader(out)
	where := lines
	if slices.Contains(args, "--json") { // standard output has JSON only
		where = bufio.NewReader(errs)
		defer func() { go io.Copy(io.Discard, where) }()
	} else {
		go io.Copy(io.Discard, errs)
	}
	for r.in == "" {
		line, err := where.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "in" {
			r.in = fields[1]
		}
	}
	go func() {
		rest, _ := io.ReadAll(lines)
		r.rest <- string(rest)
	}()
	return r
}

// ended interrupts the recorder and returns its last output. want is the expected exit code.
func (r *recorder) ended(t *testing.T, want int) string {
	t.Helper()
	if err := r.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	text := <-r.rest
	r.Wait()
	if code := r.ProcessState.ExitCode(); code != want {
		t.Errorf("exit code %d, want %d: %s", code, want, text)
	}
	return text
}

func post(t *testing.T, target, body string) int {
	t.Helper()
	req, err := http.NewRequest("POST", target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer demo-admin")
	res, err := clientOf(t).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	io.Copy(io.Discard, res.Body)
	return res.StatusCode
}

// sonde record starts a command, records its traffic, and prints a summary at the end.
func TestRecordCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs other programs: left out by -short")
	}
	pay := httptest.NewServer(http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"approved":true,"receipt":"r"}`) },
	))
	defer pay.Close()
	r := recording(
		t, "--demo", "--serial", "--out", "127.0.0.1:41933="+pay.URL, "--", "SONDE", "demo", "--addr",
		"127.0.0.1:{port}", "--payments", "http://127.0.0.1:41933/charge",
	)
	if code := post(t, r.in+"/products", `{"sku":"TENT-9","name":"Tent","priceCents":100,"price":1}`); code >= 500 {
		t.Errorf("status %d", code)
	}
	res, err := http.Get(r.in + "/products")
	if err != nil || res.StatusCode != 200 {
		t.Fatal(res, err)
	}
	res.Body.Close()
	text := r.ended(t, 0)
	if !strings.Contains(text, "GET /products ") || !strings.Contains(text, "2 requests in, 0 calls out; 2 kept in "+r.folder) {
		t.Error(text)
	}
	rec, err := codec.OpenRecording(r.folder)
	if err != nil || len(rec.Served) != 2 || rec.Served[0].User != "admin" || rec.Served[1].Request.Op != "GET /products" {
		t.Fatalf("%+v, %v", rec, err)
	}
	if s := rec.Service; s == nil || !strings.Contains(
		strings.Join(s.Command, " "), "--addr 127.0.0.1:{port} --payments http://127.0.0.1:41933/charge",
	) || rec.BaseURL != "http://127.0.0.1:{port}" || rec.Spec != "demo" {
		t.Errorf("service %+v at %s, spec %s", s, rec.BaseURL, rec.Spec)
	}
	data, err := os.ReadFile(filepath.Join(r.folder, codec.ExchangesFile))
	if err != nil || bytes.Contains(data, []byte("demo-admin")) {
		t.Errorf("the token is recorded: %s, %v", data, err)
	}
}

// A recorder that is killed during traffic has written every exchange whose answer reached the client.
func TestRecordKilled(t *testing.T) {
	var asked atomic.Int64
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := asked.Add(1)
		fmt.Fprintf(w, `{"n":%d,"much":%q}`, n, strings.Repeat("x", int(n)%3*40_000))
	}))
	defer service.Close()
	r := recording(t, "--demo", "--in", "127.0.0.1:0="+service.URL)
	var answered sync.Map
	var users sync.WaitGroup
	var done atomic.Int64
	for range 8 {
		users.Go(func() {
			for {
				res, err := http.Get(r.in + "/products")
				if err != nil {
					return
				}
				var body struct{ N int64 }
				data, err := io.ReadAll(res.Body)
				res.Body.Close()
				if err != nil || json.Unmarshal(data, &body) != nil {
					return // the recorder was killed
				}
				answered.Store(body.N, true)
				done.Add(1)
			}
		})
	}
	for end := time.Now().Add(time.Minute); done.Load() < 300; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("only %d answers", done.Load())
		}
	}
	if err := r.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	users.Wait()
	rec, err := codec.OpenRecording(r.folder)
	if err != nil {
		t.Fatal(err)
	}
	kept := map[int64]bool{}
	for _, s := range rec.Served {
		var body struct{ N int64 }
		if err := json.Unmarshal(s.Reply.Body, &body); err != nil {
			t.Fatalf("%.80q: %v", s.Reply.Body, err)
		}
		kept[body.N] = true
	}
	lost := 0
	answered.Range(func(n, _ any) bool {
		if !kept[n.(int64)] {
			lost++
		}
		return true
	})
	if lost > 0 || len(rec.Warnings) > 1 {
		t.Errorf("%d of %d answers are lost, warnings %q", lost, done.Load(), rec.Warnings)
	}
}

// Flags select the exchanges that are recorded. No other process can record into the same folder meanwhile, even
// with --force.
func TestRecordSome(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, `{"path":"`+r.URL.Path+`"}`) },
	))
	defer service.Close()
	r := recording(t, "--demo", "--json", "--first", "2", "--except", "tag:stores", "--in", "127.0.0.1:0="+service.URL)
	for i := range 5 {
		for _, path := range []string{"/products", "/stores", fmt.Sprint("/products/", i)} {
			if res, err := http.Get(r.in + path); err == nil {
				res.Body.Close()
			}
		}
	}
	binary := program(t)
	for _, args := range [][]string{{}, {"--force"}} {
		out, err := bounded(t, binary, append([]string{
			"record", "--demo", "--in", "127.0.0.1:0=" + service.URL, "-o", r.folder,
		}, args...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "another Sonde writes to the recording") || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%s, %v", out, err)
		}
	}
	var report struct {
		Kept       int
		Operations []struct {
			Op                 model.OpID
			Seen, Kept, Shapes int
		}
	}
	if err := json.Unmarshal([]byte(r.ended(t, 0)), &report); err != nil {
		t.Fatal(err)
	}
	if report.Kept != 4 || report.Operations[0].Op != "GET /products" || report.Operations[0].Seen != 5 ||
		report.Operations[0].Kept != 2 || report.Operations[0].Shapes != 1 {
		t.Errorf("%+v", report)
	}
}

// The TLS settings of a configuration also apply to recordings, unless flags override them.
func TestRecordInsecureByConfiguration(t *testing.T) {
	service := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "[]") }))
	defer service.Close()
	config := filepath.Join(t.TempDir(), "sonde.yaml")
	if err := os.WriteFile(config, []byte("url: "+service.URL+"\ninsecure: true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	spec, err := filepath.Abs("../../assets/demo/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	r := recording(t, "--spec", spec, "--config", config, "--in", "127.0.0.1:0="+service.URL)
	res, err := http.Get(r.in + "/products")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 200 {
		t.Errorf("got %d", res.StatusCode)
	}
	r.ended(t, 0)
	if code, _, errs := run(
		t, "record", "--spec", spec, "--config", config, "--insecure=false", "--in", "127.0.0.1:0="+service.URL,
		"-o", filepath.Join(t.TempDir(), "rec"),
	); code == 0 || !strings.Contains(errs, "--insecure") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}
