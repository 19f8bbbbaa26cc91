package sut

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"strconv"
	"sync"
)

// The ports that services get. They are below those that systems give to outgoing connections,
// which could otherwise take the port while a service restarts.
const (
	firstPort = 20_000
	lastPort  = 32_000
)

// reserved are the ports of the services of this process, running or not yet.
var reserved = struct {
	sync.Mutex
	ports map[int]bool
}{ports: map[int]bool{}}

// reserve returns a port on which no program listens and which no other copy has.
func reserve() (int, error) {
	reserved.Lock()
	defer reserved.Unlock()
	for range 1000 {
		port := firstPort + rand.IntN(lastPort-firstPort)
		if !reserved.ports[port] && free(port) {
			reserved.ports[port] = true
			return port, nil
		}
	}
	return 0, fmt.Errorf("no port from %d to %d is free: give the service one", firstPort, lastPort)
}

// release gives a port back.
func release(port int) {
	reserved.Lock()
	defer reserved.Unlock()
	delete(reserved.ports, port)
}

// free reports whether no program listens on a port of this machine.
func free(port int) bool {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return false
	}
	return l.Close() == nil
}

// portOf returns the port of a URL, 0 if it has none.
func portOf(base string) int {
	u, err := url.Parse(base)
	if err != nil {
		return 0
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		return 0
	}
	return port
}
