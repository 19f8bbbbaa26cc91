package record

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"sonde/model"
)

// mostKnown is how many requests are known by their traces, under way or not: what a
// service sends long after it answered has its cause, too.
const mostKnown = 10_000

// afterwards is how long what is sent behind the answer to the only request counts as
// its own, where requests are let in one at a time.
const afterwards = 100 * time.Millisecond

// visit is a request in the service. As long as it is known it is kept, so it is small.
type visit struct {
	id  string
	own trace // the client's

	// The table's:
	row   *Row  // of its operation, nil until it has its answer
	open  *open // nil when it is decided whether the request is kept
	keeps bool
}

// open is what is known of a request until it has its answer.
type open struct {
	calls []string // the operations that were sent outward for it, in their order
	sent  []string // the same, with what came of them
	how   []model.Cause
	held  []model.Sent // until it is decided whether the request is kept
}

// book knows which requests are in the service.
type book struct {
	clock  clock
	serial bool

	mu    sync.Mutex
	under map[*visit]bool
	last  *visit
	began time.Time // the last
	ended time.Time
	ring  []*visit // those that are known
	next  int      // where in the ring
}

func newBook(c clock, serial bool) *book {
	return &book{clock: c, serial: serial, under: map[*visit]bool{}, ring: make([]*visit, mostKnown)}
}

// begin notes a request that comes in.
func (b *book) begin(own trace) *visit {
	v := &visit{own: own, open: new(open)}
	b.mu.Lock()
	defer b.mu.Unlock()
	v.id = newID(uint16(b.next))
	b.ring[b.next], b.next = v, (b.next+1)%mostKnown
	b.under[v], b.last, b.began = true, v, b.clock.now()
	return v
}

// known is the request of a trace, by its id or the half of it that old B3 has; nil where
// it is not known. The mutex is held.
func (b *book) known(id string) *visit {
	if len(id) < 16 {
		return nil
	}
	at, err := strconv.ParseUint(id[len(id)-4:], 16, 16)
	if err != nil || at >= mostKnown || b.ring[at] == nil || !strings.HasSuffix(b.ring[at].id, id) {
		return nil
	}
	return b.ring[at]
}

// end notes that a request has its answer.
func (b *book) end(v *visit) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.under, v)
	if v == b.last {
		b.ended = b.clock.now()
	}
}

// cause finds the request for which something is sent, by its headers if it has any.
func (b *book) cause(h http.Header) (*visit, model.Cause) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range traceIDs(h) {
		if v := b.known(id); v != nil {
			return v, model.ByTrace
		}
	}
	switch {
	case b.serial && b.last != nil && (b.under[b.last] || b.clock.now().Sub(b.ended) < afterwards):
		return b.last, model.BySerial
	case !b.serial && len(b.under) == 1:
		for v := range b.under {
			return v, model.ByTime
		}
	}
	return nil, ""
}
