// Package netns puts a service that Sonde did not build into a network namespace of
// its own, in which every address is the machine's own: what listens there is held by
// Sonde, and all else is refused. It takes a Linux kernel that lets a user have
// namespaces.
//
// The service's process is started by a keeper, which is Sonde's own program inside
// the namespace. It opens sockets there for those outside and hands them over, and
// tells what was refused. The package knows no stub.
package netns

import (
	"errors"
	"net/netip"
)

// Event is something that the keeper tells.
type Event struct {
	Kind    string
	Network string         // "tcp" or "udp"
	From    netip.AddrPort // who inside turned to somebody
	Address netip.AddrPort // to whom
	Data    []byte         // of a datagram its beginning
	Serial  uint64         // of Synced, which it is
}

// The kinds of events.
const (
	Refused = "refused" // nobody listens there
	Spread  = "spread"  // a datagram to all, or to a group, of which nobody says whether it was heard
	Synced  = "synced"  // all that happened before Sync is told
	Ended   = "ended"   // the keeper is gone
)

// Listening is a socket inside that waits for somebody.
type Listening struct {
	Network string // "tcp" or "udp"
	Address netip.AddrPort
	Unread  int // bytes of datagrams that nobody has read
}

// ErrGone is the error of a namespace whose keeper has ended, or was never there.
var ErrGone = errors.New("the keeper of the network is gone")

// ErrNone is the error of a system that has no namespaces for its users.
var ErrNone = errors.New("this system gives its users no network namespaces")

// Word is the command of Sonde's own program that keeps a namespace. It is followed by
// the command to start inside; without one it only tries whether a namespace can be
// had.
const Word = "netns"

// mark is the variable in the environment of a keeper, and of nobody else: a program
// that does not know Word is not to start itself again and again.
const mark = "SONDE_NETNS"
