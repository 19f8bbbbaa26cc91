package netsim

import (
	"net"
	"os/exec"

	"sonde/model"
)

// ground carries the network to a service. There is one implementation for each
// model.Ground: what is built into the service, a namespace, and a proxy.
//
// Methods that say so are called with the mutex of the network held.
type ground interface {
	// start opens what serves all processes.
	start() error
	// enter makes a command a new process of the service; see Network.PrepareCommand. The process
	// before has left.
	enter(c *exec.Cmd) (entered func(started error) error, err error)
	// close ends what start began.
	close()

	// listen opens the socket of an endpoint; nil where the ground can do without. The mutex
	// is held.
	listen(e endpoint) (socket, error)
	// hasSocket reports whether a host has a socket when the next dial to it has a result.
	hasSocket(next dialStep) bool
	// maxSpareSockets is how many sockets may stay open though no stub needs them.
	maxSpareSockets() int
	// visibleFault is what the service sees of a fault of a dial.
	visibleFault(f model.NetFault) model.NetFault
	// dns is how the service's resolver behaves.
	dns() resolverTraits
}

// resolverTraits are how the resolver of a service behaves on a ground.
type resolverTraits struct {
	// pairsQuestions: each lookup of a host asks two questions, for IPv4 and for IPv6.
	pairsQuestions bool
	// timeoutFails: a time-out is answered as a failure of the server, which most programs
	// treat alike, without waiting for it.
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

// loopbackGround is what the grounds have in common that use ports on loopback.
type loopbackGround struct{}

// maxSpareSockets is the bound of sockets on loopback that stay open.
const maxSpareSockets = 400

func (loopbackGround) listen(e endpoint) (socket, error) {
	if e.network == "udp" {
		return checkedSocket(net.ListenUDP("udp4", &net.UDPAddr{IP: loopback}))
	}
	return checkedSocket(net.ListenTCP("tcp4", &net.TCPAddr{IP: loopback}))
}

// checkedSocket keeps a nil pointer from becoming a socket that is not nil.
func checkedSocket[S socket](s S, err error) (socket, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (loopbackGround) maxSpareSockets() int                         { return maxSpareSockets }
func (loopbackGround) visibleFault(f model.NetFault) model.NetFault { return f }
func (loopbackGround) dns() resolverTraits                          { return resolverTraits{} }
