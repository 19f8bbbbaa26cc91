package live

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sonde/model"
)

// fakeSearch is a search whose calls are counted by the test.
type fakeSearch struct {
	calls   atomic.Int64
	phase   atomic.Value
	mu      sync.Mutex
	changes []model.TuningChange
	stopped atomic.Bool
}

func newFakeSearch() *fakeSearch {
	f := &fakeSearch{}
	f.phase.Store(model.PhaseRunning)
	return f
}

func (f *fakeSearch) Snapshot() model.Snapshot {
	return model.Snapshot{
		Phase: f.phase.Load().(model.RunPhase), Used: 0.25,
		Summary: model.Summary{Calls: int(f.calls.Load()), Budget: 1000, Covered: 3, Targets: 9},
		Tuning:  model.DefaultTuning(),
	}
}
func (f *fakeSearch) Pause()  { f.phase.Store(model.PhasePaused) }
func (f *fakeSearch) Resume() { f.phase.Store(model.PhaseRunning) }
func (f *fakeSearch) Stop()   { f.stopped.Store(true) }
func (f *fakeSearch) Tune(c model.TuningChange) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changes = append(f.changes, c)
}

// started starts a server for a search.
func started(t testing.TB, search Search, write bool) (s *Server, base, token string) {
	t.Helper()
	s, err := Start(search, Options{Addr: "127.0.0.1:0", Write: write, Page: func(last model.Snapshot) ([]byte, error) {
		return fmt.Appendf(nil, "<p>%d calls</p>", last.Summary.Calls), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	token = strings.TrimPrefix(u.Fragment, "token=")
	u.Fragment = ""
	return s, strings.TrimSuffix(u.String(), "/"), token
}

// ask sends a request with headers, of which "Host" sets the host, and returns the status and the body.
func ask(t testing.TB, method, target, body string, headers map[string]string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range headers {
		if name == "Host" {
			r.Host = value
		}
		r.Header.Set(name, value)
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
	return answer.StatusCode, string(text), answer.Header
}

// navigation returns the headers of a navigation that another site has caused.
func navigation(to string) map[string]string {
	return map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": to}
}

// Only requests of the page itself, of the address bar and of programs are answered, and only at the server's own address.
func TestGuard(t *testing.T) {
	t.Parallel()
	s, base, _ := started(t, newFakeSearch(), false)
	defer s.Close()
	port := base[strings.LastIndexByte(base, ':'):]
	for name, c := range map[string]struct {
		path    string
		headers map[string]string
		want    int
	}{
		"program":              {"/", nil, 200},
		"localhost":            {"/", map[string]string{"Host": "localhost" + port}, 200},
		"address bar":          {"/", map[string]string{"Sec-Fetch-Site": "none"}, 200},
		"the page":             {"/", map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": base}, 200},
		"a link":               {"/", navigation("document"), 200},
		"another name":         {"/", map[string]string{"Host": "evil.example" + port}, 421},
		"another port":         {"/", map[string]string{"Host": "127.0.0.1:1"}, 421},
		"no port":              {"/", map[string]string{"Host": "127.0.0.1"}, 421},
		"another origin":       {"/", map[string]string{"Origin": "http://evil.example"}, 403},
		"no origin":            {"/", map[string]string{"Origin": "null"}, 403},
		"another local origin": {"/", map[string]string{"Origin": "http://127.0.0.1:1"}, 403},
		"a script elsewhere":   {"/", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}, 403},
		"a frame":              {"/", navigation("iframe"), 403},
		"events for others":    {"/events", map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		"another path":         {"/etc/passwd", nil, 404},
	} {
		status, _, header := ask(t, "GET", base+c.path, "", c.headers)
		if status != c.want {
			t.Errorf("%s: got %d, want %d", name, status, c.want)
		}
		if header.Get("Access-Control-Allow-Origin") != "" || header.Get("X-Content-Type-Options") != "nosniff" ||
			header.Get("Content-Security-Policy") != "frame-ancestors 'none'" {
			t.Errorf("%s: got %v", name, header)
		}
	}
}

// A command needs --serve-write, the token, JSON and values in range.
func TestCommands(t *testing.T) {
	t.Parallel()
	search := newFakeSearch()
	s, base, token := started(t, search, true)
	defer s.Close()
	const pause = `{"do": "pause"}`
	with := func(token, media string) map[string]string {
		return map[string]string{"X-Sonde-Token": token, "Content-Type": media}
	}
	for _, c := range []struct {
		name, body string
		headers    map[string]string
		want       int
	}{
		{"no token", pause, map[string]string{"Content-Type": "application/json"}, 401},
		{"wrong token", pause, with(token+"x", "application/json"), 401},
		{"a form", pause, with(token, "text/plain"), 415},
		{"no JSON", "pause", with(token, "application/json"), 400},
		{"too long", `{"do": "` + strings.Repeat("x", 1<<16) + `"}`, with(token, "application/json"), 400},
		{"unknown", `{"do": "delete"}`, with(token, "application/json"), 422},
		{"unknown knob", `{"change": {"knob": "speed", "value": 1}}`, with(token, "application/json"), 422},
		{"out of range", `{"change": {"knob": "smart", "value": 1.5}}`, with(token, "application/json"), 422},
		{"no whole number", `{"change": {"knob": "population", "value": 1.5}}`, with(token, "application/json"), 422},
	} {
		if status, text, _ := ask(t, "POST", base+"/command", c.body, c.headers); status != c.want {
			t.Errorf("%s: got %d %s, want %d", c.name, status, text, c.want)
		}
	}
	if search.phase.Load() != model.PhaseRunning || len(search.changes) > 0 || search.stopped.Load() {
		t.Fatal("a refused command took effect")
	}
	for _, body := range []string{pause, `{"change": {"knob": "smart", "value": 0.9}}`, `{"do": "stop"}`} {
		if status, text, _ := ask(t, "POST", base+"/command", body, with(token, "application/json")); status != 204 {
			t.Errorf("%s: got %d %s", body, status, text)
		}
	}
	if search.phase.Load() != model.PhasePaused || len(search.changes) != 1 || search.changes[0].Value != 0.9 || !search.stopped.Load() {
		t.Errorf("got %v, %v", search.phase.Load(), search.changes)
	}
	reading, base, _ := started(t, newFakeSearch(), false)
	defer reading.Close()
	status, text, _ := ask(t, "POST", base+"/command", pause, with("", "application/json"))
	if status != 403 || !strings.Contains(text, "--serve-write") {
		t.Errorf("got %d %s", status, text)
	}
}

// Events follow the search, and the last one says that it has ended.
func TestEvents(t *testing.T) {
	t.Parallel()
	search := newFakeSearch()
	s, base, _ := started(t, search, false)
	answer, err := http.Get(base + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	next := func() (name string, st state) {
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				name = text
			}
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				if err := json.Unmarshal([]byte(text), &st); err != nil {
					t.Fatal(err)
				}
				return name, st
			}
		}
		t.Fatalf("the events end: %v", lines.Err())
		return "", st
	}
	if name, st := next(); name != "state" || st.Calls != 0 || st.Targets != 9 || st.Write {
		t.Errorf("got %s %+v", name, st)
	}
	search.calls.Store(77)
	if name, st := next(); name != "state" || st.Calls != 77 {
		t.Errorf("got %s %+v", name, st)
	}
	search.calls.Store(99)
	search.phase.Store(model.PhaseDone)
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	if name, st := next(); name != "end" || st.Calls != 99 {
		t.Errorf("got %s %+v", name, st)
	}
	if _, page, _ := ask(t, "GET", base+"/", "", nil); page != "<p>99 calls</p>" {
		t.Errorf("the last page: got %s", page)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", strings.TrimPrefix(base, "http://")); err == nil {
		t.Error("the server still listens")
	}
}

// There is a limit of readers, and readers that do not read are dropped.
func TestReaders(t *testing.T) {
	t.Parallel()
	s, base, _ := started(t, newFakeSearch(), false)
	defer s.Close()
	for range maxClients {
		stalled(t, base)
	}
	for s.clients.Load() < maxClients {
		time.Sleep(time.Millisecond)
	}
	if status, text, _ := ask(t, "GET", base+"/events", "", nil); status != 503 || !strings.Contains(text, "close one") {
		t.Errorf("got %d %s", status, text)
	}
	if status, _, _ := ask(t, "GET", base+"/", "", nil); status != 200 {
		t.Errorf("the page: got %d", status)
	}
}

// stalled opens a connection that asks for events and never reads them.
func stalled(t testing.TB, base string) {
	t.Helper()
	host := strings.TrimPrefix(base, "http://")
	c, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := fmt.Fprintf(c, "GET /events HTTP/1.1\r\nHost: %s\r\n\r\n", host); err != nil {
		t.Fatal(err)
	}
}

func TestCheckAddr(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"", ":8080", "8080", "127.0.0.1", "127.0.0.1:http", "127.0.0.1:99999"} {
		if err := CheckAddr(addr); err == nil || !strings.Contains(err.Error(), "127.0.0.1:0") {
			t.Errorf("%q: got %v", addr, err)
		}
	}
	for _, addr := range []string{"127.0.0.1:0", "[::1]:8080", "0.0.0.0:80"} {
		if err := CheckAddr(addr); err != nil {
			t.Error(err)
		}
	}
}

// A server on all addresses is called by an address, not by a name.
func TestHosts(t *testing.T) {
	t.Parallel()
	h := newHosts(&net.TCPAddr{IP: net.IPv4zero, Port: 80})
	for host, want := range map[string]bool{
		"127.0.0.1:80": true, "192.168.1.5:80": true, "[::1]:80": true,
		"localhost:80": false, "evil.example:80": false, "192.168.1.5:81": false,
	} {
		if h.allow(host) != want {
			t.Errorf("%s: got %t", host, !want)
		}
	}
}

// A page is made at most every two seconds, and once more at the end.
func TestPageCache(t *testing.T) {
	t.Parallel()
	made := 0
	fails := errors.New("broken")
	phase := model.PhaseRunning
	c := pageCache{write: func(model.Snapshot) ([]byte, error) {
		made++
		if made == 3 {
			return nil, fails
		}
		return []byte{byte(made)}, nil
	}}
	get := func() ([]byte, error) { return c.get(func() model.Snapshot { return model.Snapshot{Phase: phase} }) }
	for range 3 {
		if page, err := get(); err != nil || page[0] != 1 {
			t.Errorf("got %v, %v", page, err)
		}
	}
	phase = model.PhaseDone
	for range 2 {
		if page, err := get(); err != nil || page[0] != 2 {
			t.Errorf("got %v, %v", page, err)
		}
	}
	phase = model.PhasePaused
	if _, err := get(); !errors.Is(err, fails) {
		t.Errorf("got %v", err)
	}
}
