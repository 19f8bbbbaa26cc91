//go:build unix

package poll

import (
	"sync"
	"sync/atomic"
)

// SondeRecords is true if the service is recorded: what it sends is attributed to the requests that
// it receives.
var SondeRecords atomic.Bool

// SondeRequest is the key of the ID of a request in contexts.
type SondeRequest struct{}

// sondeInFlight has the requests that are being answered.
var sondeInFlight = struct {
	sync.Mutex
	now   map[string]int // how many requests have an ID
	begun uint64         // the number of all requests so far
}{now: map[string]int{}}

// SondeEnter attributes what the goroutine sends to a request, until leave is called. Goroutines
// that it starts inherit the request.
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

// SondeCause returns the request for which the goroutine is about to send data, "" if it is not
// known. It is not known if the goroutine sent data before, its request has been answered since, and
// other requests came: the goroutine may then work for all requests.
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
