//go:build !windows

package gotest

import (
	"io"
	"net"
	"time"
)

// endIdleWaits ends the service's waits for data that will not arrive during a call: the service gets an error at once.
// Waits that began before the test are not ended.
func endIdleWaits(n *virtualNetwork, channel net.Conn) {
	n.trackCalls()
	go func() {
		for ; n.isCurrent(channel); time.Sleep(time.Millisecond) {
			if since := n.quiescentSince(); !since.IsZero() {
				n.syncReports() // some events may not have arrived yet
				n.endWaits(since)
			}
		}
	}()
}

// quiescentSince returns the time since which nothing has happened in a call and the service waits. It is zero if
// something may still happen.
func (h *hosts) quiescentSince() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.openCalls == 0 || h.pendingAnswers > 0 || time.Since(h.lastActivity) < waitThreshold ||
		len(h.idleSockets()) == 0 && len(h.idleSessions()) == 0 {
		return time.Time{}
	}
	return h.lastActivity
}

// idleSockets returns the waits of the service for connections and datagrams.
func (h *hosts) idleSockets() [][]string {
	var all [][]string
	for key, f := range h.sockets {
		if f[0] == "wait" && f[2] != "read" && h.oldSockets != nil && !h.oldSockets[key] && !h.oldSockets["listen "+f[1]] {
			all = append(all, f)
		}
	}
	return all
}

// idleSessions returns the connections on which the service waits for data that will not arrive.
func (h *hosts) idleSessions() []*tcpSession {
	var all []*tcpSession
	for c := range h.conns {
		if t := c.session; t != nil && t.test == h.t && !t.isSilenced && c.isWaiting(false) &&
			t.matchingStub(true) == nil && (len(t.received) > 0 || !t.isShared()) && (!t.isBackground || t.lastCall == h.callCount) {
			all = append(all, t)
		}
	}
	return all
}

// endWaits ends waits if nothing has happened since a time.
func (n *virtualNetwork) endWaits(since time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.lastActivity.Equal(since) || n.pendingAnswers > 0 {
		return
	}
	for _, f := range n.idleSockets() {
		io.WriteString(n.channel, "starve "+f[1]+" "+map[string]string{"accept": "ECONNABORTED", "recv": "ECONNREFUSED"}[f[2]]+"\n")
		delete(n.sockets, "wait "+f[1])
	}
	for _, t := range n.idleSessions() {
		t.isSilenced = true
	}
}

// isCurrent reports whether a channel is the one to the service.
func (n *virtualNetwork) isCurrent(channel net.Conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.channel == channel
}
