package record

import (
	"strconv"
	"sync"

	"sonde/model"
)

// unknownTag is the tag of code for which the service does not know the request. The code may belong to any of the
// requests in progress.
const unknownTag = 255

// coverageTracker finds out which code targets the service covered for each request. A nil tracker does nothing.
type coverageTracker struct {
	take func() map[uint8]model.TargetSet

	mu       sync.Mutex
	inFlight map[*trackedRequest]*requestCoverage
	// tagged is true once the service covered something with a tag of a request. From then on, code with unknownTag
	// counts for no request: it ran before the service knew the request, or it ran for none, as the code of a timer
	// does.
	tagged bool
}

// requestCoverage is what the service covered for a request so far.
type requestCoverage struct {
	tag      uint8
	targets  model.TargetSet // nil if it is not known
	byOthers bool            // some of the targets may have been covered for other requests only
}

// newCoverageTracker returns a tracker, nil if take is nil; see Options.TakeCovered.
func newCoverageTracker(take func() map[uint8]model.TargetSet) *coverageTracker {
	if take == nil {
		return nil
	}
	return &coverageTracker{take: take, inFlight: map[*trackedRequest]*requestCoverage{}}
}

// tagOf returns the tag of a request in the probes of the service, from 1 to 254. The function must agree with
// sondeTag in assets/probe/_net/poll/label.go.
func tagOf(tracked *trackedRequest) uint8 {
	number, _ := strconv.ParseUint(tracked.id[len(tracked.id)-4:], 16, 16) // see newID
	return uint8(1 + number%254)
}

// begin begins a request. It first credits what was covered so far to the requests that are in progress already.
func (c *coverageTracker) begin(tracked *trackedRequest) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.credit()
	c.inFlight[tracked] = &requestCoverage{tag: tagOf(tracked)}
}

// credit adds what was covered since the last credit to the requests in progress. If several of them may have covered
// something, each gets it.
func (c *coverageTracker) credit() {
	taken := c.take()
	if taken == nil {
		return
	}
	for tag := range taken {
		c.tagged = c.tagged || tag != unknownTag
	}
	if c.tagged {
		delete(taken, unknownTag)
	}
	sharing := map[uint8]int{} // tag → number of requests in progress with this tag
	for _, r := range c.inFlight {
		sharing[r.tag]++
		if r.targets == nil {
			r.targets = model.TargetSet{}
		}
	}
	for _, r := range c.inFlight {
		if covered := taken[r.tag]; covered != nil {
			r.targets.AddAll(covered)
			r.byOthers = r.byOthers || sharing[r.tag] > 1
		}
		if covered := taken[unknownTag]; covered != nil {
			r.targets.AddAll(covered)
			r.byOthers = r.byOthers || len(c.inFlight) > 1
		}
	}
}

// end ends a request. It returns the targets that were covered for it, nil if they are not known, and whether other requests
// may have covered some of them instead.
func (c *coverageTracker) end(tracked *trackedRequest) (covered model.TargetSet, byOthers bool) {
	if c == nil {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.credit()
	own := c.inFlight[tracked]
	delete(c.inFlight, tracked)
	return own.targets, own.byOthers
}
