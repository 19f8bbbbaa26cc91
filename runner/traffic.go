package runner

import (
	"maps"
	"slices"
	"time"

	"sonde/model"
	"sonde/runner/client"
)

// What is kept of a request and of an answer: enough to see what was said, and
// little enough that tests by the thousand stay in memory.
const (
	keptBody   = 16 << 10
	keptHeader = 16 << 10 // names and values
)

// remember keeps what was sent and answered.
func (t *trial) remember(results []client.Result) {
	t.exchanges = make([]model.Exchange, len(results))
	for i, r := range results {
		x := r.Exchange
		x.Request.Body, x.Request.Truncated = beginning(x.Request.Body)
		x.Reply = excerpt(x.Reply)
		t.exchanges[i] = x
	}
}

// follow makes a test the last of its copy of the service. What was said in the
// one before is forgotten, for that cannot be blamed any more.
func (e *engine) follow(c *caller, t *trial, results []client.Result) {
	if before := e.previous[c]; before != nil {
		before.said = nil
	}
	t.said, e.previous[c] = results, t
}

// excerpt is the beginning of an answer.
func excerpt(r model.Reply) model.Reply {
	body, cut := beginning(r.Body)
	r.Body, r.Truncated = body, r.Truncated || cut
	header, room := map[string][]string{}, keptHeader
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		for _, v := range r.Header[name] {
			room -= len(name) + len(v)
			if room < 0 {
				r.Truncated = true
				break
			}
			header[name] = append(header[name], v)
		}
	}
	r.Header = header
	return r
}

// beginning is as much of a body as is kept, and reports whether there is more.
func beginning(body []byte) (kept []byte, cut bool) {
	if len(body) <= keptBody {
		return body, false
	}
	return slices.Clone(body[:keptBody]), true
}

// saveTraffic leaves the traffic of the tests that are kept.
func (e *engine) saveTraffic() {
	if e.sink.Traffic != nil && e.sinkErr == nil {
		e.sinkErr = e.sink.Traffic(e.traffic())
	}
	e.saveCode()
	e.lastHeard = time.Now()
}

// traffic is what was sent and answered in the kept tests, in their order.
func (e *engine) traffic() []model.Played {
	var all []model.Played
	for t := range e.archived() {
		all = append(all, model.Played{Test: t.test, Exchanges: t.exchanges})
	}
	return all
}
