// Package netns runs, in a network namespace, a service that Sonde did not build. In the namespace, every
// address belongs to the machine itself: Sonde listens at the addresses of the hosts, and the kernel
// refuses connections to all other addresses. The package needs a Linux kernel that lets users create
// namespaces.
//
// A keeper is a process of Sonde's program inside the namespace. It starts the service, opens sockets
// in the namespace and hands them over to the Sonde process outside. It also reports what the kernel
// refused. The package knows nothing about stubs.
package netns

import (
	"errors"
	"net/netip"
)

// Event is a report of the keeper, or the news that the keeper has ended.
type Event struct {
	Kind    string
	Network string         // "tcp" or "udp"
	From    netip.AddrPort // the sender, inside the namespace
	Address netip.AddrPort // the destination
	Data    []byte         // the beginning of a datagram
	Serial  uint64         // for a SyncedEvent, the number of the call of Sync
}

// The kinds of events.
const (
	RefusedEvent   = "refused" // the address has no listener
	BroadcastEvent = "spread"  // a broadcast or multicast datagram, which the kernel never refuses
	SyncedEvent    = "synced"  // everything that happened before the call of Sync has been reported
	EndedEvent     = "ended"   // the keeper has ended
)

// ListeningSocket is a socket in the namespace that waits for connections or datagrams.
type ListeningSocket struct {
	Network string // "tcp" or "udp"
	Address netip.AddrPort
	Unread  int // bytes of datagrams that are not read
}

// ErrKeeperEnded means that the keeper of a namespace has ended, or never started.
var ErrKeeperEnded = errors.New("the keeper of the network has ended")

// ErrUnsupported means that users of this system cannot create network namespaces.
var ErrUnsupported = errors.New("users of this system cannot create network namespaces")

// KeeperCommand is the first argument that makes Sonde's program a keeper. The command to start in the namespace
// follows. Without a command, the keeper only checks that it can prepare the namespace.
const KeeperCommand = "netns"

// mark is the name of an environment variable that only a keeper has. The variable keeps a program
// that uses this package, but does not know KeeperCommand, from starting itself again and again.
const mark = "SONDE_NETNS"
