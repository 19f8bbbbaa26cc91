package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sonde/runner/testdata/port"
	"sonde/ui/app/generation"
)

// backgroundService is a service of testdata/background, with its hosts.
type backgroundService struct {
	name  string
	names []string                      // names of the hosts, in the order of the service's arguments
	start func(t *testing.T) []string   // starts the hosts, and returns their URLs
	visit func(t *testing.T, in string) // sends requests to the service
	want  int                           // number of tests
	timer bool                          // a timer in the service calls hosts
}

var backgroundServices = []backgroundService{
	{"configured", []string{"config.example:80", "tax.example:80"}, configuredHosts, visitConfigured, 6, false},
	{"polling", []string{"bank.example:80", "stock.example:80"}, pollingHosts, visitPolling, 6, true},
	{"pooled", []string{"store.example:7000"}, pooledHosts, visitPooled, 6, false},
	{"mailing", []string{"mail.example:25"}, mailingHosts, visitMailing, 8, false},
}

// jsonHost starts a host that answers with the JSON that answer returns.
func jsonHost(t *testing.T, answer func(r *http.Request) string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		if text := answer(r); text != "" {
			io.WriteString(w, text)
		} else {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// send sends a request without a body.
func send(t *testing.T, method, url string) {
	t.Helper()
	r, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
}

// configuredHosts starts two hosts. The first one gives an empty answer to the first request, and new settings to
// each later request. The second one returns a tax.
func configuredHosts(t *testing.T) []string {
	var asked, version atomic.Int64
	config := jsonHost(t, func(r *http.Request) string {
		switch {
		case r.Method == "POST" && asked.Add(1) == 1:
			return ""
		case r.Method == "POST":
			return `{"lease":"lease-0815"}`
		}
		v := version.Add(1)
		return fmt.Sprintf(`{"version":%d,"currency":"EUR","discount":%d,"limit":20}`, v, 10*v)
	})
	return []string{config, jsonHost(t, func(*http.Request) string { return `{"percent":19}` })}
}

func visitConfigured(t *testing.T, in string) {
	get(t, in+"/settings")
	get(t, in+"/quotes/3")
	get(t, in+"/quotes/99")
	send(t, "POST", in+"/settings")
	get(t, in+"/settings")
	get(t, in+"/quotes/0")
}

// pollingHosts starts a host whose rates change every 0.4 seconds, and a host with a stock.
func pollingHosts(t *testing.T) []string {
	began := time.Now()
	bank := jsonHost(t, func(r *http.Request) string {
		if r.Method == "POST" {
			return `{}`
		}
		n := 1 + time.Since(began)/(400*time.Millisecond)
		return fmt.Sprintf(`{"number":%d,"euro":1.%d}`, n, n)
	})
	stock := jsonHost(t, func(r *http.Request) string { return fmt.Sprintf(`{"onHand":%d}`, len(r.URL.Path)) })
	return []string{bank, stock}
}

func visitPolling(t *testing.T, in string) {
	for range 4 {
		for i := range 10 {
			get(t, fmt.Sprintf("%s/stock/tent-%d", in, i))
			get(t, fmt.Sprintf("%s/prices/%d00", in, i))
			time.Sleep(30 * time.Millisecond)
		}
		send(t, "POST", in+"/rates")
	}
}

// pooledHosts starts a host that stores values by a protocol of lines, for clients that have logged in.
func pooledHosts(t *testing.T) []string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	var values sync.Map
	go func() {
		for n := 1; ; n++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				fmt.Fprintf(c, "READY %d\n", n)
				in := false
				for lines := bufio.NewScanner(c); lines.Scan(); {
					word := strings.Fields(lines.Text())
					switch {
					case word[0] == "LOGIN":
						in = true
						io.WriteString(c, "WELCOME\n")
					case !in:
						io.WriteString(c, "DENIED\n")
					case word[0] == "PING":
						io.WriteString(c, "PONG\n")
					case word[0] == "SET":
						values.Store(word[1], word[2])
						io.WriteString(c, "STORED\n")
					case word[0] == "GET":
						time.Sleep(10 * time.Millisecond)
						v, found := values.Load(word[1])
						if !found {
							v = "none"
						}
						fmt.Fprintf(c, "VALUE %s\n", v)
					default:
						io.WriteString(c, "COUNT 3\n")
					}
				}
			}()
		}
	}()
	return []string{"tcp://" + l.Addr().String()}
}

func visitPooled(t *testing.T, in string) {
	get(t, in+"/values/first")
	send(t, "PUT", in+"/values/colour?value=green")
	get(t, in+"/values/colour")
	time.Sleep(250 * time.Millisecond)
	get(t, in+"/values")
	var clients sync.WaitGroup
	for i := range 3 {
		clients.Go(func() { get(t, fmt.Sprint(in, "/values/key-", i)) })
	}
	clients.Wait()
	send(t, "PUT", in+"/values/colour?value=blue")
	get(t, in+"/values/colour")
}

// mailingHosts starts a mail server, which has no mailbox named unknown.
func mailingHosts(t *testing.T) []string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for n := 1; ; n++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go receiveMail(c, n)
		}
	}()
	return []string{"tcp://" + l.Addr().String()}
}

// receiveMail speaks SMTP on one connection. n is the number of the connection.
func receiveMail(c net.Conn, n int) {
	defer c.Close()
	io.WriteString(c, "220 mail.example ESMTP\r\n")
	inText := false
	for lines := bufio.NewScanner(c); lines.Scan(); {
		answer := "250 ok\r\n"
		switch line := lines.Text(); {
		case inText && line != ".":
			continue
		case inText:
			inText, answer = false, fmt.Sprintf("250 queued as %04d\r\n", n)
		case strings.HasPrefix(line, "EHLO"):
			answer = "250-mail.example\r\n250-8BITMIME\r\n250 SIZE 1000\r\n"
		case strings.HasPrefix(line, "RCPT TO:<unknown"):
			answer = "550 no such mailbox\r\n"
		case line == "DATA":
			inText, answer = true, "354 go on\r\n"
		case line == "QUIT":
			io.WriteString(c, "221 bye\r\n")
			return
		}
		io.WriteString(c, answer)
	}
}

func visitMailing(t *testing.T, in string) {
	for _, guest := range []string{
		`{"email":"ann@a.example","name":"Ann"}`, `{"email":"bob@b.example","name":"Bob"}`, `{"email":"unknown","name":"No"}`,
		`{"email":"unknown@b.example","name":"No"}`, `{"email":"cy@c.example","name":"Cy"}`,
	} {
		res, err := http.Post(in+"/invitations", "application/json", strings.NewReader(guest))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
	}
}

// backgroundBinary builds the program of testdata/background and returns its path.
var backgroundBinary = sync.OnceValues(func() (string, error) {
	sonde, err := exec.LookPath("sonde")
	if err != nil {
		return "", err
	}
	binary := filepath.Join(filepath.Dir(sonde), "background")
	build := exec.Command("go", "build", "-ldflags=-s", "-o", binary, ".")
	build.Dir = "testdata/background"
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return binary, nil
})

// Services may call hosts when they start, by a timer, and over connections that several requests share. The tests
// that are generated for such services mimic: they pass each time. The calls are recorded by the built-in network, or
// by proxies that pass on one request at a time.
func TestBackground(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and starts services")
	}
	for _, s := range backgroundServices {
		t.Run(s.name+"/built in", func(t *testing.T) {
			args := []string{"--config", filepath.Join(backgroundFolder(t, s.name), "sonde.yaml"), "--net"}
			for i, url := range s.start(t) {
				args = append(args, "--out", s.names[i]+"="+url)
			}
			s.mimics(t, recording(t, args...))
		})
		t.Run(s.name+"/proxies", func(t *testing.T) {
			if s.timer && !fullForm() {
				t.Skip("which calls are those of a timer is estimated from times, which a loaded machine distorts: -campaigns")
			}
			s.mimics(t, s.recordedByProxies(t))
		})
	}
}

// backgroundFolder returns the folder of a service of testdata/background.
func backgroundFolder(t *testing.T, name string) string {
	t.Helper()
	folder, err := filepath.Abs(filepath.Join("testdata/background", name))
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// recordedByProxies begins a recording of the service. The service calls its hosts through proxies.
func (s backgroundService) recordedByProxies(t *testing.T) *recorder {
	t.Helper()
	binary, err := backgroundBinary()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--spec", filepath.Join(backgroundFolder(t, s.name), "openapi.yaml"), "--serial"}
	command := []string{"--", binary, s.name, "127.0.0.1:{port}"}
	for i, url := range s.start(t) {
		addr := port.Addr()
		args = append(args, "--out", addr+"="+url)
		if strings.HasSuffix(s.names[i], ":80") {
			addr = "http://" + addr
		}
		command = append(command, addr)
	}
	return recording(t, append(args, command...)...)
}

// mimics sends requests through the recorder and ends the recording. It then generates tests, plays them, and checks
// how many of them mimic.
func (s backgroundService) mimics(t *testing.T, r *recorder) {
	t.Helper()
	s.visit(t, r.in)
	time.Sleep(300 * time.Millisecond)
	recorded := r.ended(t, 0)
	runs := "2"
	if fullForm() {
		runs = "10"
	}
	c := bounded(t, program(t), "generate", r.folder, "-o", filepath.Join(t.TempDir(), "tests"), "--runs", runs, "--yes", "--json")
	c.Env = append(os.Environ(), "PATH="+filepath.Dir(program(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	c.Stderr = os.Stderr
	out, _ := c.Output()
	var report generation.Report
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, recorded)
	}
	t.Logf("%d of %d tests mimic in each of %s plays", report.Total.Mimics, report.Total.Tests, runs)
	if report.Total.Tests < s.want || report.Total.Mimics*100 < report.Total.Tests*95 {
		for _, test := range report.Tests {
			for _, x := range test.Results {
				if x.Outcome != "mimics" {
					t.Logf("%s %s: %q", x.Function, x.Outcome, x.Differences)
				}
			}
		}
		t.Errorf("%d of %d tests mimic\n%s", report.Total.Mimics, report.Total.Tests, recorded)
	}
}
