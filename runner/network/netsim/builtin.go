package netsim

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"

	"sonde/model"
)

// builtInGround is the ground of a service that Sonde built with a network. The built-in
// code follows a table, and reports on a channel what the service does. The hosts listen
// on ports of loopback.
type builtInGround struct {
	loopbackGround
	n        *Network
	resolver *resolver
}

func (g *builtInGround) start() (err error) {
	g.resolver, err = newResolver(g.n.resolve)
	if err != nil {
		return err
	}
	return g.n.openHosts(g.n.test)
}

func (g *builtInGround) close() { g.resolver.close() }

func (g *builtInGround) listen(e endpoint) (socket, error) {
	s, err := g.loopbackGround.listen(e)
	if err != nil {
		return nil, fmt.Errorf("no port on loopback for %s: %w", e, err)
	}
	return s, nil
}

func (*builtInGround) hasSocket(dialStep) bool { return true }

func (g *builtInGround) enter(c *exec.Cmd) (entered func(started error) error, err error) {
	env, child, err := g.attach()
	if err != nil {
		return nil, err
	}
	c.Env, c.ExtraFiles = append(c.Environ(), env...), []*os.File{child}
	return func(started error) error {
		_ = child.Close()
		return started
	}, nil
}

func (g *builtInGround) tableFile() string { return filepath.Join(g.n.folder, "table") }
func (g *builtInGround) slotFile() string  { return filepath.Join(g.n.folder, "slots") }

// attach implements Network.AttachProcess.
func (g *builtInGround) attach() (env []string, child *os.File, err error) {
	p := &builtInProcess{n: g.n, ground: g}
	var channel *channel
	channel, child, err = newChannel(p.take)
	if err != nil {
		return nil, nil, err
	}
	p.channel = channel
	var slotsErr error
	p.slots, slotsErr = newSlots(g.slotFile())
	g.n.mu.Lock()
	defer g.n.mu.Unlock()
	g.n.process = p
	p.table = g.tableOf(g.n.test)
	if err := cmp.Or(slotsErr, g.save(p.table)); err != nil {
		child.Close()
		return nil, nil, err
	}
	return []string{
		"SONDE_NET=" + g.tableFile(), "SONDE_NET_CTL=3", "SONDE_NET_SLOTS=" + g.slotFile(),
		"SONDE_NET_CA=" + g.n.caFile(),
	}, child, nil
}

// tableOf returns the table of a test: a text that tells the network code in the service how to play the network. The
// caller must hold the mutex.
func (g *builtInGround) tableOf(t *testState) string {
	return serviceTable{
		test:       t,
		real:       g.n.sockets.real,
		nameServer: g.resolver.real,
		ports:      g.n.ports,
		options:    g.n.options,
	}.String()
}

// save atomically writes the table file that the service and its children read.
func (g *builtInGround) save(table string) error {
	next := g.tableFile() + ".new"
	err := os.WriteFile(next, []byte(table), 0o600)
	if err == nil {
		err = os.Rename(next, g.tableFile())
	}
	if err != nil {
		return fmt.Errorf("the virtual network's table cannot be written: %w", err)
	}
	return nil
}

// builtInProcess is a process with a network built in. The mutex of the network guards
// slots, greeted and table.
type builtInProcess struct {
	n       *Network
	ground  *builtInGround
	channel *channel
	slots   *slots
	greeted bool   // a helloEvent has come
	table   string // the table that the service has
}

func (p *builtInProcess) pump() { p.channel.pump() }

func (p *builtInProcess) sync() { _ = p.channel.sync() } // a process that has ended does nothing more

func (*builtInProcess) findListeners() {}

func (*builtInProcess) dial(to netip.AddrPort) (*net.TCPConn, error) {
	return net.DialTCP("tcp4", nil, net.TCPAddrFromAddrPort(to))
}

func (p *builtInProcess) sendDatagram(data []byte, to netip.AddrPort) {
	_, _ = p.ground.resolver.udp.WriteToUDPAddrPort(data, to)
}

func (p *builtInProcess) close() {
	p.n.mu.Lock()
	p.slots.close()
	p.slots = nil
	p.n.mu.Unlock()
	p.channel.close()
}

func (p *builtInProcess) waitSlots() *slots                       { return p.slots }
func (*builtInProcess) infersWaits() bool                         { return false }
func (*builtInProcess) unanswered(netip.AddrPort, netip.AddrPort) {}

// update gives the process the table of a test. It does nothing if the process already has this table and
// testState.hasCounters is false.
//
// update returns an error if the table cannot be saved. If the process does not acknowledge the table, update returns
// an error only if the process is detached or has never sent a helloEvent.
func (p *builtInProcess) update(t *testState) error {
	p.n.mu.Lock()
	text := p.ground.tableOf(t)
	same := text == p.table && !t.hasCounters()
	p.table = text
	p.n.mu.Unlock()
	if same {
		return nil
	}
	if err := p.ground.save(text); err != nil {
		return err
	}
	err := p.channel.setTable(text)
	p.n.mu.Lock()
	defer p.n.mu.Unlock()
	if p.greeted && p.n.process == process(p) {
		return nil
	}
	return err
}

// waitErrno maps the kind of a wait to the error that the service gets when Sonde ends the wait.
var waitErrno = map[string]string{"accept": "ECONNABORTED", "recv": "ECONNREFUSED"}

func (p *builtInProcess) waitEnds(t *testState) (ends []func()) {
	for _, w := range p.n.listeners.takeWaits(t) {
		ends = append(ends, func() { p.channel.endWait(w.id, waitErrno[w.kind]) })
	}
	return ends
}

// take handles an event of the process.
func (p *builtInProcess) take(e event) {
	n := p.n
	n.mu.Lock()
	defer n.mu.Unlock()
	switch e := e.(type) {
	case helloEvent:
		p.greeted = true
	case lookupEvent:
		n.lookedUp(e)
	case refusedEvent:
		n.refused(e.to)
	case realDialEvent:
		n.test.noteUnstubbed(model.ContactDial, e.to.network, n.names.hosts(e.to.addr)[0], "real", nil)
	case lostDatagramEvent:
		n.test.noteUnstubbed(model.ContactMessage, e.to.network, n.names.hosts(e.to.addr)[0], "lost", e.data)
	case listenEvent:
		n.listens(e)
	case closedEvent:
		n.stopsListening(e.id)
		n.conns.closes(e.id)
	case execEvent:
		n.escapes.program(e.program)
	case rawSocketEvent:
		n.escapes.rawSocket()
	case dialedEvent: // not counted as activity: Network.register has counted it
		n.conns.dials(e.id, dialed{n.names.hosts(e.far)[0], n.test, n.test.call}, e.local)
		return
	case useEvent: // not counted as activity: it involves no host
		n.test.noteUse(e, n.options.fixes(e.resource))
		return
	case waitEvent:
		n.waits(e.wait)
		return
	}
	n.quiet.active()
}

// lookedUp notes a lookup of the service. The caller must hold the mutex.
func (n *Network) lookedUp(e lookupEvent) {
	name := cleanName(e.name)
	for _, addr := range e.addresses {
		n.names.add(name, addr)
	}
	m := model.Contact{
		Kind: model.ContactLookup, Protocol: model.DNS, Host: name, Data: []byte(e.kind), Stub: -1, Answer: -1, Outcome: "answer",
	}
	switch e.result {
	case "-", "":
		m.Outcome = "nxdomain"
	case "real":
		m.Outcome = "real"
	}
	n.test.lookupAnswer(&m, n.test.lookups[name])
	n.test.lookups[name]++
	n.test.note(m)
}

// listens records that the service listens on a port. The caller must hold the mutex.
func (n *Network) listens(e listenEvent) {
	if n.ports[e.port] != 0 {
		n.listeners.addAPI(e.id)
		return
	}
	n.addListener(&listener{
		id:        e.id,
		network:   e.network,
		port:      e.port,
		real:      e.real,
		transient: n.test.busy,
		ephemeral: int(e.real.Port()) == e.port,
	})
}

// waits handles the report that the service waits on a socket. The caller must hold the mutex.
func (n *Network) waits(w *wait) {
	if w.kind == "read" {
		if c := n.conns.waiting(w); c != nil {
			c.reportWait(w)
		}
	} else {
		if l := n.listeners.setWait(w, n.test); l != nil {
			n.inward.invite(l)
		}
		n.inward.progressed()
	}
	n.quiet.arm()
}

// errNotBuiltIn is the error of AttachProcess on another ground.
var errNotBuiltIn = errors.New("only a service with a network built in can be attached")
