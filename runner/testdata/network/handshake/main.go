// Command handshake is a service for studies of services that use the network. It broadcasts one of
// its ports by UDP, and pairs with the device that calls back there by TCP.
package main

import (
	"flag"
	"net"

	"sonde/runner/testdata/services/serve"
)

func main() {
	h := newHub()
	flag.StringVar(&h.broadcast, "broadcast", h.broadcast, "host:port to which datagrams for everybody go")
	serve.Main(h.operations(), h.reset)
}

// newHub returns a hub with the default settings.
func newHub() *hub {
	return &hub{broadcast: "255.255.255.255:12345", dial: (&net.Dialer{Timeout: patience}).DialContext, paired: map[int]*device{}}
}

func (h *hub) operations() []serve.Operation {
	return []serve.Operation{
		{Pattern: "POST /pairings", Do: h.pair, Free: true},
		{Pattern: "GET /pairings", Do: h.list, Free: true},
		{Pattern: "GET /pairings/{id}", Do: h.get, Free: true},
		{Pattern: "DELETE /pairings/{id}", Do: h.part, Free: true},
		{Pattern: "POST /pairings/{id}/ping", Do: h.ping, Free: true},
		{Pattern: "POST /discover", Do: h.discover, Free: true},
	}
}

// reset removes all devices.
func (h *hub) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.paired)
	h.last = 0
}
