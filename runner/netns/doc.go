// Package netns puts a service that Sonde did not build into a network namespace of
// its own, in which every address is the machine's own: what listens there is held by
// Sonde, and all else is refused. It takes a Linux kernel that lets a user have
// namespaces.
//
// The service's process is started by a keeper, which is Sonde's own program inside
// the namespace. It opens sockets there for those outside and hands them over, and
// tells what was refused. The package knows no stub.
package netns

import "errors"

// Event is something that the keeper tells.
type Event struct {
	// Kind is Refused, or Ended with the reason in Text.
	Kind    string
	Network string // "tcp" or "udp"
	Address string // "198.18.0.7:80"
	Text    string
}

// The kinds of events.
const (
	Refused = "refused" // nobody listens there
	Ended   = "ended"   // the keeper is gone
)

// ErrNone is the error of a system that has no namespaces for its users.
var ErrNone = errors.New("this system gives its users no network namespaces")

// Word is the command of Sonde's own program that keeps a namespace. It is followed by
// the command to start inside.
const Word = "netns"

// Resolver is where those inside ask for names.
const Resolver = "127.0.0.53:53"
