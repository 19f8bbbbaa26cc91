//go:build unix

package poll

import (
	"sync"
	"sync/atomic"
)

// SondeRecording is true if the service is recorded. The data that the service sends is then attributed
// to the requests that it receives.
var SondeRecording atomic.Bool

// SondeRequest is the key under which a context has the ID of a request.
type SondeRequest struct{}

// sondeInFlight has the requests that are being answered.
var sondeInFlight = struct {
	sync.Mutex
	byID  map[string]int // the number of requests with this ID
	begun uint64         // the number of all requests so far
}{byID: map[string]int{}}

// SondeBeginRequest attributes the data that the current goroutine sends to a request, until end is
// called. Goroutines that this goroutine starts inherit the request.
func SondeBeginRequest(id string) (end func()) {
	before := sondeSetRequest(id)
	if id == "" {
		return func() { sondeRestoreLabels(before) }
	}
	sondeInFlight.Lock()
	sondeInFlight.byID[id]++
	sondeInFlight.begun++
	sondeInFlight.Unlock()
	return func() {
		sondeRestoreLabels(before)
		sondeEndRequest(id)
	}
}

// sondeEndRequest records that a request was answered.
func sondeEndRequest(id string) {
	sondeInFlight.Lock()
	if sondeInFlight.byID[id]--; sondeInFlight.byID[id] == 0 {
		delete(sondeInFlight.byID, id)
	}
	sondeInFlight.Unlock()
	if report := SondeReport.Load(); report != nil {
		(*report)("over", id)
	}
}

// SondeCause returns the ID of the request for which the goroutine is about to send data. It returns ""
// if the request is not known. A goroutine may have begun to work for all requests, so the request also
// counts as not known if all of this holds:
//
//   - The goroutine has sent data for the request before.
//   - The request has been answered since.
//   - Other requests have begun since.
func SondeCause() string {
	id, mark := sondeCurrentRequest()
	if id == "" {
		return ""
	}
	sondeInFlight.Lock()
	begun, isOpen := sondeInFlight.begun, sondeInFlight.byID[id] > 0
	sondeInFlight.Unlock()
	if mark != 0 && mark != begun && !isOpen {
		return ""
	}
	sondeMarkSend(id, begun)
	return id
}
