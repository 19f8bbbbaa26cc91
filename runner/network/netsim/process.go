package netsim

import (
	"errors"
	"net"
	"net/netip"
)

// process is the process of the service that is attached to a network, as the network
// observes it.
type process interface {
	// pump takes the events that the process has written so far. Whoever saw something of
	// the service by another way calls it first, so that everything stays in order.
	pump()
	// sync waits until everything that the process did so far is known.
	sync()
	// update gives the process the table of a test.
	update(t *test) error
	// findListeners finds the ports on which the process listens, if it does not report them.
	findListeners()
	// dial connects to a port of the process.
	dial(to netip.AddrPort) (*net.TCPConn, error)
	// sendDatagram sends a datagram to a port of the process.
	sendDatagram(data []byte, to netip.AddrPort)
	// close detaches the process, which has ended.
	close()

	// The mutex of the network is held during the following.

	// waitSlots are where the process shows its waits, nil if it does not.
	waitSlots() *slots
	// infersWaits reports whether the process reports no waits: silence is taken for one.
	infersWaits() bool
	// unanswered records that a datagram of the process gets no answer.
	unanswered(from, to netip.AddrPort)
	// starve returns what ends the waits for others to come that a test's calls began, and
	// that no host ends. What it returns is called without the mutex.
	starve(t *test) []func()
}

var errNoProcess = errors.New("no process of the service is attached to its network")

// noProcess is the process of a network that has none, or one of which it knows nothing,
// as of a service that asks a proxy.
type noProcess struct{}

func (noProcess) pump()                                     {}
func (noProcess) sync()                                     {}
func (noProcess) update(*test) error                        { return nil }
func (noProcess) findListeners()                            {}
func (noProcess) dial(netip.AddrPort) (*net.TCPConn, error) { return nil, errNoProcess }
func (noProcess) sendDatagram([]byte, netip.AddrPort)       {}
func (noProcess) close()                                    {}
func (noProcess) waitSlots() *slots                         { return nil }
func (noProcess) infersWaits() bool                         { return false }
func (noProcess) unanswered(netip.AddrPort, netip.AddrPort) {}
func (noProcess) starve(*test) []func()                     { return nil }
