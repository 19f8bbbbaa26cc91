//go:build unix

package poll

import (
	"sync"
	"sync/atomic"
)

// SondeRecords tells whether it is told for which request of its clients the service
// sends something.
var SondeRecords atomic.Bool

// SondeRequest is the key of contexts that tell for which request they are.
type SondeRequest struct{}

// sondeInFlight are the requests that are being answered, and how many ever were.
var sondeInFlight = struct {
	sync.Mutex
	now   map[string]int
	begun uint64
}{now: map[string]int{}}

// SondeEnter has what the goroutine sends, and those that it starts, be for a request,
// until leave is called.
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

// sondeOver says that a request is answered.
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

// SondeCause is for which request the goroutine sends something now; "" is for none
// that is known. Who sends again for a request that is answered, after others have
// come, may be at work for these: a goroutine that the first request started for all.
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
