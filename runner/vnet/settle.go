package vnet

import (
	"maps"
	"slices"
	"time"
)

const (
	mostSettle = 50 * time.Millisecond
	breath     = 50 * time.Microsecond // until it is looked again
)

// settle waits until all that the service did so far is known: what it tells, and what
// it sent.
func (n *Network) settle() {
	n.sync()
	for began := time.Now(); time.Since(began) < mostSettle; time.Sleep(breath) {
		n.drain()
		n.mu.Lock()
		done := n.settled()
		n.mu.Unlock()
		if done {
			return
		}
	}
}

// drain takes the datagrams that came.
func (n *Network) drain() {
	n.mu.Lock()
	endpoints := slices.Collect(maps.Values(n.endpoints))
	n.mu.Unlock()
	for _, e := range endpoints {
		if e.way.network == "udp" {
			e.drain()
		}
	}
}

// settled reports whether all that came is read, and whoever read it is done with it.
// The mutex is held.
func (n *Network) settled() bool {
	for _, c := range n.conns {
		if c.gone && c.owed > 0 || c.heard != c.taken && c.owed == 0 || c.player != nil && c.news {
			return false
		}
	}
	return !n.unread()
}
