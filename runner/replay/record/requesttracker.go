package record

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"sonde/model"
)

// trackedRequest is a request to the service. The tracker keeps the last maxTraced requests, so a trackedRequest must
// be small.
type trackedRequest struct {
	id          string
	clientTrace trace // trace context that the client sent

	// The traffic table sets and reads the fields below.
	row     *OperationRow // row of the request's operation, nil until the request is answered
	pending *pendingCalls // nil once it is decided whether the request is kept
	kept    bool          // whether the request is kept; false while pending
}

// pendingCalls are the outward calls of a request that is not answered yet.
type pendingCalls struct {
	calls        []string // names of the calls, in their order
	results      []string // names of the calls with their results, in the same order
	attributions []model.Attribution
	held         []model.OutwardCall // calls that are written if the request is kept
}

// requestTracker knows which requests are in flight, and finds the request that caused an outward
// call.
type requestTracker struct {
	clock  clock
	serial bool

	mu        sync.Mutex
	inFlight  map[*trackedRequest]bool
	last      *trackedRequest   // the request that began last
	lastBegan time.Time         // when the last request began
	lastEnded time.Time         // when the last request ended; while it is in flight, the end of an earlier request
	ring      []*trackedRequest // the last maxTraced requests
	next      int               // index in ring for the next request
}

func newRequestTracker(c clock, serial bool) *requestTracker {
	return &requestTracker{clock: c, serial: serial, inFlight: map[*trackedRequest]bool{}, ring: make([]*trackedRequest, maxTraced)}
}

// begin adds a request with the trace context that its client sent, and returns the request.
func (r *requestTracker) begin(own trace) *trackedRequest {
	tracked := &trackedRequest{clientTrace: own, pending: new(pendingCalls)}
	r.mu.Lock()
	defer r.mu.Unlock()
	tracked.id = newID(uint16(r.next))
	r.ring[r.next], r.next = tracked, (r.next+1)%maxTraced
	r.inFlight[tracked], r.last, r.lastBegan = true, tracked, r.clock.now()
	return tracked
}

// byTraceID returns the request with a trace ID, nil if there is none. An ID may also be the second half of a request's
// ID, because B3 allows IDs of half the length. The caller holds r.mu.
func (r *requestTracker) byTraceID(id string) *trackedRequest {
	if len(id) < 16 {
		return nil
	}
	at, err := strconv.ParseUint(id[len(id)-4:], 16, 16)
	if err != nil || at >= maxTraced || r.ring[at] == nil || !strings.HasSuffix(r.ring[at].id, id) {
		return nil
	}
	return r.ring[at]
}

// end records that a request was answered.
func (r *requestTracker) end(tracked *trackedRequest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.inFlight, tracked)
	if tracked == r.last {
		r.lastEnded = r.clock.now()
	}
}

// cause returns the request for which the service makes a call, and how it was found. h is the header of the call, and
// may be nil. The request is the first of these:
//  1. the request of the trace context in h
//  2. if requests are let in one at a time: the last request, if it is in flight or ended less than lateCallTime ago
//  3. if requests are not let in one at a time: the request in flight, if there is only one
//
// If there is no such request, cause returns nil and "".
func (r *requestTracker) cause(h http.Header) (*trackedRequest, model.Attribution) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range traceIDs(h) {
		if tracked := r.byTraceID(id); tracked != nil {
			return tracked, model.AttributedByTrace
		}
	}
	switch {
	case r.serial && r.last != nil && (r.inFlight[r.last] || r.clock.now().Sub(r.lastEnded) < lateCallTime):
		return r.last, model.AttributedBySerial
	case !r.serial && len(r.inFlight) == 1:
		for tracked := range r.inFlight {
			return tracked, model.AttributedByTime
		}
	}
	return nil, ""
}

// causeOf returns the request that caused a finished call, and how it was found. The request is the first of these:
//  1. the reported cause, if the tracker still knows it
//  2. if requests are let in one at a time: the last request, if it was in flight when the call began or had ended less
//     than lateCallTime before
//
// If there is no such request, causeOf returns nil and "".
func (r *requestTracker) causeOf(s model.OutwardCall) (*trackedRequest, model.Attribution) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if tracked := r.byTraceID(s.CauseID); tracked != nil {
		return tracked, s.Attribution
	}
	tracked := r.last
	if !r.serial || tracked == nil || s.At.Before(r.lastBegan) || !r.inFlight[tracked] && s.At.Sub(r.lastEnded) >= lateCallTime {
		return nil, ""
	}
	return tracked, model.AttributedBySerial
}

// maxTraced is the number of recent requests that are found by their trace, in flight or answered. So if the service
// makes a call long after it has answered a request, the tracker still finds that request.
const maxTraced = 10_000

// lateCallTime is how long after an answer a call is still attributed to that request, if requests
// are let in one at a time.
const lateCallTime = 100 * time.Millisecond
