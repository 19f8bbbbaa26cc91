package vnet

import (
	"fmt"
	"slices"
)

// mostEscapes bounds what is told of a service that goes around its network.
const mostEscapes = 20

// Escapes returns what the service did that its network does not hold, each once, in
// a line.
func (n *Network) Escapes() []string {
	n.pump()
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.escapes)
}

// escaped takes in what the service does around its network. The mutex is held.
func (n *Network) escaped(e event) {
	text := fmt.Sprintf("the service starts %.200q, which is outside of the virtual network unless sonde build --net made it", e.field(0))
	if e.kind == "raw" {
		text = "the service sends datagrams by system calls of its own, which the virtual network refuses"
	}
	if len(n.escapes) < mostEscapes && !slices.Contains(n.escapes, text) {
		n.escapes = append(n.escapes, text)
	}
}
