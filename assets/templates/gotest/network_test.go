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

// virtualNetwork is all that there is outside of the service: its binary, which was
// built by sonde build --net, opens no other connections.
type virtualNetwork struct {
	hosts
	build      []string                                  // makes the binary, with -o and its name behind
	allow      []string                                  // host:port that are real
	hostname   string                                    // the service's, "" for any
	interfaces []string                                  // its own, as "eth0 10.0.0.2/24"; none for any
	listens    int                                       // the port on which it means to listen, 0 for {port}
	idle       func(n *virtualNetwork, channel net.Conn) // ends waits for nothing; nil leaves them

	dir     string // for its files
	ca      *tls.Certificate
	port    int               // on which the service is called
	ends    map[string]string // where hosts really are, by protocol and host
	names   map[string]string // of addresses
	channel net.Conn          // to the service, nil where it has no such network
	done    chan string       // what it did of what it was asked
	asked   int
}

// around builds the service, unless SONDE_BINARY is its binary, and runs the tests
// with it.
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

// prepare makes what the service needs besides the tests.
func (n *virtualNetwork) prepare(p *program) error {
	ca, err := certify("the tests", nil)
	if err != nil {
		return err
	}
	n.ca, n.door, n.secure, p.prepare = ca, n.openDoor, n.takeTLS, n.attach
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

// compile makes the binary, unless SONDE_BINARY names one.
func (n *virtualNetwork) compile(dir string) error {
	if os.Getenv("SONDE_BINARY") != "" {
		return nil
	}
	binary := filepath.Join(n.dir, "service")
	cmd := exec.Command(n.build[0], append(n.build[1:], "-o", binary)...)
	cmd.Dir = dir
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the service cannot be built: %v\n%s\nBuild it by %q, and set SONDE_BINARY to what that makes", err, output, n.build)
	}
	return os.Setenv("SONDE_BINARY", binary)
}

// attach gives a process that is about to be started its network.
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
	n.channel, n.port, n.done = channel, port, make(chan string, 100)
	n.told = map[string][]string{}
	n.mu.Unlock()
	cmd.ExtraFiles = []*os.File{os.NewFile(uintptr(ends[1]), "network of the service")}
	cmd.Env = append(cmd.Env, "SONDE_NET="+n.file(), "SONDE_NET_CTL=3", "SONDE_NET_CA="+filepath.Join(n.dir, "ca.pem"))
	go n.follow(channel, n.done)
	if n.idle != nil {
		n.idle(n, channel)
	}
	return n.save()
}

func (n *virtualNetwork) file() string { return filepath.Join(n.dir, "table") }

// begin begins a test, in which there are only the hosts of all tests.
func (n *virtualNetwork) begin(t *testing.T) {
	t.Helper()
	n.hosts.begin(t)
	if n.channel == nil {
		return
	}
	if err := n.push(); err != nil {
		t.Fatal(err)
	}
	n.grow()
	t.Cleanup(func() {
		if t.Failed() {
			n.push() // what it did before is known then
		}
	})
}

// grow has all sockets that wait or listen be old, and lets the hosts speak that do in
// all tests.
func (n *virtualNetwork) grow() {
	n.mu.Lock()
	n.old = map[string]bool{}
	for key := range n.told {
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

// push has the service's network be what the test says.
func (n *virtualNetwork) push() error {
	if err := n.save(); err != nil {
		return err
	}
	text, err := os.ReadFile(n.file())
	if err != nil {
		return err
	}
	n.asked++
	if _, err := fmt.Fprintf(n.channel, "table %d %d\n%s", n.asked, len(text), text); err != nil {
		return err
	}
	for late := time.After(5 * time.Second); ; {
		select {
		case did, ok := <-n.done:
			if did == fmt.Sprint("set ", n.asked) {
				return nil
			} else if !ok {
				return errors.New("the service ended")
			}
		case <-late:
			return errors.New("the service says nothing of its network: was it built by sonde build --net?")
		}
	}
}

// save writes the table: the service begins with it.
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

// table is what there is in the network.
func (n *virtualNetwork) table() (string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := []string{"net 1", "unknown resolve"}
	told := n.listens
	if told == 0 {
		told = n.port
	}
	for _, network := range []string{"tcp", "udp"} {
		all = append(all, fmt.Sprintf("bind %s %d %d", network, told, n.port))
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
	for _, stubs := range [][]*stub{n.own, n.usual} {
		for _, s := range stubs {
			if key := n.kind(s) + s.host; known[key] {
				continue
			} else {
				known[key] = true
			}
			lines, err := n.linesOf(s)
			if err != nil {
				return "", err
			}
			all = append(all, lines...)
		}
	}
	return strings.Join(all, "\n") + "\n", nil
}

// linesOf are those of the table with which the service reaches a host.
func (n *virtualNetwork) linesOf(s *stub) ([]string, error) {
	if s.lines != nil {
		return s.lines(), nil
	}
	by := s
	if web := n.of("http", s.host); s.protocol == "tcp" && len(web) > 0 {
		by = web[0] // it tells what is spoken
	}
	key := by.protocol + " " + s.host
	if n.ends[key] == "" {
		end, err := by.open(&n.hosts, s.host)
		if err != nil {
			return nil, err
		}
		n.ends[key] = end
	}
	network, watch := n.kind(s), ""
	if network == "tcp" && len(n.of("tcp", s.host)) > 0 {
		watch = " watch"
	}
	name, port, _ := net.SplitHostPort(s.host)
	ways := n.ways(s, n.ends[key])
	var all []string
	for _, addr := range n.addresses(name, 0) {
		all = append(all, "route "+network+" "+net.JoinHostPort(addr, port)+" "+ways+watch)
	}
	return all, nil
}

// kind is the protocol below a stub's.
func (n *virtualNetwork) kind(s *stub) string {
	if s.protocol == "http" {
		return "tcp"
	}
	return s.protocol
}

// ways are where one dial after the other leads: to errors, and then to the host.
func (n *virtualNetwork) ways(s *stub, end string) string {
	var all []string
	for _, a := range s.script {
		if a.fate == "" {
			break
		}
		all = append(all, "!"+a.fate)
	}
	s.given = len(all)
	switch only := len(all) == len(s.script); {
	case s.protocol == "tcp" && len(all) > 0: // each connection begins the script
		return all[0]
	case only && s.repeats:
		all = append(all, "again")
	case !only || s.rest != nil || len(all) > 1:
		all = append(all, end)
	}
	return strings.Join(all, " ")
}

// addresses are those of a name, behind so many aliases.
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

// ownAddresses are those of a name of which nothing is said, as the service knows
// them, too.
func ownAddresses(name string) []string {
	h := fnv.New64a()
	io.WriteString(h, strings.ToLower(name))
	sum := h.Sum64()
	four := 198<<24 + 18<<16 + 256 + uint32((sum^sum>>32)%(1<<17-512))
	six := net.IP{0xfd, 0, 0x73, 0x6f, 0x6e, 0x64, 0, 0x65, 15: 0}
	binary.BigEndian.PutUint64(six[8:], sum)
	return []string{net.IPv4(byte(four>>24), byte(four>>16), byte(four>>8), byte(four)).String(), six.String()}
}

// follow takes in what the service tells.
func (n *virtualNetwork) follow(channel net.Conn, done chan string) {
	defer close(done)
	for lines := bufio.NewScanner(channel); lines.Scan(); {
		f := strings.Split(lines.Text(), " ")
		for i := range f {
			if text, err := url.PathUnescape(f[i]); err == nil {
				f[i] = text
			}
		}
		if f[0] == "set" {
			done <- strings.Join(f, " ")
		} else if len(f) > 1 {
			n.take(f)
		}
	}
}

// take takes in one thing that the service did.
func (n *virtualNetwork) take(f []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch f[0] {
	case "lookup":
		for _, addr := range strings.Split(f[len(f)-1], ",") {
			n.names[addr] = f[2]
		}
	case "refused", "lost":
		if what := f[1] + " " + n.named(f[2]); len(n.of(f[1], n.named(f[2])))+len(n.of("http", n.named(f[2]))) == 0 {
			n.vain = append(n.vain, what+" ("+f[0]+")")
		}
	case "wait", "listen":
		n.told[f[0]+" "+f[1]] = f
	case "closed":
		delete(n.told, "wait "+f[1])
		delete(n.told, "listen "+f[1])
	}
}

// named is an address with the name by which the service knows it.
func (n *virtualNetwork) named(place string) string {
	addr, port, err := net.SplitHostPort(place)
	if name := n.names[addr]; err == nil && name != "" {
		return net.JoinHostPort(name, port)
	}
	return place
}
