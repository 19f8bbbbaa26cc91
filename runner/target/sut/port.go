package sut

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"strconv"
	"sync"
)

// The range of ports that services get. Operating systems use higher ports for outgoing connections,
// so no connection takes the port while a service restarts.
const (
	firstPort = 20_000
	lastPort  = 32_000 // first port after the range
)

// reserved are the ports that this process has given to services, whether or not they run.
var reserved = struct {
	sync.Mutex
	ports map[int]bool
}{ports: map[int]bool{}}

// reserve reserves and returns a port on which no program listens and that was not reserved. It returns
// an error if it finds none.
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

// release ends the reservation of a port.
func release(port int) {
	reserved.Lock()
	defer reserved.Unlock()
	delete(reserved.ports, port)
}

// free reports whether no program listens on a port of 127.0.0.1.
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
