package search

import (
	"fmt"
	"maps"
	"slices"

	"sonde/model"
	"sonde/runner/search/oracle"
)

// maxOpenConnections is how many connections to one host a service may keep open: more than any
// usual pool keeps while tests are played one after the other.
const maxOpenConnections = 64

// leakMonitor finds the operations that leave connections to hosts open. For each operation it counts the connections
// that were opened by calls of the operation and were still open at the end of the test. An operation that reuses
// connections opens few.
type leakMonitor struct {
	left map[string]map[model.OpID]int // host → operation → connections that it left open
}

// faults returns a fault for each host to which the service keeps more than maxOpenConnections connections open. The
// operation of the fault is the one that left most of these connections open. faults reports it after a test in which
// this operation left a connection open.
func (m *leakMonitor) faults(p played) (all []model.Fault) {
	for _, host := range slices.Sorted(maps.Keys(p.open)) {
		open := p.open[host]
		m.count(p, host)
		if open.Connections <= maxOpenConnections {
			continue
		}
		if call := m.blamed(p, host); call >= 0 {
			all = append(all, model.Fault{
				Op: p.test.Calls[call].Op, Oracle: oracle.ConnectionLeak, Severity: oracle.SeverityOf(oracle.ConnectionLeak),
				Status:    p.results[call].Exchange.Reply.Status,
				Expected:  "to close connections, or to use them again",
				Text:      fmt.Sprintf("%d connections to %s are open", open.Connections, host),
				Signature: host, Calls: call + 1, At: p.at - len(p.results) + call + 1, Test: testHead(p.test, call+1),
				Exchanges: excerptsOf(p.results[:call+1]),
			})
		}
	}
	return all
}

// count adds the connections to a host that the calls of a test left open.
func (m *leakMonitor) count(p played, host string) {
	for call, n := range p.open[host].ByCall {
		if call >= len(p.results) {
			continue
		}
		if m.left == nil {
			m.left = map[string]map[model.OpID]int{}
		}
		if m.left[host] == nil {
			m.left[host] = map[model.OpID]int{}
		}
		m.left[host][p.test.Calls[call].Op] += n
	}
}

// blamed returns the index of the last call of a test for which two conditions hold: the call left a connection to
// the host open, and its operation has left the most connections to the host open. It returns -1 if the test has no
// such call.
func (m *leakMonitor) blamed(p played, host string) int {
	most := 0
	for _, n := range m.left[host] {
		most = max(most, n)
	}
	last := -1
	for call := range p.open[host].ByCall {
		if call < len(p.results) && m.left[host][p.test.Calls[call].Op] == most {
			last = max(last, call)
		}
	}
	return last
}
