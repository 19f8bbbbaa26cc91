//go:build !linux

package netns

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
)

// Namespace is unsupported on this system.
type Namespace struct{}

// New returns ErrUnsupported.
func New() (*Namespace, error) { return nil, ErrUnsupported }

// CheckSupport returns ErrUnsupported.
func CheckSupport() error { return ErrUnsupported }

// PrepareCommand returns ErrUnsupported.
func (*Namespace) PrepareCommand(*exec.Cmd) (func(), error) { return nil, ErrUnsupported }

// Start returns ErrUnsupported.
func (*Namespace) Start(string) error { return ErrUnsupported }

// Listen returns ErrUnsupported.
func (*Namespace) Listen(string, string) (net.Listener, error) { return nil, ErrUnsupported }

// ListenPacket returns ErrUnsupported.
func (*Namespace) ListenPacket(string, string) (net.PacketConn, error) { return nil, ErrUnsupported }

// Dial returns ErrUnsupported.
func (*Namespace) Dial(netip.Addr, string) (net.Conn, error) { return nil, ErrUnsupported }

// RefuseDatagram returns ErrUnsupported.
func (*Namespace) RefuseDatagram(netip.AddrPort, netip.AddrPort) error { return ErrUnsupported }

// ListeningSockets returns ErrUnsupported.
func (*Namespace) ListeningSockets() ([]ListeningSocket, error) { return nil, ErrUnsupported }

// HandleEvents reports nothing.
func (*Namespace) HandleEvents(func(Event)) {}

// Sync returns ErrUnsupported.
func (*Namespace) Sync() error { return ErrUnsupported }

// Close does nothing.
func (*Namespace) Close() error { return nil }

// RunKeeper prints ErrUnsupported and returns 125.
func RunKeeper([]string) int {
	fmt.Fprintln(os.Stderr, "sonde:", ErrUnsupported)
	return 125
}
