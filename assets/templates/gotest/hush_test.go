//go:build !windows

package gotest

import (
	"io"
	"net"
	"time"
)

// hush ends the service's waits for data that will not come during a call: the service gets an error at once.
// Waits that began before the test are not ended.
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

// quiet returns the time since which nothing has happened in a call and the service waits. It is zero if
// something may still happen.
func (h *hosts) quiet() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.calls == 0 || h.owed > 0 || time.Since(h.moved) < silence || len(h.lonely()) == 0 && len(h.starved()) == 0 {
		return time.Time{}
	}
	return h.moved
}

// lonely returns the waits of the service for connections and datagrams.
func (h *hosts) lonely() [][]string {
	var all [][]string
	for key, f := range h.sockets {
		if f[0] == "wait" && f[2] != "read" && h.old != nil && !h.old[key] && !h.old["listen "+f[1]] {
			all = append(all, f)
		}
	}
	return all
}

// starved returns the connections on which the service waits for data that will not come.
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

// endWaits ends waits if nothing has happened since a time.
func (n *virtualNetwork) endWaits(since time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.moved.Equal(since) || n.owed > 0 {
		return
	}
	for _, f := range n.lonely() {
		io.WriteString(n.channel, "starve "+f[1]+" "+map[string]string{"accept": "ECONNABORTED", "recv": "ECONNREFUSED"}[f[2]]+"\n")
		delete(n.sockets, "wait "+f[1])
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
