package netsim

import (
	"net"
	"os/exec"

	"sonde/model"
)

// ground carries the network to a service. builtInGround, namespaceGround and proxyGround
// implement it, one for each model.NetworkGround.
//
// listen is called with the mutex of the network held; start, enter and close are called without it.
// The other methods need no mutex.
type ground interface {
	// start opens the sockets that serve all processes.
	start() error
	// enter implements Network.PrepareCommand. The previous process has ended.
	enter(c *exec.Cmd) (entered func(started error) error, err error)
	// close closes the sockets that start opened. Network.Close closes the sockets of hosts.
	close()

	// listen opens the socket of an endpoint. It returns nil, nil if the endpoint needs no socket.
	// The caller must hold the mutex.
	listen(e endpoint) (socket, error)
	// hasSocket reports whether a host needs an open socket if the next dial to the host has the given result.
	hasSocket(next dialStep) bool
	// maxSpareSockets returns how many sockets may be open before the sockets without a stub are closed.
	maxSpareSockets() int
	// visibleFault returns the fault that the service sees if a dial has the fault f.
	visibleFault(f model.NetFault) model.NetFault
	// dns returns the traits of the service's resolver.
	dns() resolverTraits
}

// resolverTraits describe the resolver of a service on a ground.
type resolverTraits struct {
	// pairsQuestions means that each lookup of a host asks two questions: for its IPv4 and
	// for its IPv6 addresses.
	pairsQuestions bool
	// timeoutFails means that the fault NetTimeout of a name is answered with SERVFAIL. Most
	// programs treat SERVFAIL like a timeout, but get it without a wait.
	timeoutFails bool
}

// newGround returns the ground of a network.
func newGround(n *Network) ground {
	switch n.options.Ground {
	case model.GroundNamespace:
		return &namespaceGround{n: n}
	case model.GroundProxy:
		return &proxyGround{n: n}
	}
	return &builtInGround{n: n}
}

// loopbackGround has the methods that builtInGround and proxyGround share. The sockets of both are
// on loopback.
type loopbackGround struct{}

// maxSpareSockets is the number of sockets that may be open before the sockets without a stub are closed.
const maxSpareSockets = 400

func (loopbackGround) listen(e endpoint) (socket, error) {
	if e.network == "udp" {
		return checkedSocket(net.ListenUDP("udp4", &net.UDPAddr{IP: loopback}))
	}
	return checkedSocket(net.ListenTCP("tcp4", &net.TCPAddr{IP: loopback}))
}

// checkedSocket converts s to the interface socket. If err is not nil, it returns nil, and not an interface that
// contains a nil pointer.
func checkedSocket[S socket](s S, err error) (socket, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (loopbackGround) maxSpareSockets() int                         { return maxSpareSockets }
func (loopbackGround) visibleFault(f model.NetFault) model.NetFault { return f }
func (loopbackGround) dns() resolverTraits                          { return resolverTraits{} }
