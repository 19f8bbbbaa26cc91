//go:build unix

package netsim_test

import (
	"bufio"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/network/netsim"
	"sonde/runner/testdata/port"
)

// recorded is a service that is recorded, with the outward calls that were delivered.
type recorded struct {
	t   *testing.T
	r   *netsim.Recorder
	url string

	mu    sync.Mutex
	sent  []model.OutwardCall
	notes []string
}

// record starts testdata/outward, or another program, on the network of a Recorder.
func record(t *testing.T, o netsim.RelayOptions, env []string, command ...string) *recorded {
	t.Helper()
	skipShort(t)
	r := &recorded{t: t}
	o.Deliver = func(s model.OutwardCall) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.sent = append(r.sent, s)
	}
	o.Note = func(text string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.notes = append(r.notes, text)
	}
	var err error
	r.r, err = netsim.NewRecorder(o)
	if err != nil {
		t.Fatal(err)
	}
	if len(command) == 0 {
		command = []string{binary(t, outward)}
	}
	c := exec.Command(command[0], command[1:]...)
	c.Env, c.Stderr = append(os.Environ(), env...), os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	entered, err := r.r.PrepareCommand(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := entered(c.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); c.Process.Kill(); c.Wait(); r.r.Close() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	r.url = strings.TrimSpace(line)
	return r
}

// ask sends a request with an ID to the service, and returns its answer.
func (r *recorded) ask(id, path string) (string, int) {
	r.t.Helper()
	req, err := http.NewRequest("GET", r.url+path, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	if id != "" {
		req.Header.Set("Traceparent", "00-"+id+"-00f067aa0ba902b7-01")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Error(err)
		return "", 0
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	return string(body), res.StatusCode
}

// id returns the ID of the nth request.
func id(n int) string { return fmt.Sprintf("%032x", n) }

// outwardCalls waits until n outward calls were delivered, and returns them.
func (r *recorded) outwardCalls(n int) []model.OutwardCall {
	r.t.Helper()
	for range 2400 {
		r.mu.Lock()
		all := r.sent
		r.mu.Unlock()
		if len(all) >= n {
			return all
		}
		time.Sleep(25 * time.Millisecond)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.t.Fatalf("heard %d of %d: %+v; notes %q", len(r.sent), n, r.sent, r.notes)
	return nil
}

// words returns the content that the service sent in an outward call.
func words(s model.OutwardCall) string {
	if s.Protocol == model.HTTP {
		return string(s.Request.Body)
	}
	var all []string
	for _, turn := range s.Messages {
		all = append(all, strings.TrimSpace(string(turn.Request)))
	}
	return strings.Join(all, " ")
}

// world has the addresses of servers that the service calls.
type world struct {
	pay, two, feed, mail, meter string
}

func newWorld(t *testing.T) world {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Sonde-Request"); got != "" {
			t.Errorf("the host saw %q", got)
		}
		said, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Proto", r.Proto)
		fmt.Fprintf(w, "paid %s", said)
	})
	mux.HandleFunc("/upgrade", func(w http.ResponseWriter, _ *http.Request) {
		c, in, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		line, _ := in.ReadString('\n')
		io.WriteString(c, line)
	})
	pay := httptest.NewServer(mux)
	t.Cleanup(pay.Close)
	two := httptest.NewUnstartedServer(mux)
	two.Config.Protocols = new(http.Protocols)
	two.Config.Protocols.SetUnencryptedHTTP2(true)
	two.Start()
	t.Cleanup(two.Close)
	feed := listen(t, func(c net.Conn) {
		for in := bufio.NewScanner(c); in.Scan(); {
			fmt.Fprintf(c, "fed %s\n", in.Text())
		}
		c.Close()
	})
	mail := listen(t, func(c net.Conn) {
		fmt.Fprintln(c, "220 hello")
		said, _ := io.ReadAll(c)
		fmt.Fprintf(c, "250 %s", said)
		c.Close()
	})
	return world{pay: pay.URL, two: two.URL, feed: "tcp://" + feed, mail: "tcp://" + mail, meter: "udp://" + echoes(t)}
}

func listen(t *testing.T, each func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go each(c)
		}
	}()
	return l.Addr().String()
}

// echoes starts a server that answers datagrams, and returns its address.
func echoes(t *testing.T) string {
	t.Helper()
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	go func() {
		for b := make([]byte, 100); ; {
			n, from, err := c.ReadFrom(b)
			if err != nil {
				return
			}
			c.WriteTo([]byte("got "+string(b[:n])), from)
		}
	}()
	return c.LocalAddr().String()
}

func (w world) relay() netsim.RelayOptions {
	return netsim.RelayOptions{Locations: map[string]string{
		"pay.example:80":     w.pay,
		"two.example:8080":   w.two,
		"feed.example:7000":  w.feed,
		"mail.example:25":    w.mail,
		"meter.example:8125": w.meter,
	}}
}

// The recorder forwards the data of a service to the location of the host, and delivers the data together with the
// answer.
func TestRecord(t *testing.T) {
	r := record(t, newWorld(t).relay(), nil)
	for i, c := range []struct{ kind, answer, host, words, received string }{
		{"/post", "paid key1", "pay.example:80", "key1", "paid key1"},
		{"/two", "paid key2", "two.example:8080", "key2", "paid key2"},
		{"/own", "fed key3\n", "feed.example:7000", "key3", "fed key3\n"},
		{"/greeted", "220 hello\n250 key4\n", "mail.example:25", " key4", "220 hello\n250 key4\n"},
		{"/udp", "got key5 from " + own("meter.example") + ":8125", "meter.example:8125", "key5", "got key5"},
		{"/open", "sent", "meter.example:8125", "key6", ""},
		{"/context", "paid key7", "pay.example:80", "key7", "paid key7"},
	} {
		if said, status := r.ask(id(i+1), fmt.Sprintf("%s?key=key%d", c.kind, i+1)); said != c.answer || status != 200 {
			t.Errorf("%s: %d %q, want %q", c.kind, status, said, c.answer)
		}
		s := r.outwardCalls(i + 1)[i]
		came := string(s.Reply.Body)
		for _, turn := range s.Messages {
			came += string(turn.Answer)
		}
		if s.Host != c.host || words(s) != c.words || came != c.received || s.CauseID != id(i+1) ||
			s.Attribution != model.AttributedByContext ||
			s.Err != nil {
			t.Errorf("%s: heard %+v", c.kind, s)
		}
	}
	if own, greeted := r.outwardCalls(4)[2], r.outwardCalls(4)[3]; own.Connection == "" || own.Connection == greeted.Connection {
		t.Errorf("connections %q and %q", own.Connection, greeted.Connection)
	}
	s := r.outwardCalls(1)[0]
	if s.Request.Method != "POST" || s.Request.URL != "/keys?q=1" || s.Base != "http://pay.example" ||
		s.Reply.Status != 200 || s.Reply.Proto != "HTTP/1.1" || s.Request.Header["Sonde-Request"] != nil {
		t.Errorf("heard %+v", s)
	}
}

// hastyListener accepts connections of HTTP/2. The server sends its settings at once: it does not wait for the
// client's preface.
type hastyListener struct{ net.Listener }

func (l hastyListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return &hastyConn{Conn: c, preface: strings.NewReader(http2Preface)}, err
}

const http2Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// hastyConn gives the server the preface of HTTP/2 before the client has sent the preface.
type hastyConn struct {
	net.Conn
	preface  *strings.Reader
	received bool // the client's preface was read
}

func (c *hastyConn) Read(b []byte) (int, error) {
	if c.preface.Len() > 0 {
		return c.preface.Read(b)
	}
	if !c.received {
		c.received = true
		if _, err := io.CopyN(io.Discard, c.Conn, int64(len(http2Preface))); err != nil {
			return 0, err
		}
	}
	return c.Conn.Read(b)
}

// A host of HTTP/2 may speak first, and its answers may have trailers. An answer without a body ends with its header.
// The service then gets an answer that ends in the same way, because clients of gRPC require this.
func TestRecordTrailers(t *testing.T) {
	host := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Vary"] = []string{"A", "B"}
		if said, _ := io.ReadAll(r.Body); string(said) == "none" {
			w.Header().Set("X-Status", "5")
			return
		}
		io.WriteString(w, "said")
		w.Header()[http.TrailerPrefix+"X-Status"] = []string{"0", "1"}
	}))
	host.Listener = hastyListener{host.Listener}
	host.Config.Protocols = new(http.Protocols)
	host.Config.Protocols.SetUnencryptedHTTP2(true)
	host.Start()
	t.Cleanup(host.Close)
	r := record(t, netsim.RelayOptions{Locations: map[string]string{"two.example:8080": host.URL}}, nil)
	for i, c := range []struct {
		key, answer     string
		header, trailer []string
	}{
		{"some", "said", nil, []string{"0", "1"}},
		{"none", "", []string{"5"}, nil},
	} {
		if said, status := r.ask(id(i+1), "/two?key="+c.key); said != c.answer || status != 200 {
			t.Errorf("%s: %d %q, want %q", c.key, status, said, c.answer)
		}
		s := r.outwardCalls(i + 1)[i]
		if s.Reply.Proto != "HTTP/2.0" || !slices.Equal(s.Reply.Header["Vary"], []string{"A", "B"}) ||
			!slices.Equal(s.Reply.Header["X-Status"], c.header) || !slices.Equal(s.Reply.Trailer["X-Status"], c.trailer) {
			t.Errorf("%s: heard %+v", c.key, s.Reply)
		}
	}
}

// With ten users at once, the recorder attributes each outward call to the request whose ID is in the content of the
// call.
func TestRecordCauses(t *testing.T) {
	r := record(t, newWorld(t).relay(), nil)
	want := map[string]int{
		"/post":    1,
		"/two":     1,
		"/own":     1,
		"/shared":  1,
		"/many":    4,
		"/late":    1,
		"/udp":     1,
		"/open":    1,
		"/context": 1,
		"/labels":  2,
	}
	const rounds = 10
	var users sync.WaitGroup
	total := 0
	for user := range 10 {
		n := user * rounds * len(want)
		users.Go(func() {
			for range rounds {
				for way := range want {
					n++
					r.ask(id(n), way+"?key="+id(n))
				}
			}
		})
	}
	for _, n := range want {
		total += 10 * rounds * n
	}
	users.Wait()
	for _, s := range r.outwardCalls(total) {
		if s.CauseID != words(s) || s.Attribution != model.AttributedByContext {
			t.Errorf("%s %s: for %q, it was %q %s", s.Protocol, s.Host, s.CauseID, words(s), s.Attribution)
		}
	}
	if n := len(r.outwardCalls(total)); n != total {
		t.Errorf("heard %d, want %d", n, total)
	}
}

// A goroutine that one request starts may also serve later requests. The calls that it makes for later requests have no
// known cause.
func TestRecordWorkerOfAll(t *testing.T) {
	r := record(t, newWorld(t).relay(), nil)
	for n := 1; n <= 3; n++ {
		r.ask(id(n), "/worker?key="+id(n))
		r.outwardCalls(n)
	}
	all := r.outwardCalls(3)
	if all[0].CauseID != id(1) || all[1].CauseID != "" || all[2].CauseID != "" {
		t.Errorf("for %q, %q, %q", all[0].CauseID, all[1].CauseID, all[2].CauseID)
	}
}

// Outward calls for a request without a trace have no known cause.
func TestRecordWithoutTrace(t *testing.T) {
	r := record(t, newWorld(t).relay(), nil)
	r.ask("", "/post?key=a")
	r.ask("", "/own?key=b")
	r.ask(id(1), "/post?key=c")
	want := map[string]string{"a": "", "b": "", "c": id(1)} // in the order in which they end
	for _, s := range r.outwardCalls(3) {
		cause, known := want[words(s)]
		delete(want, words(s))
		if !known || s.CauseID != cause {
			t.Errorf("%s: for %q", words(s), s.CauseID)
		}
	}
}

// The trace in a header of an outward call takes precedence over the other ways to find the request that caused the
// call.
func TestRecordTrace(t *testing.T) {
	o := newWorld(t).relay()
	o.Trace = func(h map[string][]string) string { return h["Content-Type"][0] }
	r := record(t, o, nil)
	r.ask(id(1), "/post?key=a")
	if s := r.outwardCalls(1)[0]; s.CauseID != "text/plain" || s.Attribution != model.AttributedByTrace {
		t.Errorf("for %q, %s", s.CauseID, s.Attribution)
	}
}

// The service verifies the host's certificate with its own roots, although the recorder decrypts the connection.
func TestRecordSecret(t *testing.T) {
	host := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		said, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s by %s", said, r.Proto)
	}))
	host.EnableHTTP2, host.Config.ErrorLog = true, log.New(io.Discard, "", 0)
	host.StartTLS()
	t.Cleanup(host.Close)
	roots := filepath.Join(t.TempDir(), "roots.pem")
	if err := os.WriteFile(roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: host.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	at := host.Listener.Addr().String()
	r := record(t, netsim.RelayOptions{}, []string{"OWN_ROOTS=" + roots, "AT_SECRET=" + at})
	if said, _ := r.ask(id(1), "/host?url=https://"+at); !strings.Contains(
		said,
		"certificate signed by unknown authority",
	) {
		t.Errorf("it said %q", said)
	}
	if s := r.outwardCalls(1)[0]; s.Err == nil || !s.TLS || s.Host != at {
		t.Errorf("heard %+v", s)
	}
	if said, _ := r.ask(id(2), "/secret?key=key"); said != "key by HTTP/2.0" {
		t.Errorf("it said %q", said)
	}
	if s := r.outwardCalls(2)[1]; s.Base != "https://example.com" || words(s) != "key" || s.CauseID != id(2) ||
		s.Reply.Proto != "HTTP/2.0" {
		t.Errorf("heard %+v", s)
	}
}

// The service can use TLS with a host even if the recorder relays its requests to a location without TLS.
func TestRecordSecretElsewhere(t *testing.T) {
	w := newWorld(t)
	r := record(t, netsim.RelayOptions{Locations: map[string]string{"secret.example:443": w.pay}}, nil)
	if said, _ := r.ask(id(1), "/strict?key=key"); said != "paid key" {
		t.Errorf("it said %q", said)
	}
	if s := r.outwardCalls(1)[0]; !s.TLS || s.Host != "secret.example:443" || s.Base != "https://secret.example" ||
		s.CauseID != id(1) {
		t.Errorf("heard %+v", s)
	}
}

// If the host refuses a connection, the recorder delivers the outward call with the error, and the service gets this
// error, too.
func TestRecordRefused(t *testing.T) {
	r := record(t, netsim.RelayOptions{Locations: map[string]string{"down.example:80": "http://" + port.Addr()}}, nil)
	if said, _ := r.ask(id(1), "/refused?key=a"); !strings.Contains(said, "connect: connection refused") {
		t.Errorf("it said %q", said)
	}
	if s := r.outwardCalls(1)[0]; s.Host != "down.example:80" || s.Err == nil || s.CauseID != id(1) {
		t.Errorf("heard %+v", s)
	}
}

// A connection that the host resets is reset for the service, too.
func TestRecordReset(t *testing.T) {
	at := listen(t, func(c net.Conn) {
		bufio.NewReader(c).ReadString('\n')
		c.(*net.TCPConn).SetLinger(0)
		c.Close()
	})
	r := record(
		t,
		netsim.RelayOptions{
			Locations: map[string]string{"pay.example:80": "http://" + at, "feed.example:7000": "tcp://" + at},
		},
		nil,
	)
	for i, way := range []string{"/post", "/own"} {
		if said, _ := r.ask(id(i+1), way+"?key=a"); !strings.Contains(said, "connection reset by peer") {
			t.Errorf("%s: it said %q", way, said)
		}
		if s := r.outwardCalls(i + 1)[i]; !errors.Is(s.Err, syscall.ECONNRESET) || s.CauseID != id(i+1) {
			t.Errorf("%s: heard %+v", way, s)
		}
	}
}

// Calls of the service to itself and to allowed hosts are not recorded.
func TestRecordRealHosts(t *testing.T) {
	w := newWorld(t)
	o := w.relay()
	o.Allow = []string{strings.TrimPrefix(w.pay, "http://")}
	r := record(t, o, nil)
	if said, _ := r.ask(id(1), "/self?key=a"); said != "hello" {
		t.Errorf("it said %q", said)
	}
	if said, _ := r.ask(id(2), "/host?url="+w.pay+"/x"); said != "paid " {
		t.Errorf("it said %q", said)
	}
	r.ask(id(3), "/post?key=b")
	if all := r.outwardCalls(1); len(all) != 1 || all[0].CauseID != id(3) {
		t.Errorf("heard %+v", all)
	}
}

// An upgrade from HTTP to another protocol works, and a note says that its data is not recorded.
func TestRecordUpgrade(t *testing.T) {
	r := record(t, newWorld(t).relay(), nil)
	if said, _ := r.ask(id(1), "/upgrade?key=b"); said != "b\n" {
		t.Errorf("it said %q", said)
	}
	r.outwardCalls(1)
	if len(r.notes) != 1 || r.notes[0] != "what is sent by echo with pay.example:80 is not recorded" {
		t.Errorf("notes %q", r.notes)
	}
}

// The error for an invalid location names the host.
func TestRecordBadPlaces(t *testing.T) {
	for host, c := range map[string]struct{ at, want string }{
		"pay.example":    {"http://127.0.0.1:1", `"pay.example" is not a host:port, such as payments.example:443`},
		"pay.example:80": {"127.0.0.1:1", `"pay.example:80" cannot be at "127.0.0.1:1": `},
		"pay.example:81": {
			"ftp://127.0.0.1:1",
			`"pay.example:81" cannot be at "ftp://127.0.0.1:1": use http://host:port, https://, tcp:// or udp://`,
		},
		"pay.example:82": {
			"http://127.0.0.1:1/base",
			`"pay.example:82" cannot be at "http://127.0.0.1:1/base": the service chooses the path: use http://127.0.0.1:1`,
		},
		"pay.example:83": {"tcp://127.0.0.1", `"pay.example:83" cannot be at "tcp://127.0.0.1": tcp needs a port`},
	} {
		if _, err := netsim.NewRecorder(netsim.RelayOptions{Locations: map[string]string{host: c.at}}); err == nil ||
			!strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}
