package record

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"sonde/model"
)

// maxKnown is how many requests are known by their traces, in flight or answered: a call that the
// service makes long after its answer still has a cause.
const maxKnown = 10_000

// afterwards is how long after the answer a call is attributed to the only request, with Serial.
const afterwards = 100 * time.Millisecond

// trackedRequest is a request in the service. It is kept as long as its trace is known, so it is small.
type trackedRequest struct {
	id  string
	own trace // the client's

	// The table's:
	row   *OperationRow // of its operation, nil until it has its answer
	open  *open         // nil when it is decided whether the request is kept
	keeps bool
}

// open is what is known of a request until it is answered.
type open struct {
	calls []string // the operations that were sent outward for it, in their order
	sent  []string // the same, with their results
	how   []model.Attribution
	held  []model.OutwardCall // until it is decided whether the request is kept
}

// requestTracker knows which requests are in the service.
type requestTracker struct {
	clock  clock
	serial bool

	mu    sync.Mutex
	under map[*trackedRequest]bool
	last  *trackedRequest
	began time.Time // the last
	ended time.Time
	ring  []*trackedRequest // the known requests
	next  int               // index in the ring of the next one
}

func newRequestTracker(c clock, serial bool) *requestTracker {
	return &requestTracker{clock: c, serial: serial, under: map[*trackedRequest]bool{}, ring: make([]*trackedRequest, maxKnown)}
}

// begin adds a request.
func (b *requestTracker) begin(own trace) *trackedRequest {
	v := &trackedRequest{own: own, open: new(open)}
	b.mu.Lock()
	defer b.mu.Unlock()
	v.id = newID(uint16(b.next))
	b.ring[b.next], b.next = v, (b.next+1)%maxKnown
	b.under[v], b.last, b.began = true, v, b.clock.now()
	return v
}

// known returns the request of a trace, by its id or the half of it that old B3 has; nil if it is
// unknown. The mutex is held.
func (b *requestTracker) known(id string) *trackedRequest {
	if len(id) < 16 {
		return nil
	}
	at, err := strconv.ParseUint(id[len(id)-4:], 16, 16)
	if err != nil || at >= maxKnown || b.ring[at] == nil || !strings.HasSuffix(b.ring[at].id, id) {
		return nil
	}
	return b.ring[at]
}

// end records that a request is answered.
func (b *requestTracker) end(v *trackedRequest) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.under, v)
	if v == b.last {
		b.ended = b.clock.now()
	}
}

// cause finds the request for which a call is made, by the headers of the call if it has any.
func (b *requestTracker) cause(h http.Header) (*trackedRequest, model.Attribution) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range traceIDs(h) {
		if v := b.known(id); v != nil {
			return v, model.AttributedByTrace
		}
	}
	switch {
	case b.serial && b.last != nil && (b.under[b.last] || b.clock.now().Sub(b.ended) < afterwards):
		return b.last, model.AttributedBySerial
	case !b.serial && len(b.under) == 1:
		for v := range b.under {
			return v, model.AttributedByTime
		}
	}
	return nil, ""
}
