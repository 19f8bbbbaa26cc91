//go:build unix && go1.24

package poll

import (
	"runtime"
	"unsafe"
)

// Each goroutine has labels for profiles. Goroutines that it starts inherit the labels. The label sondeLabelKey
// says for which request the goroutine works. Its value is "ID" or, once data was sent for the request,
// "ID/GOROUTINE/REQUESTS": GOROUTINE is the number of the goroutine that sent the data, and REQUESTS is the
// number of requests that had begun by then.

//go:linkname sondeGetLabels runtime/pprof.runtime_getProfLabel
func sondeGetLabels() unsafe.Pointer

//go:linkname sondeSetLabels runtime/pprof.runtime_setProfLabel
func sondeSetLabels(unsafe.Pointer)

// sondeLabels has the layout of the type of labels in runtime/pprof.
type sondeLabels struct{ list []sondeLabel }

type sondeLabel struct{ key, value string }

const sondeLabelKey = "sonde.request"

// sondeCurrentRequest returns the request that the goroutine works for, "" if it is not known. mark is the
// number of requests that had begun when the goroutine last sent data, 0 if it sent none.
func sondeCurrentRequest() (id string, mark uint64) {
	id, by, mark := sondeSplit(sondeLabelOf(sondeGetLabels()))
	if by != sondeGoroutine() {
		return id, 0 // the label is inherited from the goroutine that started this one
	}
	return id, mark
}

// sondeSetRequest makes the goroutine work for a request, and returns its old labels.
func sondeSetRequest(id string) (before unsafe.Pointer) {
	before = sondeGetLabels()
	if id != "" || sondeLabelOf(before) != "" {
		sondeSetLabels(sondeWithRequest(before, id))
	}
	return before
}

func sondeRestoreLabels(before unsafe.Pointer) { sondeSetLabels(before) }

// sondeMarkSend records that the goroutine sends data for a request. begun is the number of requests so
// far.
func sondeMarkSend(id string, begun uint64) {
	value := id + "/" + sondeFormatUint(sondeGoroutine()) + "/" + sondeFormatUint(begun)
	if now := sondeGetLabels(); sondeLabelOf(now) != value {
		sondeSetLabels(sondeWithRequest(now, value))
	}
}

// SondeClearRequest removes the request from the labels of the calling goroutine, if the service is recorded. It is for
// goroutines that serve several requests, because they inherit the request of the goroutine that started them.
func SondeClearRequest() {
	if SondeRecording.Load() {
		sondeSetRequest("")
	}
}

// SondeKeepRequest restores the request of the goroutine after the service has replaced its labels. It does nothing if
// the service is not recorded.
func SondeKeepRequest(before unsafe.Pointer) {
	if value := sondeLabelOf(before); value != "" && SondeRecording.Load() {
		sondeSetLabels(sondeWithRequest(sondeGetLabels(), value))
	}
}

// SondeLabels returns the labels of the goroutine.
func SondeLabels() unsafe.Pointer { return sondeGetLabels() }

// SondeRequestTag returns the tag of the request that the goroutine works for, 0 if that request has been answered or there
// is none. It returns sondeUnknownRequest if no request has reached a server of net/http: the service then has another
// server, which does not label goroutines.
func SondeRequestTag() uint8 {
	value := sondeLabelOf(sondeGetLabels())
	if value == "" {
		if sondeHasBegun.Load() {
			return 0
		}
		return sondeUnknownRequest
	}
	if last := sondeLastFound.Load(); last != nil && last.value == value {
		return last.tag
	}
	return sondeFindTag(value)
}

// sondeFindTag returns the tag of the request of a label, 0 if the request has been answered.
func sondeFindTag(value string) uint8 {
	id, _ := sondeCutLabel(value)
	sondeInFlight.Lock()
	defer sondeInFlight.Unlock()
	found := sondeFound{value: value}
	if sondeInFlight.byID[id] > 0 {
		found.tag = sondeTag(id)
	}
	sondeLastFound.Store(&found)
	return found.tag
}

// sondeTag returns the tag of a request, from 1 to 254. The last four hex digits of an ID number the requests. So two
// requests that are being answered at the same time have the same tag only if one of them takes longer than 253
// others.
func sondeTag(id string) uint8 {
	n := 0
	for _, c := range id[len(id)-4:] {
		digit := int(c - '0')
		if c >= 'a' {
			digit = int(c-'a') + 10
		}
		n = 16*n + digit
	}
	return uint8(1 + n%254)
}

func sondeLabelOf(p unsafe.Pointer) string {
	if p == nil {
		return ""
	}
	for _, l := range (*sondeLabels)(p).list {
		if l.key == sondeLabelKey {
			return l.value
		}
	}
	return ""
}

// sondeWithRequest returns a copy of labels with another value of sondeLabelKey. If the value is "", the copy
// has no such label. The labels are sorted, as in runtime/pprof.
func sondeWithRequest(p unsafe.Pointer, value string) unsafe.Pointer {
	own := &sondeLabels{}
	placed := value == ""
	if p != nil {
		for _, l := range (*sondeLabels)(p).list {
			if l.key > sondeLabelKey && !placed {
				own.list, placed = append(own.list, sondeLabel{sondeLabelKey, value}), true
			}
			if l.key != sondeLabelKey {
				own.list = append(own.list, l)
			}
		}
	}
	if !placed {
		own.list = append(own.list, sondeLabel{sondeLabelKey, value})
	}
	return unsafe.Pointer(own)
}

// sondeSplit splits the value of sondeLabelKey into ID, GOROUTINE and REQUESTS. The numbers are 0 if they are missing.
func sondeSplit(value string) (id string, by, mark uint64) {
	id, rest := sondeCutLabel(value)
	goroutine, count := sondeCutLabel(rest)
	return id, sondeParseUint(goroutine), sondeParseUint(count)
}

func sondeCutLabel(s string) (before, after string) {
	for i := range len(s) {
		if s[i] == '/' {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// sondeGoroutine returns the number of the goroutine, which is in its stack trace.
func sondeGoroutine() uint64 {
	var b [40]byte
	return sondeParseUint(string(b[len("goroutine "):runtime.Stack(b[:], false)]))
}

// sondeParseUint returns the number with which a text begins.
func sondeParseUint(s string) (n uint64) {
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = 10*n + uint64(s[i]-'0')
	}
	return n
}

func sondeFormatUint(n uint64) string {
	if n >= 10 {
		return sondeFormatUint(n/10) + sondeFormatUint(n%10)
	}
	return string(rune('0' + n))
}
