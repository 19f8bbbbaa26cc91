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

// Options configure a Network. The zero value is useful.
type Options struct {
	// Ground is how the service gets the network.
	Ground model.NetworkGround
	// Allow lists the hosts that stay real, as host:port. The port * means any. In a namespace each
	// host needs a port number.
	Allow []string
	// Hostname is the name of the service's machine, and Interfaces are its network
	// interfaces, such as "eth0 10.0.0.2/24". If they are empty, the ground chooses them.
	Hostname   string
	Interfaces []string
	// ResolveAnyName gives names without stubs an address, too, so that a search learns
	// which hosts the service calls.
	ResolveAnyName bool
	// Stubs are used in every test, unless BeginStart replaces them. The test's own stubs take precedence.
	Stubs []model.Stub
	// Observe, if it is not nil, is called for each contact as soon as it is known. It must return soon, and must not
	// call methods of the network.
	Observe func(model.Contact)
}

// Network is the network around one process of a service at a time. BeginStart, BeginTest, StartInward,
// BeginCall, EndCall, EndTest, OpenConnections, PrepareCommand and AttachProcess must be called
// by one goroutine. The other methods may be called by any goroutine.
type Network struct {
	options Options
	ca      *devca.Authority
	folder  string
	web     *webServer
	ground  ground

	mu        sync.Mutex   // guards the fields below and their state
	permanent []model.Stub // the stubs of every test
	names     hostNames
	sockets   *hostSockets
	conns     *connections
	listeners *listeners
	inward    *inwardCalls
	quiet     *quiescence
	escapes   escapeList
	process   process     // never nil
	ports     map[int]int // the real port of each port of the service's API
	test      *testState
	startup   []model.Contact // the contacts before the first test since the last BeginStart; nil until that test begins
	closed    bool
}

// New returns a network without a process.
func New(o Options) (*Network, error) {
	if err := o.check(o.Stubs); err != nil {
		return nil, err
	}
	n := &Network{
		options:   o,
		permanent: o.Stubs,
		conns:     newConnections(),
		listeners: newListeners(),
		process:   noProcess{},
		ports:     map[int]int{},
		test:      newTest(o.Stubs, o.Observe),
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

// start starts the web server and the ground, and writes the authority's certificate.
func (n *Network) start() error {
	n.web = newWebServer(serveHTTP)
	if err := os.WriteFile(n.caFile(), n.ca.PEM, 0o600); err != nil {
		return fmt.Errorf("the virtual network's certificate cannot be written: %w", err)
	}
	return n.ground.start()
}

// authorityName is the name in the certificate of the authority that signs the certificates
// of the hosts.
const authorityName = "Sonde's virtual hosts"

func (n *Network) caFile() string { return filepath.Join(n.folder, "ca.pem") }

// trustAuthority sets environment variables that make a program trust the hosts' authority, whose certificate is in caFile.
func trustAuthority(c *exec.Cmd, caFile string) {
	c.Env = append(c.Environ(), devca.TrustEnv(caFile)...)
}

// check returns an error if a stub is not valid, or needs another ground.
func (o Options) check(stubs []model.Stub) error {
	isUse := func(s model.Stub) bool { return s.Protocol == model.Environment }
	if i := slices.IndexFunc(stubs, isUse); i >= 0 && o.Ground != model.GroundBuiltIn {
		return fmt.Errorf("the stub of %.60q is for the environment of a service that Sonde builds: leave it out", stubs[i].Host)
	}
	return checkStubs(stubs)
}

func checkStubs(stubs []model.Stub) error {
	for _, s := range stubs {
		if err := s.Validate(); err != nil {
			return err
		}
	}
	return nil
}

// BindPort sets the port (real) at which clients outside of the network reach a port on which the service is configured
// to listen. It is for the port of the service's API. BindPort takes effect with the next PrepareCommand or
// AttachProcess; with a network built in, also with the next BeginTest. It has no effect with the proxy.
func (n *Network) BindPort(port, real int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ports[port] = real
}

// PrepareCommand makes a command start a new process of the service on the network. The
// environment of the command must be set, and its ExtraFiles empty. The caller starts the
// command and passes the result of Start to entered, which returns that result, or an error
// of the network. If entered returns an error, the process is of no use. PrepareCommand calls
// ProcessEnded for the previous process.
func (n *Network) PrepareCommand(c *exec.Cmd) (entered func(started error) error, err error) {
	n.ProcessEnded()
	return n.ground.enter(c)
}

// AttachProcess prepares for a new process of a service with a network built in. The process
// needs env in its environment, and child as the first of its ExtraFiles. The caller closes
// child when the process has started.
func (n *Network) AttachProcess() (env []string, child *os.File, err error) {
	g, ok := n.ground.(*builtInGround)
	if !ok {
		return nil, nil, errNotBuiltIn
	}
	n.ProcessEnded()
	return g.attach()
}

// ProcessEnded detaches the process of the service, which has ended, if there is one. The scripts of background stubs
// start over.
func (n *Network) ProcessEnded() {
	n.mu.Lock()
	p := n.process
	n.process = noProcess{}
	n.listeners.clear()
	n.conns.processEnded()
	n.test.restartBackground()
	n.mu.Unlock()
	p.close()
}

// Close ends the network. Later dials of the service are refused.
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

// current returns the process of the service. The caller must not hold the mutex.
func (n *Network) current() process {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.process
}

// pump handles the events that the service has reported so far. The caller must not hold the mutex.
func (n *Network) pump() { n.current().pump() }

// Escapes returns a line for each different thing that the service did outside of the
// virtual network.
func (n *Network) Escapes() []string {
	n.pump()
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.escapes.lines)
}

// OpenConnections returns for each host the number of connections that the service has opened and not closed. The keys
// are those of model.Contact.Host. Child processes of the service report nothing: a connection of a child process
// counts until one end closes it.
func (n *Network) OpenConnections() map[string]Open {
	n.current().sync() // dials and closes are reported late
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.conns.openByHost(n.test)
}
