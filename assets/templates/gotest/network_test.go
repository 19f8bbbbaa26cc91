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

// virtualNetwork is the network around the service. The service's binary is built by sonde build --net: it opens
// connections only in this network.
type virtualNetwork struct {
	hosts
	build       []string                                  // the command that builds the binary, without -o and the name of the binary
	allow       []string                                  // host:port of real hosts
	hostname    string                                    // the host name of the service; "" for the real name
	interfaces  []string                                  // the service's interfaces, such as "eth0 10.0.0.2/24"; nil for the real ones
	servicePort int                                       // the port on which the service listens; 0 for the port in {port}
	quiescence  func(n *virtualNetwork, channel net.Conn) // ends waits for data that will not arrive; nil if they are not ended
	restart     func(t *testing.T)                        // restarts a service that remembers refused connections; nil for other services

	hasRefused bool   // a host has refused a connection since the service was started
	dir        string // the folder of the network's files
	ca         *tls.Certificate
	realPort   int                      // the real port of the service
	realAddrs  map[string]string        // the real addresses of hosts; the key is protocol and host
	hostNames  map[string]string        // the names of addresses
	channel    net.Conn                 // the connection for commands and reports; nil if the service has no virtual network
	commands   int                      // the number of commands to the service
	pending    map[string]chan struct{} // for each running command, a channel that is closed when the service has executed it
}

// runTests builds the service, unless SONDE_BINARY names its binary. Then it runs the tests with the service.
func (n *virtualNetwork) runTests(m *testing.M, p *program) int {
	flag.Parse()
	n.makeReachable = n.publish
	if os.Getenv("SONDE_BASE_URL") != "" {
		return p.runTests(m)
	}
	var err error
	if n.dir, err = os.MkdirTemp("", "sonde-net-"); err == nil {
		defer os.RemoveAll(n.dir)
		p.tempDir = n.dir
		err = n.prepare(p)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if *isolated {
		return runIsolated()
	}
	return p.runTests(m)
}

// prepare makes the files of the network.
func (n *virtualNetwork) prepare(p *program) error {
	ca, err := newCertificate("the tests", nil)
	if err != nil {
		return err
	}
	n.ca, n.tlsServer, n.httpListener, n.handleConn = ca, n.decrypt, n.filterHTTP, n.serveTCP
	n.syncReports, p.prepare = n.sync, n.attach
	p.onStart = n.startProcess
	n.realAddrs, n.hostNames = map[string]string{}, map[string]string{}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca.Certificate[0]})
	if err := os.WriteFile(filepath.Join(n.dir, "ca.pem"), text, 0o600); err != nil {
		return err
	}
	if err := buildService(n.build, p.dir, filepath.Join(n.dir, "service")); err != nil {
		return err
	}
	binary, err := filepath.Abs(os.Getenv("SONDE_BINARY"))
	for i, word := range p.command {
		p.command[i] = strings.ReplaceAll(word, "{binary}", binary)
	}
	return err
}

// attach connects a process of the service to the network, before the process starts.
func (n *virtualNetwork) attach(cmd *exec.Cmd, port int) error {
	syscall.ForkLock.RLock()
	sockets, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(sockets[0])
		syscall.CloseOnExec(sockets[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return err
	}
	testEnd := os.NewFile(uintptr(sockets[0]), "network")
	defer testEnd.Close()
	channel, err := net.FileConn(testEnd)
	if err != nil {
		return err
	}
	n.mu.Lock()
	n.channel, n.realPort, n.pending = channel, port, map[string]chan struct{}{}
	n.sockets = map[string][]string{}
	n.mu.Unlock()
	cmd.ExtraFiles = []*os.File{os.NewFile(uintptr(sockets[1]), "network of the service")}
	cmd.Env = append(cmd.Env, "SONDE_NET="+n.tableFile(), "SONDE_NET_CTL=3", "SONDE_NET_CA="+filepath.Join(n.dir, "ca.pem"))
	go n.readReports(channel)
	if n.quiescence != nil {
		n.quiescence(n, channel)
	}
	return n.save()
}

func (n *virtualNetwork) tableFile() string { return filepath.Join(n.dir, "table") }

// begin begins a test, with only the permanent stubs.
func (n *virtualNetwork) begin(t *testing.T) {
	t.Helper()
	n.forgetRefusals(t)
	n.hosts.begin(t)
	if n.channel == nil {
		return
	}
	if err := n.push(); err != nil {
		t.Fatal(err)
	}
	n.drain()
	n.startClients()
	t.Cleanup(func() {
		if t.Failed() {
			n.push() // after push, all earlier reports have arrived
		}
	})
}

// forgetRefusals restarts a service whose clients remember for seconds that a host refused a connection, as clients
// of gRPC do. Their calls would fail at once, although the host exists in this test. forgetRefusals does nothing if
// no connection was refused.
func (n *virtualNetwork) forgetRefusals(t *testing.T) {
	t.Helper()
	if n.restart == nil || n.channel == nil || n.push() != nil { // all reports of the last test have arrived after push
		return
	}
	n.mu.Lock()
	refused := n.hasRefused
	n.hasRefused = false
	n.mu.Unlock()
	if refused {
		n.restart(t)
	}
}

// startClients marks all waiting and listening sockets as older than the test. Then it starts the hosts of permanent
// stubs that send first.
func (n *virtualNetwork) startClients() {
	n.mu.Lock()
	n.oldSockets = map[string]bool{}
	for key := range n.sockets {
		n.oldSockets[key] = true
	}
	n.mu.Unlock()
	for _, s := range n.permanentStubs {
		if s.startClient != nil {
			s.startClient()
		}
	}
}

// publish makes the host of a stub reachable for the service.
func (n *virtualNetwork) publish(*stub) error {
	if n.channel == nil {
		return errors.New("the service of SONDE_BASE_URL has a network of its own: unset it, and the tests start theirs")
	}
	return n.push()
}

// push sends the network's table to the service, and waits until the service uses it.
func (n *virtualNetwork) push() error {
	if err := n.save(); err != nil {
		return err
	}
	text, err := os.ReadFile(n.tableFile())
	if err != nil {
		return err
	}
	return n.sendCommand("set", fmt.Sprintf("table %%d %d\n%s", len(text), strings.ReplaceAll(string(text), "%", "%%")))
}

// sync waits until all earlier reports of the service have arrived.
func (n *virtualNetwork) sync() { n.sendCommand("synced", "sync %d\n") }

// sendCommand sends a command to the service, and waits until the service has executed it.
func (n *virtualNetwork) sendCommand(answer, format string) error {
	n.mu.Lock()
	n.commands++
	number, done, channel := n.commands, make(chan struct{}), n.channel
	n.pending[fmt.Sprint(answer, " ", number)] = done
	n.mu.Unlock()
	if _, err := fmt.Fprintf(channel, format, number); err != nil {
		return fmt.Errorf("the service ended: %v", err)
	}
	if !waitFor(done, 5*time.Second) {
		return errors.New("the service does not report on its network: was it built by sonde build --net?")
	}
	return nil
}

// save writes the network's table to the file that the service reads when it starts.
func (n *virtualNetwork) save() error {
	table, err := n.table()
	if err == nil {
		err = os.WriteFile(n.tableFile()+".new", []byte(table), 0o600)
	}
	if err == nil {
		err = os.Rename(n.tableFile()+".new", n.tableFile())
	}
	return err
}

// table returns the lines that describe the network to the service.
func (n *virtualNetwork) table() (string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := []string{"net 1", "unknown resolve"}
	port := n.servicePort
	if port == 0 {
		port = n.realPort
	}
	for _, network := range []string{"tcp", "udp"} {
		all = append(all, fmt.Sprintf("bind %s %d %d", network, port, n.realPort))
		for _, hostPort := range n.allow {
			all = append(all, "allow "+network+" "+hostPort)
		}
	}
	if n.hostname != "" {
		all = append(all, "hostname "+n.hostname)
	}
	for _, i := range n.interfaces {
		all = append(all, "iface "+i)
	}
	isKnown := map[string]bool{}
	for _, s := range n.allStubs() {
		key := n.transport(s) + s.host
		if isKnown[key] {
			continue
		}
		isKnown[key] = true
		lines, err := n.hostLines(s)
		if err != nil {
			return "", err
		}
		all = append(all, lines...)
	}
	return strings.Join(all, "\n") + "\n", nil
}

// hostLines returns the lines of the table for the host of a stub.
func (n *virtualNetwork) hostLines(s *stub) ([]string, error) {
	if s.tableLines != nil {
		return s.tableLines(), nil
	}
	var sameHost []*stub
	opened := s
	for _, other := range n.allStubs() {
		if n.transport(other) == n.transport(s) && other.host == s.host && other.open != nil {
			sameHost = append(sameHost, other)
			if other.protocol == "http" {
				opened = other // the port of an HTTP stub also detects other protocols
			}
		}
	}
	realAddr, err := n.realAddr(opened)
	if err != nil {
		return nil, err
	}
	name, port, _ := net.SplitHostPort(s.host)
	var all []string
	for _, addr := range n.addresses(name, 0) {
		all = append(all, "route "+n.transport(s)+" "+net.JoinHostPort(addr, port)+" "+dialResults(sameHost, realAddr))
	}
	return all, nil
}

// realAddr returns the real address of a stub's host.
func (n *virtualNetwork) realAddr(s *stub) (string, error) {
	key := s.protocol + " " + s.host
	if n.realAddrs[key] == "" {
		opened, err := s.open(&n.hosts, s.host)
		if err != nil {
			return "", err
		}
		n.realAddrs[key] = opened
	}
	return n.realAddrs[key], nil
}

// transport returns the protocol of a stub if it is udp, dns or environment, and tcp for all others.
func (n *virtualNetwork) transport(s *stub) string {
	if s.protocol == "udp" || s.protocol == "dns" || s.protocol == "environment" {
		return s.protocol
	}
	return "tcp"
}

// dialResults returns the results of successive dials to a host with these stubs: errors, or realAddr. The last
// result repeats. "watch" makes the service report its waits on connections to the host.
func dialResults(stubs []*stub, realAddr string) string {
	first, all := stubs[0], []string{realAddr}
	if first.protocol == "tcp" {
		all = numberedDialResults(stubs, realAddr)
	} else if (len(first.conditions) == 0 || len(stubs) == 1) && first.ordinal == 0 {
		all = first.dialResults(realAddr)
	}
	text := strings.Join(all, " ")
	if contains(all, realAddr) {
		text += " watch"
	}
	return text
}

// dialResults returns the results of dials to a host with this stub: the failures with which the script begins and,
// if an answer follows, realAddr. dialResults counts these failures as given answers.
func (s *stub) dialResults(realAddr string) []string {
	if s.isBackground {
		return s.nextDialResults(realAddr)
	}
	var all []string
	for _, a := range s.script {
		if a.failure == "" {
			s.answersGiven = len(all)
			return append(all, realAddr)
		}
		all = append(all, "!"+a.failure)
	}
	s.answersGiven = len(all)
	switch {
	case s.isRepeated && len(all) > 1:
		return append(all, "again")
	case s.isRepeated:
		return all
	case s.afterScript != nil && s.afterScript.failure != "":
		return append(all, "!"+s.afterScript.failure)
	case s.afterScript != nil || len(all) != 1:
		return append(all, realAddr)
	}
	return all
}

// nextDialResults returns the results of the next dials to the host of a background stub, whose script continues from
// test to test.
func (s *stub) nextDialResults(realAddr string) []string {
	var all []string
	for n := s.answersGiven; ; n++ {
		a, ok := s.answerAt(n)
		if !ok || a.failure == "" {
			return append(all, realAddr)
		}
		all = append(all, "!"+a.failure)
		if n >= len(s.script) {
			return all
		}
	}
}

// numberedDialResults returns the results of dials to a host with stubs of TCP. Each connection begins the script of
// its stub anew, so the results depend only on the number of the connection.
func numberedDialResults(stubs []*stub, realAddr string) []string {
	last := 0
	for _, s := range stubs {
		if s.ordinal > last {
			last = s.ordinal
		}
	}
	var all []string
	for nth := 1; nth <= last+1; nth++ {
		all = append(all, numberedDialResult(stubs, nth, realAddr))
	}
	return all
}

func numberedDialResult(stubs []*stub, nth int, realAddr string) string {
	for _, s := range stubs {
		if s.ordinal != 0 && s.ordinal != nth {
			continue
		}
		if a, _ := s.answerAt(0); a.failure != "" && (len(s.conditions) == 0 || len(stubs) == 1) {
			return "!" + a.failure
		}
		break
	}
	return realAddr
}

// addresses returns the addresses of a name. The name may be an alias of another name; aliases is the number of
// aliases that led to the name.
func (n *virtualNetwork) addresses(name string, aliases int) []string {
	stubs := n.stubsOf("dns", name)
	switch {
	case net.ParseIP(name) != nil:
		return []string{name}
	case len(stubs) == 0:
		return syntheticAddresses(name)
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

// syntheticAddresses returns the addresses of a name without records. The service computes the same addresses.
func syntheticAddresses(name string) []string {
	h := fnv.New64a()
	io.WriteString(h, strings.ToLower(name))
	sum := h.Sum64()
	ipv4 := 198<<24 + 18<<16 + 256 + uint32((sum^sum>>32)%(1<<17-512))
	ipv6 := net.IP{0xfd, 0, 0x73, 0x6f, 0x6e, 0x64, 0, 0x65, 15: 0}
	binary.BigEndian.PutUint64(ipv6[8:], sum)
	return []string{net.IPv4(byte(ipv4>>24), byte(ipv4>>16), byte(ipv4>>8), byte(ipv4)).String(), ipv6.String()}
}

// readReports handles the reports that the service sends, until the channel ends.
func (n *virtualNetwork) readReports(channel net.Conn) {
	for lines := bufio.NewScanner(channel); lines.Scan(); {
		f := strings.Split(lines.Text(), " ")
		for i := range f {
			if text, err := url.PathUnescape(f[i]); err == nil {
				f[i] = text
			}
		}
		if len(f) > 1 {
			n.handleReport(f)
		}
	}
}

// handleReport handles one report of the service.
func (n *virtualNetwork) handleReport(f []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if done := n.pending[f[0]+" "+f[1]]; done != nil {
		close(done)
		delete(n.pending, f[0]+" "+f[1])
		return
	}
	if f[0] == "use" { // the service used its environment: no host is involved
		return
	}
	n.lastActivity = time.Now()
	switch f[0] {
	case "lookup":
		for _, addr := range strings.Split(f[len(f)-1], ",") {
			n.hostNames[addr] = f[2]
		}
	case "refused", "lost":
		host := n.withHostName(f[2])
		if f[0] == "refused" && f[1] == "tcp" {
			n.countMessage("connection", host)
			n.hasRefused = true
		}
		n.countRefusal(host)
		if n.onMessage != nil && !n.isOnlyBackground(host) {
			n.onMessage("refused", host, f[2], message{})
		}
		if !n.hasStub(f[1], host) {
			n.unanswered = append(n.unanswered, f[1]+" "+host+" ("+f[0]+")")
		}
	case "wait", "listen":
		n.sockets[f[0]+" "+f[1]] = f
		if n.oldSockets != nil && f[0] == "listen" && strings.HasSuffix(f[4], fmt.Sprint(":", n.realPort)) {
			// This is the service's API: tests could call it before the report was sent.
			n.oldSockets["listen "+f[1]] = true
		}
	case "closed":
		delete(n.sockets, "wait "+f[1])
		delete(n.sockets, "listen "+f[1])
	}
}

// hasStub reports whether the host has a stub with the transport protocol.
func (n *virtualNetwork) hasStub(transport, host string) bool {
	for _, s := range n.allStubs() {
		if s.host == host && n.transport(s) == transport {
			return true
		}
	}
	return false
}

// countRefusal counts a failed dial as an answer of the host's background stub, if the next answer of the stub is a
// failure.
func (n *virtualNetwork) countRefusal(host string) {
	for _, s := range n.permanentStubs {
		if s.isBackground && s.host == host && s.answersGiven < len(s.script) && s.script[s.answersGiven].failure != "" {
			s.answersGiven++
			return
		}
	}
}

// withHostName returns hostPort with the host name that the service looked up in place of the address. If there is no
// such name, it returns hostPort.
func (n *virtualNetwork) withHostName(hostPort string) string {
	addr, port, err := net.SplitHostPort(hostPort)
	if name := n.hostNames[addr]; err == nil && name != "" {
		return net.JoinHostPort(name, port)
	}
	return hostPort
}
