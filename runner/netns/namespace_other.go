//go:build !linux

package netns

import (
	"fmt"
	"net"
	"os"
	"os/exec"
)

// Namespace cannot be had on this system.
type Namespace struct{}

// New returns ErrNone.
func New() (*Namespace, []*os.File, error) { return nil, nil, ErrNone }

// Enter does nothing.
func Enter(*exec.Cmd) {}

// Listen returns ErrNone.
func (*Namespace) Listen(string) (net.Listener, error) { return nil, ErrNone }

// ListenPacket returns ErrNone.
func (*Namespace) ListenPacket(string) (net.PacketConn, error) { return nil, ErrNone }

// Dial returns ErrNone.
func (*Namespace) Dial(string, string) (net.Conn, error) { return nil, ErrNone }

// Listening returns ErrNone.
func (*Namespace) Listening() ([]string, error) { return nil, ErrNone }

// Events tells nothing.
func (*Namespace) Events(func(Event)) {}

// Close does nothing.
func (*Namespace) Close() error { return nil }

// Keep says that it cannot.
func Keep([]string) int {
	fmt.Fprintln(os.Stderr, "sonde:", ErrNone)
	return 125
}
