//go:build !windows

package gotest

import (
	"bufio"
	"crypto/tls"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// virtualNetwork is the network around the service, whose binary is built by sonde build
// --net and opens no other connections.
type virtualNetwork struct {
	hosts
	build      []string                                  // builds the binary, followed by -o and its name
	allow      []string                                  // host:port of real hosts
	hostname   string                                    // of the service, "" for any
	interfaces []string                                  // of the service, such as "eth0 10.0.0.2/24"; nil for any
	listens    int                                       // the port that the service listens on, 0 for {port}
	idle       func(n *virtualNetwork, channel net.Conn) // ends waits for data that will not come; nil does not end them

	dir     string // of its files
	ca      *tls.Certificate
	port    int                      // the real port of the service
	ends    map[string]string        // the real addresses of hosts, by protocol and host
	names   map[string]string        // the names of addresses
	channel net.Conn                 // to the service, nil if it has no virtual network
	wishes  int                      // the number of commands to the service
	granted map[string]chan struct{} // closed when the service has done a command
}

// around builds the service, unless SONDE_BINARY is its binary, and runs the tests with it.
func (n *virtualNetwork) around(m *testing.M, p *program) int {
	flag.Parse()
	n.reach = n.reached
	if os.Getenv("SONDE_BASE_URL") != "" {
		return p.around(m)
	}
	var err error
	if n.dir, err = os.MkdirTemp("", "sonde-net-"); err == nil {
		defer os.RemoveAll(n.dir)
		err = n.prepare(p)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if *apart {
		return eachApart()
	}
	return p.around(m)
}

// prepare makes the files of the network.
func (n *virtualNetwork) prepare(p *program) error {
	ca, err := certify("the tests", nil)
	if err != nil {
		return err
	}
	n.ca, n.door, n.enter, n.settle, p.prepare = ca, n.openDoor, n.welcome, n.sync, n.attach
	n.ends, n.names = map[string]string{}, map[string]string{}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca.Certificate[0]})
	if err := os.WriteFile(filepath.Join(n.dir, "ca.pem"), text, 0o600); err != nil {
		return err
	}
	if err := n.compile(p.dir); err != nil {
		return err
	}
	binary, err := filepath.Abs(os.Getenv("SONDE_BINARY"))
	for i, word := range p.command {
		p.command[i] = strings.ReplaceAll(word, "{binary}", binary)
	}
	return err
}

// compile builds the binary, unless SONDE_BINARY names one.
func (n *virtualNetwork) compile(dir string) error {
	if os.Getenv("SONDE_BINARY") != "" {
		return nil
	}
	binary := filepath.Join(n.dir, "service")
	cmd := exec.Command(n.build[0], append(n.build[1:], "-o", binary)...)
	cmd.Dir = dir
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf(
			"the service cannot be built: %v\n%s\nBuild it by %q, and set SONDE_BINARY to what that makes", err,
			output, n.build,
		)
	}
	return os.Setenv("SONDE_BINARY", binary)
}

// attach connects a process to the network before it starts.
func (n *virtualNetwork) attach(cmd *exec.Cmd, port int) error {
	syscall.ForkLock.RLock()
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(ends[0])
		syscall.CloseOnExec(ends[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return err
	}
	own := os.NewFile(uintptr(ends[0]), "network")
	defer own.Close()
	channel, err := net.FileConn(own)
	if err != nil {
		return err
	}
	n.mu.Lock()
	n.channel, n.port, n.granted = channel, port, map[string]chan struct{}{}
	n.sockets = map[string][]string{}
	n.mu.Unlock()
	cmd.ExtraFiles = []*os.File{os.NewFile(uintptr(ends[1]), "network of the service")}
	cmd.Env = append(cmd.Env, "SONDE_NET="+n.file(), "SONDE_NET_CTL=3", "SONDE_NET_CA="+filepath.Join(n.dir, "ca.pem"))
	go n.follow(channel)
	if n.idle != nil {
		n.idle(n, channel)
	}
	return n.save()
}

func (n *virtualNetwork) file() string { return filepath.Join(n.dir, "table") }

// begin begins a test, with only the permanent hosts.
func (n *virtualNetwork) begin(t *testing.T) {
	t.Helper()
	n.hosts.begin(t)
	if n.channel == nil {
		return
	}
	if err := n.push(); err != nil {
		t.Fatal(err)
	}
	n.shed()
	n.grow()
	t.Cleanup(func() {
		if t.Failed() {
			n.push() // all earlier reports have arrived after that
		}
	})
}

// grow marks all waiting and listening sockets as old, and starts the permanent hosts that send first.
func (n *virtualNetwork) grow() {
	n.mu.Lock()
	n.old = map[string]bool{}
	for key := range n.sockets {
		n.old[key] = true
	}
	n.mu.Unlock()
	for _, s := range n.usual {
		if s.speak != nil {
			s.speak()
		}
	}
}

// reached lets the service reach the host of a stub.
func (n *virtualNetwork) reached(*stub) error {
	if n.channel == nil {
		return errors.New("the service of SONDE_BASE_URL has a network of its own: unset it, and the tests start theirs")
	}
	return n.push()
}

// push sends the network of the test to the service.
func (n *virtualNetwork) push() error {
	if err := n.save(); err != nil {
		return err
	}
	text, err := os.ReadFile(n.file())
	if err != nil {
		return err
	}
	return n.wish("set", fmt.Sprintf("table %%d %d\n%s", len(text), strings.ReplaceAll(string(text), "%", "%%")))
}

// sync waits until all earlier reports of the service have arrived.
func (n *virtualNetwork) sync() { n.wish("synced", "sync %d\n") }

// wish sends a command to the service, and waits until it is done.
func (n *virtualNetwork) wish(answer, format string) error {
	n.mu.Lock()
	n.wishes++
	number, done, channel := n.wishes, make(chan struct{}), n.channel
	n.granted[fmt.Sprint(answer, " ", number)] = done
	n.mu.Unlock()
	if _, err := fmt.Fprintf(channel, format, number); err != nil {
		return fmt.Errorf("the service ended: %v", err)
	}
	if !happens(done, 5*time.Second) {
		return errors.New("the service says nothing of its network: was it built by sonde build --net?")
	}
	return nil
}

// save writes the table with which the service starts.
func (n *virtualNetwork) save() error {
	table, err := n.table()
	if err == nil {
		err = os.WriteFile(n.file()+".new", []byte(table), 0o600)
	}
	if err == nil {
		err = os.Rename(n.file()+".new", n.file())
	}
	return err
}

// table returns the lines that describe the network.
func (n *virtualNetwork) table() (string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := []string{"net 1", "unknown resolve"}
	listens := n.listens
	if listens == 0 {
		listens = n.port
	}
	for _, network := range []string{"tcp", "udp"} {
		all = append(all, fmt.Sprintf("bind %s %d %d", network, listens, n.port))
		for _, place := range n.allow {
			all = append(all, "allow "+network+" "+place)
		}
	}
	if n.hostname != "" {
		all = append(all, "hostname "+n.hostname)
	}
	for _, i := range n.interfaces {
		all = append(all, "iface "+i)
	}
	known := map[string]bool{}
	for _, s := range n.all() {
		key := n.kind(s) + s.host
		if known[key] {
			continue
		}
		known[key] = true
		lines, err := n.linesOf(s)
		if err != nil {
			return "", err
		}
		all = append(all, lines...)
	}
	return strings.Join(all, "\n") + "\n", nil
}

// all returns the stubs of the test, and the permanent ones.
func (h *hosts) all() []*stub { return append(append([]*stub(nil), h.own...), h.usual...) }

// linesOf returns the lines of the table for the host of a stub.
func (n *virtualNetwork) linesOf(s *stub) ([]string, error) {
	if s.lines != nil {
		return s.lines(), nil
	}
	var there []*stub
	by := s
	for _, other := range n.all() {
		if n.kind(other) == n.kind(s) && other.host == s.host && other.open != nil {
			there = append(there, other)
			if other.protocol == "http" {
				by = other // the port of an HTTP stub also detects other protocols
			}
		}
	}
	end, err := n.end(by)
	if err != nil {
		return nil, err
	}
	name, port, _ := net.SplitHostPort(s.host)
	var all []string
	for _, addr := range n.addresses(name, 0) {
		all = append(all, "route "+n.kind(s)+" "+net.JoinHostPort(addr, port)+" "+ways(there, end))
	}
	return all, nil
}

// end returns the real address of a stub's host.
func (n *virtualNetwork) end(s *stub) (string, error) {
	key := s.protocol + " " + s.host
	if n.ends[key] == "" {
		addr, err := s.open(&n.hosts, s.host)
		if err != nil {
			return "", err
		}
		n.ends[key] = addr
	}
	return n.ends[key], nil
}

// kind returns the transport protocol of a stub.
func (n *virtualNetwork) kind(s *stub) string {
	if s.protocol == "http" {
		return "tcp"
	}
	return s.protocol
}

// ways returns the results of successive dials to a host with these stubs: errors, or the
// host, which is informed of the service's waits. The last one repeats.
func ways(stubs []*stub, end string) string {
	first, all := stubs[0], []string{end}
	if first.protocol == "tcp" {
		all = numberedWays(stubs, end)
	} else if (len(first.wants) == 0 || len(stubs) == 1) && first.nth == 0 {
		all = first.ways(end)
	}
	text := strings.Join(all, " ")
	if contains(all, end) {
		text += " watch"
	}
	return text
}

// ways returns the results with which a script begins.
func (s *stub) ways(end string) []string {
	var all []string
	for _, a := range s.script {
		if a.fate == "" {
			s.given = len(all)
			return append(all, end)
		}
		all = append(all, "!"+a.fate)
	}
	s.given = len(all)
	switch {
	case s.repeats && len(all) > 1:
		return append(all, "again")
	case s.repeats:
		return all
	case s.rest != nil && s.rest.fate != "":
		return append(all, "!"+s.rest.fate)
	case s.rest != nil || len(all) != 1:
		return append(all, end)
	}
	return all
}

// numberedWays returns the results for stubs of TCP: each connection has the whole script.
func numberedWays(stubs []*stub, end string) []string {
	last := 0
	for _, s := range stubs {
		if s.nth > last {
			last = s.nth
		}
	}
	var all []string
	for nth := 1; nth <= last+1; nth++ {
		all = append(all, numberedWay(stubs, nth, end))
	}
	return all
}

func numberedWay(stubs []*stub, nth int, end string) string {
	for _, s := range stubs {
		if s.nth != 0 && s.nth != nth {
			continue
		}
		if a, _ := s.turn(0); a.fate != "" && (len(s.wants) == 0 || len(stubs) == 1) {
			return "!" + a.fate
		}
		break
	}
	return end
}

// addresses returns the addresses of a name, which may be an alias.
func (n *virtualNetwork) addresses(name string, aliases int) []string {
	stubs := n.of("dns", name)
	switch {
	case net.ParseIP(name) != nil:
		return []string{name}
	case len(stubs) == 0:
		return ownAddresses(name)
	}
	var all []string
	for _, a := range stubs[0].script {
		for _, r := range a.records {
			if kind, value, _ := strings.Cut(r, " "); kind == "A" || kind == "AAAA" {
				all = append(all, value)
			} else if kind == "CNAME" && aliases < 8 {
				all = append(all, n.addresses(strings.TrimSuffix(value, "."), aliases+1)...)
			}
		}
	}
	return all
}

// ownAddresses returns the addresses of a name without records. The service computes the same addresses.
func ownAddresses(name string) []string {
	h := fnv.New64a()
	io.WriteString(h, strings.ToLower(name))
	sum := h.Sum64()
	four := 198<<24 + 18<<16 + 256 + uint32((sum^sum>>32)%(1<<17-512))
	six := net.IP{0xfd, 0, 0x73, 0x6f, 0x6e, 0x64, 0, 0x65, 15: 0}
	binary.BigEndian.PutUint64(six[8:], sum)
	return []string{net.IPv4(byte(four>>24), byte(four>>16), byte(four>>8), byte(four)).String(), six.String()}
}

// follow reads the reports of the service.
func (n *virtualNetwork) follow(channel net.Conn) {
	for lines := bufio.NewScanner(channel); lines.Scan(); {
		f := strings.Split(lines.Text(), " ")
		for i := range f {
			if text, err := url.PathUnescape(f[i]); err == nil {
				f[i] = text
			}
		}
		if len(f) > 1 {
			n.take(f)
		}
	}
}

// take handles one report of the service.
func (n *virtualNetwork) take(f []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if done := n.granted[f[0]+" "+f[1]]; done != nil {
		close(done)
		delete(n.granted, f[0]+" "+f[1])
		return
	}
	n.moved = time.Now()
	switch f[0] {
	case "lookup":
		for _, addr := range strings.Split(f[len(f)-1], ",") {
			n.names[addr] = f[2]
		}
	case "refused", "lost":
		host := n.named(f[2])
		if f[0] == "refused" && f[1] == "tcp" {
			n.count("connection", host)
		}
		if n.heard != nil {
			n.heard("refused", host, f[2], message{})
		}
		if len(n.of(f[1], host))+len(n.of("http", host)) == 0 {
			n.vain = append(n.vain, f[1]+" "+host+" ("+f[0]+")")
		}
	case "wait", "listen":
		n.sockets[f[0]+" "+f[1]] = f
	case "closed":
		delete(n.sockets, "wait "+f[1])
		delete(n.sockets, "listen "+f[1])
	}
}

// named returns an address with the name that the service uses for it.
func (n *virtualNetwork) named(place string) string {
	addr, port, err := net.SplitHostPort(place)
	if name := n.names[addr]; err == nil && name != "" {
		return net.JoinHostPort(name, port)
	}
	return place
}
