package netsim

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"sonde/model"
	"sonde/runner/network/netns"
)

// namespaceGround is the ground of a process in a network namespace, where the sockets of the
// hosts have their virtual addresses. The process may be any program.
type namespaceGround struct{ n *Network }

// start does nothing, because enter makes a new namespace for each process.
func (*namespaceGround) start() error { return nil }
func (*namespaceGround) close()       {}

func (g *namespaceGround) enter(c *exec.Cmd) (entered func(started error) error, err error) {
	inside, err := netns.New()
	if err != nil {
		return nil, err
	}
	trustAuthority(c, g.n.caFile())
	done, err := inside.PrepareCommand(c)
	if err != nil {
		inside.Close()
		return nil, err
	}
	return func(started error) error {
		done()
		p := &namespaceProcess{
			Namespace: inside, n: g.n, allowed: map[netip.AddrPort]bool{}, ended: make(chan struct{}),
		}
		if started == nil {
			started = p.start()
		}
		if started != nil {
			p.close()
		}
		return started
	}, nil
}

// listen opens a socket in the namespace. It returns nil, nil if there is no process or it has ended, if the namespace
// does not have the address, or if the port is in use, usually by the service itself.
func (g *namespaceGround) listen(e endpoint) (socket, error) {
	p, ok := g.n.process.(*namespaceProcess)
	if !ok {
		return nil, nil
	}
	s, err := p.listen(e)
	switch {
	case err == nil:
		return s, nil
	case canDoWithout(err):
		return nil, nil
	}
	return nil, fmt.Errorf("no socket in the namespace for %s: %w", e, err)
}

func canDoWithout(err error) bool {
	for _, e := range []error{
		netns.ErrKeeperEnded, syscall.EADDRINUSE, syscall.EAFNOSUPPORT, syscall.EADDRNOTAVAIL,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// hasSocket is false if the next dial has a fault: without a socket, the kernel refuses the dial.
func (*namespaceGround) hasSocket(next dialStep) bool { return next.fault == "" }

// maxSpareSockets is 0, because hosts without a stub in the test must refuse dials.
func (*namespaceGround) maxSpareSockets() int { return 0 }

// visibleFault is always NetRefuse, because the kernel can only refuse a dial.
func (*namespaceGround) visibleFault(model.NetFault) model.NetFault { return model.NetRefuse }

func (*namespaceGround) dns() resolverTraits {
	return resolverTraits{pairsQuestions: true, timeoutFails: true}
}

// namespaceProcess is a process in a network namespace. It reports nothing. Sonde sees what
// reaches the sockets of the hosts, what the kernel refuses, and which ports are open. It
// infers the waits of the process from silence.
type namespaceProcess struct {
	*netns.Namespace
	n        *Network
	resolver *resolver

	// The mutex of the network guards the next two fields.

	allowed             map[netip.AddrPort]bool // the addresses at which the process reaches real hosts
	unansweredDatagrams unansweredDatagrams

	mu    sync.Mutex
	links []io.Closer   // listeners that forward connections into or out of the namespace
	ended chan struct{} // closed when the process has ended
}

// start opens the sockets in the namespace, such as those of the current test's hosts, and starts the process.
func (p *namespaceProcess) start() error {
	go p.HandleEvents(p.take)
	if err := p.startResolver(); err != nil {
		return err
	}
	for _, host := range p.n.options.Allow {
		if err := p.allow(host); err != nil {
			return err
		}
	}
	p.n.mu.Lock()
	p.n.process = p
	for port, real := range p.n.ports {
		go p.publish(port, real)
	}
	t := p.n.test
	p.n.mu.Unlock()
	if err := p.n.openHosts(t); err != nil {
		return err
	}
	if err := p.Start(p.n.options.Hostname); err != nil {
		return fmt.Errorf("the service cannot be started in its network: %w", err)
	}
	return nil
}

// startResolver starts a DNS server at port 53 of every IPv4 address in the namespace.
func (p *namespaceProcess) startResolver() error {
	u, err := p.ListenPacket("udp4", "0.0.0.0:53")
	if err != nil {
		return err
	}
	l, err := p.Listen("tcp4", "0.0.0.0:53")
	if err != nil {
		u.Close()
		return err
	}
	p.resolver = &resolver{answer: p.n.resolve, udp: u.(*net.UDPConn), tcp: l}
	p.resolver.serve()
	return nil
}

// close closes the connections with the keeper, and the sockets in the namespace.
func (p *namespaceProcess) close() {
	_ = p.Namespace.Close()
	p.resolver.close()
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.ended:
		return
	default:
		close(p.ended)
	}
	for _, l := range p.links {
		_ = l.Close()
	}
	p.n.mu.Lock()
	defer p.n.mu.Unlock()
	p.n.sockets.closeAll()
}

// listen opens a socket at a virtual address.
func (p *namespaceProcess) listen(e endpoint) (socket, error) {
	family := e.network + "6"
	if e.addr.Addr().Is4() {
		family = e.network + "4"
	}
	switch {
	case syntheticIPv6Net.Contains(e.addr.Addr()):
		return nil, syscall.EAFNOSUPPORT // no lookup returns such an address
	case e.network == "udp":
		u, err := p.ListenPacket(family, e.addr.String())
		if err != nil {
			return nil, err
		}
		return u.(*net.UDPConn), nil
	}
	l, err := p.Listen(family, e.addr.String())
	if err != nil {
		return nil, err
	}
	return l.(*net.TCPListener), nil
}

func (*namespaceProcess) pump()                   {}
func (*namespaceProcess) update(*testState) error { return nil }
func (*namespaceProcess) waitSlots() *slots       { return nil }
func (*namespaceProcess) infersWaits() bool       { return true }

func (p *namespaceProcess) sync() {
	_ = p.Namespace.Sync() // a process that has ended does nothing more
	p.findListeners()
}

// callerAddr is the IPv4 address of hosts that call the service. syntheticIPv4 never returns it.
var callerAddr = netip.AddrFrom4([4]byte{198, 18, 0, 1})

func (p *namespaceProcess) dial(to netip.AddrPort) (*net.TCPConn, error) {
	from := callerAddr
	if to.Addr().Is6() {
		from = netip.Addr{}
	}
	c, err := p.Dial(from, to.String())
	if err != nil {
		return nil, err
	}
	return c.(*net.TCPConn), nil
}

func (p *namespaceProcess) sendDatagram(data []byte, to netip.AddrPort) {
	_, _ = p.resolver.udp.WriteToUDPAddrPort(data, to)
}

// unanswered records that a datagram of the process gets no answer. The caller must hold the mutex.
func (p *namespaceProcess) unanswered(from, to netip.AddrPort) {
	if p.unansweredDatagrams.add(p.n.test, from, to) {
		p.n.quiet.arm()
	}
}

// waitEnds returns functions that end waits of the process. The process reports no waits, so waitEnds assumes that the
// process waits in two cases. The caller must hold the mutex.
//
//   - A datagram of the process gets no answer: the function refuses the datagram.
//   - A call of the test opened a TCP port that no host has called: the function visits the port.
func (p *namespaceProcess) waitEnds(t *testState) (ends []func()) {
	for from, to := range p.unansweredDatagrams.take(t) {
		ends = append(ends, func() { _ = p.RefuseDatagram(from, to) })
	}
	for _, l := range p.n.listeners.takeUnvisited(t) {
		ends = append(ends, func() { p.visit(l.real) })
	}
	return ends
}

// visit opens a connection to a port and resets it, so that an accept on the port returns.
func (p *namespaceProcess) visit(to netip.AddrPort) {
	if c, err := p.dial(to); err == nil {
		_ = c.SetLinger(0)
		_ = c.Close()
	}
}

// maxUnanswered is the maximum number of sockets in unansweredDatagrams.
const maxUnanswered = 100

// unansweredDatagrams has the sockets of the service that may wait, in one test, for the
// answer to a datagram.
type unansweredDatagrams struct {
	test *testState
	to   map[netip.AddrPort]netip.AddrPort // destination of the datagram, by the socket's address
}

// add adds a datagram. It returns false if there are maxUnanswered sockets already.
func (u *unansweredDatagrams) add(t *testState, from, to netip.AddrPort) bool {
	if u.test != t {
		u.test, u.to = t, map[netip.AddrPort]netip.AddrPort{}
	}
	if len(u.to) >= maxUnanswered {
		return false
	}
	u.to[from] = to
	return true
}

// take removes all datagrams, and returns those of a test.
func (u *unansweredDatagrams) take(t *testState) map[netip.AddrPort]netip.AddrPort {
	all := u.to
	if u.test != t {
		all = nil
	}
	u.to = map[netip.AddrPort]netip.AddrPort{}
	return all
}

// take handles an event of the namespace.
func (p *namespaceProcess) take(e netns.Event) {
	if e.Kind == netns.EndedEvent {
		p.close()
		return
	}
	n, at := p.n, unmapped(e.Address)
	n.mu.Lock()
	defer n.mu.Unlock()
	other, isOther := n.process.(*namespaceProcess)
	switch {
	case isOther && other != p || p.isOurs(e):
		return
	case e.Kind == netns.BroadcastEvent && n.sockets.has(endpoint{network: "udp", addr: at}):
		return // the virtual host receives the broadcast
	case e.Network == "udp":
		n.test.noteUnstubbed(model.ContactMessage, "udp", n.names.hosts(at)[0], "lost", e.Data)
	case !p.isServicePort(at):
		n.refused(endpoint{network: "tcp", addr: at})
	}
	n.quiet.active()
}

// isOurs reports whether the event was caused by Sonde itself. As a host or as the resolver, Sonde may send to a port
// that the service has closed in the meantime. The caller must hold the mutex.
func (p *namespaceProcess) isOurs(e netns.Event) bool {
	from := unmapped(e.From)
	return from.Addr() == callerAddr ||
		e.Network == "udp" && (from.Port() == 53 || p.n.sockets.sendsFrom(from))
}

// isServicePort reports whether an address is a port of the service itself. If a dial to such a port was refused, the
// dial may have come from Sonde, before the service listened. The caller must hold the mutex.
func (p *namespaceProcess) isServicePort(at netip.AddrPort) bool {
	return at.Addr().IsLoopback() && p.n.ports[int(at.Port())] != 0 || p.n.listeners.isOpen(at)
}

// maxListenerTries is the maximum number of times that findListeners lists the ports. findListeners lists them again
// if sockets of hosts were opened or closed meanwhile.
const maxListenerTries = 3

// findListeners finds the ports on which the process listens.
func (p *namespaceProcess) findListeners() {
	for range maxListenerTries {
		if p.tryFindListeners() {
			return
		}
	}
}

// tryFindListeners lists and records the ports on which the process listens. It returns false, and
// must be called again, if sockets of hosts were opened or closed meanwhile: then a listed socket
// may be one of a host.
func (p *namespaceProcess) tryFindListeners() bool {
	p.n.mu.Lock()
	before := p.n.sockets.changes
	p.n.mu.Unlock()
	all, err := p.ListeningSockets()
	p.n.mu.Lock()
	defer p.n.mu.Unlock()
	if err != nil || p.n.process != process(p) {
		return true
	}
	if p.n.sockets.changes != before {
		return false
	}
	p.setListeners(all)
	return true
}

// setListeners records the listening sockets of the namespace as those of the process, except where
// isHostSocket is true. The caller must hold the mutex.
func (p *namespaceProcess) setListeners(all []netns.ListeningSocket) {
	open := map[string]bool{}
	for _, l := range all {
		if id := l.Network + " " + l.Address.String(); !p.isHostSocket(l) {
			open[id] = true
			p.found(id, l)
		}
	}
	for id := range p.n.listeners.open {
		if !open[id] {
			p.n.stopsListening(id)
		}
	}
}

// isHostSocket reports whether a socket belongs to a host, to the resolver or to an allowed real
// host, or is the port of the service's API. Other sockets are additional ports of the process. The
// caller must hold the mutex.
func (p *namespaceProcess) isHostSocket(l netns.ListeningSocket) bool {
	at, tcp := unmapped(l.Address), l.Network == "tcp"
	return p.n.sockets.has(endpoint{network: l.Network, addr: at}) ||
		at.Port() == 53 && at.Addr().IsUnspecified() ||
		tcp && (p.n.ports[int(at.Port())] != 0 || p.allowed[l.Address])
}

// firstEphemeral is the first port in the range from which Linux chooses a port by itself.
const firstEphemeral = 32768

// found records that the process listens on a port. It assumes that the process waits on the port whenever the queue of
// the port is empty and Sonde is not sending a datagram. The caller must hold the mutex.
func (p *namespaceProcess) found(id string, at netns.ListeningSocket) {
	n := p.n
	if n.listeners.open[id] == nil {
		transient := n.test.busy
		n.addListener(&listener{
			id:        id,
			network:   at.Network,
			port:      int(at.Address.Port()),
			real:      dialable(at.Address),
			transient: transient,
			ephemeral: at.Address.Port() >= firstEphemeral && !(transient && at.Network == "tcp"),
		})
	}
	w := n.listeners.inferWait(id)
	if l := n.listeners.open[id]; at.Unread == 0 && n.quiet.inFlight == 0 {
		w.read = l.mark
		n.inward.invite(l)
		n.inward.progressed()
	}
}

// dialable returns an address at which a listener can be reached.
func dialable(at netip.AddrPort) netip.AddrPort {
	if at.Addr().IsUnspecified() {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port())
	}
	return at
}

// listenPoll is the interval at which awaitListener lists the ports.
const listenPoll = 2 * time.Millisecond

// addLink adds a listener that is closed when the process ends. If the process has ended,
// addLink closes the listener and returns false.
func (p *namespaceProcess) addLink(l net.Listener) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.ended:
		_ = l.Close()
		return false
	default:
		p.links = append(p.links, l)
		return true
	}
}

// publish waits until the service listens on port. Then it listens on real, a port outside of the namespace, and
// forwards connections to port.
func (p *namespaceProcess) publish(port, real int) {
	at, ok := p.awaitListener(port)
	if !ok {
		return
	}
	outside := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(real))
	l, err := net.Listen("tcp", outside.String())
	if err != nil || !p.addLink(l) {
		return // connections to the port real are refused
	}
	forward(l, func() (net.Conn, error) { return p.Dial(netip.Addr{}, at.String()) })
}

// awaitListener waits until the service listens on a port. It returns false if the process
// ended.
func (p *namespaceProcess) awaitListener(port int) (at netip.AddrPort, ok bool) {
	poll := time.NewTicker(listenPoll)
	defer poll.Stop()
	for {
		all, _ := p.ListeningSockets() // none if the process has ended
		for _, l := range all {
			if l.Network == "tcp" && int(l.Address.Port()) == port {
				return dialable(l.Address), true
			}
		}
		select {
		case <-p.ended:
			return at, false
		case <-poll.C:
		}
	}
}

// allow forwards connections from the virtual address of a host to the real host.
func (p *namespaceProcess) allow(host string) error {
	name, port := splitHost(host)
	if port == 0 {
		return fmt.Errorf("%q has no port number: in a namespace each host that is real needs one", host)
	}
	addr := syntheticIPv4(name)
	if parsed, err := netip.ParseAddr(name); err == nil {
		addr = parsed.Unmap()
	}
	if name == "localhost" {
		addr = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	at := netip.AddrPortFrom(addr, port)
	l, err := p.Listen("tcp", at.String())
	if err != nil {
		return fmt.Errorf("%q cannot be reached from the network: %w", host, err)
	}
	p.n.mu.Lock()
	p.allowed[at] = true
	p.n.mu.Unlock()
	if p.addLink(l) {
		go forward(l, func() (net.Conn, error) {
			p.n.mu.Lock()
			p.n.test.noteUnstubbed(model.ContactDial, "tcp", canonicalHost(host), "real", nil)
			p.n.mu.Unlock()
			return net.Dial("tcp", host)
		})
	}
	return nil
}
