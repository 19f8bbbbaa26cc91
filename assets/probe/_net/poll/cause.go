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

// sondeHasBegun is true once a request with an ID has begun.
var sondeHasBegun atomic.Bool

// SondeBeginRequest makes the current goroutine work for a request: until end is called, the data that the goroutine
// sends is attributed to this request. Goroutines that this goroutine starts inherit the request. With the ID "", the
// goroutine works for no request.
func SondeBeginRequest(id string) (end func()) {
	before := sondeSetRequest(id)
	if id == "" {
		return func() { sondeRestoreLabels(before) }
	}
	sondeHasBegun.Store(true)
	sondeInFlight.Lock()
	sondeInFlight.byID[id]++
	sondeInFlight.begun++
	sondeLastFound.Store(nil)
	sondeInFlight.Unlock()
	return func() {
		sondeRestoreLabels(before)
		sondeEndRequest(id)
	}
}

// sondeUnknownRequest is the tag of a request that is not known.
const sondeUnknownRequest = 255

// sondeFound is a result of sondeFindTag: the tag for the value of a label.
type sondeFound struct {
	value string // the value of the label
	tag   uint8
}

// sondeLastFound is the last result of sondeFindTag. It is nil if a request has begun or ended since then. It makes
// repeated searches fast.
var sondeLastFound atomic.Pointer[sondeFound]

// sondeEndRequest records that a request was answered, and reports it to Sonde.
func sondeEndRequest(id string) {
	sondeInFlight.Lock()
	if sondeInFlight.byID[id]--; sondeInFlight.byID[id] == 0 {
		delete(sondeInFlight.byID, id)
	}
	sondeLastFound.Store(nil)
	sondeInFlight.Unlock()
	if report := SondeReport.Load(); report != nil {
		(*report)("over", id)
	}
}

// SondeCause returns the ID of the request for which the goroutine is about to send data. It returns "" if the request
// is not known. Otherwise it records that the goroutine sends data for the request. A goroutine may have begun to work
// for all requests, so the request also counts as not known if all of this holds:
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
