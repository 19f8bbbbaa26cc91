package record

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"sonde/model"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// ask makes a service call a host, and passes on some of the request's headers.
func ask(c *http.Client, r *http.Request, host, path string, pass ...string) (int, string) {
	out, err := http.NewRequestWithContext(
		r.Context(),
		"POST",
		"http://"+host+path,
		strings.NewReader(`{"of":"`+r.URL.Path+`"}`),
	)
	if err != nil {
		return 0, err.Error()
	}
	for _, name := range pass {
		if v := r.Header.Get(name); v != "" {
			out.Header.Set(name, v)
		}
	}
	res, err := c.Do(out)
	if err != nil {
		return 0, err.Error()
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(text)
}

func TestWhatPasses(t *testing.T) {
	pay := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Host", r.Host)
		io.WriteString(w, `{"receipt":"r1"}`)
	}))
	c := clientFor(t)
	s := monitor(t, Options{}, []string{pay}, func(outs []string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, said := ask(c, r, outs[0], "/charges/17?a=b;c", "Traceparent")
			w.Header().Set("Trailer", "X-End")
			w.WriteHeader(201)
			io.WriteString(w, said+r.Host+r.Header.Get("X-Forwarded-For"))
			w.Header().Set("X-End", "yes")
		})
	})
	res, text := call(t, clientFor(t), "POST", s.in+"/orders?x=%zz", `{"a":1}`, "X-Forwarded-For", "10.0.0.1")
	if want := `{"receipt":"r1"}` + host(t, s.in) + "10.0.0.1"; res.StatusCode != 201 || text != want ||
		res.Trailer.Get("X-End") != "yes" {
		t.Errorf("%d %q, trailer %v; want %q", res.StatusCode, text, res.Trailer, want)
	}
	served, sent, notes := s.sink.all()
	if len(served) != 1 || len(sent) != 1 || len(notes) != 0 {
		t.Fatalf("%d served, %d sent, notes %q", len(served), len(sent), notes)
	}
	in, out := served[0], sent[0]
	if !reflect.DeepEqual(in.Reply.Trailer, map[string][]string{"X-End": {"yes"}}) {
		t.Errorf("the trailer is %v", in.Reply.Trailer)
	}
	if in.Request.Op != "POST /orders" || in.Request.URL != "/orders?x=%zz" ||
		string(
			in.Request.Body,
		) != `{"a":1}` || in.Reply.Status != 201 || string(in.Reply.Body) != text || in.Err != nil {
		t.Errorf("served %+v", in)
	}
	if out.Host != s.outs[0] || out.Name != host(t, pay) || out.Protocol != model.HTTP || out.Request.URL != "/charges/17?a=b;c" ||
		string(out.Request.Body) != `{"of":"/orders"}` || out.Reply.Header["X-Host"][0] != host(t, pay) ||
		out.CauseID != in.ID ||
		out.Attribution != model.AttributedByTrace {
		t.Errorf("sent %+v", out)
	}
	for _, h := range []map[string][]string{in.Request.Header, out.Request.Header} {
		if h["Traceparent"] != nil || h["X-B3-Traceid"] != nil || h["B3"] != nil {
			t.Errorf("the trace is recorded: %v", h)
		}
	}
	if out.At.Before(in.At) || out.EndTime().After(in.EndTime()) {
		t.Errorf("in %v to %v, out %v to %v", in.At, in.EndTime(), out.At, out.EndTime())
	}
}

// With 10 clients at once, each form of trace context identifies the requests that caused the outward calls.
func TestCausesByTrace(t *testing.T) {
	if testing.Short() {
		t.Skip("it sends 800 requests")
	}
	hosts := []string{}
	for range 3 {
		hosts = append(
			hosts,
			serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })),
		)
	}
	c := clientFor(t)
	forms := []string{"Traceparent", "B3", "X-B3-Traceid"}
	s := monitor(t, Options{}, hosts, func(outs []string) http.Handler {
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			var all sync.WaitGroup
			for i, form := range forms {
				all.Go(func() { ask(c, r, outs[i], r.URL.Path, form) })
			}
			all.Wait()
		})
	})
	var users sync.WaitGroup
	for u := range 10 {
		users.Go(func() {
			c := clientFor(t)
			for i := range 20 {
				if _, _, err := try(
					c, "GET", fmt.Sprintf("%s/orders/%d-%d", s.in, u, i), "", "Traceparent",
					fmt.Sprintf("00-%032x-%016x-01", u*100+i+1, 1),
				); err != nil {
					t.Error(err)
				}
			}
		})
	}
	users.Wait()
	served, sent, _ := s.sink.all()
	if len(served) != 200 || len(sent) != 600 {
		t.Fatalf("%d served, %d sent", len(served), len(sent))
	}
	by := map[string]string{}
	for _, x := range served {
		by[x.ID] = `{"of":"` + x.Request.URL + `"}`
	}
	for _, x := range sent {
		if x.Attribution != model.AttributedByTrace || string(x.Request.Body) != by[x.CauseID] {
			t.Errorf("%s was sent for %s, %s", x.Request.Body, by[x.CauseID], x.Attribution)
		}
	}
}

// A client's trace context is restored in outward calls and in the reply.
func TestClientsTrace(t *testing.T) {
	var got http.Header
	dep := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header.Clone() }))
	c := clientFor(t)
	s := monitor(t, Options{}, []string{dep}, func(outs []string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ask(c, r, outs[0], "/", "Traceparent", "B3", "X-B3-Traceid")
			w.Header().Set("X-Trace-Id", r.Header.Get("X-B3-Traceid"))
		})
	})
	own := strings.Repeat("c1", 16)
	res, _ := call(
		t,
		clientFor(t),
		"GET",
		s.in+"/products",
		"",
		"Traceparent",
		"00-"+own+"-00000000000000aa-01",
		"Tracestate",
		"v=1",
	)
	if !strings.HasPrefix(got.Get("Traceparent"), "00-"+own+"-") || got.Get("Tracestate") != "v=1" ||
		got.Get(
			"X-B3-Traceid",
		) != own || !strings.HasPrefix(got.Get("B3"), own) || res.Header.Get("X-Trace-Id") != own {
		t.Errorf("outward %v, back %v", got, res.Header)
	}
	old := strings.Repeat("d2", 8)
	call(t, clientFor(t), "GET", s.in+"/products", "", "X-B3-Traceid", old)
	if got.Get("X-B3-Traceid") != old || !strings.HasPrefix(got.Get("Traceparent"), "00-0000000000000000"+old+"-") {
		t.Errorf("outward %v", got)
	}
}

func TestCausesWithoutTrace(t *testing.T) {
	dep := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for _, serial := range []bool{true, false} {
		t.Run(fmt.Sprint("serial ", serial), func(t *testing.T) {
			c := clientFor(t)
			meet := make(chan bool, 2)
			s := monitor(t, Options{Serial: serial}, []string{dep}, func(outs []string) http.Handler {
				return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					if !serial && r.URL.Path != "/products" {
						meet <- true
						until(t, "both", func() bool { return len(meet) == 2 })
					}
					ask(c, r, outs[0], r.URL.Path)
				})
			})
			call(t, clientFor(t), "GET", s.in+"/products", "")
			var both sync.WaitGroup
			for i := range 2 {
				both.Go(func() { call(t, clientFor(t), "GET", fmt.Sprint(s.in, "/orders/", i), "") })
			}
			both.Wait()
			served, sent, _ := s.sink.all()
			by := map[string]string{"": "none"}
			for _, x := range served {
				by[x.ID] = x.Request.URL
			}
			for _, x := range sent {
				want, attribution := x.Request.URL, model.AttributedBySerial
				switch {
				case !serial && want == "/products":
					attribution = model.AttributedByTime
				case !serial && x.Attribution == "":
					want, attribution = "none", ""
				case !serial:
					attribution = model.AttributedByTime // the other request had ended when the call was made
				}
				if by[x.CauseID] != want || x.Attribution != attribution {
					t.Errorf("%s was sent for %s, %q", x.Request.URL, by[x.CauseID], x.Attribution)
				}
			}
			if len(sent) != 3 || len(served) != 3 {
				t.Errorf("%d served, %d sent", len(served), len(sent))
			}
		})
	}
}

// If the connection to the service breaks, the client's connection breaks in the same way.
func TestBroken(t *testing.T) {
	raw := func(how func(net.Conn)) string {
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
				// Closing the connection with unread data would reset it.
				if r, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
					io.Copy(io.Discard, r.Body)
				}
				how(c)
				c.Close()
			}
		}()
		return "http://" + l.Addr().String()
	}
	for _, c := range []struct{ name, to, body, seen, kept string }{
		{"refused", closed(), "", "connection reset", "connection refused"},
		{"reset", raw(func(c net.Conn) { c.(*net.TCPConn).SetLinger(0) }), "", "connection reset", "connection reset"},
		{"closed", raw(func(net.Conn) {}), "", "EOF", "EOF"},
		{
			"cut in the body",
			raw(func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc") }), "abc",
			"unexpected EOF", "broke off after 3 bytes: unexpected EOF",
		},
		{"reset in the body", raw(func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
			time.Sleep(500 * time.Millisecond) // lets the client read the answer before the reset, which would discard it
			c.(*net.TCPConn).SetLinger(0)
		}), "abc", "connection reset", "broke off after 3 bytes: connection reset"},
		{"cut in a chunk", raw(func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab")
		}), "ab", "unexpected EOF", "broke off after 2 bytes: unexpected EOF"},
		{"no HTTP", raw(func(c net.Conn) { io.WriteString(c, "hello\r\n\r\n") }), "", "EOF", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := monitor(t, Options{}, []string{c.to}, func([]string) http.Handler { return http.NotFoundHandler() })
			_, text, err := try(clientFor(t), "POST", "http://"+s.outs[0]+"/charge", "{}")
			if err == nil || !strings.Contains(err.Error(), c.seen) || text != c.body {
				t.Errorf("the service sees %q, %v; want %q", text, err, c.seen)
			}
			until(t, "the call", func() bool { _, sent, _ := s.sink.all(); return len(sent) == 1 })
			_, sent, _ := s.sink.all()
			if x := sent[0]; x.Err == nil || !strings.Contains(x.Err.Error(), c.kept) ||
				string(x.Reply.Body) != c.body || string(x.Request.Body) != "{}" && !x.Request.Truncated {
				t.Errorf("kept %+v", x)
			}
		})
	}
}

// If a client leaves, its request to the service is cancelled.
func TestClientThatLeaves(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	gone := make(chan bool)
	s := monitor(t, Options{}, nil, func([]string) http.Handler {
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			leave()
			<-r.Context().Done()
			close(gone)
		})
	})
	req, err := http.NewRequestWithContext(ctx, "GET", s.in+"/products", nil)
	if err != nil {
		t.Fatal(err)
	}
	if res, err := clientFor(t).Do(req); err == nil {
		res.Body.Close()
		t.Error("there was an answer")
	}
	select {
	case <-gone:
	case <-time.After(far):
		t.Fatal("the service still works")
	}
	until(t, "the request", func() bool { served, _, _ := s.sink.all(); return len(served) == 1 })
	if served, _, _ := s.sink.all(); served[0].Err == nil || !strings.Contains(served[0].Err.Error(), "left before") {
		t.Errorf("error %v", served[0].Err)
	}
}

// A body that is sent in parts is relayed in parts.
func TestStreams(t *testing.T) {
	next := make(chan bool)
	s := monitor(t, Options{}, nil, func([]string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for i := range 3 {
				fmt.Fprintf(w, "data: %d\n", i)
				w.(http.Flusher).Flush()
				<-next
			}
		})
	})
	res, err := clientFor(t).Get(s.in + "/products")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	lines := bufio.NewReader(res.Body)
	for i := range 3 {
		if line, err := lines.ReadString('\n'); err != nil || line != fmt.Sprintf("data: %d\n", i) {
			t.Fatalf("%q, %v", line, err)
		}
		next <- true
	}
	if _, err := lines.ReadByte(); err != io.EOF {
		t.Error(err)
	}
	if served, _, _ := s.sink.all(); len(served) != 1 || string(served[0].Reply.Body) != "data: 0\ndata: 1\ndata: 2\n" {
		t.Errorf("%+v", served)
	}
}

// An exchange is written before the client gets the end of the answer.
func TestExchangeIsStoredBeforeItsEnd(t *testing.T) {
	for _, chunked := range []bool{false, true} {
		s := monitor(t, Options{}, nil, func([]string) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if chunked {
					w.(http.Flusher).Flush()
				}
				io.WriteString(w, "ok")
			})
		})
		c := clientFor(t)
		for i := range 200 {
			call(t, c, "GET", s.in+"/products", "")
			if served, _, _ := s.sink.all(); len(served) != i+1 {
				t.Fatalf("%d served of %d", len(served), i+1)
			}
		}
	}
}

func TestHTTP2(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits")
	}
	t.Parallel() // the test waits for real time
	dep := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) }))
	two := &http.Transport{Protocols: new(http.Protocols)}
	two.Protocols.SetUnencryptedHTTP2(true)
	t.Cleanup(two.CloseIdleConnections)
	c := &http.Client{Transport: two}
	s := monitor(t, Options{}, []string{dep, closed()}, func(outs []string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/products" {
				_, text := ask(c, r, outs[1], "/", "Traceparent")
				fmt.Fprint(w, text != "")
				return
			}
			_, text := ask(c, r, outs[0], "/", "Traceparent")
			io.WriteString(w, r.Proto+" "+text)
		})
	})
	if _, text := call(t, c, "POST", s.in+"/orders", "x"); text != "HTTP/2.0 HTTP/2.0" {
		t.Errorf("got %q", text)
	}
	if _, text := call(t, c, "GET", s.in+"/products", ""); text != "true" {
		t.Errorf("got %q", text)
	}
	served, sent, _ := s.sink.all()
	if len(served) != 2 || len(sent) != 2 || served[0].Reply.Proto != "HTTP/2.0" || sent[0].CauseID != served[0].ID ||
		sent[1].Err == nil {
		t.Errorf("served %+v, sent %+v", served, sent)
	}
}

func TestUpgrade(t *testing.T) {
	s := monitor(t, Options{}, nil, func([]string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			c, b, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
			line, _ := b.ReadString('\n')
			io.WriteString(c, "echo "+line)
		})
	})
	c, err := net.Dial("tcp", host(t, s.in))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "GET /products HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
	b := bufio.NewReader(c)
	res, err := http.ReadResponse(b, nil)
	if err != nil || res.StatusCode != 101 {
		t.Fatalf("%v, %v", res, err)
	}
	io.WriteString(c, "hello\n")
	if line, err := b.ReadString('\n'); line != "echo hello\n" {
		t.Errorf("%q, %v", line, err)
	}
	if served, _, notes := s.sink.all(); len(served) != 0 || len(notes) != 1 ||
		!strings.Contains(notes[0], "WebSocket") || !strings.Contains(notes[0], "not recorded") {
		t.Errorf("served %v, notes %q", served, notes)
	}
}

// packed returns a text in each of the encodings.
func packed(t *testing.T, text string) map[string]string {
	all := map[string]string{}
	for name, open := range map[string]func(io.Writer) io.WriteCloser{
		"gzip":    func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"br":      func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) },
		"zstd":    func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z },
		"deflate": func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) },
	} {
		var b bytes.Buffer
		z := open(&b)
		io.WriteString(z, text)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		all[name] = b.String()
	}
	return all
}

// The client gets the bytes that the service sent. The stored body is decoded.
func TestEncoded(t *testing.T) {
	const text = `{"a":"of some length, so that there is something to make shorter, shorter, shorter"}`
	bodies := packed(t, text)
	s := monitor(t, Options{}, nil, func([]string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			encoding := strings.TrimPrefix(r.URL.Path, "/orders/")
			w.Header().Set("Content-Encoding", encoding)
			body := bodies[encoding]
			io.WriteString(w, body[:len(body)-len(r.URL.RawQuery)])
		})
	})
	c := clientFor(t)
	for encoding, body := range bodies {
		if _, got := call(t, c, "GET", s.in+"/orders/"+encoding, ""); got != body {
			t.Errorf("%s: got %q", encoding, got)
		}
		call(t, c, "GET", s.in+"/orders/"+encoding+"?cut", "")
		served, _, notes := s.sink.all()
		whole, cut := served[len(served)-2].Reply, served[len(served)-1].Reply
		if string(whole.Body) != text || whole.Header["Content-Encoding"] != nil ||
			whole.Header["Content-Length"] != nil || whole.Truncated {
			t.Errorf("%s: kept %+v", encoding, whole)
		}
		if !strings.HasPrefix(text, string(cut.Body)) || !cut.Truncated || len(notes) != len(served)/2 {
			t.Errorf("%s: kept %+v, notes %q", encoding, cut, notes)
		}
	}
}

// An unsupported encoding is not offered. If a service uses it all the same, the body is not
// stored.
func TestUnsupportedEncoding(t *testing.T) {
	s := monitor(t, Options{}, nil, func([]string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "compress")
			io.WriteString(w, r.Header.Get("Accept-Encoding"))
		})
	})
	if _, text := call(
		t, clientFor(t), "GET", s.in+"/products", "", "Accept-Encoding", "compress, br, dcb, gzip;q=0.5, zstd",
	); text != "br, gzip;q=0.5, zstd" {
		t.Errorf("got %q", text)
	}
	served, _, notes := s.sink.all()
	if r := served[0].Reply; len(r.Body) != 0 || !r.Truncated || len(notes) != 1 {
		t.Errorf("kept %+v, notes %q", r, notes)
	}
}

// The size of a decoded body is limited, in each encoding.
func TestDecodedSizeIsBounded(t *testing.T) {
	for encoding, body := range packed(t, strings.Repeat("0", maxBody+1)) {
		if data, cut, err := decode(capture{data: []byte(body)}, encoding); len(data) != maxBody || !cut ||
			err != nil {
			t.Errorf("%s: %d bytes of %d, cut %v, %v", encoding, len(data), len(body), cut, err)
		}
	}
}

// 100 MB are relayed in both directions, and the beginning is stored.
func TestLargeBody(t *testing.T) {
	if testing.Short() {
		t.Skip("it sends 100 MB")
	}
	const size = 100 << 20
	s := monitor(t, Options{}, nil, func([]string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.NewResponseController(w).EnableFullDuplex()
			io.Copy(w, r.Body)
		})
	})
	var most uint64
	count := &counter{each: func() {
		runtime.GC() // without it, the figure depends on how often the collector ran
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
	}}
	res, err := clientFor(t).Post(s.in+"/orders", "text/plain", io.LimitReader(endless{}, size))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if n, err := io.Copy(count, res.Body); n != size || err != nil {
		t.Fatalf("%d bytes, %v", n, err)
	}
	served, _, notes := s.sink.all()
	if x := served[0]; len(x.Request.Body) != maxBody || !x.Request.Truncated || len(x.Reply.Body) != maxBody ||
		!x.Reply.Truncated {
		t.Errorf("%d and %d bytes are kept", len(x.Request.Body), len(x.Reply.Body))
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "16 MB") {
		t.Errorf("notes %q", notes)
	}
	if most > 100<<20 {
		t.Errorf("%d MB of memory", most>>20)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// counter calls a function each time that more than 4 MiB have been written to it.
type counter struct {
	n    int
	each func()
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += len(p)
	if c.n > 4<<20 {
		c.each()
		c.n = 0
	}
	return len(p), nil
}

func TestHeaderBomb(t *testing.T) {
	s := monitor(t, Options{}, nil, func([]string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Bomb", strings.Repeat("x", 2<<20))
		})
	})
	c := clientFor(t)
	if res, _, err := try(c, "GET", s.in+"/products", "", "X-Bomb", strings.Repeat("x", 2<<20)); err == nil &&
		res.StatusCode != 431 {
		t.Errorf("status %d", res.StatusCode)
	}
	if _, _, err := try(c, "GET", s.in+"/products", ""); err == nil {
		t.Error("the bomb went through")
	}
	served, _, _ := s.sink.all()
	if len(served) != 1 || served[0].Err == nil || !strings.Contains(served[0].Err.Error(), "header") {
		t.Errorf("served %+v", served)
	}
}

// The error distinguishes a connection that was not established in time from an answer that did not come.
func TestLate(t *testing.T) {
	for op, want := range map[string]string{"dial": "the connection was not established in time", "read": "i/o timeout"} {
		if got := withoutAddresses(&net.OpError{Op: op, Net: "tcp", Err: os.ErrDeadlineExceeded}).Error(); got != want {
			t.Errorf("%s: %q, want %q", op, got, want)
		}
	}
}
