// Command chat is a service for studies of services that use the network. It is a chat: people
// talk by TCP and send by UDP whether they are present. Rooms, messages and members are read by
// HTTP.
package main

import (
	"fmt"
	"net"
	"os"

	"sonde/runner/testdata/services/serve"
)

// The TCP port on which people talk, and the UDP port to which they send their presence.
const linesAt, presenceAt = ":7000", ":7001"

func main() {
	h := newHouse()
	lines, err := net.Listen("tcp", linesAt)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	presence, err := net.ListenPacket("udp", presenceAt)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go h.hearLines(lines)
	go h.hearPresence(presence)
	serve.Main(h.operations(), h.reset)
}

func (h *house) operations() []serve.Operation {
	all := []serve.Operation{
		{Pattern: "POST /rooms", Do: h.open},
		{Pattern: "GET /rooms", Do: h.list},
		{Pattern: "GET /rooms/{room}", Do: h.show},
		{Pattern: "DELETE /rooms/{room}", Do: h.shut},
		{Pattern: "POST /rooms/{room}/messages", Do: h.post},
		{Pattern: "GET /rooms/{room}/messages", Do: h.messages},
		{Pattern: "GET /members/{nick}", Do: h.member},
		{Pattern: "GET /status", Do: h.status},
	}
	for i, op := range all {
		all[i].Do = func(c *serve.Call) (serve.Answer, error) {
			h.mu.Lock()
			defer h.mu.Unlock()
			return op.Do(c)
		}
	}
	return all
}
