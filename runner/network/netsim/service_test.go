//go:build unix

package netsim_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/network/netsim"
)

// service behaves like the code that is built into a service: it follows the table and reports events.
// Its methods are the network operations of a service.
type service struct {
	t       testing.TB
	channel *os.File
	in      *bufio.Reader
	env     map[string]string
	roots   *x509.CertPool

	mu         sync.Mutex
	table      map[string][]string // by "route tcp 198.18.0.1:80": the further fields
	counted    map[string]int
	dns        map[string][][]string // by name: the steps, each as "A 10.0.0.1"
	ids        int
	waited     int // number of waits that it reported
	slotOwners map[uint16]*watched
	slots      *slots // nil if all waits are reported
	starved    map[string]chan syscall.Errno
}

// start returns a network and a service that is attached to it.
func start(t testing.TB, o netsim.Options) (*netsim.Network, *service) {
	t.Helper()
	n, err := netsim.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return n, attach(t, n)
}

func attach(t testing.TB, n *netsim.Network) *service {
	t.Helper()
	env, child, err := n.AttachProcess()
	if err != nil {
		t.Fatal(err)
	}
	s := &service{
		t:          t,
		channel:    child,
		in:         bufio.NewReader(child),
		env:        map[string]string{},
		starved:    map[string]chan syscall.Errno{},
		slotOwners: map[uint16]*watched{},
	}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		s.env[name] = value
	}
	text, err := os.ReadFile(s.env["SONDE_NET"])
	if err != nil {
		t.Fatal(err)
	}
	pem, err := os.ReadFile(s.env["SONDE_NET_CA"])
	if err != nil {
		t.Fatal(err)
	}
	s.share()
	s.roots = x509.NewCertPool()
	s.roots.AppendCertsFromPEM(pem)
	s.read(string(text))
	s.report("hello 1 %d", os.Getpid())
	t.Cleanup(func() { syscall.Shutdown(int(child.Fd()), syscall.SHUT_RDWR); child.Close() })
	go s.obey()
	return s
}

func (s *service) report(format string, a ...any) {
	fmt.Fprintf(s.channel, format+"\n", a...)
}

// read parses a table into s.
func (s *service) read(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.table, s.counted, s.dns = map[string][]string{}, map[string]int{}, map[string][][]string{}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch f[0] {
		case "route":
			s.table[strings.Join(f[:3], " ")] = f[3:]
		case "known", "dns", "dnsfail":
			if s.dns[f[1]] == nil {
				s.dns[f[1]] = [][]string{nil}
			}
			last := len(s.dns[f[1]]) - 1
			s.dns[f[1]][last] = append(s.dns[f[1]][last], strings.Join(append([]string{f[0]}, f[2:]...), " "))
		case "then":
			s.dns[f[1]] = append(s.dns[f[1]], nil)
		default:
			s.table[f[0]] = f[1:]
		}
	}
}

// obey executes commands until the channel ends.
func (s *service) obey() {
	for {
		line, err := s.in.ReadString('\n')
		if err != nil {
			return
		}
		f := strings.Fields(line)
		switch f[0] {
		case "sync":
			s.report("synced %s", f[1])
		case "table":
			var size int
			fmt.Sscan(f[2], &size)
			text := make([]byte, size)
			if _, err := io.ReadFull(s.in, text); err != nil {
				return
			}
			s.read(string(text))
			s.report("set %s", f[1])
		case "starve":
			s.mu.Lock()
			c := s.starved[f[1]]
			delete(s.starved, f[1])
			s.mu.Unlock()
			if c != nil {
				c <- map[string]syscall.Errno{"ECONNABORTED": syscall.ECONNABORTED, "ECONNREFUSED": syscall.ECONNREFUSED}[f[2]]
			}
		}
	}
}

func (s *service) id() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ids++
	return fmt.Sprint(s.ids)
}

// step returns the index of the next step in the script with a key, and advances the script. of is the number of steps
// in the script. The last step repeats.
func (s *service) step(key string, of int) int {
	s.counted[key]++
	return min(s.counted[key], of) - 1
}

var errNoName = errors.New("no such host")

// lookup resolves a name to one address.
func (s *service) lookup(name string) (string, error) {
	s.mu.Lock()
	steps, addr, unknown := s.dns[name], "", strings.Join(s.table["unknown"], "")
	lines := []string{"known"}
	if steps != nil {
		lines = steps[s.step("name "+name, len(steps))]
	} else if unknown == "absent" {
		lines = nil
	}
	s.mu.Unlock()
	for _, l := range lines {
		if l == "known" {
			addr = own(name)
		} else if a, ok := strings.CutPrefix(l, "dns A "); ok {
			addr = a
		}
	}
	if addr == "" {
		s.report("lookup host %s -", name)
		return "", errNoName
	}
	s.report("lookup host %s %s", name, addr)
	return addr, nil
}

// own returns the synthetic address of a name without records. It is an independent copy of
// syntheticIPv4.
func own(name string) string {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	h = 256 + (h^h>>32)%(1<<17-512)
	return netip.AddrFrom4([4]byte{198, 18 + byte(h>>16), byte(h >> 8), byte(h)}).String()
}

// route returns the real address of a virtual address.
func (s *service) route(network, at string) (string, error) {
	s.mu.Lock()
	f := s.table["route "+network+" "+at]
	s.mu.Unlock()
	var targets []string
	for _, t := range f {
		if t != "watch" && t != "again" {
			targets = append(targets, t)
		}
	}
	target := "!ECONNREFUSED"
	if len(targets) > 0 {
		s.mu.Lock()
		target = targets[s.step(network+at, len(targets))]
		s.mu.Unlock()
	}
	if errno, bad := strings.CutPrefix(target, "!"); bad {
		s.report("refused %s %s %s", network, at, errno)
		return "", map[string]error{
			"ECONNREFUSED": syscall.ECONNREFUSED,
			"ETIMEDOUT":    syscall.ETIMEDOUT,
			"ENETUNREACH":  syscall.ENETUNREACH,
		}[errno]
	}
	return target, nil
}

// dial opens a connection to a host by its name.
func (s *service) dial(network, host string) (net.Conn, error) {
	name, port, _ := net.SplitHostPort(host)
	addr := name
	if _, err := netip.ParseAddr(name); err != nil {
		addr, err = s.lookup(name)
		if err != nil {
			return nil, err
		}
	}
	virtual := net.JoinHostPort(addr, port)
	real, err := s.route(network, virtual)
	if err != nil {
		return nil, err
	}
	c, err := net.Dial(network, real)
	if err != nil {
		return nil, err
	}
	w := &watched{Conn: c, s: s, id: s.id(), remote: virtual}
	w.takeSlot()
	return w, nil
}

// watched is a connection that reports its waits, or shows them in a slot.
type watched struct {
	net.Conn
	s             *service
	id, remote    string
	mu            sync.Mutex
	written, read int
	waits         bool
	slot          *slot // nil if all waits are reported
}

func (w *watched) reportWait() {
	if w.slot != nil && w.slot.wanted.Load() != uint64(w.written)+1 {
		return
	}
	w.s.mu.Lock()
	w.s.waited++
	w.s.mu.Unlock()
	kind := "read"
	if w.LocalAddr().Network() == "udp" {
		kind = "recv"
	}
	w.s.report("wait %s %s %s %s %d %d", w.id, kind, w.LocalAddr(), w.remote, w.written, w.read)
}

func (w *watched) Read(b []byte) (int, error) {
	starved := make(chan syscall.Errno, 1)
	w.s.mu.Lock()
	w.s.starved[w.id] = starved
	w.s.mu.Unlock()
	w.mu.Lock()
	w.begin()
	w.reportWait()
	w.mu.Unlock()
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	go func() {
		n, err := w.Conn.Read(b)
		done <- result{n, err}
	}()
	r := result{}
	select {
	case r = <-done:
	case errno := <-starved:
		w.Conn.SetReadDeadline(time.Unix(1, 0))
		<-done
		w.Conn.SetReadDeadline(time.Time{})
		r.err = errno
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end()
	w.read += r.n
	return r.n, r.err
}

func (w *watched) Write(b []byte) (int, error) {
	n, err := w.Conn.Write(b)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.addWritten(n)
	if w.waits {
		w.reportWait()
	}
	return n, err
}

// client returns an HTTP client on the service's network.
func (s *service) client() *http.Client {
	t := &http.Transport{
		DialContext:     func(_ context.Context, network, host string) (net.Conn, error) { return s.dial(network, host) },
		TLSClientConfig: &tls.Config{RootCAs: s.roots}, ForceAttemptHTTP2: true, DisableCompression: true,
	}
	s.t.Cleanup(t.CloseIdleConnections)
	return &http.Client{Transport: t}
}

// get requests a page and returns its status and body.
func get(c *http.Client, url string) (string, error) {
	r, err := c.Get(url)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	return fmt.Sprintf("%d %s", r.StatusCode, body), err
}

// listen listens on a virtual port.
func (s *service) listen(port string) (net.Listener, string) {
	s.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	id := s.id()
	s.report("listen %s tcp 0.0.0.0:%s %s", id, port, l.Addr())
	s.t.Cleanup(func() { l.Close() })
	return l, id
}

func (s *service) lost(at string, data []byte) {
	s.report("lost udp %s %s", at, hex.EncodeToString(data))
}

// play begins a test and its only call.
func play(t *testing.T, n *netsim.Network, stubs ...model.Stub) {
	t.Helper()
	if err := n.BeginTest(stubs); err != nil {
		t.Fatal(err)
	}
	n.StartInward()
	n.BeginCall(0)
}

// contactText returns contacts as text, one on each line.
func contactText(all []model.Contact) string {
	var b strings.Builder
	for _, c := range all {
		fmt.Fprintf(&b, "%s %s %s", c.Kind, c.Protocol, c.Host)
		if c.Request.Method != "" {
			fmt.Fprintf(&b, " %s %s %s", c.Request.Method, c.Request.URL, c.Request.Body)
		}
		if len(c.Data) > 0 {
			fmt.Fprintf(&b, " %q", c.Data)
		}
		if c.Stub >= 0 && c.Answer >= 0 {
			fmt.Fprintf(&b, " by %d.%d", c.Stub, c.Answer)
		}
		fmt.Fprintf(&b, ": %s\n", c.Outcome)
	}
	return b.String()
}
