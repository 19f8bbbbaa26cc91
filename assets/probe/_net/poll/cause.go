//go:build unix

package poll

import (
	"sync"
	"sync/atomic"
)

// SondeRecords reports whether what the service sends is attributed to the requests of
// its clients.
var SondeRecords atomic.Bool

// SondeRequest is the key of contexts with a request.
type SondeRequest struct{}

// sondeInFlight are the requests that are being answered, and how many ever were.
var sondeInFlight = struct {
	sync.Mutex
	now   map[string]int
	begun uint64
}{now: map[string]int{}}

// SondeEnter attributes what the goroutine sends, and those that it starts, to a
// request until leave is called.
func SondeEnter(id string) (leave func()) {
	before := sondeWork(id)
	if id == "" {
		return func() { sondeResume(before) }
	}
	sondeInFlight.Lock()
	sondeInFlight.now[id]++
	sondeInFlight.begun++
	sondeInFlight.Unlock()
	return func() {
		sondeResume(before)
		sondeOver(id)
	}
}

// sondeOver records that a request was answered.
func sondeOver(id string) {
	sondeInFlight.Lock()
	if sondeInFlight.now[id]--; sondeInFlight.now[id] == 0 {
		delete(sondeInFlight.now, id)
	}
	sondeInFlight.Unlock()
	if tell := SondeTell.Load(); tell != nil {
		(*tell)("over", id)
	}
}

// SondeCause returns the request for which the goroutine sends something now; "" if it
// is not known. A goroutine that sends again for a request that is answered, after
// others came, may work for those: the first request may have started it for all.
func SondeCause() string {
	id, mark := sondeWorksFor()
	if id == "" {
		return ""
	}
	sondeInFlight.Lock()
	begun, open := sondeInFlight.begun, sondeInFlight.now[id] > 0
	sondeInFlight.Unlock()
	if mark != 0 && mark != begun && !open {
		return ""
	}
	sondeMark(id, begun)
	return id
}
