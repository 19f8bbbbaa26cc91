package record

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"sonde/model"
)

// tcp starts a host that speaks TCP.
func tcp(t testing.TB, speak func(*net.TCPConn)) string {
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
			go func() {
				defer c.Close()
				speak(c.(*net.TCPConn))
			}()
		}
	}()
	return "tcp://" + l.Addr().String()
}

// counts answers each line with its number.
func counts(c *net.TCPConn) {
	lines := bufio.NewReader(c)
	for i := 1; ; i++ {
		if _, err := lines.ReadString('\n'); err != nil {
			return
		}
		fmt.Fprintf(c, "OK %d\n", i)
	}
}

func TestTCP(t *testing.T) {
	s := monitor(t, Options{Serial: true}, []string{tcp(t, counts)}, func(outs []string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			c, err := net.Dial("tcp", outs[0])
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			b := bufio.NewReader(c)
			for i := range 2 {
				fmt.Fprintf(c, "SKU %d\n", i)
				line, _ := b.ReadString('\n')
				io.WriteString(w, line)
			}
		})
	})
	if _, text := call(t, clientFor(t), "GET", s.in+"/products", ""); text != "OK 1\nOK 2\n" {
		t.Errorf("got %q", text)
	}
	served, sent, _ := s.sink.all()
	if len(sent) != 1 || sent[0].Protocol != model.TCP || sent[0].Host != s.outs[0] ||
		sent[0].CauseID != served[0].ID || sent[0].Attribution != model.AttributedBySerial {
		t.Fatalf("sent %+v", sent)
	}
	if turns := sent[0].Messages; len(turns) != 2 || string(turns[0].Request) != "SKU 0\n" ||
		string(turns[0].Answer) != "OK 1\n" || string(turns[1].Answer) != "OK 2\n" {
		t.Errorf("turns %q", turns)
	}
}

// The messages of several requests on one connection are reported separately, each with the ID of the connection.
func TestTCPShared(t *testing.T) {
	s := monitor(t, Options{Serial: true}, []string{tcp(t, counts)}, func(outs []string) http.Handler {
		c, err := net.Dial("tcp", outs[0])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		b := bufio.NewReader(c)
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			fmt.Fprintln(c, r.URL.Path)
			b.ReadString('\n')
		})
	})
	c := clientFor(t)
	for i := range 3 {
		call(t, c, "GET", fmt.Sprint(s.in, "/orders/", i), "")
	}
	served, sent, _ := s.sink.all()
	if len(served) != 3 || len(sent) != 3 {
		t.Fatalf("%d served, sent %+v", len(served), sent)
	}
	for i, x := range sent {
		if len(x.Messages) != 1 || string(x.Messages[0].Request) != fmt.Sprintf("/orders/%d\n", i) ||
			x.CauseID != served[i].ID || x.Connection == "" || x.Connection != sent[0].Connection {
			t.Errorf("sent %+v for %s", x, served[i].Request.URL)
		}
	}
}

func TestTCPBroken(t *testing.T) {
	for _, c := range []struct{ name, to, seen, kept string }{
		{"refused", strings.Replace(closed(), "http", "tcp", 1), "connection reset", "connection refused"},
		{"reset", tcp(t, func(c *net.TCPConn) {
			bufio.NewReader(c).ReadString('\n')
			c.SetLinger(0)
		}), "connection reset", "connection reset"},
		{"closed", tcp(t, func(c *net.TCPConn) { bufio.NewReader(c).ReadString('\n') }), "EOF", ""},
		{"speaks first", tcp(t, func(c *net.TCPConn) {
			io.WriteString(c, "hello\n")
			io.Copy(io.Discard, c)
		}), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := monitor(t, Options{}, []string{c.to}, func([]string) http.Handler { return http.NotFoundHandler() })
			err := hello(s.outs[0])
			if (err == nil) != (c.seen == "") || err != nil && !strings.Contains(err.Error(), c.seen) {
				t.Errorf("the service sees %v, want %q", err, c.seen)
			}
			until(t, "the call", func() bool { _, sent, _ := s.sink.all(); return len(sent) == 1 })
			_, sent, _ := s.sink.all()
			if err := sent[0].Err; (err == nil) != (c.kept == "") ||
				err != nil && !strings.Contains(err.Error(), c.kept) || sent[0].CauseID != "" {
				t.Errorf("kept %+v", sent[0])
			}
		})
	}
}

// hello sends a line and waits for an answer.
func hello(addr string) error {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(far))
	io.WriteString(c, "hello\n")
	_, err = bufio.NewReader(c).ReadString('\n')
	return err
}

// A datagram that was sent before the answer belongs to the request, whether the host answers it or
// not.
func TestUDP(t *testing.T) {
	host, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	go func() {
		b := make([]byte, 100)
		for {
			n, from, err := host.ReadFrom(b)
			if err != nil {
				return
			}
			if strings.HasPrefix(string(b[:n]), "ask") {
				host.WriteTo([]byte("one"), from)
				host.WriteTo([]byte("two"), from)
			}
		}
	}()
	s := monitor(
		t,
		Options{Serial: true},
		[]string{"udp://" + host.LocalAddr().String()},
		func(outs []string) http.Handler {
			c, err := net.Dial("udp", outs[0])
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Close() })
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/products" {
					b := make([]byte, 10)
					fmt.Fprint(c, "ask")
					for range 2 {
						n, _ := c.Read(b)
						w.Write(b[:n])
					}
					return
				}
				fmt.Fprint(c, "a:1|c "+r.URL.Path)
				fmt.Fprint(c, "b:1|c "+r.URL.Path)
			})
		},
	)
	c := clientFor(t)
	for i := range 20 {
		call(t, c, "GET", fmt.Sprint(s.in, "/orders/", i), "")
	}
	if _, text := call(t, c, "GET", s.in+"/products", ""); text != "onetwo" {
		t.Errorf("got %q", text)
	}
	served, sent, _ := s.sink.all()
	if len(sent) != 41 {
		t.Fatalf("%d sent", len(sent))
	}
	by := map[string]string{}
	for _, x := range served {
		by[x.ID] = x.Request.URL
	}
	for _, x := range sent[:40] {
		if want := by[x.CauseID]; x.Attribution != model.AttributedBySerial || x.Protocol != model.UDP ||
			!strings.HasSuffix(
				string(x.Messages[0].Request),
				" "+want,
			) || len(x.Messages) != 1 || x.Messages[0].Answer != nil {
			t.Errorf("sent %q for %s, %s", x.Messages, want, x.Attribution)
		}
	}
	if last := sent[40]; by[last.CauseID] != "/products" || len(last.Messages) != 2 ||
		string(last.Messages[0].Answer) != "one" || string(last.Messages[1].Answer) != "two" {
		t.Errorf("sent %q", last.Messages)
	}
}

// through opens a tunnel through a proxy.
func through(t testing.TB, proxy, to string) (net.Conn, *bufio.Reader) {
	t.Helper()
	c, err := net.Dial("tcp", proxy)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(far))
	fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", to, to)
	b := bufio.NewReader(c)
	res, err := http.ReadResponse(b, &http.Request{Method: "CONNECT"})
	if err != nil || res.StatusCode != 200 {
		t.Fatalf("%v, %v", res, err)
	}
	return c, b
}
