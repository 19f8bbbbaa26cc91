package runner

import (
	"fmt"
	"maps"
	"slices"

	"sonde/model"
	"sonde/runner/oracle"
)

// mostOpen is how many connections to one host a service may have open at once: more
// than any pool keeps, where tests are played one after the other.
const mostOpen = 64

// leaks are the faults of a service that opens connections and does not close them, of
// the operation that was the last to open one.
func (c *crew) leaks(p played) (all []model.Fault) {
	for _, host := range slices.Sorted(maps.Keys(p.open)) {
		call := lastTo(p.contacts, host)
		if n := p.open[host]; n > mostOpen && call >= 0 && call < len(p.results) {
			all = append(all, model.Fault{
				Op: p.test.Calls[call].Op, Oracle: oracle.ConnectionLeak, Severity: oracle.SeverityOf(oracle.ConnectionLeak),
				Status:   p.results[call].Exchange.Reply.Status,
				Expected: "to close connections, or to use them again", Text: fmt.Sprintf("%d connections to %s are open", n, host),
				Signature: host, Calls: call + 1, At: p.at - len(p.results) + call + 1, Test: head(p.test, call+1),
				Seen: seenIn(p.results[:call+1]),
			})
		}
	}
	return all
}

// lastTo is the last call during which the service turned to a host, -1 for none.
func lastTo(contacts []model.Contact, host string) int {
	call := -1
	for _, c := range contacts {
		if c.Host == host {
			call = max(call, c.Call)
		}
	}
	return call
}
