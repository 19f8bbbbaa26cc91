package netsim

import (
	"errors"
	"net"
	"net/netip"
)

// process is the process of the service that is attached to a network.
type process interface {
	// pump handles the events that the process has written so far. The service writes its events before the data that
	// they describe. So code that has received data of the service calls pump before it handles the data.
	pump()
	// sync waits until the events that the process has caused so far are handled.
	sync()
	// update gives the process the table of a test, if the process uses tables.
	update(t *testState) error
	// findListeners finds the ports on which the process listens. It does nothing if the
	// process reports them.
	findListeners()
	// dial connects to a port of the process.
	dial(to netip.AddrPort) (*net.TCPConn, error)
	// sendDatagram sends a datagram to a port of the process.
	sendDatagram(data []byte, to netip.AddrPort)
	// close frees what belongs to the process, which has ended.
	close()

	// The caller of the methods below holds the mutex of the network.

	// waitSlots returns the shared memory in which the process shows its waits, nil if it
	// has none.
	waitSlots() *slots
	// infersWaits reports whether Sonde infers the waits of the process from silence, because the process does not
	// report them.
	infersWaits() bool
	// unanswered records that a datagram of the process gets no answer.
	unanswered(from, to netip.AddrPort)
	// waitEnds returns functions, each of which ends a wait of the service for a connection or a datagram: a wait that began
	// during a call of the test, and that no host will end. The caller runs them after it has released the mutex.
	waitEnds(t *testState) []func()
}

var errNoProcess = errors.New("no process of the service is attached to its network")

// noProcess is used while there is no process. The proxy always uses it, because a proxy does
// not know the process of the service.
type noProcess struct{}

func (noProcess) pump()                                     {}
func (noProcess) sync()                                     {}
func (noProcess) update(*testState) error                   { return nil }
func (noProcess) findListeners()                            {}
func (noProcess) dial(netip.AddrPort) (*net.TCPConn, error) { return nil, errNoProcess }
func (noProcess) sendDatagram([]byte, netip.AddrPort)       {}
func (noProcess) close()                                    {}
func (noProcess) waitSlots() *slots                         { return nil }
func (noProcess) infersWaits() bool                         { return false }
func (noProcess) unanswered(netip.AddrPort, netip.AddrPort) {}
func (noProcess) waitEnds(*testState) []func()              { return nil }
