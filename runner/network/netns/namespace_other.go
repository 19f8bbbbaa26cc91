//go:build !linux

package netns

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
)

// Namespace does not exist on this system.
type Namespace struct{}

// New returns ErrNone.
func New() (*Namespace, error) { return nil, ErrNone }

// Check returns ErrNone.
func Check() error { return ErrNone }

// Enter returns ErrNone.
func (*Namespace) Enter(*exec.Cmd) (func(), error) { return nil, ErrNone }

// Start returns ErrNone.
func (*Namespace) Start(string) error { return ErrNone }

// Listen returns ErrNone.
func (*Namespace) Listen(string, string) (net.Listener, error) { return nil, ErrNone }

// ListenPacket returns ErrNone.
func (*Namespace) ListenPacket(string, string) (net.PacketConn, error) { return nil, ErrNone }

// Dial returns ErrNone.
func (*Namespace) Dial(netip.Addr, string) (net.Conn, error) { return nil, ErrNone }

// Refuse returns ErrNone.
func (*Namespace) Refuse(netip.AddrPort, netip.AddrPort) error { return ErrNone }

// Listening returns ErrNone.
func (*Namespace) Listening() ([]Listening, error) { return nil, ErrNone }

// Events reports nothing.
func (*Namespace) Events(func(Event)) {}

// Sync returns ErrNone.
func (*Namespace) Sync() error { return ErrNone }

// Close does nothing.
func (*Namespace) Close() error { return nil }

// Keep fails.
func Keep([]string) int {
	fmt.Fprintln(os.Stderr, "sonde:", ErrNone)
	return 125
}
