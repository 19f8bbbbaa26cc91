// Package port finds ports for tests that must name one before a server listens there.
//
// They lie below those that systems give to who asks for any, which a connection of
// another test might have got by the time that the port is used.
package port

import (
	"fmt"
	"math/rand/v2"
	"net"
	"sync/atomic"
)

// The ports that are chosen from. A process begins anywhere and never takes one twice.
const from, number = 20_000, 10_000

var last atomic.Uint32

func init() { last.Store(rand.Uint32N(number)) }

// Free returns a port without a listener, by TCP or by UDP. It panics if there is none.
func Free() int {
	for range number {
		if p := from + int(last.Add(1)%number); free(p) {
			return p
		}
	}
	panic(fmt.Sprintf("no port from %d to %d is free", from, from+number-1))
}

// Addr returns an address of this machine without a listener.
func Addr() string { return fmt.Sprintf("127.0.0.1:%d", Free()) }

func free(p int) bool {
	l, err := net.Listen("tcp", fmt.Sprintf(":%d", p))
	if err != nil {
		return false
	}
	defer l.Close()
	u, err := net.ListenPacket("udp", fmt.Sprintf(":%d", p))
	if err != nil {
		return false
	}
	return u.Close() == nil
}
