package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sonde/model"
)

// pageAddress matches the line with the address of the page, and its token.
var pageAddress = regexp.MustCompile(`the page of the search: (http://127\.0\.0\.1:\d+)/(?:#token=(\w+))?`)

// servedSearch starts a search with --serve and returns it with the URL and the token of its page.
func servedSearch(t testing.TB, out io.Writer, args ...string) (c *exec.Cmd, base, token string) {
	t.Helper()
	args = append([]string{"search", "--demo", "--seed", "1", "-o", filepath.Join(t.TempDir(), "run"), "--serve", "127.0.0.1:0"}, args...)
	c = bounded(t, program(t), args...)
	c.Stdout = out
	errs, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	lines := bufio.NewReader(errs)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("no address is printed: %v", err)
		}
		if m := pageAddress.FindStringSubmatch(line); m != nil {
			go io.Copy(io.Discard, lines)
			return c, m[1], m[2]
		}
	}
}

// answered sends a request and returns the status and the body.
func answered(t testing.TB, method, url, body string, headers ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// The page of a running search is served, and whoever has the token can end the search.
func TestServe(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs a search")
	}
	t.Parallel()
	c, base, token := servedSearch(t, io.Discard, "--time", "60s", "--serve-write")
	status, page := answered(t, "GET", base+"/", "")
	for _, want := range []string{`id="live"`, "Gear shop", `<section id="operations"`, "connect-src 'self'", "sonde search --demo"} {
		if status != 200 || !strings.Contains(page, want) {
			t.Errorf("status %d, %q is missing", status, want)
		}
	}
	if strings.Contains(page, token) {
		t.Error("the page has the token")
	}
	const stop = `{"do": "stop"}`
	for name, refused := range map[string][]string{
		"another host":   {"X-Sonde-Token", token, "Content-Type", "application/json", "Host", "evil.example:80"},
		"another origin": {"X-Sonde-Token", token, "Content-Type", "application/json", "Origin", "http://evil.example"},
		"no token":       {"Content-Type", "application/json"},
	} {
		if status, _ := answered(t, "POST", base+"/command", stop, refused...); status < 400 {
			t.Errorf("%s: got %d", name, status)
		}
	}
	if status, _ := answered(t, "GET", base+"/events", "", "Origin", "http://evil.example"); status != 403 {
		t.Errorf("events for another origin: got %d", status)
	}
	var text string
	status, text = answered(t, "POST", base+"/command", stop, "X-Sonde-Token", token, "Content-Type", "application/json")
	if status != 204 {
		t.Fatalf("got %d %s", status, text)
	}
	if err := c.Wait(); c.ProcessState.ExitCode() > 3 {
		t.Errorf("the search ends with %v", err)
	}
}

// Bad addresses and flags are refused before anything is called.
func TestServeRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"--serve :8080", "give one such as 127.0.0.1:0"},
		{"--serve nowhere", "give one such as 127.0.0.1:0"},
		{"--serve-write", "--serve-write needs --serve ADDR"},
	} {
		cmd := bounded(t, program(t), append([]string{"search", "--demo"}, strings.Fields(c[0])...)...)
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), c[1]) {
			t.Errorf("%s: exit code %d, %s", c[0], cmd.ProcessState.ExitCode(), out)
		}
	}
}

// BenchmarkServe compares the pace of a search without readers of its page, and with twenty that stopped reading.
func BenchmarkServe(b *testing.B) {
	for _, readers := range []int{0, 20} {
		b.Run(fmt.Sprintf("readers=%d", readers), func(b *testing.B) {
			var rate float64
			for b.Loop() {
				out := new(bytes.Buffer)
				c, base, _ := servedSearch(b, out, "--calls", "20000", "--json")
				host := strings.TrimPrefix(base, "http://")
				for range readers {
					conn, err := net.Dial("tcp", host)
					if err != nil {
						b.Fatal(err)
					}
					defer conn.Close()
					if _, err := fmt.Fprintf(conn, "GET /events HTTP/1.1\r\nHost: %s\r\n\r\n", host); err != nil {
						b.Fatal(err)
					}
				}
				if err := c.Wait(); c.ProcessState.ExitCode() > 1 {
					b.Fatal(err)
				}
				var report struct{ Summary model.Summary }
				if err := json.Unmarshal(out.Bytes(), &report); err != nil {
					b.Fatal(err)
				}
				rate += report.Summary.Rate
			}
			b.ReportMetric(rate/float64(b.N), "calls/s")
		})
	}
}
