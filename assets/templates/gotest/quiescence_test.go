//go:build !windows

package gotest

import (
	"io"
	"net"
	"time"
)

// endIdleWaits ends waits of the service for data that will not arrive. The service then gets an error at once. Only
// waits during a call are ended, and only if they began in the running test.
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

// quiescentSince returns the time of the last event if the service waits during a call and nothing will happen any
// more. It returns the zero time if something may still happen.
func (h *hosts) quiescentSince() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.openCalls == 0 || h.pendingAnswers > 0 || time.Since(h.lastActivity) < waitThreshold ||
		len(h.idleSockets()) == 0 && len(h.idleSessions()) == 0 {
		return time.Time{}
	}
	return h.lastActivity
}

// idleSockets returns the reports of the service's waits for connections and datagrams, except on sockets that are
// older than the test.
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

// endWaits ends the waits of the service, unless something has happened after the time since.
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

// isCurrent reports whether channel still connects the network with the service.
func (n *virtualNetwork) isCurrent(channel net.Conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.channel == channel
}
