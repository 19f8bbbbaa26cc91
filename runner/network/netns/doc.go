// Package netns runs a service that Sonde did not build in a network namespace of its own. Every
// address there is the machine's own: sockets that listen there are held by Sonde, and all other
// addresses refuse. It needs a Linux kernel that lets users create namespaces.
//
// A keeper, which is Sonde's own program inside the namespace, starts the service. It opens
// sockets there and hands them to the process outside, and reports what was refused. The package
// knows no stubs.
package netns

import (
	"errors"
	"net/netip"
)

// Event is something that the keeper reports.
type Event struct {
	Kind    string
	Network string         // "tcp" or "udp"
	From    netip.AddrPort // who inside sent something
	Address netip.AddrPort // where it was sent
	Data    []byte         // the beginning of a datagram
	Serial  uint64         // the number of a SyncedEvent
}

// The kinds of events.
const (
	RefusedEvent   = "refused" // the address has no listener
	BroadcastEvent = "spread"  // a datagram to all, or to a group: the kernel does not say whether it was received
	SyncedEvent    = "synced"  // everything that happened before Sync is reported
	EndedEvent     = "ended"   // the keeper has ended
)

// ListeningSocket is a socket inside that waits for connections or datagrams.
type ListeningSocket struct {
	Network string // "tcp" or "udp"
	Address netip.AddrPort
	Unread  int // bytes of datagrams that are not read
}

// ErrKeeperEnded is the error of a namespace whose keeper has ended, or never started.
var ErrKeeperEnded = errors.New("the keeper of the network has ended")

// ErrUnsupported is the error of a system on which users cannot create network namespaces.
var ErrUnsupported = errors.New("users of this system cannot create network namespaces")

// KeeperCommand is the command of Sonde's program that keeps a namespace. The command to start inside
// follows; without one, the keeper only tries whether a namespace can be created.
const KeeperCommand = "netns"

// mark is the variable in the environment of a keeper only. With it, a program that does not know
// KeeperCommand does not start itself again and again.
const mark = "SONDE_NETNS"
