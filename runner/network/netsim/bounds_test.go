//go:build unix

package netsim_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/network/netsim"
)

// checkAnswers checks that a host of the network still answers the service.
func checkAnswers(t *testing.T, n *netsim.Network, s *service) {
	t.Helper()
	n.EndTest()
	play(t, n, web("sound.example:80", model.Answer{Body: "ok"}))
	if got, err := get(s.client(), "http://sound.example/"); got != "200 ok" || err != nil {
		t.Error(got, err)
	}
}

func TestManyConnections(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens thousands of connections")
	}
	n, s := start(t, netsim.Options{})
	play(t, n, raw("a.example:7", model.Answer{Body: "x"}))
	s.lookup("a.example")
	real, err := s.route("tcp", own("a.example")+":7")
	if err != nil {
		t.Fatal(err)
	}
	var open []net.Conn
	for range 4000 {
		c, err := net.Dial("tcp", real)
		if err != nil {
			continue // the host closed the connection at once
		}
		open = append(open, c)
		if len(open) == 3000 {
			for _, c := range open {
				c.Close()
			}
			open = nil
		}
	}
	if got := n.EndTest(); len(got) != 1000 {
		t.Errorf("%d contacts", len(got))
	}
	for _, c := range open {
		c.Close()
	}
	checkAnswers(t, n, s)
}

// Each test has a new host. The sockets of hosts that are no longer needed are closed, so that the process does not
// run out of descriptors.
func TestManyHosts(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens thousands of connections")
	}
	n, s := start(t, netsim.Options{})
	c, before := s.client(), descriptors(t)
	for i := range 600 {
		host := fmt.Sprintf("h%d.example", i)
		play(t, n, web(host+":80", model.Answer{Body: host}))
		if got, err := get(c, "http://"+host+"/"); got != "200 "+host || err != nil {
			t.Fatal(got, err)
		}
		n.EndTest()
	}
	if more := descriptors(t) - before; more > 500 {
		t.Errorf("%d descriptors more are open", more)
	}
	checkAnswers(t, n, s)
}

// descriptors returns how many descriptors the process has open.
func descriptors(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

func TestEndlessScript(t *testing.T) {
	n, s := start(t, netsim.Options{})
	stub := raw("a.example:7", model.Answer{Body: "x"})
	stub.Repeat = true
	play(t, n, stub)
	c, err := s.dial("tcp", "a.example:7")
	if err != nil {
		t.Fatal(err)
	}
	b, size := make([]byte, 100), 0
	for {
		got, err := c.Read(b)
		size += got
		if err != nil {
			break
		}
	}
	if size != 1000 {
		t.Errorf("%d answers", size)
	}
	checkAnswers(t, n, s)
}

// endless is a reader without an end.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

func TestEndlessBytes(t *testing.T) {
	n, s := start(t, netsim.Options{})
	play(t, n, web("a.example:80", model.Answer{Body: "ok"}), raw("b.example:7", model.Answer{Body: "x\n"}))
	r, err := s.client().Post("http://a.example/", "text/plain", io.LimitReader(endless{}, 64<<20))
	if err == nil {
		r.Body.Close()
	}
	header := strings.Repeat("x", 1<<20)
	q, _ := http.NewRequest("GET", "http://a.example/", nil)
	q.Header.Set("X-Long", header)
	if r, err := s.client().Do(q); err == nil && r.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Error(r.Status)
	}
	c, err := s.dial("tcp", "b.example:7")
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(c, io.LimitReader(endless{}, 64<<20))
	time.Sleep(100 * time.Millisecond)
	for _, c := range n.EndTest() {
		if len(c.Data) > 64<<10 || len(c.Request.Body) > 64<<10 ||
			c.Kind == model.ContactMessage && c.Protocol == model.HTTP && !c.Request.Truncated {
			t.Errorf("%d and %d bytes are kept", len(c.Data), len(c.Request.Body))
		}
	}
	checkAnswers(t, n, s)
}

// Invalid events have no effect.
func TestInvalidEvents(t *testing.T) {
	n, s := start(t, netsim.Options{})
	s.report("%s", strings.Repeat("x", 1<<20))
	for _, line := range []string{
		"", "wait", "wait 1 read x y z", "lookup", "listen 1", "refused tcp", "lost udp 1.1.1.1:1 zz", "closed",
		"synced 99", "set", "real",
	} {
		s.report("%s", line)
	}
	checkAnswers(t, n, s)
}

// What a service does outside of the virtual network, such as starting a program, is reported. Repetitions are not.
func TestEscapes(t *testing.T) {
	n, s := start(t, netsim.Options{})
	for range 3 {
		s.report("exec /bin/ping")
		s.report("raw udp 127.0.0.1:9")
	}
	if got := n.Escapes(); len(got) != 2 || !strings.Contains(got[0], `starts "/bin/ping"`) ||
		!strings.Contains(got[1], "datagrams") {
		t.Errorf("%q", got)
	}
}

// BeginTest fails if a new service has never answered on its channel. It does not fail if a service that has answered
// before closes its channel.
func TestServiceThatDoesNotAcknowledge(t *testing.T) {
	n, err := netsim.New(netsim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	_, child, err := n.AttachProcess()
	if err != nil {
		t.Fatal(err)
	}
	child.Close()
	if err := n.BeginTest([]model.Stub{web("a.example:80", model.Answer{})}); err == nil ||
		!strings.Contains(err.Error(), "sonde build --net") {
		t.Error(err)
	}
	if got := n.EndTest(); len(got) != 0 {
		t.Error(got)
	}

	s := attach(t, n) // a service whose channel is closed during a test
	play(t, n, web("b.example:80", model.Answer{}))
	n.EndTest()
	syscall.Shutdown(int(s.channel.Fd()), syscall.SHUT_RDWR)
	play(t, n, web("c.example:80", model.Answer{}))
	expect(t, n)
	checkAnswers(t, n, attach(t, n))
}
