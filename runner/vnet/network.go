package vnet

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"

	"sonde/model"
	"sonde/runner/authority"
)

// Options of a Network. The zero value is useful.
type Options struct {
	// Ground is what carries the network.
	Ground model.Ground
	// Allow are the host:port that stay real; a port of * is any.
	Allow []string
	// Hostname is what the service's machine is called, and Interfaces are its
	// addresses, as in "eth0 10.0.0.2/24"; without them they are made up.
	Hostname   string
	Interfaces []string
	// Resolve lets every name have an address, for finding out which the service
	// looks up.
	Resolve bool
	// Stubs are those of the whole run, behind a test's own.
	Stubs []model.Stub
}

// Network is the network around one process of a service at a time. Begin, Calling,
// Idle, End, Enter and Attach are for one caller; Bind, Leave and Close may be called by
// any.
type Network struct {
	options Options
	ca      *authority.Authority
	folder  string
	web     *web
	dns     *resolver
	proxy   net.Listener // nil where there is none

	mu        sync.Mutex
	book      book
	endpoints map[way]*endpoint
	conns     map[netip.AddrPort]*conn // by the end that the service's waits name
	early     map[netip.AddrPort]*wait // for connections to come
	sockets   map[string]*test         // in whose call each of the service's was first heard of
	waits     map[string]*wait
	dialed    dialed
	listens   map[string]*listening
	bound     map[int]int
	test      *test
	startup   []model.Contact
	escapes   []string
	channel   *channel
	seats     *seats // of the process at the other end of the channel
	space     *space // nil where there is none, or nobody in it
	opened    int    // sockets that endpoints have opened or closed
	met       bool   // the service said hello
	table     string // the service's
	moved     quiet
	late      int                               // datagrams that are on their way to the service
	unheard   map[netip.AddrPort]netip.AddrPort // of a namespace: from where the service sent one to whom that says nothing
	heard     chan struct{}                     // told when a host that speaks first has, or the service waits for another
	closed    bool
}

// New returns a network that nobody uses yet.
func New(o Options) (*Network, error) {
	if err := check(o.Stubs); err != nil {
		return nil, err
	}
	n := &Network{
		options: o, endpoints: map[way]*endpoint{}, conns: map[netip.AddrPort]*conn{}, early: map[netip.AddrPort]*wait{}, sockets: map[string]*test{}, unheard: map[netip.AddrPort]netip.AddrPort{}, waits: map[string]*wait{}, dialed: newDialed(),
		listens: map[string]*listening{}, bound: map[int]int{}, test: newTest(o.Stubs), heard: make(chan struct{}, 1),
	}
	n.test.admitted = len(o.Stubs)
	var err error
	n.ca, err = authority.New(hostsName)
	if err != nil {
		return nil, err
	}
	n.folder, err = os.MkdirTemp("", "sonde-net-")
	if err != nil {
		return nil, fmt.Errorf("the virtual network needs a folder: %w", err)
	}
	if err := n.open(); err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}

// open starts what serves all hosts.
func (n *Network) open() error {
	n.web = newWeb(answer)
	if err := os.WriteFile(n.caFile(), n.ca.PEM, 0o600); err != nil {
		return fmt.Errorf("the virtual network's certificate cannot be written: %w", err)
	}
	switch n.options.Ground {
	case model.Namespace:
		return nil // it begins with the service's process
	case model.Proxied:
		return errors.Join(n.listenAsProxy(), n.serve(n.test))
	}
	var err error
	n.dns, err = newResolver(n)
	if err != nil {
		return err
	}
	return n.serve(n.test)
}

func (n *Network) caFile() string    { return filepath.Join(n.folder, "ca.pem") }
func (n *Network) tableFile() string { return filepath.Join(n.folder, "table") }
func (n *Network) seatFile() string  { return filepath.Join(n.folder, "seats") }

func check(stubs []model.Stub) error {
	for _, s := range stubs {
		if err := s.Check(); err != nil {
			return err
		}
	}
	return nil
}

// Bind says where a port really is on which the service is told to listen, and called
// by others than the network's hosts. It holds from the next Attach or Begin on.
func (n *Network) Bind(port, real int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.bound[port] = real
}

// Enter lets a command that is about to start be a new process of the service. It is to
// have its environment by now, and no further files. Entered is to be called with what
// came of its start, and returns it, or what is wrong with the network: the process is
// then of no use. What is known of a process before is forgotten.
func (n *Network) Enter(c *exec.Cmd) (entered func(started error) error, err error) {
	switch n.options.Ground {
	case model.Namespace:
		return n.enterSpace(c)
	case model.Proxied:
		n.Leave()
		n.enterProxied(c)
		return func(started error) error { return started }, nil
	}
	env, child, err := n.Attach()
	if err != nil {
		return nil, err
	}
	c.Env, c.ExtraFiles = append(c.Environ(), env...), []*os.File{child}
	return func(started error) error {
		_ = child.Close()
		return started
	}, nil
}

// Attach makes way for a new process of a service with a network built in, which is to
// have env in its environment, and child as the first of its further files. The caller
// closes child once the process is started.
func (n *Network) Attach() (env []string, child *os.File, err error) {
	n.Leave()
	c, child, err := newChannel(n.event)
	if err != nil {
		return nil, nil, err
	}
	seats, err := newSeats(n.seatFile())
	n.mu.Lock()
	defer n.mu.Unlock()
	n.channel, n.seats, n.met = c, seats, false
	n.table = n.written(n.test)
	if err := cmp.Or(err, n.save(n.table)); err != nil {
		child.Close()
		return nil, nil, err
	}
	return []string{"SONDE_NET=" + n.tableFile(), "SONDE_NET_CTL=3", "SONDE_NET_SEATS=" + n.seatFile(), "SONDE_NET_CA=" + n.caFile()}, child, nil
}

// Leave forgets the process of the service, which has ended.
func (n *Network) Leave() {
	n.mu.Lock()
	c, s := n.channel, n.space
	n.channel, n.space = nil, nil
	n.seats.close()
	n.seats = nil
	clear(n.waits)
	clear(n.listens)
	clear(n.early)
	clear(n.sockets)
	n.dialed.clear()
	n.mu.Unlock()
	if c != nil {
		c.close()
	}
	s.close()
}

// save writes the table for the service's children, whole.
func (n *Network) save(table string) error {
	next := n.tableFile() + ".new"
	err := os.WriteFile(next, []byte(table), 0o600)
	if err == nil {
		err = os.Rename(next, n.tableFile())
	}
	if err != nil {
		return fmt.Errorf("the virtual network's table cannot be written: %w", err)
	}
	return nil
}

// Close ends the network. What the service does then is refused.
func (n *Network) Close() error {
	n.Leave()
	n.mu.Lock()
	n.closed = true
	n.test.finish()
	conns := slices.Collect(maps.Values(n.conns))
	for _, e := range n.endpoints {
		e.close()
	}
	n.mu.Unlock()
	for _, c := range conns {
		c.kill()
	}
	n.dns.close()
	if n.proxy != nil {
		_ = n.proxy.Close()
	}
	n.web.close()
	return os.RemoveAll(n.folder)
}
