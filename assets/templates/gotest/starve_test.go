package gotest

import (
	"io"
	"net"
	"strings"
	"time"
)

// starve ends what the service waits for in a call where nobody will come: it gets an
// error at once. What it waited for before the test is none of that.
func starve(n *virtualNetwork, channel net.Conn) {
	n.followCalls()
	go n.endWaits(channel)
}

// endWaits does so as long as the service is there.
func (n *virtualNetwork) endWaits(channel net.Conn) {
	since := map[string]time.Time{}
	for ; n.isOn(channel); time.Sleep(time.Millisecond) {
		n.mu.Lock()
		for key, f := range n.told {
			wait := strings.Join(f, " ")
			if f[0] != "wait" || f[2] == "read" || n.old == nil || n.old[key] || n.old["listen "+f[1]] {
				continue
			} else if since[wait].IsZero() || n.calls == 0 || n.owed > 0 {
				since[wait] = time.Now()
			} else if time.Since(since[wait]) > silence {
				io.WriteString(channel, "starve "+f[1]+" "+map[string]string{"accept": "ECONNABORTED", "recv": "ECONNREFUSED"}[f[2]]+"\n")
				delete(n.told, key)
			}
		}
		n.mu.Unlock()
	}
}

// isOn tells whether a channel is the one to the service.
func (n *virtualNetwork) isOn(channel net.Conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.channel == channel
}
