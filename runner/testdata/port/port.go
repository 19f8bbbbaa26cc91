// Package port finds free ports for tests that must name a port before a server listens on it.
//
// The ports are below the range from which systems choose a port for port 0. A connection of another
// test could get a port of that range before the server listens.
package port

import (
	"fmt"
	"math/rand/v2"
	"net"
	"sync/atomic"
)

// The range of the ports. A process begins at a random port and never returns a port twice.
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
