//go:build !windows

package gotest

import (
	"io"
	"net"
	"time"
)

// hush ends what the service waits for in a call where nothing will come: it gets an
// error at once. What it waited for before the test is none of that.
func hush(n *virtualNetwork, channel net.Conn) {
	n.followCalls()
	go func() {
		for ; n.isOn(channel); time.Sleep(time.Millisecond) {
			if since := n.quiet(); !since.IsZero() {
				n.settle() // events may be on their way
				n.endWaits(since)
			}
		}
	}()
}

// quiet is since when nothing moves in a call while the service waits; zero where
// something may.
func (h *hosts) quiet() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.calls == 0 || h.owed > 0 || time.Since(h.moved) < silence || len(h.lonely()) == 0 && len(h.starved()) == 0 {
		return time.Time{}
	}
	return h.moved
}

// lonely are the waits of the service for others to come.
func (h *hosts) lonely() [][]string {
	var all [][]string
	for key, f := range h.told {
		if f[0] == "wait" && f[2] != "read" && h.old != nil && !h.old[key] && !h.old["listen "+f[1]] {
			all = append(all, f)
		}
	}
	return all
}

// starved are the connections on which the service waits for what does not come.
func (h *hosts) starved() []*talk {
	var all []*talk
	for c := range h.conns {
		if t := c.talk; t != nil && t.test == h.t && !t.hushed && c.waits(false) && t.turn(true) == nil && (!t.lasts ||
			t.asked == h.called) {
			all = append(all, t)
		}
	}
	return all
}

// endWaits does so if nothing has moved since.
func (n *virtualNetwork) endWaits(since time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.moved.Equal(since) || n.owed > 0 {
		return
	}
	for _, f := range n.lonely() {
		io.WriteString(n.channel, "starve "+f[1]+" "+map[string]string{"accept": "ECONNABORTED", "recv": "ECONNREFUSED"}[f[2]]+"\n")
		delete(n.told, "wait "+f[1])
	}
	for _, t := range n.starved() {
		t.hushed = true
	}
}

// isOn reports whether a channel is the one to the service.
func (n *virtualNetwork) isOn(channel net.Conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.channel == channel
}
