//go:build !windows

package gotest

import (
	"strings"
	"testing"
)

// Tests can call the service before the service reports the port of its API. Waits on that port are not ended.
func TestLateReportOfAPI(t *testing.T) {
	n := &virtualNetwork{realPort: 20080}
	n.hosts.begin(t)
	n.sockets = map[string][]string{}
	n.startClients()
	for _, report := range []string{
		"listen 1 tcp 0.0.0.0:80 127.0.0.1:20080", "wait 1 accept 127.0.0.1:20080 - 0 0",
		"listen 2 tcp 0.0.0.0:7000 127.0.0.1:30000", "wait 2 accept 127.0.0.1:30000 - 0 0",
	} {
		n.handleReport(strings.Split(report, " "))
	}
	if idle := n.idleSockets(); len(idle) != 1 || idle[0][1] != "2" {
		t.Errorf("waits that may end: %v", idle)
	}
}
