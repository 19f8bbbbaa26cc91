package netsim

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"

	"sonde/model"
	"sonde/runner/network/devca"
)

// Options of a Network. The zero value is useful.
type Options struct {
	// Ground is what carries the network.
	Ground model.NetworkGround
	// Allow are the host:port that stay real. The port * means any.
	Allow []string
	// Hostname is the name of the service's machine, and Interfaces are its addresses, as
	// in "eth0 10.0.0.2/24". If empty, they are made up.
	Hostname   string
	Interfaces []string
	// Resolve gives every name an address, to find out which names the service looks up.
	Resolve bool
	// Stubs are those of the whole run. They come after the stubs of a test.
	Stubs []model.Stub
}

// Network is the network around one process of a service at a time. BeginTest, BeginCall,
// EndCall, EndTest, PrepareCommand and AttachProcess are for one goroutine. The other methods may be called
// by any.
type Network struct {
	options Options
	ca      *devca.Authority
	folder  string
	web     *webServer
	ground  ground

	mu        sync.Mutex // guards all that follows, and what it owns
	names     hostNames
	sockets   *hostSockets
	conns     *connections
	listeners *listeners
	inward    *inwardCalls
	quiet     *quiescence
	escapes   escapeList
	process   process // never nil
	ports     map[int]int
	test      *test
	startup   []model.Contact // what the service did before the first test; nil until that begins
	closed    bool
}

// New returns a network that no process uses yet.
func New(o Options) (*Network, error) {
	if err := checkStubs(o.Stubs); err != nil {
		return nil, err
	}
	n := &Network{
		options:   o,
		conns:     newConnections(),
		listeners: newListeners(),
		process:   noProcess{},
		ports:     map[int]int{},
		test:      newTest(o.Stubs),
	}
	n.ground = newGround(n)
	n.inward = &inwardCalls{n: n, progress: make(chan struct{}, 1)}
	n.quiet = &quiescence{n: n}
	n.sockets = &hostSockets{
		open:     map[endpoint]*hostSocket{},
		listen:   n.ground.listen,
		maxSpare: n.ground.maxSpareSockets(),
		serve: func(h *hostSocket) {
			h.n = n
			h.start()
		},
	}
	n.test.admitted = len(o.Stubs)
	var err error
	n.ca, err = devca.New(authorityName)
	if err != nil {
		return nil, err
	}
	n.folder, err = os.MkdirTemp("", "sonde-net-")
	if err != nil {
		return nil, fmt.Errorf("the virtual network needs a folder: %w", err)
	}
	if err := n.start(); err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}

// start opens what serves all hosts.
func (n *Network) start() error {
	n.web = newWebServer(serveHTTP)
	if err := os.WriteFile(n.caFile(), n.ca.PEM, 0o600); err != nil {
		return fmt.Errorf("the virtual network's certificate cannot be written: %w", err)
	}
	return n.ground.start()
}

// authorityName is the name of the authority that signs the certificates of the hosts.
const authorityName = "Sonde's virtual hosts"

func (n *Network) caFile() string { return filepath.Join(n.folder, "ca.pem") }

// trustHosts makes a program trust the hosts.
func (n *Network) trustHosts(c *exec.Cmd) {
	c.Env = append(c.Environ(), devca.TrustEnv(n.caFile())...)
}

func checkStubs(stubs []model.Stub) error {
	for _, s := range stubs {
		if err := s.Validate(); err != nil {
			return err
		}
	}
	return nil
}

// BindPort records where a port really is on which the service is told to listen, and which
// others than the network's hosts call. It holds from the next AttachProcess or BeginTest on.
func (n *Network) BindPort(port, real int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ports[port] = real
}

// PrepareCommand makes a command that is about to start a new process of the service. The command
// has its environment by now, and no further files. The caller passes the result of its
// start to entered, which returns it, or what is wrong with the network; the process is then
// of no use. What is known of a process before is forgotten.
func (n *Network) PrepareCommand(c *exec.Cmd) (entered func(started error) error, err error) {
	n.ProcessEnded()
	return n.ground.enter(c)
}

// AttachProcess prepares for a new process of a service with a network built in, which needs env in
// its environment, and child as the first of its further files. The caller closes child once
// the process is started.
func (n *Network) AttachProcess() (env []string, child *os.File, err error) {
	g, ok := n.ground.(*builtInGround)
	if !ok {
		return nil, nil, errNotBuiltIn
	}
	n.ProcessEnded()
	return g.attach()
}

// ProcessEnded forgets the process of the service, which has ended.
func (n *Network) ProcessEnded() {
	n.mu.Lock()
	p := n.process
	n.process = noProcess{}
	n.listeners.clear()
	n.conns.processEnded()
	n.mu.Unlock()
	p.close()
}

// Close ends the network. What the service does then is refused.
func (n *Network) Close() error {
	n.ProcessEnded()
	n.mu.Lock()
	n.closed = true
	n.test.finish()
	open := slices.Collect(maps.Values(n.conns.open))
	n.sockets.closeAll()
	n.mu.Unlock()
	for _, c := range open {
		c.kill()
	}
	n.ground.close()
	n.web.close()
	return os.RemoveAll(n.folder)
}

// current returns the process of the service. The mutex is not held.
func (n *Network) current() process {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.process
}

// pump takes what the service has reported so far. The mutex is not held.
func (n *Network) pump() { n.current().pump() }

// Escapes returns what the service did outside of its network, each once, as lines.
func (n *Network) Escapes() []string {
	n.pump()
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.escapes.lines)
}

// OpenConnections counts the connections that the service has opened and not closed, by
// host as contacts have it. Connections that the service does not report, as its children
// don't, count if neither end has closed them. It is for the caller of EndTest.
func (n *Network) OpenConnections() map[string]int {
	n.current().sync() // dials and closes are reported late
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.conns.openByHost()
}
