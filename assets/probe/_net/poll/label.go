//go:build unix && go1.24

package poll

import (
	"runtime"
	"unsafe"
)

// A goroutine has labels for profiles. Goroutines that it starts inherit them. The label sondeKey is
// the request that the goroutine works for, as "ID" or "ID/GOROUTINE/REQUESTS": the goroutine that
// sent data for the request, and the number of requests that had begun then.

//go:linkname sondeLabelsNow runtime/pprof.runtime_getProfLabel
func sondeLabelsNow() unsafe.Pointer

//go:linkname sondeSetLabels runtime/pprof.runtime_setProfLabel
func sondeSetLabels(unsafe.Pointer)

// sondeLabels has the layout of the type of labels in runtime/pprof.
type sondeLabels struct{ list []sondeLabel }

type sondeLabel struct{ key, value string }

const sondeKey = "sonde.request"

// sondeWorksFor returns the request that the goroutine works for, "" if it is not known. mark is the
// number of requests that had begun when the goroutine last sent data, 0 if it sent none.
func sondeWorksFor() (id string, mark uint64) {
	id, by, mark := sondeSplit(sondeLabelOf(sondeLabelsNow()))
	if by != sondeGoroutine() {
		return id, 0 // the label is inherited from the goroutine that started this one
	}
	return id, mark
}

// sondeWork makes the goroutine work for a request, and returns its old labels.
func sondeWork(id string) (before unsafe.Pointer) {
	before = sondeLabelsNow()
	if id != "" || sondeLabelOf(before) != "" {
		sondeSetLabels(sondeWith(before, id))
	}
	return before
}

func sondeResume(before unsafe.Pointer) { sondeSetLabels(before) }

// sondeMark records that the goroutine sends data for a request. begun is the number of requests so
// far.
func sondeMark(id string, begun uint64) {
	value := id + "/" + sondeDigits(sondeGoroutine()) + "/" + sondeDigits(begun)
	if now := sondeLabelsNow(); sondeLabelOf(now) != value {
		sondeSetLabels(sondeWith(now, value))
	}
}

// SondeIdle makes the goroutine work for no request, because it serves several.
func SondeIdle() {
	if SondeRecords.Load() {
		sondeWork("")
	}
}

// SondeKeep restores the request of the goroutine after the service has replaced its labels.
func SondeKeep(before unsafe.Pointer) {
	if value := sondeLabelOf(before); value != "" && SondeRecords.Load() {
		sondeSetLabels(sondeWith(sondeLabelsNow(), value))
	}
}

// SondeLabels returns the labels of the goroutine.
func SondeLabels() unsafe.Pointer { return sondeLabelsNow() }

func sondeLabelOf(p unsafe.Pointer) string {
	if p == nil {
		return ""
	}
	for _, l := range (*sondeLabels)(p).list {
		if l.key == sondeKey {
			return l.value
		}
	}
	return ""
}

// sondeWith returns a copy of labels with another value of sondeKey, or without it if the value is
// "". They are sorted, as in runtime/pprof.
func sondeWith(p unsafe.Pointer, value string) unsafe.Pointer {
	own := &sondeLabels{}
	placed := value == ""
	if p != nil {
		for _, l := range (*sondeLabels)(p).list {
			if l.key > sondeKey && !placed {
				own.list, placed = append(own.list, sondeLabel{sondeKey, value}), true
			}
			if l.key != sondeKey {
				own.list = append(own.list, l)
			}
		}
	}
	if !placed {
		own.list = append(own.list, sondeLabel{sondeKey, value})
	}
	return unsafe.Pointer(own)
}

// sondeSplit splits the value of sondeKey.
func sondeSplit(value string) (id string, by, mark uint64) {
	id, rest := sondeCutLabel(value)
	goroutine, count := sondeCutLabel(rest)
	return id, sondeCount(goroutine), sondeCount(count)
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
	return sondeCount(string(b[len("goroutine "):runtime.Stack(b[:], false)]))
}

// sondeCount returns the number with which a text begins.
func sondeCount(s string) (n uint64) {
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = 10*n + uint64(s[i]-'0')
	}
	return n
}

func sondeDigits(n uint64) string {
	if n >= 10 {
		return sondeDigits(n/10) + sondeDigits(n%10)
	}
	return string(rune('0' + n))
}
